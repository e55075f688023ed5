"""Draws the picture of docs/ladder.md: each ladder as a row of its rungs, with the curve of a planted judge below.

`python docs/draw_ladders.py` tests a judge on each ladder, one that sees half of the pictures at a rung in the middle
(about two minutes), and writes the picture.
"""

from __future__ import annotations

import tempfile
from html import escape
from pathlib import Path

import counterbench as cb
from counterbench.pages.ladders import LadderRow, ladder_rows
from counterbench.suites.families.ladders import LADDERS

PICTURE = Path(__file__).parent / "images" / "ladders.svg"
# The dial of each ladder in its pairs, the value at which the judge sees half, and how steeply it stops.
JUDGES = {
    "count": ("count", 9, 0.9),
    "offset": ("apart", 14, -0.7),
    "size": ("size", 36, -0.35),
    "touching": ("touching", 7, 1.2),
    "visible": ("visible", 12, -0.7),
    "colour": ("colour", 6, -1.5),
    "words": ("height", 14, -0.8),
}
WIDTH, SIDE, HEAD, STRIP, ROW = 1000, 84, 26, 92, 240
INKS = {"passed": "#1a7f4b", "stop": "#b3261e", "above": "#777"}


def rows_of_ladder(name: str, folder: Path) -> list[LadderRow]:
    """The row of one ladder with its judge."""
    dial, at, slope = JUDGES[name]
    judge = f"planted:threshold?dial={dial}&at={at}&slope={slope}"
    found = cb.validate(judge, "ladder", ladders=name, out=folder / name, on_progress=lambda _: None).ladders
    assert found is not None, "it was asked about a ladder"
    return ladder_rows(found.ladders, found.bound)


def draw_row(row: LadderRow, top: float) -> list[str]:
    """A ladder: its words, its pictures with the counts below, and the strip with dots and the curve."""
    wide = WIDTH / len(row.rungs)
    y0 = top + HEAD + SIDE + 38
    title = f"{row.name}: {LADDERS[row.name].unit}"
    out = [
        f'<text x="4" y="{top + 17}" font-size="16" font-weight="bold">{escape(title)}</text>',
        f'<text x="{WIDTH - 4}" y="{top + 17}" text-anchor="end" fill="#555">sees {escape(row.sentence)}</text>',
    ]
    for y, label in row.lines:
        out.append(f'<line x2="{WIDTH}" y1="{y0 + y * STRIP / 100}" y2="{y0 + y * STRIP / 100}" stroke="#bbb"/>')
        out.append(f'<text x="2" y="{y0 + y * STRIP / 100 - 3}" font-size="11" fill="#777">{label}</text>')
    if row.curve:
        points = (point.split(",") for point in row.curve.split())
        placed = (f"{float(x) * WIDTH / 100:.1f},{y0 + float(y) * STRIP / 100:.1f}" for x, y in points)
        out.append(f'<polyline points="{" ".join(placed)}" fill="none" stroke="#2a78b5" stroke-width="2"/>')
    for rung in row.rungs:
        x = rung.x * WIDTH / 100
        dim = ' opacity="0.35"' if rung.right is None else ""
        out.append(
            f'<image x="{x - SIDE / 2:.1f}" y="{top + HEAD}" width="{SIDE}" height="{SIDE}"{dim} '
            f'href="{rung.picture}"/>'
        )
        right = "" if rung.right is None else f"  {rung.right.hits}/{rung.right.of}"
        ink = INKS.get(rung.state, "#777")
        out.append(
            f'<text x="{x:.1f}" y="{top + HEAD + SIDE + 17}" text-anchor="middle" fill="{ink}">'
            f'<tspan font-weight="bold">{rung.label}</tspan>{right}</text>'
        )
        if rung.state == "stop":
            edge = x - wide / 2
            out.append(f'<line x1="{edge:.1f}" x2="{edge:.1f}" y1="{top + HEAD}" y2="{y0 + STRIP}" stroke="{ink}" ')
            out[-1] += 'stroke-width="3"/>'
        if rung.right is not None:
            low, high, y = (y0 + share * STRIP / 100 for share in (rung.low, rung.high, rung.y))
            out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{ink}"/>')
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{ink}"/>')
    return out


def main() -> None:
    """Test and draw."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for name in LADDERS for row in rows_of_ladder(name, Path(folder))]
    height = ROW * len(rows) + len(rows) * 12
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        'font-size="14">',
        "<title>Seven ladders, and where a planted judge stops on each</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for place, row in enumerate(rows):
        out += draw_row(row, place * (ROW + 12))
    PICTURE.write_text("\n".join([*out, "</svg>", ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
