"""The page about pairs: templates filled with the gathered data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from counterbench.answers.outcomes import OUTCOME_NAMES
from counterbench.certificate import Certificate, Verdict
from counterbench.certificate.cells import unit
from counterbench.certificate.chances import in_words
from counterbench.diagnosis.document import Measures
from counterbench.reporting import words
from counterbench.reporting.certificates import Checked
from counterbench.reporting.figures import Plot
from counterbench.reporting.frame import render
from counterbench.reporting.gather import ReportData
from counterbench.reporting.matrices import matrices, without_errors
from counterbench.reporting.pairs import OUTCOMES, PairCard
from counterbench.runs.usage import Usage
from counterbench.scoring.scores import Document, Score, Share, band, share

CONTENTS = (
    ("summary", "Verdict"),
    ("scores", "Scores"),
    ("diagnosis", "Diagnosis"),
    ("errors", "Confusions"),
    ("difficulty", "Difficulty"),
    ("wordings", "Wordings"),
    ("comparison", "Comparison"),
    ("certificates", "Certificates"),
    ("signatures", "Signatures"),
    ("gallery", "Gallery"),
)
ITEM_KINDS = {
    "agreed": "Pairs whose replies agree on an answer that the truth denies",
    "all-miss": "Pairs that every judge misses",
    "all-zero": "Subtasks where every judge scores 0",
    "all-right": "Subtasks where every judge is right throughout",
}


class Gallery(msgspec.Struct, frozen=True, kw_only=True):
    """The data for the gallery's script."""

    pairs: list[PairCard]
    judges: list[str]
    outcomes: dict[str, str]
    base: str  # comes before every picture's source
    width: int  # in pixels
    height: int


def page(data: ReportData, plots: Sequence[Plot], gallery: Gallery, note: str) -> str:
    """The report as one HTML document; `note`: a sentence about its pictures."""
    first = data.runs[0].document
    labels = {run.document.run: run.label for run in data.runs}
    worded = [run for run in data.runs if run.flips is not None]
    return render(
        "page.html",
        _FILTERS,
        styles=("style.css",),
        scripts=("gallery.js", "pairs.js"),
        gallery=gallery,
        base=gallery.base,
        plots=plots,
        title=_title(data),
        contents=[part for part in CONTENTS if worded or part[0] != "wordings"],
        runs=data.runs,
        worded=worded,
        first=first,
        relevant=sum(pair.key.relevant for pair in data.runs[0].results.pairs),
        controls=sum(not pair.key.relevant for pair in data.runs[0].results.pairs),
        wordings=sorted({doc.signature.wording for doc in data.documents}),
        categories=data.categories,
        families=list(first.families),
        items=data.items,
        kinds=ITEM_KINDS,
        comparison=data.comparison,
        comparison_note=data.comparison_note,
        labels=labels,
        names={c.judge: labels[c.run] for c in data.comparison.runs} if data.comparison else {},
        certificates=list(_certificates(data)),
        matrices=matrices(data),
        right={kind: without_errors(data, kind) for kind in ("colours", "counts")},
        outcomes=OUTCOMES,
        outcome_names=OUTCOME_NAMES,
        bands=words.BANDS,
        verdicts=words.VERDICTS,
        pictures_note=note,
        unreadable=data.unreadable,
        left_out=data.left_out,
    )


def _title(data: ReportData) -> str:
    suite = data.runs[0].document.signature.suite
    if len(data.runs) == 1:
        return f"{data.runs[0].label} on {suite}"
    return f"{len(data.runs)} judges on {suite}"


def _certificates(data: ReportData) -> Iterator[tuple[str, Checked]]:
    """Pairs of a run's label (or a judge's name) and a certificate: first the certificates that hold."""
    for holds in (True, False):
        yield from ((run.label, one) for run in data.runs for one in run.certificates if one.holds == holds)
    yield from ((words.named(one.certificate.judge), one) for one in data.certificates)


def _groups(document: Document) -> list[tuple[str, str, Score]]:
    return [
        ("overall", "overall", document.overall),
        *(("category", name, score) for name, score in document.categories.items()),
        *(("family", name, score) for name, score in document.families.items()),
    ]


def _flips(measures: Measures) -> str:
    """Sentences about answers that changed, and about the share of yes."""
    relevant, controls = measures.flips, measures.false_flips
    parts = []
    if relevant.of:
        parts.append(
            f"Where the answer must change, it changed in {relevant.hits:,} of {relevant.of:,} pairs answered twice."
        )
    if controls.of:
        parts.append(f"Where it must stay, it changed in {controls.hits:,} of {controls.of:,}.")
    if measures.yes.said.of:
        said, true = measures.yes.said.value, measures.yes.true.value
        parts.append(
            f"Yes was said to {words.percent(said)} % of yes/no questions, and true of {words.percent(true)} %."
        )
    return " ".join(parts)


def _law_rows(certificate: Certificate) -> list[tuple[str, Verdict, Share, str, Share]]:
    """A row for each law: its name and verdict, all its pairs, and the weakest cell with its pairs."""
    c = certificate
    rows = []
    for name, law in c.laws.items():
        cells = [c.cells[cell].ccs for cell in law.cells]
        whole = share(sum(each.hits for each in cells), sum(each.of for each in cells))
        weakest = c.weakest(name)
        rows.append((name, law.verdict, whole, weakest.rpartition("/")[2], c.cells[weakest].ccs))
    return rows


def _observed(seen: Usage | None) -> Iterator[tuple[str, str]]:
    """Names and values of the facts observed about a judge while it was asked, for the signatures."""
    if seen is None:
        return
    if seen.models:
        changed = "the model changed within the run: " if len(seen.models) > 1 else ""
        yield "models returned", changed + ", ".join(f"{name} ({n:,} replies)" for name, n in seen.models.items())
    failed = ", ".join(f"{count:,} {kind}" for kind, count in seen.failed_attempts.items())
    yield "attempts", f"{seen.attempts:,}" + (f", of which failed: {failed}" if failed else "")
    if seen.finishes.get("length"):
        yield "cut off", f"{seen.finishes['length']:,} replies, at the length limit"
    if seen.dropped:
        yield "refused by the server", ", ".join(seen.dropped)
    if seen.cost:
        yield "cost", f"{seen.cost:.4f} US dollars"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items())


_FILTERS: dict[str, Any] = {
    "band": band,
    "chance": in_words,
    "admitted": words.admitted,
    "asked": words.asked,
    "certificate_summary": words.certificate_summary,
    "counts": _counts,
    "fault_summary": words.fault_summary,
    "flips": _flips,
    "groups": _groups,
    "interval": words.interval,
    "law_rows": _law_rows,
    "listed": words.listed,
    "named": words.named,
    "observed": lambda run: _observed(run.document.observed),
    "p_value": words.p_value,
    "percent": words.percent,
    "plural": words.plural,
    "points": words.points,
    "sentence": words.sentence,
    "signed": words.signed,
    "unit": unit,
}
