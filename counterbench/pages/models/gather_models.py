"""All data of a report on text-to-image models, gathered once: documents, differences, labels, raw replies."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.pages.gather import raw_replies
from counterbench.pictures.answer import Evaluated, answer_of, scoring_for
from counterbench.pictures.comparing.models import Comparisons, compare_runs
from counterbench.pictures.comparing.people import generators_without_run
from counterbench.pictures.comparing.people_results import Raters
from counterbench.pictures.judging.judged_run import JudgedRun, load_models, on_same_prompts
from counterbench.pictures.labelling.scored import with_labels
from counterbench.pictures.run_scores import labels_of
from counterbench.pictures.scores.document import ModelDocument
from counterbench.pictures.scores.labels import human_credits, read_labels
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.pictures.words.run_names import distinct_documents, kinds_of_parts
from counterbench.runs.folder import PLAN_FILE, refuse_repeats
from counterbench.runs.usage import short_names


class PageModelRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run on the page: its judge, scores and replies, and the answers of people to the same checks."""

    label: str  # the model's name, in words that tell it from the other runs
    judge: str  # its judge's short name
    run: JudgedRun
    document: ModelDocument
    replies: Mapping[str, list[str]]  # by question id, the replies as they came
    people: Mapping[tuple[str, str], float]  # people's credits by sample and check; empty without labels of this run


class ModelData(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a report on models."""

    runs: list[PageModelRun]
    compared: Comparisons  # as `compare` has them
    answer: Evaluated | None  # as `evaluate` gives it; None for several folders of runs
    raters: list[Raters]  # of each run that several people labelled

    @property
    def documents(self) -> list[ModelDocument]:
        """The scores of each run, in the order of `runs`."""
        return [run.document for run in self.runs]

    @property
    def references(self) -> Mapping[str, Mapping[str, float | None]]:
        """The true numbers of planted models: those of the first run that has them, although laws may differ."""
        return next((document.references for document in self.documents if document.references), {})

    @property
    def columns(self) -> list[str]:
        """The names of the numbers (columns) of the first table, in order."""
        ordered = [(document.columns, [*document.headline, *document.secondary]) for document in self.documents]
        return list(dict.fromkeys(name for columns, names in ordered for name in names if name in columns))

    @property
    def kinds(self) -> list[str]:
        """The kinds of parts worth a table: first those that papers report."""
        levels = any(name.startswith("s_") for name in self.documents[0].headline)
        first = ("discipline", "law") if levels else ("category", "dimension", "subcategory")
        return [kind for kind in kinds_of_parts(self.documents, first) if kind != "threshold"]


def gather_models(paths: Sequence[Path], scoring: str = DEFAULT, labels: Path | None = None) -> ModelData:
    """The data of a report on these runs of `t2i judge`.

    `labels`: a file with people's answers. InputError if one is no such run, is named twice, or is of other prompts or
    other checks than the first; or if the labels cannot be read or used.
    """
    refuse_repeats(paths)
    runs = on_same_prompts([run for path in paths for run in load_models(path)])
    _refuse_others(runs)
    if len(paths) == 1 and scoring == DEFAULT and (paths[0] / PLAN_FILE).is_file():
        scoring = scoring_for(runs)  # as `evaluate` counts
    if labels is not None:
        generators_without_run(labels, read_labels(labels), runs)
    by_path = {path: [run for run in runs if run.kept.path == path] for path in paths}
    scored = [with_labels(path, judged, scoring, None, labels) for path, judged in by_path.items()]
    runs, read = [run for part in scored for run in part.runs], [label for part in scored for label in part.labels]
    documents = [document for part in scored for document in part.documents]
    named = distinct_documents(documents)
    judges = short_names([document.provenance for document in named])
    compared = compare_runs(runs, documents)
    return ModelData(
        runs=[
            PageModelRun(
                label=document.generator,
                judge=judge,
                run=run,
                document=document,
                replies=raw_replies(run.kept.path),
                people=human_credits(run.rows, labels_of(run, read)),
            )
            for run, document, judge in zip(runs, named, judges, strict=True)
        ],
        compared=compared,
        answer=answer_of(scored[0], compared) if len(paths) == 1 else None,
        raters=[raters for part in scored if (raters := part.raters) is not None],
    )


def _refuse_others(runs: Sequence[JudgedRun]) -> None:
    """InputError unless all runs have the same prompts, and the same words for each check that several of them have.

    The gallery shows them together. Of two protocols, one may have checks that the other lacks.
    """
    texts = [{prompt.id: prompt.text for prompt in run.prompts.prompts} for run in runs]
    known: dict[tuple[str, str], str] = {}
    for run, words in zip(runs, texts, strict=True):
        checks = run.prompts.checks.items()
        if words != texts[0] or any(known.setdefault(place, check.text) != check.text for place, check in checks):
            (info, first), (other, path) = ((judged.kept.info, judged.kept.path) for judged in (runs[0], run))
            raise InputError(
                f"{path} is of {other.prompts} ({other.prompts_digest[:8]}, by {other.protocol}) and {first} of "
                f"{info.prompts} ({info.prompts_digest[:8]}, by {info.protocol}): a report is on runs of the same "
                "prompts and checks (--limit makes other prompts); make one report for each"
            )
