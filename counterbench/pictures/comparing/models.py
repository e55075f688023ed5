"""Models compared: every two of one prompt set, asked and counted alike, by each headline number.

`compare_models` takes the folders of runs (a run: one model's pictures, with one judge's answers), and `compare_runs`
runs that were read and scored already; both give `Comparisons`. Runs are compared as models only if they have the same
prompt set, protocol, judge and template; judges on the same pictures are set side by side (`judges`).

Two runs are paired group by group (a group: the prompts about one subject), on the prompts that all models have. A unit
is a group, or a prompt where each group has one; a cluster is what is drawn as a whole: a law with its groups, or a
unit. One model is better than another by a number if the p of the test over clusters (`stats.clusters.Inference`),
adjusted by Holm over all models and numbers, is at most 5 %.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.evidence.verdict import NOT_SUPPORTED
from counterbench.pictures.comparing.contrasts import ModelRun, asked_alike, contrasts_of, run_of
from counterbench.pictures.comparing.judges import SideBySide, Views, names_of, side_by_side
from counterbench.pictures.comparing.variants import VariantComparison, variants_of
from counterbench.pictures.judging.judged_run import JudgedRun, load_models, on_same_prompts
from counterbench.pictures.protocols.numbers import Countable, Paired, paired
from counterbench.pictures.run_scores import score, scored_part, scoring_of
from counterbench.pictures.scores.document import Audited, ModelDocument, NotShared
from counterbench.pictures.scores.results import by_key
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.pictures.words.run_names import NameForm, distinct_documents, unit
from counterbench.results.contrasts import ALPHA, Contrast, Rank, ranks_of
from counterbench.results.measures import plain
from counterbench.runs.folder import refuse_repeats
from counterbench.stats.clusters import FEWEST
from counterbench.stats.intervals import Estimate
from counterbench.text import brief as brief_repr
from counterbench.text import counted, html_table


class ModelRank(Rank, frozen=True, kw_only=True):
    """One model's value in one headline number, with its rank by it."""

    model: str
    value: Estimate  # as `score` computes it

    def __str__(self) -> str:
        return f"{plain(self.value.value)} ({self.span})"


class ModelComparison(msgspec.Struct, frozen=True, kw_only=True):
    """The models of one prompt set under one protocol, asked and counted alike."""

    prompts: str
    protocol: str
    judge: str  # its name, which tells it from the other judges here
    level: float  # of significance: the largest p that shows a difference
    units: str  # the kind of thing that numbers are means over: a group of prompts, or a prompt
    clusters: str  # the kind of thing that is drawn as a whole: a law, or a unit
    fewest: int  # the smallest number of clusters that two of the models share; an effective number if sizes differ
    headline: list[str]  # the names of the numbers, in the protocol's order
    runs: list[ModelRun]
    ranks: dict[str, list[ModelRank]]  # by number, best first
    contrasts: list[Contrast]  # every two models by every number
    tests: int  # the number of tests that p is adjusted for
    not_compared: list[str]  # a sentence for each two models that cannot be compared
    not_shared: NotShared | None = None  # null if all models have the same prompts

    @property
    def few(self) -> str:
        """A sentence on too few clusters for any test; empty if there are enough."""
        if self.fewest >= FEWEST:
            return ""
        least = f"which need {FEWEST} or more{', of equal sizes' if self.clusters == 'law' else ''}"
        return f"only {counted(self.fewest, self.clusters)}: too few for intervals and p of differences, {least}"

    @property
    def by_model(self) -> dict[str, list[ModelRank]]:
        """Each model's numbers, as in `headline`."""
        all_ranks = [rank for ranks in self.ranks.values() for rank in ranks]
        return {run.model: [rank for rank in all_ranks if rank.model == run.model] for run in self.runs}

    def __repr__(self) -> str:
        first = self.headline[0]
        ranks = "; ".join(f"{rank.span}. {rank.model}" for rank in self.ranks[first])
        return brief_repr(self, f"on {self.prompts} by {self.protocol}, {first}: {ranks}")

    def _repr_html_(self) -> str:
        """An HTML table for notebooks: each model's numbers, with its ranks by them."""
        rows = ((model, *map(str, ranks)) for model, ranks in self.by_model.items())
        return html_table(f"{self.protocol} on {self.prompts}, and (rank)", ("model", *self.headline), rows)


