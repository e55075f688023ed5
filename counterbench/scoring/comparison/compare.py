"""Compares judges on the same pairs, joined by id: the better one, the difference, or that the data cannot decide.

A pair counts for two judges if both have both replies; other pairs are left out and counted. A judge without any such
pair is left out as a whole. One judge is better than another if McNemar's exact p, adjusted by Holm over all pairs of
judges, is at most 5 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from counterbench.errors import InputError
from counterbench.scoring.comparison.document import Compared, Comparison, Contrast, Costs, Group, Standing
from counterbench.scoring.comparison.joining import (
    Side,
    answered,
    common,
    differences,
    listed,
    refuse_strangers,
    refuse_unfit,
    sides,
)
from counterbench.scoring.results import RunResults, load_results
from counterbench.scoring.rules import DEFAULT
from counterbench.scoring.scores import Document, document, share
from counterbench.stats.intervals import Estimate
from counterbench.stats.multiple import holm
from counterbench.stats.paired import mcnemar_exact, paired_difference
from counterbench.stats.power import MOST_PAIRS, pairs_needed

LEVEL, POWER = 0.05, 0.8

# Right by both, by the first only, by the second only, by neither.
Table = tuple[int, int, int, int]


def compare(paths: Sequence[Path], scoring_name: str = DEFAULT, anyway: bool = False) -> Comparison:
    """The runs in `paths` compared under one scoring.

    InputError if there are fewer than two different runs with a pair answered twice, if one is not a run, if two of
    them share no such pair, or, unless `anyway`, if their suites, wordings, votes or keys differ.
    """
    refuse_unfit(paths)
    return compare_runs([load_results(path, scoring_name) for path in paths], anyway)


def compare_runs(named: Sequence[RunResults], anyway: bool = False) -> Comparison:
    """The same for runs that were read already, all under one scoring."""
    refuse_unfit([run.path for run in named])
    runs, unanswered = answered(named)
    marked = differences(runs)
    if marked and not anyway:
        raise InputError(
            f"{listed(str(run.path) for run in runs)} cannot be compared: {'; '.join(marked)}. Compare runs that "
            "differ in their judge alone, or add --anyway: pairs with the same id and truth are then compared, marked"
        )
    judges = sides(runs)
    for one, other in combinations(judges, 2):
        refuse_strangers(one, other)
    documents = [_document(run) for run in runs]
    richest_first = sorted(documents, key=lambda doc: -len(doc.categories))
    categories = dict.fromkeys(name for doc in richest_first for name in doc.categories)
    return Comparison(
        scoring=runs[0].scoring,
        level=LEVEL,
        marked=marked,
        runs=[_compared(side.label, side.run, doc) for side, doc in zip(judges, documents, strict=True)],
        unanswered=[_compared(run.info.name or run.info.judge, run, _document(run)) for run in unanswered],
        overall=_group(judges),
        categories={name: _group([side.only(name) for side in judges]) for name in categories},
    )


def _document(run: RunResults) -> Document:
    return document(str(run.path), run.info, run.pairs, run.scoring, run.uncounted)


def _compared(judge: str, run: RunResults, doc: Document) -> Compared:
    outcomes = doc.overall.outcomes
    costs = _costs(run, sum(outcomes.values()) - outcomes["failed"])
    return Compared(judge, doc.run, doc.signature, doc.complete, doc.missing, outcomes["failed"], costs)


def _costs(run: RunResults, pictures: int) -> Costs:
    """The costs of a run for 1,000 pictures; `pictures`: the number with a reply."""
    seen = run.observed
    replies = seen.attempts - sum(seen.failed_attempts.values())
    usd, *tokens = (
        1000 * spent / pictures if spent is not None and pictures else None
        for spent in (seen.cost if seen.priced == replies else None, seen.tokens_in, seen.tokens_out)
    )
    return Costs(usd, *tokens)


def _group(judges: Sequence[Side]) -> Group:
    ids = common(judges)
    contrasts = _contrasts(judges)
    standings = []
    for side in judges:
        ccs = share(sum(bool(side.pairs[id].consistent) for id in ids), len(ids))
        decided = [c for c in contrasts if side.label in (c.first, c.second) and c.better is not None]
        won = sum(contrast.better == side.label for contrast in decided)
        standings.append(Standing(side.label, ccs, 1 + len(decided) - won, len(judges) - won))
    standings.sort(key=lambda standing: -(standing.ccs.value or 0))
    every = {id for side in judges for id in side.pairs}
    return Group(len(ids), len(every) - len(ids), standings, contrasts)


def _contrasts(judges: Sequence[Side]) -> list[Contrast]:
    """The contrast of every two judges, in the order given; p is adjusted over those that share a pair."""
    twos = list(combinations(judges, 2))
    tables = [_table(one, other) for one, other in twos]
    p_values = [mcnemar_exact(table[1], table[2]) if sum(table) else None for table in tables]
    adjusted = iter(holm([p for p in p_values if p is not None]))
    tested = len(p_values) - p_values.count(None)
    return [
        _contrast(one, other, table, p, None if p is None else next(adjusted), tested)
        for (one, other), table, p in zip(twos, tables, p_values, strict=True)
    ]


def _contrast(one: Side, other: Side, table: Table, p: float | None, p_holm: float | None, tested: int) -> Contrast:
    both, only_first, only_second, neither = table
    pairs = sum(table)
    better, needed = None, None
    if p_holm is None:
        verdict = "no pair in common"
    elif p_holm <= LEVEL:
        better = one.label if only_first > only_second else other.label
        verdict = f"{better} is better"
    elif only_first == only_second:
        verdict = "cannot be told apart: no difference was seen, so no number of pairs can be named"
    else:
        needed = pairs_needed(only_first / pairs, only_second / pairs, POWER, LEVEL / tested)
        many = f"more than {MOST_PAIRS:,}" if needed is None else f"about {needed}"
        verdict = f"cannot be told apart: {many} pairs would be needed"
    return Contrast(
        first=one.label,
        second=other.label,
        pairs=pairs,
        left_out=len(one.pairs.keys() | other.pairs.keys()) - pairs,
        both=both,
        only_first=only_first,
        only_second=only_second,
        neither=neither,
        ccs_first=share(both + only_first, pairs),
        ccs_second=share(both + only_second, pairs),
        difference=paired_difference(*table) or Estimate(None, None, None),
        p=p,
        p_holm=p_holm,
        better=better,
        verdict=verdict,
        pairs_needed=needed,
    )


def _table(one: Side, other: Side) -> Table:
    right = [(one.pairs[id].consistent, other.pairs[id].consistent) for id in common([one, other])]
    return (
        right.count((True, True)),
        right.count((True, False)),
        right.count((False, True)),
        right.count((False, False)),
    )
