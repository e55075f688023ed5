"""All data of a report on text-to-image models, gathered once: documents, differences, labels, raw replies."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.reporting.gather import raw_replies
from counterbench.runs.folder import refuse_repeats
from counterbench.runs.usage import short_names
from counterbench.stats.intervals import Estimate
from counterbench.t2i.comparing.models import paired_runs
from counterbench.t2i.comparing.people import of_others
from counterbench.t2i.judging.results import JudgedRun, load_models
from counterbench.t2i.run_scores import corrected, labelled, labels_of, score
from counterbench.t2i.scores.document import Difference, Document
from counterbench.t2i.scores.labels import LabelledMean, human_credits, read_labels
from counterbench.t2i.scores.rules import DEFAULT
from counterbench.t2i.words import distinct_documents, kinds_of_parts

THRESHOLDS = "threshold"  # the slice of the gate at other thresholds


class ModelRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run on the page."""

    label: str  # tells it from the other runs
    judge: str  # its judge's short name
    run: JudgedRun
    document: Document
    # Each level's mean, corrected by the errors on the certificate; empty without a certificate that counted them.
    band: Mapping[str, Estimate | None]
    replies: Mapping[str, list[str]]  # question id → replies as they came
    people: Mapping[tuple[str, str], float]  # people's credits by sample and check; empty without labels of this run
    by_people: Mapping[str, LabelledMean]  # each level's mean by people's labels; empty without labels of this run


class ModelData(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a report on models."""

    runs: list[ModelRun]
    differences: list[Difference]
    not_compared: list[str]

    @property
    def documents(self) -> list[Document]:
        """Every run's scores."""
        return [run.document for run in self.runs]

    @property
    def references(self) -> Mapping[str, Mapping[str, float | None]]:
        """The true numbers of planted models: those of the first run that has them, although laws may differ."""
        return next((of.references for of in self.documents if of.references), {})

    @property
    def columns(self) -> list[str]:
        """The numbers of the first table, in order."""
        return list(dict.fromkeys(n for of in self.documents for n in (*of.headline, *of.secondary) if n in of.columns))

    @property
    def kinds(self) -> list[str]:
        """The kinds of parts worth a table: first those that papers report."""
        levels = any(name.startswith("s_") for name in self.documents[0].headline)
        first = ("discipline", "law") if levels else ("category", "dimension", "subcategory")
        return kinds_of_parts(self.documents, first, known=[THRESHOLDS])


def gather_models(paths: Sequence[Path], scoring: str = DEFAULT, labels: Path | None = None) -> ModelData:
    """The data of a report on these runs of `t2i judge`.

    InputError if one is no such run, is named twice, or is of other prompts or by another protocol than the first; also
    for labels, as `t2i align` raises it.
    """
    refuse_repeats(paths)
    runs = [run for path in paths for run in load_models(path)]
    _refuse_others(runs)
    documents = [score(run, scoring) for run in runs]
    named = distinct_documents(documents)
    read = read_labels(labels) if labels is not None else []
    if labels is not None:
        of_others(labels, read, runs)
    couples, not_compared = paired_runs(runs, [of.generator for of in named], scoring, None)
    return ModelData(
        runs=[
            ModelRun(
                label=document.generator,
                judge=judge,
                run=run,
                document=document,
                band=corrected(run),
                replies=raw_replies(run.kept.path),
                people=human_credits(run.rows, labels_of(run, read)),
                by_people=labelled(run, labels) if labels is not None and labels_of(run, read) else {},
            )
            for run, document, judge in zip(runs, named, short_names([of.provenance for of in named]), strict=True)
        ],
        differences=[both.difference() for both in couples.values()],
        not_compared=[reason for reason in not_compared.values() if reason],
    )


def _refuse_others(runs: Sequence[JudgedRun]) -> None:
    """InputError unless all runs have the same prompts and checks: the gallery shows their pictures side by side."""
    first = runs[0].kept
    for run in (run.kept for run in runs[1:]):
        asked, other = (of.info.prompts_digest[:8] for of in (first, run))
        if (run.info.protocol, other) != (first.info.protocol, asked):
            limit = " (--limit makes other prompts)" if other != asked else ""
            raise InputError(
                f"{run.path} is of {run.info.prompts} ({other}, by {run.info.protocol}) and {first.path} of "
                f"{first.info.prompts} ({asked}, by {first.info.protocol}): a report is on runs of the same prompts by "
                f"one protocol{limit}; make one report for each"
            )