class Comparisons(msgspec.Struct, frozen=True):
    """The comparison of models over runs, and of judges on the same pictures, as `compare --json` writes it."""

    comparisons: list[ModelComparison]  # one for each prompt set and way to ask
    agreement: list[SideBySide]  # every two judges or protocols on the same pictures
    variants: list[VariantComparison]  # every set beside its variant, asked and counted alike
    alone: list[str]  # runs that can be compared with no other
    audits: dict[str, Audited | None]  # by run; null where there is none

    @property
    def notes(self) -> list[str]:
        """A line for each run that can be compared with no other."""
        why = "no other run is of its pictures, or of its prompts, protocol, judge and template"
        return [f"not compared: {run}: {why}" for run in self.alone]

    def __repr__(self) -> str:
        return "\n".join(map(repr, (*self.comparisons, *self.variants, *self.agreement)))

    def _repr_html_(self) -> str:
        """The tables of all comparisons, and of judges side by side, for notebooks."""
        sides = [variant._repr_html_() for variant in self.variants]
        sides += [judges._repr_html_() for judges in self.agreement]
        return "".join([*(comparison._repr_html_() for comparison in self.comparisons), *sides])


def compare_models(
    paths: Sequence[Path],
    scoring_name: str = DEFAULT,
    threshold: float | None = None,
    names: NameForm = "short",
    load: Callable[[Path], list[JudgedRun]] = load_models,
) -> Comparisons:
    """Compare the runs in `paths`: those with the same prompt set, protocol, judge and template, with each other.

    Runs over a variant of a prompt set are compared with those over the set, model by model (see `variants`).

    `threshold`: of the gate, where the protocol has one; `names`: the form of the models' names (see
    `distinct_documents`); `load`: reads the models of a run, such as `labelling.scored.labelled_runs`, which takes
    people's labels into account. InputError if no two runs can be compared or share a group, or if a run is named
    twice.
    """
    refuse_repeats(paths)
    runs = on_same_prompts([of_model for path in paths for of_model in load(path)])
    compared = compare_runs(runs, [score(run, scoring_name, threshold) for run in runs], threshold, names)
    made: list[ModelComparison | VariantComparison] = [*compared.comparisons, *compared.variants]
    if compared.agreement or any(comparison.contrasts for comparison in made):
        return compared
    if made:
        raise InputError("; ".join(why for comparison in made for why in comparison.not_compared))
    raise InputError(
        f"of {counted(len(paths), 'run')} no two can be compared: models are compared on one prompt set, under one "
        "protocol, by one judge asked with one template; name runs that differ in their generator alone"
        + _differences_in_words(runs)
    )


def compare_runs(
    runs: Sequence[JudgedRun],
    documents: Sequence[ModelDocument],
    threshold: float | None = None,
    names: NameForm = "short",
) -> Comparisons:
    """The comparisons of runs that were read (`on_same_prompts`) and scored already; it raises nothing.

    `documents`: the scores of the runs, in their order. Runs that were asked alike are one view: if a view has several
    models, they are compared; if two views have the same pictures, their judges are set side by side.
    """
    viewed = zip(runs, documents, strict=True)
    by_settings = by_key((tuple(run.asked_as.values()), (run, document)) for run, document in viewed)
    views: Views = [
        list(zip([run for run, _ in view], distinct_documents([document for _, document in view], names), strict=True))
        for view in by_settings.values()
    ]
    provenances = [view[0][1].provenance for view in views]
    ways = ([getattr(info, way) for info in provenances] for way in ("protocol", "template", "prompts"))
    judges = names_of(provenances, *ways)
    comparisons = [_compare(view, name, threshold) for view, name in zip(views, judges, strict=True) if len(view) > 1]
    variants, agreement = variants_of(views, threshold), side_by_side(views, judges)
    beside = {name for sides in agreement for name in (sides.first, sides.second)}
    in_variants = {run.run for variant in variants for run in variant.runs}
    alone = [
        view[0][1].run
        for view, name in zip(views, judges, strict=True)
        if len(view) == 1 and name not in beside and view[0][1].run not in in_variants
    ]
    audits = {document.run: document.audit for document in documents}
    return Comparisons(comparisons, agreement, variants, alone, audits)


