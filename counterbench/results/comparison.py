"""Compares judges that were asked about the same pairs: who is better, and by how much.

In go runs that were read (`RunResults`), one for each judge; out comes a `Comparison`, the document of the command
`compare` (`compare_runs`, at the middle of the module, is the main function; the classes above it are the document).
There is a ranking of the judges and a *contrast* of every two of them, over all pairs and over each category of pairs.

A *pair* is two pictures with a question about each; pairs of different runs are joined by their id. A pair counts for
two judges if each has replied to both of its questions; other pairs are left out, and their number is given. A judge
without any such pair is left out as a whole. *CCS* is the share of pairs that are right on both pictures. A difference
of CCS is tested by McNemar's exact test.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.judges.specs import is_by_order
from counterbench.results.contrasts import ALPHA, Contrast, Rank, adjusted, ranks_of
from counterbench.results.results import PairResult, RunResults
from counterbench.results.scores import Provenance, Share, document, in_order, in_percent, share
from counterbench.runs.folder import refuse_repeats
from counterbench.stats.intervals import UNDEFINED, Estimate
from counterbench.stats.paired import mcnemar_exact, paired_difference, times_needed
from counterbench.text import brief, counted, listed


class JudgeContrast(Contrast, frozen=True, kw_only=True):
    """Two judges, compared on the pairs that count for both; `difference` is of CCS, by Newcombe's method 10."""

    verdict: str  # which judge is better, or how many pairs would tell, in words
    both: int  # pairs that both judges have right (on both pictures)
    only_first: int  # pairs that only the first judge has right
    only_second: int
    neither: int
    ccs_first: Share
    ccs_second: Share


class Ranked(Rank, frozen=True, kw_only=True):
    """One judge's CCS on the pairs that count for all judges, with its ranks."""

    judge: str
    ccs: Share


class Group(msgspec.Struct, frozen=True):
    """The comparison over all pairs, or over one category of pairs."""

    pairs: int  # that count for every judge
    left_out: int  # the other pairs that any run has
    ranking: list[Ranked]  # from the highest CCS down
    contrasts: list[JudgeContrast]


class Costs(msgspec.Struct, frozen=True):
    """The costs of a judge for 1,000 pictures with one question each; repeats and failed requests are included."""

    usd: float | None  # US dollars; null if the cost of any reply is unknown
    tokens_in: float | None  # null if no reply gives it
    tokens_out: float | None


class Admitted(msgspec.Struct, frozen=True):
    """The cells that a judge's certificate admits it to; a cell is a kind of question about a law or a family."""

    cells: int  # admitted
    of: int  # tested
    policy: str
    certificate: str


class SeenUpTo(msgspec.Struct, frozen=True):
    """A judge's result on one ladder: a test that gets harder rung by rung, such as counts of more and more things."""

    granted: int | None  # the last rung that it was shown to see; null for none
    threshold: Estimate  # the value at which 75 % of the pairs are right


