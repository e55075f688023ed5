"""Draws the packages as the code has them: rows are the layers of the lint contract, arrows are imports.

An arrow that follows from others is left out. `python docs/draw_architecture.py` writes the picture of
docs/architecture.md; with `--check` it says whether the picture is still true (needs the extra `dev`).
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = Path(__file__).parent / "images" / "architecture.svg"
WIDTH, ROW, HIGH = 900, 70, 34


def layers() -> list[list[str]]:
    """The packages of each layer, from the top floor down."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    return [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]


def room_of(module: str) -> str:
    """The room right below the package; empty for the package itself."""
    return module.partition(".")[2].partition(".")[0]


def imports(rooms: set[str]) -> set[tuple[str, str]]:
    """Which room imports which, without the imports that follow from others."""
    graph = grimp.build_graph("counterbench", include_external_packages=False)
    found = {room: set[str]() for room in rooms}
    for module in graph.modules:
        room = room_of(module)
        if room in rooms:
            there = {room_of(other) for other in graph.find_modules_directly_imported_by(module)}
            found[room] |= (there & rooms) - {room}

    def below(room: str) -> set[str]:
        return found[room] | {far for near in found[room] for far in below(near)}

    return {
        (room, near) for room in rooms for near in found[room]
        if not any(near in below(other) for other in found[room] if other != near)
    }  # fmt: skip


def picture() -> str:
    """The drawing, as SVG that reads on light and dark pages."""
    rows = layers()
    place: dict[str, tuple[int, int]] = {}
    for y, row in enumerate(rows):
        for x, room in enumerate(row):
            place[room] = (WIDTH * (2 * x + 1) // (2 * len(row)), 30 + y * ROW)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {len(rows) * ROW + 4}" '
        'font-family="sans-serif" font-size="15" text-anchor="middle">',
        "<title>The packages of counterbench and their imports</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#7a8794"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{len(rows) * ROW + 4}" fill="#fff"/>',
    ]
    for upper, lower in sorted(imports(set(place))):
        (x1, y1), (x2, y2) = place[upper], place[lower]
        bend = (y2 - y1) // 2
        out.append(
            f'<path d="M{x1} {y1 + HIGH // 2}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2 - HIGH // 2 - 2}" '
            'fill="none" stroke="#7a8794" stroke-width="1.3" marker-end="url(#tip)"/>'
        )
    wide = 118
    for room, (x, y) in place.items():
        out.append(
            f'<rect x="{x - wide // 2}" y="{y - HIGH // 2}" width="{wide}" height="{HIGH}" rx="6" fill="#eef3f8" '
            f'stroke="#40566b"/><text x="{x}" y="{y + 5}" fill="#14202b">{room}</text>'
        )
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PICTURE.write_text(picture(), encoding="utf-8")
    elif PICTURE.read_text(encoding="utf-8") != picture():
        sys.exit(f"{PICTURE} is not what the code is: python docs/draw_architecture.py draws it anew")
