"""Models compared: every two of one prompt set, asked and counted alike, by each headline number.

Runs are paired group by group, as `t2i score` pairs them. One model is better than another by a number when the
randomisation test's p, adjusted by Holm over all models and numbers, is at most 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from counterbench.errors import InputError
from counterbench.runs.folder import refuse_repeats
from counterbench.stats.clusters import Jackknife, Series, pseudovalues
from counterbench.stats.multiple import holm
from counterbench.stats.power import times_needed
from counterbench.stats.randomisation import DRAWS, randomisation_p, swaps
from counterbench.t2i.comparing.document import Comparison, Comparisons, Contrast, ModelRun, Rank
from counterbench.t2i.comparing.pairs import paired_runs
from counterbench.t2i.judging.results import JudgedRun, load_judged
from counterbench.t2i.protocols.numbers import Paired
from counterbench.t2i.run_scores import score
from counterbench.t2i.scores.document import Document, Standing
from counterbench.t2i.scores.measure import clusters_of, series
from counterbench.t2i.scores.rules import DEFAULT
from counterbench.t2i.scores.scores import Part
from counterbench.t2i.words import heading, told_apart, unit
from counterbench.text import counted

LEVEL = 0.05
Places = tuple[int, int]  # the indices of two runs
Couples = Mapping[Places, Paired]
# The most units that anybody would draw.
MOST = 2**20
OnProgress = Callable[[int, int, str], None]


def compare_models(
    paths: Sequence[Path],
    scoring_name: str = DEFAULT,
    threshold: float | None = None,
    brief: bool = True,
    on_progress: OnProgress = lambda done, total, note: None,
) -> Comparisons:
    """Compare the runs in `paths`: those with the same prompt set, protocol, judge and wording, with each other.

    `threshold`: of the gate, where the protocol has one; `brief`: models have short names, for tables. `on_progress`
    gets the work done, the whole work, and a note. InputError if no two runs can be compared, if they have no group in
    common, or if one is named twice.
    """
    refuse_repeats(paths)
    alike: dict[tuple[object, ...], list[JudgedRun]] = {}
    for done, path in enumerate(paths):
        on_progress(done, len(paths), "reading runs")
        run = load_judged(path)
        alike.setdefault(tuple(_asked_as(run).values()), []).append(run)
    alone = [str(runs[0].kept.path) for runs in alike.values() if len(runs) == 1]
    if len(alone) == len(alike):
        raise InputError(
            f"of {counted(len(paths), 'run')} no two can be compared: models are compared on one prompt set, under one "
            "protocol, by one judge asked with one wording; name runs that differ in their generator alone"
            + _differences([runs[0] for runs in alike.values()])
        )
    compared = (
        _compared(runs, scoring_name, threshold, brief, on_progress) for runs in alike.values() if len(runs) > 1
    )
    return Comparisons(list(compared), alone)


def _asked_as(run: JudgedRun) -> dict[str, str]:
    """The things that runs must have in common for their models alone to differ, by name."""
    info, t2i = run.info, run.kept.info
    return {
        "prompts": t2i.prompts,
        "levels": ", ".join(run.prompts.levels),
        "protocol": f"{t2i.protocol} (version {t2i.protocol_version})",
        "judge": info.judge,
        "wording": f"{info.wording} ({info.wording_digest[:8]})",
        "votes": str(info.votes),
        "the prompt": "shown" if t2i.prompt_shown else "not shown",
    }


def _differences(runs: Sequence[JudgedRun]) -> str:
    """The differences between these runs beside their models, in words."""
    asked = [_asked_as(run) for run in runs]
    by_name = {name: list(dict.fromkeys(each[name] for each in asked)) for name in asked[0]}
    differing = [f"{name} ({' | '.join(values)})" for name, values in by_name.items() if len(values) > 1]
    return f". These differ in: {'; '.join(differing)}" if differing else ""


def _compared(
    runs: Sequence[JudgedRun], scoring_name: str, threshold: float | None, brief: bool, on_progress: OnProgress
) -> Comparison:
    scored = []
    for done, run in enumerate(runs):
        on_progress(done, len(runs), "scoring runs")
        scored.append(score(run, scoring_name, threshold))
    documents = told_apart(scored, brief)
    names = [document.generator for document in documents]
    couples, others = paired_runs(runs, names, scoring_name, threshold)
    not_compared = [
        reason or f"{names[a]} and {names[b]} were asked no prompt alike: nothing to compare"
        for (a, b), reason in others.items()
    ]
    if not couples:
        raise InputError("; ".join(not_compared))
    contrasts, tests = _contrasts(couples, unit(documents[0]), on_progress)
    headline = list(dict.fromkeys(name for of in documents for name in of.headline))
    return Comparison(
        prompts=documents[0].signature.prompts,
        protocol=documents[0].protocol,
        level=LEVEL,
        units=unit(documents[0]),
        clusters="law" if any(len(of.slices.get("law", ())) > 1 for of in documents) else unit(documents[0]),
        fewest=min(len(set(clusters_of(both.units))) for both in couples.values()),
        headline=headline,
        runs=[_run(document) for document in documents],
        ranks={name: _ranks(documents, name, contrasts) for name in headline},
        contrasts=contrasts,
        tests=tests,
        not_compared=not_compared,
    )


def _contrasts(couples: Couples, units: str, on_progress: OnProgress) -> tuple[list[Contrast], int]:
    """Every two models by every headline number, and the number of tests over which p is adjusted."""
    differences = {}
    for done, (places, both) in enumerate(couples.items()):
        on_progress(done, len(couples), "pairs of models")
        differences[places] = both.difference()
    tests = [
        (places, name)
        for places, of in differences.items()
        for name in of.headline
        if of.columns[name].value is not None
    ]
    draws = max(DRAWS, round(4 * len(tests) / LEVEL))  # enough to resolve Holm's smallest p
    by_places = {}
    for done, (places, both) in enumerate(couples.items()):
        on_progress(done, len(couples), "testing pairs of models")
        by_places[places] = p_values(both, draws)
    on_progress(len(couples), len(couples), "testing pairs of models")
    p = {(places, name): by_places[places][name] for places, name in tests}
    adjusted = dict(zip(p, holm(list(p.values())), strict=True))
    contrasts = []
    for places, of in differences.items():
        shares = contributions(couples[places])
        for name in of.headline:
            value, p_holm = of.columns[name].value, adjusted.get((places, name))
            decided = value is not None and p_holm is not None and p_holm <= LEVEL
            better = None if not decided or value is None else of.first if value > 0 else of.second
            tied = p_holm is not None and not decided
            needed = units_needed(shares[name], of.units, LEVEL / len(tests)) if tied else None
            contrasts.append(
                Contrast(
                    column=name,
                    first=of.first,
                    second=of.second,
                    units=of.units,
                    left_out=of.left_out,
                    difference=of.columns[name],
                    p=p.get((places, name)),
                    p_holm=p_holm,
                    better=better,
                    verdict=_verdict(name, value, better, needed, units),
                    units_needed=needed,
                )
            )
    return contrasts, len(tests)


def p_values(both: Paired, draws: int = DRAWS) -> dict[str, float]:
    """The p of each headline number's difference: two-sided, models swapped in whole clusters (`stats.randomisation`).

    1 where a difference is undefined.
    """
    formulas = {name: of for name, of in both.formulas[0].items() if name in both.headline}
    needed_by = {*both.headline, *(column for of in formulas.values() for column in of.of)}
    one, other = both.parts
    shared = [name for name in one.columns if name in needed_by and name in other.columns]
    joined = Part(
        (*one.units, *other.units),
        (*one.complete, *other.complete),
        {name: one.columns[name] + other.columns[name] for name in shared},
    )
    here, there = (series(joined, formulas, swapped) for swapped in swaps(clusters_of(both.units), draws))
    return {name: randomisation_p(here[name] - there[name]) for name in both.headline}


def _verdict(column: str, value: float | None, better: str | None, needed: int | None, units: str) -> str:
    by = heading(column)
    if value is None:
        return f"{by} is undefined of one of them"
    if better is not None:
        return f"{better} is better by {by}"
    if needed is None:
        return f"cannot be told apart by {by}, and no number of {units}s can be named"
    return f"cannot be told apart by {by}: about {counted(needed, units)} with as many samples would be needed"


def _ranks(documents: Sequence[Document], column: str, contrasts: Sequence[Contrast]) -> list[Rank]:
    ranks = []
    for document in documents:
        name = document.generator
        decided = [c for c in contrasts if c.column == column and name in (c.first, c.second) and c.better is not None]
        won = sum(contrast.better == name for contrast in decided)
        value = document.columns[column]
        ranks.append(Rank(name, value, 1 + len(decided) - won, len(documents) - won))
    return sorted(ranks, key=lambda rank: (rank.value.value is None, -(rank.value.value or 0)))


def _run(document: Document) -> ModelRun:
    stands: dict[str, Any] = {name: getattr(document, name) for name in Standing.__struct_fields__}
    return ModelRun(
        model=document.generator,
        run=document.run,
        complete=document.complete,
        signature=document.signature,
        soft=document.soft,
        **stands,
    )


def contributions(both: Paired) -> dict[str, Series]:
    """The contribution of each cluster to each difference; their mean is about the difference itself."""
    weights = Jackknife(clusters_of(both.units))
    return {name: pseudovalues(of) for name, of in both.series(weights, weights).items()}


def units_needed(found: Series, units: int, level: float) -> int | None:
    """The number of units for 80 % power at `level`, if the observed difference is true; None if none can be named.

    `found`: the contributions of the clusters. The randomisation test of n clusters has no p below 2^(1 - n), so that
    there must be enough clusters for `level`, too.
    """
    import numpy as np

    n = len(found)
    if n < 2 or not np.all(np.isfinite(found)):
        return None
    times = times_needed(float(np.mean(found)), math.sqrt(float(np.var(found, ddof=1)) / n), level=level)
    if not times:
        return None
    least = math.ceil(1 - math.log2(level))  # clusters: with n of them p can be as low as 2 ÷ 2ⁿ
    wanted = max(times, least / n) * units
    return max(math.ceil(wanted), units + 1) if wanted <= MOST else None