class Compared(msgspec.Struct, frozen=True):
    """One run of the comparison: its judge, its settings, its losses and costs."""

    judge: str  # the user's name for the judge, or the judge's own; the run's path if two runs have the same name
    run: str
    provenance: Provenance
    complete: bool  # True if no question is missing or failed
    missing: int  # questions that were not asked
    failed: int
    costs: Costs
    admitted: Admitted | None = None  # by the certificate of this run that admits to most; null without a valid one
    ladders: dict[str, SeenUpTo] = {}  # by name of the ladder


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The document of `compare --json`."""

    scoring: str
    level: float  # the level of significance of the verdicts, 0.05
    marked: list[str]  # other differences between the runs than their judge; empty unless compared anyway
    runs: list[Compared]
    unanswered: list[Compared]  # runs without a pair with both replies; they are left out everywhere else
    overall: Group
    categories: dict[str, Group]  # by category of pairs
    recommendation: str = ""  # which judge to take, or none (`advice`)

    @property
    def by_offer(self) -> list[Compared]:
        """The runs in the order to offer them: admitted judges first; among these the cheapest first, unknown last."""

        def sort_key(run: Compared) -> tuple[bool, bool, float, int]:
            """The key to sort by; a run with a lower one comes earlier."""
            cells = run.admitted.cells if run.admitted is not None else 0
            return not cells, run.costs.usd is None, run.costs.usd or 0.0, -cells

        return sorted(self.runs, key=sort_key)

    def __repr__(self) -> str:
        """The ranking in a line."""
        ranks = "; ".join(f"{ranked.rank}. {ranked.judge} {in_percent(ranked.ccs)}" for ranked in self.overall.ranking)
        return brief(self, f"of CCS on {counted(self.overall.pairs, 'common pair')}: {ranks}")


class _Side:
    """One judge of the comparison: its label (the name in the document), its run, and its pairs by id.

    `category`: the category whose pairs are taken; None: all pairs.
    """

    def __init__(self, label: str, run: RunResults, category: str | None = None) -> None:
        self.label, self.run = label, run
        self.pairs = {pair.key.group: pair for pair in run.pairs if category in (None, pair.key.category)}


def refuse_unfit(paths: Sequence[Path]) -> None:
    """InputError if there are fewer than two runs, or one is named twice."""
    if len(paths) < 2:
        raise InputError("one run cannot be compared; name two or more: counterbench compare RUN RUN…")
    refuse_repeats(paths)


def compare_runs(given: Sequence[RunResults], anyway: bool = False) -> Comparison:
    """The comparison of the runs `given`, which were all read under one scoring.

    Runs without a pair with both replies are set aside, and controls where a judge is a scorer (see `judged_pairs`).
    InputError if fewer than two runs are left, if two of these share no pair that counts for both, or, unless `anyway`,
    if their suites, templates, repeats or keys differ.
    """
    refuse_unfit([run.path for run in given])
    # 1. The runs that can be compared, and if their settings allow it.
    if any(is_by_order(run.info.judge) for run in given):
        given = [msgspec.structs.replace(run, pairs=[p for p in run.pairs if p.key.relevant]) for run in given]
    unanswered = [run for run in given if all(pair.both is None for pair in run.pairs)]
    runs = [run for run in given if run not in unanswered]
    if len(runs) < 2:
        raise InputError(
            f"{len(runs)} of {len(given)} runs can be compared, two or more are needed: no pair has both its replies "
            f"in {listed(str(run.path) for run in unanswered)}; resume what is unfinished, or name other runs"
        )
    marked = _differences(runs)
    if marked and not anyway:
        raise InputError(
            f"{listed(str(run.path) for run in runs)} cannot be compared: {'; '.join(marked)}. Compare runs that "
            "differ in their judge alone, or add --anyway: pairs with the same id and truth are then compared, marked"
        )
    # 2. A label for each judge; every two must have a pair that counts for both.
    names = [run.info.name or run.info.judge for run in runs]
    labels = [str(run.path) if names.count(name) > 1 else name for name, run in zip(names, runs, strict=True)]
    judges = [_Side(label, run) for label, run in zip(labels, runs, strict=True)]
    for first, second in combinations(judges, 2):
        if not _common_ids([first, second]):
            shared = len(first.pairs.keys() & second.pairs.keys())
            raise InputError(
                f"{first.run.path} and {second.run.path} cannot be compared: they share {shared} pairs by id, and none "
                "with the same truth to which both have both replies; probe both with one suite, resume what is "
                "unfinished, or leave one out"
            )
    # 3. The comparison over all pairs and over each category.
    categories = in_order({pair.key.category for run in runs for pair in run.pairs})
    return Comparison(
        scoring=runs[0].scoring,
        level=ALPHA,
        marked=marked,
        runs=[_compared(label, run) for label, run in zip(labels, runs, strict=True)],
        unanswered=[_compared(run.info.name or run.info.judge, run) for run in unanswered],
        overall=_group(judges),
        categories={name: _group([_Side(side.label, side.run, name) for side in judges]) for name in categories},
    )


def _compared(judge: str, run: RunResults) -> Compared:
    """The entry of a run in the document, with the costs of 1,000 pictures; `judge`: the name to give it."""
    doc = document(str(run.path), run.info, run.pairs, run.scoring, run.uncounted)
    outcomes, usage = doc.overall.outcomes, run.observed
    pictures = sum(outcomes.values()) - outcomes["failed"]  # with a reply
    replies = usage.attempts - sum(usage.failed_attempts.values())
    usd, *tokens = (
        1000 * spent / pictures if spent is not None and pictures else None
        for spent in (usage.cost if usage.priced == replies else None, usage.tokens_in, usage.tokens_out)
    )
    usd = None if run.info.members else usd  # a panel's own replies cost nothing, those of its members do
    return Compared(judge, doc.run, doc.provenance, doc.complete, doc.missing, outcomes["failed"], Costs(usd, *tokens))


def _group(judges: Sequence[_Side]) -> Group:
    """The ranking of judges on the pairs that count for all, and the contrasts of every two of them."""
    ids, contrasts = _common_ids(judges), _contrasts(judges)
    ranking = [
        Ranked(
            judge=side.label,
            ccs=share(sum(bool(side.pairs[id].consistent) for id in ids), len(ids)),
            **ranks_of(side.label, len(judges), contrasts),
        )
        for side in judges
    ]
    ranking.sort(key=lambda ranked: -(ranked.ccs.value or 0))
    all_ids = {id for side in judges for id in side.pairs}
    return Group(len(ids), len(all_ids) - len(ids), ranking, contrasts)


def _contrasts(judges: Sequence[_Side]) -> list[JudgeContrast]:
    """The contrast of every two judges, with its verdict; p is adjusted for the number of contrasts with a pair."""
    contrasts = adjusted([_contrast(first, second) for first, second in combinations(judges, 2)])
    tests = sum(contrast.p is not None for contrast in contrasts)
    return [_with_verdict(contrast, ALPHA / max(1, tests)) for contrast in contrasts]


def _contrast(first: _Side, second: _Side) -> JudgeContrast:
    """The contrast of two judges by CCS; its verdict, and the adjusted p, are still to be set."""
    table = _counts_of_right(first, second)
    both, only_first, only_second, neither = table
    pairs = sum(table)
    return JudgeContrast(
        first=first.label,
        second=second.label,
        units=pairs,
        left_out=len(first.pairs.keys() | second.pairs.keys()) - pairs,
        both=both,
        only_first=only_first,
        only_second=only_second,
        neither=neither,
        ccs_first=share(both + only_first, pairs),
        ccs_second=share(both + only_second, pairs),
        difference=paired_difference(*table) or UNDEFINED,
        p=mcnemar_exact(only_first, only_second) if pairs else None,
        verdict="no pair in common",
    )


def _with_verdict(contrast: JudgeContrast, alpha: float) -> JudgeContrast:
    """The contrast with its verdict in words and, if neither is better, the number of pairs that would decide it.

    `alpha`: the level of the test for which that number is forecast.
    """
    needed = None
    if contrast.p is None:
        return contrast
    if contrast.better is not None:
        verdict = f"{contrast.better} is better"
    elif contrast.only_first == contrast.only_second:
        verdict = "cannot be told apart: no difference was seen, so no number of pairs can be named"
    else:  # the error is that of McNemar's test, which takes the two to be equal
        error = math.sqrt(contrast.only_first + contrast.only_second) / contrast.units
        times = times_needed((contrast.only_first - contrast.only_second) / contrast.units, error, alpha=alpha)
        needed = max(contrast.units + 1, math.ceil(contrast.units * (times or 0)))
        verdict = f"cannot be told apart: about {needed:,} pairs would be needed"
    return msgspec.structs.replace(contrast, verdict=verdict, units_needed=needed)


def _counts_of_right(first: _Side, second: _Side) -> tuple[int, int, int, int]:
    """The numbers of pairs that both judges have right, only the first, only the second, neither."""
    right = Counter((first.pairs[id].consistent, second.pairs[id].consistent) for id in _common_ids([first, second]))
    return right[True, True], right[True, False], right[False, True], right[False, False]


def _common_ids(judges: Sequence[_Side]) -> list[str]:
    """The ids of the pairs that count for all judges: all have both replies, and the same right answers."""
    first, *others = (side.pairs for side in judges)
    return [
        id
        for id, pair in first.items()
        if pair.consistent is not None
        and all(id in pairs and pairs[id].consistent is not None and same_keys(pair, pairs[id]) for pairs in others)
    ]


def _differences(runs: Sequence[RunResults]) -> list[str]:
    """The differences between the runs in suite, template, repeats or keys, in words that name the runs."""
    texts = []
    settings_of_runs = [_settings(run) for run in runs]
    for setting in settings_of_runs[0]:
        words_by_value: dict[str, str] = {}
        for run, settings in zip(runs, settings_of_runs, strict=True):
            value, words = settings[setting]
            words_by_value.setdefault(value, f"{words} in {run.path}")
        if len(words_by_value) > 1:
            texts.append(f"{setting} differ: {listed(words_by_value.values())}")
    first = {pair.key.group: pair for pair in runs[0].pairs}
    for run in runs[1:]:
        shared = [pair for pair in run.pairs if pair.key.group in first]
        if changed := sum(not same_keys(first[pair.key.group], pair) for pair in shared):
            texts.append(f"keys differ: {changed} of {len(shared)} shared ids in {runs[0].path} and {run.path}")
    return texts


def _settings(run: RunResults) -> dict[str, tuple[str, str]]:
    """A run's suite, template and repeats, by name: for each the text to compare, and the words for it in a message."""
    info = run.info
    seed = "" if info.seed is None else f", seed {info.seed}"
    # A run of other pairs of the suite (--limit, --times) has another digest.
    suite = f"{info.suite} {info.suite_digest[:8]}{seed}, {len(run.pairs)} pairs"
    return {
        "suites": (info.suite_digest, suite),
        "templates": (info.template_digest, f"{info.template} {info.template_digest[:8]}"),
        "repeats": (str(info.repeats), str(info.repeats)),
    }


def same_keys(first: PairResult, second: PairResult) -> bool:
    """True if two results are of the same questions with the same right answers."""
    return all(
        (a.id, a.expected, a.answer_type, a.relevant, a.family, a.category)
        == (b.id, b.expected, b.answer_type, b.relevant, b.family, b.category)
        for a, b in zip(first.keys, second.keys, strict=True)
    )