def _differences_in_words(runs: Sequence[JudgedRun]) -> str:
    """The end of an error: the settings in which these runs differ beside their models; empty if there are none."""
    settings = [run.asked_as for run in runs]
    by_name = {name: list(dict.fromkeys(of_run[name] for of_run in settings)) for name in settings[0]}
    differing = [f"{name} ({' | '.join(values)})" for name, values in by_name.items() if len(values) > 1]
    return f". These differ in: {'; '.join(differing)}" if differing else ""


def _compare(view: Sequence[tuple[JudgedRun, ModelDocument]], judge: str, threshold: float | None) -> ModelComparison:
    """The comparison of models that were asked alike; `judge`: the name of the judge of all of them."""
    documents = [document for _, document in view]
    first, names = documents[0], [document.generator for document in documents]
    couples, not_compared = paired_runs([run for run, _ in view], names, first.provenance.scoring, threshold)
    unsupported = {document.generator for document in documents if document.verdict == NOT_SUPPORTED}
    contrasts, tests = contrasts_of(couples, unsupported)
    headline = list(dict.fromkeys(name for document in documents for name in document.headline))
    return ModelComparison(
        prompts=first.provenance.prompts,
        protocol=first.protocol,
        judge=judge,
        level=ALPHA,
        units=unit(first),
        clusters="law" if any(len(document.slices.get("law", ())) > 1 for document in documents) else unit(first),
        fewest=int(min((test.clusters for both in couples for test in both.differences.values()), default=0)),
        headline=headline,
        runs=[run_of(document) for document in documents],
        ranks={name: _ranks(documents, name, contrasts) for name in headline},
        contrasts=contrasts,
        tests=tests,
        not_compared=not_compared,
        not_shared=first.not_shared,
    )


def paired_runs(
    runs: Sequence[JudgedRun], names: Sequence[str], scoring_name: str, threshold: float | None
) -> tuple[list[Paired], list[str]]:
    """Every two runs that asked the same checks, paired group by group, on the checks that both judges may score.

    The second result has a sentence for each two runs that are not compared, with the reason. `names`: the names of the
    runs, in their order.
    """
    parts = [scored_part(run) for run in runs]
    countable = [
        Countable(run.protocol, part.rows, scoring_of(run, scoring_name, threshold), name)
        for run, part, name in zip(runs, parts, names, strict=True)
    ]
    lacking = {id for run in runs if run.not_shared is not None for id in run.not_shared.lacking}
    couples, not_compared = [], []
    for a, b in combinations(range(len(runs)), 2):
        both_names = f"{names[a]} and {names[b]}"
        if runs[a].comparisons is not None and runs[a].kept.path == runs[b].kept.path:
            not_compared.append(f"{both_names} were compared picture by picture: `score` has their ratings")
        elif not asked_alike(runs[a], runs[b]):
            not_compared.append(f"{both_names} share no prompt: nothing to compare")
        elif not (shared_ids := asked_alike(parts[a], parts[b])):
            not_compared.append(f"{both_names} are not compared: their judges are admitted to no law in common")
        else:
            try:
                levels = runs[a].prompts.levels
                couple = paired(countable[a], countable[b], shared_ids, names=(names[a], names[b]), levels=levels)
            except InputError as error:
                not_compared.append(str(error))
                continue
            groups = {prompt.group for part in (parts[a], parts[b]) for prompt in part.prompts.prompts if prompt.checks}
            groups |= {id.rpartition("/")[0] for id in lacking}
            unpaired_count = len(groups - {id.rpartition("/")[0] for id in shared_ids})
            couples.append(msgspec.structs.replace(couple, left_out=couple.left_out + unpaired_count))
    return couples, not_compared


def _ranks(documents: Sequence[ModelDocument], column: str, contrasts: Sequence[Contrast]) -> list[ModelRank]:
    """The models' values in one number with their ranks, best first."""
    by_column = [contrast for contrast in contrasts if contrast.column == column]
    values = [(document.generator, document.columns[column]) for document in documents]
    ranks = [ModelRank(model=name, value=value, **ranks_of(name, len(values), by_column)) for name, value in values]
    return sorted(ranks, key=lambda rank: (rank.value.value is None, -(rank.value.value or 0)))
