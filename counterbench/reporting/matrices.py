"""Tables of answers against truth: colours and counts for each judge, and arrows for all judges."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from counterbench.diagnosis.document import Confusion
from counterbench.reporting.gather import JudgeRun, ReportData
from counterbench.reporting.words import plural

_SHADES = 5  # classes in the style sheet
_ARROWS = {
    "right": "pointed to",
    "nearest-tail": "at the tail",
    "most-central": "central",
    "largest": "largest",
    "other": "another",
}


class MatrixCell(msgspec.Struct, frozen=True):
    """The number of times that an answer was said."""

    count: int
    shade: int  # a class for its share of its row, from 1
    right: bool  # it is the true answer


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """A table of counts: a row for each truth (or judge), with a cell for each answer, None where it was not said."""

    title: str
    caption: str
    answers: list[str]
    rows: dict[str, list[MatrixCell | None]]


def matrices(data: ReportData) -> list[Matrix]:
    """A matrix of colours and one of counts for every judge that mistook any, and one of arrows."""
    tables = []
    for run in data.runs:
        for kind in ("colours", "counts"):
            if _errors(confusion := getattr(run.diagnosis.measures, kind)):
                tables.append(_confusion(run, kind, confusion))
    arrows = {run.label: run.diagnosis.measures.arrows for run in data.runs}
    if any(sum(counts.values()) for counts in arrows.values()):
        named = {label: {_ARROWS[kind]: n for kind, n in of.items()} for label, of in arrows.items() if of}
        tables.append(
            Matrix(
                title="What is named where an arrow points",
                caption="Open arrow questions that got an answer, by the shape that was named. Outlined: right.",
                answers=list(_ARROWS.values()),
                rows=_rows(named, list(_ARROWS.values()), dict.fromkeys(named, _ARROWS["right"])),
            )
        )
    return tables


def without_errors(data: ReportData, kind: str) -> list[str]:
    """The judges that were asked about `kind` ("colours" or "counts") and mistook none."""
    measures = [(run.label, getattr(run.diagnosis.measures, kind)) for run in data.runs]
    return [label for label, confusion in measures if confusion and not _errors(confusion)]


def _errors(confusion: Confusion) -> int:
    return sum(count for truth, said in confusion.items() for answer, count in said.items() if answer != truth)


def _confusion(run: JudgeRun, kind: str, confusion: Confusion) -> Matrix:
    total = sum(sum(said.values()) for said in confusion.values())
    answers = list(dict.fromkeys([*confusion, *(answer for said in confusion.values() for answer in said)]))
    if all(name.isdecimal() for name in answers):
        answers.sort(key=int)
    mistakes, asked = plural(_errors(confusion), "mistake"), plural(total, "open question")
    return Matrix(
        title=f"{kind.capitalize()} said by {run.label}",
        caption=f"{mistakes} in {asked} that got an answer: a row for each truth. Outlined: right. The stronger its "
        "colour, the larger a cell's share of its row.",
        answers=answers,
        rows=_rows(confusion, answers, {truth: truth for truth in confusion}),
    )


def _rows(
    confusion: Mapping[str, Mapping[str, int]], answers: list[str], right: Mapping[str, str]
) -> dict[str, list[MatrixCell | None]]:
    rows: dict[str, list[MatrixCell | None]] = {}
    for row, said in confusion.items():
        shares = ((answer, said.get(answer, 0), said.get(answer, 0) / max(1, sum(said.values()))) for answer in answers)
        rows[row] = [
            MatrixCell(count, math.ceil(_SHADES * share), right[row] == answer) if count else None
            for answer, count, share in shares
        ]
    return rows
