"""Tables of answers against truth: colours and counts for each judge, and arrows for all judges."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from counterbench.diagnosis.document import Confusion
from counterbench.reporting.gather import ReportData
from counterbench.reporting.words import counted

_SHADES = 5  # classes in the style sheet
_ARROWS = {
    "right": "pointed to",
    "nearest-tail": "at the tail",
    "most-central": "central",
    "largest": "largest",
    "other": "another",
}

Cell = tuple[int, str]  # the number of times that an answer was said, and its class in the style sheet


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """A table of counts: a row for each truth (or judge), with a cell for each answer."""

    title: str
    caption: str
    answers: list[str]
    rows: dict[str, list[Cell]]


def matrices(data: ReportData) -> list[Matrix]:
    """A matrix of colours and one of counts for every judge that mistook any, and one of arrows."""
    tables = []
    for run in data.runs:
        for kind in ("colours", "counts"):
            confusion: Confusion = getattr(run.diagnosis.measures, kind)
            if not (wrong := _errors(confusion)):
                continue
            answers = list(dict.fromkeys([*confusion, *(answer for said in confusion.values() for answer in said)]))
            if all(name.isdecimal() for name in answers):
                answers.sort(key=int)
            asked = counted(sum(sum(said.values()) for said in confusion.values()), "open question")
            tables.append(
                Matrix(
                    title=f"{kind.capitalize()} said by {run.label}",
                    caption=f"{counted(wrong, 'mistake')} in {asked} that got an answer: a row for each truth. "
                    "Outlined: right. The stronger its colour, the larger a cell's share of its row.",
                    answers=answers,
                    rows={truth: _row(said, answers, truth) for truth, said in confusion.items()},
                )
            )
    arrows = {run.label: of for run in data.runs if any((of := run.diagnosis.measures.arrows).values())}
    if arrows:
        tables.append(
            Matrix(
                title="Shapes named for arrows",
                caption="Open arrow questions that got an answer, by the shape that was named. Outlined: right.",
                answers=list(_ARROWS.values()),
                rows={label: _row(of, list(_ARROWS), "right") for label, of in arrows.items()},
            )
        )
    return tables


def without_errors(data: ReportData, kind: str) -> list[str]:
    """The judges that were asked about `kind` ("colours" or "counts") and mistook none."""
    measures = [(run.label, getattr(run.diagnosis.measures, kind)) for run in data.runs]
    return [label for label, confusion in measures if confusion and not _errors(confusion)]


def _errors(confusion: Confusion) -> int:
    return sum(count for truth, said in confusion.items() for answer, count in said.items() if answer != truth)


def _row(said: Mapping[str, int], answers: list[str], right: str) -> list[Cell]:
    counts = [(answer, said.get(answer, 0)) for answer in answers]
    shade = {answer: math.ceil(_SHADES * count / max(1, sum(said.values()))) for answer, count in counts}
    hit = {answer: "hit" if answer == right else "miss" for answer in answers}
    return [(count, f"{hit[answer]} shade-{shade[answer]}" if count else "") for answer, count in counts]
