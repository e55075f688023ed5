"""Models compared: every two of one prompt set, asked and counted alike, by each headline number.

Runs are paired group by group, as `t2i score` pairs them. One model is better than another by a number when the
randomisation test's p, adjusted by Holm over all models and numbers, is at most 5 %.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.runs.folder import refuse_repeats
from counterbench.scoring.comparison import LEVEL, Contrast, Rank, ranks_of
from counterbench.stats.clusters import DRAWS, Jackknife, Series, pseudovalues, randomisation_p, swaps
from counterbench.stats.intervals import Estimate
from counterbench.stats.paired import holm, times_needed
from counterbench.t2i.judging.results import JudgedRun, load_judged
from counterbench.t2i.prompts.prompt_set import Prompt
from counterbench.t2i.protocols.numbers import Countable, Paired, paired
from counterbench.t2i.run_scores import score, scored_part, scoring_of
from counterbench.t2i.scores.document import Document, JudgeStatus, Provenance, SoftCounts
from counterbench.t2i.scores.measure import clusters_of, series
from counterbench.t2i.scores.rules import DEFAULT
from counterbench.t2i.scores.scores import Part
from counterbench.t2i.words import distinct_documents, heading, plain, unit
from counterbench.text import brief as brief_repr
from counterbench.text import counted, html_table

Places = tuple[int, int]  # the indices of two runs
Couples = Mapping[Places, Paired]
# The most units that anybody would draw.
MOST = 2**20
OnProgress = Callable[[int, int, str], None]


class ModelRank(Rank, frozen=True, kw_only=True):
    """One model's number as `t2i score` has it, with its ranks by it."""

    model: str
    value: Estimate

    def __str__(self) -> str:
        return f"{plain(self.value.value)} ({self.span})"


class ModelRun(JudgeStatus, frozen=True, kw_only=True):
    """A run that takes part, and the status of its judge."""

    model: str  # the generator's name in this comparison
    run: str
    complete: bool
    provenance: Provenance
    soft: SoftCounts | None = None  # of a scoring by probability


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The models of one prompt set under one protocol, asked and counted alike."""

    prompts: str
    protocol: str
    level: float  # of the verdicts
    units: str  # the kind of thing that numbers are means over: a group of prompts, or a prompt
    clusters: str  # the kind of thing that is resampled and swapped as a whole: a law, or a unit
    fewest: int  # clusters that any two models have in common, at least
    headline: list[str]  # the numbers, in the protocol's order
    runs: list[ModelRun]
    ranks: dict[str, list[ModelRank]]  # by number, best first
    contrasts: list[Contrast]
    tests: int  # over which p is adjusted
    not_compared: list[str]

    def __repr__(self) -> str:
        first = self.headline[0]
        ranks = "; ".join(f"{one.rank}. {one.model}" for one in self.ranks[first])
        return brief_repr(self, f"on {self.prompts} by {self.protocol}, {first}: {ranks}")

    def _repr_html_(self) -> str:
        """An HTML table for notebooks: each model's numbers, with its ranks by them."""
        by_model = {
            run.model: [rank for of in self.ranks.values() for rank in of if rank.model == run.model]
            for run in self.runs
        }
        rows = ((model, *map(str, ranks)) for model, ranks in by_model.items())
        return html_table(f"{self.protocol} on {self.prompts}, and (rank)", ("model", *self.headline), rows)


class Comparisons(msgspec.Struct, frozen=True):
    """`t2i compare --json`."""

    comparisons: list[Comparison]  # one for each prompt set and way to ask
    alone: list[str]  # runs that can be compared with no other

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.comparisons))


def compare_models(
    paths: Sequence[Path],
    scoring_name: str = DEFAULT,
    threshold: float | None = None,
    brief: bool = True,
    on_progress: OnProgress = lambda done, total, note: None,
) -> Comparisons:
    """Compare the runs in `paths`: those with the same prompt set, protocol, judge and template, with each other.

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
            "protocol, by one judge asked with one template; name runs that differ in their generator alone"
            + _differences([runs[0] for runs in alike.values()])
        )
    several = [runs for runs in alike.values() if len(runs) > 1]
    return Comparisons([_compared(runs, scoring_name, threshold, brief, on_progress) for runs in several], alone)


def _asked_as(run: JudgedRun) -> dict[str, str]:
    """The things that runs must have in common for their models alone to differ, by name."""
    info, t2i = run.info, run.kept.info
    return {
        "prompts": t2i.prompts,
        "levels": ", ".join(run.prompts.levels),
        "protocol": f"{t2i.protocol} (version {t2i.protocol_version})",
        "judge": info.judge,
        "template": f"{info.template} ({info.template_digest[:8]})",
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
    documents = distinct_documents(scored, brief)
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
        prompts=documents[0].provenance.prompts,
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


def paired_runs(
    runs: Sequence[JudgedRun], names: Sequence[str], scoring_name: str, threshold: float | None
) -> tuple[dict[tuple[int, int], Paired], dict[tuple[int, int], str]]:
    """Every two runs by one protocol that asked the same checks of the same groups and levels, of laws both see.

    The first result holds them by their places among `runs`; the second the reasons why other two are not compared: ""
    if they asked nothing alike. `names`: of the runs.
    """
    parts = [scored_part(run) for run in runs]
    counted_as = cache(
        lambda place: Countable(
            runs[place].protocol, parts[place].rows, scoring_of(runs[place], scoring_name, threshold), names[place]
        )
    )
    couples, not_compared = {}, {}
    for a, b in combinations(range(len(runs)), 2):
        if runs[a].protocol is not runs[b].protocol or not _asked_alike(runs[a], runs[b]):
            not_compared[a, b] = ""
            continue
        if not (alike := _asked_alike(parts[a], parts[b])):
            of = f"{names[a]} and {names[b]}"
            not_compared[a, b] = f"{of} are not compared: their judges are admitted to no law in common"
            continue
        try:
            each = paired(
                counted_as(a),
                counted_as(b),
                names=(names[a], names[b]),
                levels=runs[a].prompts.levels,
                among=alike,
            )
        except InputError as error:
            not_compared[a, b] = str(error)
        else:
            groups = {prompt.group for part in (parts[a], parts[b]) for prompt in part.prompts.prompts if prompt.checks}
            others = len(groups - {id.rpartition("/")[0] for id in alike})
            couples[a, b] = msgspec.structs.replace(each, left_out=each.left_out + others)
    return couples, not_compared


def _asked_alike(first: JudgedRun, second: JudgedRun) -> set[str]:
    """The prompts about which two runs asked the same questions: the same prompts, or other words at the same place."""
    others = second.prompts.by_id
    return {
        prompt.id
        for prompt in first.prompts.prompts
        if prompt.checks and prompt.id in others and _questions(prompt) == _questions(others[prompt.id])
    }


def _questions(prompt: Prompt) -> list[tuple[object, ...]]:
    """The questions about a prompt's pictures, and their weights."""
    return [
        (c.id, c.text, c.answer_type, c.expected, c.weight, c.criteria, c.call, c.after, c.dimension)
        for c in prompt.checks
    ]


