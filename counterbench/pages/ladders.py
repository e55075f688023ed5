"""Ladders as rows: a small picture of each rung, the judge's share right below it, and a mark where it stops.

A ladder is a series of ever harder questions of one kind; a rung is one step of it, named by a value (such as a size).
`ladder_rows` makes the rows of a `LadderResults`; the macro `ladder_row` of templates/parts.html shows one.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from PIL import Image

from counterbench.drawing.styles import draw
from counterbench.evidence.ladders import SUITE, LadderResult
from counterbench.pages.frame import Section
from counterbench.pages.pictures import EMBEDDED, drawing
from counterbench.results.scores import Share, share
from counterbench.suites.families.ladders import LADDERS
from counterbench.suites.sources import cells_of
from counterbench.suites.suite import Suite, load_suite

SIDE = 112  # pixels of a rung's picture
_DRAWN = 4 * SIDE  # drawn so large first, so that thin lines and small things stay
_STRIP = (8.0, 84.0)  # the strip is the plot of a row: the top of its axis and the axis' height, in per cent of it


class Rung(NamedTuple):
    """A rung of a row; `x`, `y` (of the share), `low` and `high` (of its interval) are per cent of the strip."""

    label: str
    picture: str  # a data URI; empty if this version does not know the rung
    right: Share | None  # of its pairs; None if it was not asked about
    state: Literal["passed", "stop", "above", "not-asked"]
    x: float
    y: float = 0.0
    low: float = 0.0
    high: float = 0.0


class LadderRow(NamedTuple):
    """A ladder as a page shows it."""

    name: str
    sentence: str
    rungs: list[Rung]
    lines: list[tuple[float, str]]  # places of lines in the strip, and their labels
    curve: str  # the points of an SVG polyline in a box of 100 by 100; empty without a curve


def ladder_rows(ladders: Mapping[str, LadderResult], bound: float) -> list[LadderRow]:
    """A row for each ladder that was tested, in our order; `bound`: the share that a rung must exceed."""
    known = [name for name in LADDERS if name in ladders]
    return [_row(name, ladders[name], bound) for name in [*known, *(name for name in ladders if name not in LADDERS)]]


def ladders_section(by_judge: Sequence[tuple[str, list[LadderRow]]], bound: str = "the bound") -> Section:
    """The ladders of one or several judges: a label (shown if there are several) with its rows; `bound`: in words."""
    return Section("ladders", "Ladders", {"by_judge": by_judge, "bound": bound})


def _row(name: str, ladder: LadderResult, bound: float) -> LadderRow:
    """A ladder as a row: the judge's share at each rung, and the rung where it stops."""
    by_value = {rung.value: rung for rung in ladder.rungs}
    families = {LADDERS[name].value(rung): rung for rung in LADDERS[name].rungs} if name in LADDERS else {}
    values = [*families, *(value for value in by_value if value not in families)]
    stop = next((value for value, rung in by_value.items() if rung.verdict != "pass"), None)
    rungs: list[Rung] = []
    for place, value in enumerate(values):
        picture, x = picture_of(families[value]) if value in families else "", _x(place, len(values))
        if value not in by_value:
            rungs.append(Rung(str(value), picture, None, "not-asked", x))
            continue
        right = share(by_value[value].right, by_value[value].of)
        state: Literal["passed", "stop", "above"] = (
            "passed" if by_value[value].verdict == "pass" else "stop" if value == stop else "above"
        )
        places = [_y(fraction) for fraction in (right.value or 0, right.low or 0, right.high or 0)]
        rungs.append(Rung(str(value), picture, right, state, x, *places))
    points = () if ladder.curve is None else ladder.curve.points
    lines = [(_y(bound), f"{100 * bound:g} %"), (_y(0.5), "50 %")]
    return LadderRow(name, ladder.says, rungs, lines, curve(values, points))


def curve(values: Sequence[int], points: Sequence[tuple[float, float]]) -> str:
    """The points of a curve, each a value of the rungs' scale and a share, as those of an SVG polyline.

    `values`: the rungs' values, from left to right. Between two rungs the scale is logarithmic. Points outside of the
    rungs are left out.

    >>> curve([1, 4], [(1, 1.0), (2, 0.5), (4, 0.0)])
    '25,8 50,50 75,92'
    """
    sign = 1 if values[-1] >= values[0] else -1
    marks = [sign * math.log(value) for value in values]
    placed = []
    for value, right in points:
        mark = sign * math.log(value)
        if marks[0] <= mark <= marks[-1] and len(marks) > 1:
            i = min(bisect_right(marks, mark) - 1, len(marks) - 2)
            part = (mark - marks[i]) / (marks[i + 1] - marks[i])
            placed.append(f"{round(_x(i + part, len(marks)), 2):g},{round(_y(right), 2):g}")
    return " ".join(placed)


@lru_cache(maxsize=1)
def _suite() -> Suite:
    """The suite of ladders, drawn large."""
    return load_suite(SUITE).sized(_DRAWN)


@lru_cache(maxsize=256)
def picture_of(rung: str) -> str:
    """A small picture for a rung, as a data URI: of its first pair, the picture whose answer is yes.

    `rung`: the name of the rung's family.
    """
    suite = _suite()
    cell = next(cell for cell in cells_of(suite).values() if cell.part.family == rung)
    pair = suite.sample(cell.part, cell.start)
    scene = pair.scenes[pair.answers.index("yes") if "yes" in pair.answers else 0]
    image = draw(scene, suite.side).resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    return EMBEDDED + drawing(image).source


def _x(place: float, count: int) -> float:
    """The horizontal place of a rung among `count` rungs, in per cent of the strip."""
    return 100 * (place + 0.5) / count


def _y(share: float) -> float:
    """The vertical place of a share, in per cent of the strip."""
    start, height = _STRIP
    return start + (1 - share) * height