def _contrasts(couples: Couples, units: str, on_progress: OnProgress) -> tuple[list[Contrast], int]:
    """Every two models by every headline number, and the number of tests over which p is adjusted."""
    differences = {}
    for done, (places, both) in enumerate(couples.items()):
        on_progress(done, len(couples), "pairs of models")
        differences[places] = both.difference()
    shown = [(places, name) for places, of in differences.items() for name in of.headline]
    tested = [differences[places].columns[name].value is not None for places, name in shown]
    tests = sum(tested)
    draws = max(DRAWS, round(4 * tests / LEVEL))  # enough to resolve Holm's smallest p
    by_places = {}
    for done, (places, both) in enumerate(couples.items()):
        on_progress(done, len(couples), "testing pairs of models")
        by_places[places] = p_values(both, draws)
    on_progress(len(couples), len(couples), "testing pairs of models")
    p = [by_places[places][name] if known else None for (places, name), known in zip(shown, tested, strict=True)]
    shares = {places: contributions(both) for places, both in couples.items()}
    contrasts = []
    for (places, name), own, p_holm in zip(shown, p, holm(p), strict=True):
        of, value = differences[places], differences[places].columns[name].value
        better, needed = None, None
        if value is None or p_holm is None:
            verdict = f"{heading(name)} is undefined of one of them"
        elif p_holm <= LEVEL:
            better = of.first if value > 0 else of.second
            verdict = f"{better} is better by {heading(name)}"
        else:
            needed = units_needed(shares[places][name], of.units, LEVEL / tests)
            verdict = f"cannot be told apart by {heading(name)}" + (
                f": about {counted(needed, units)} with as many samples would be needed"
                if needed
                else f", and no number of {units}s can be named"
            )
        contrasts.append(
            Contrast(
                column=name,
                first=of.first,
                second=of.second,
                units=of.units,
                left_out=of.left_out,
                difference=of.columns[name],
                p=own,
                p_holm=p_holm,
                better=better,
                verdict=verdict,
                units_needed=needed,
            )
        )
    return contrasts, tests


def p_values(both: Paired, draws: int = DRAWS) -> dict[str, float]:
    """The p of each headline number's difference: two-sided, models swapped in whole clusters (`stats.clusters`).

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
    one_series, other_series = (series(joined, formulas, swapped) for swapped in swaps(clusters_of(both.units), draws))
    return {name: randomisation_p(one_series[name] - other_series[name]) for name in both.headline}


def _ranks(documents: Sequence[Document], column: str, contrasts: Sequence[Contrast]) -> list[ModelRank]:
    by_column = [contrast for contrast in contrasts if contrast.column == column]
    ranks = [
        ModelRank(model=of.generator, value=of.columns[column], **ranks_of(of.generator, len(documents), by_column))
        for of in documents
    ]
    return sorted(ranks, key=lambda rank: (rank.value.value is None, -(rank.value.value or 0)))


def _run(document: Document) -> ModelRun:
    same = (*JudgeStatus.__struct_fields__, "run", "complete", "provenance", "soft")
    return ModelRun(model=document.generator, **{name: getattr(document, name) for name in same})


def contributions(both: Paired) -> dict[str, Series]:
    """The contribution of each cluster to each difference; their mean is about the difference itself."""
    weights = Jackknife(clusters_of(both.units))
    return {name: pseudovalues(of) for name, of in both.series(weights, weights).items()}


def units_needed(by_cluster: Series, units: int, level: float) -> int | None:
    """The number of units for 80 % power at `level`, if the observed difference is true; None if none can be named.

    `by_cluster`: the contributions of the clusters. The randomisation test of n clusters has no p below 2^(1 - n), so
    that there must be enough clusters for `level`, too.
    """
    import numpy as np

    n = len(by_cluster)
    if n < 2 or not np.all(np.isfinite(by_cluster)):
        return None
    times = times_needed(float(np.mean(by_cluster)), math.sqrt(float(np.var(by_cluster, ddof=1)) / n), level=level)
    if not times:
        return None
    least = math.ceil(1 - math.log2(level))  # clusters: with n of them p can be as low as 2 ÷ 2ⁿ
    wanted = max(times, least / n) * units
    return max(math.ceil(wanted), units + 1) if wanted <= MOST else None
