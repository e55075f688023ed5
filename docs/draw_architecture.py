"""Draws the packages as the code has them: rows are the layers of the lint contract, → is what a package imports.

What follows from other imports is left out. `python docs/draw_architecture.py` writes the picture of
docs/architecture.md; with `--check` it says whether the picture is still true (needs the extra `dev`).
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = Path(__file__).parent / "images" / "architecture.svg"
WIDTH, ROW, HIGH = 640, 54, 46


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
            imported = {room_of(other) for other in graph.find_modules_directly_imported_by(module)}
            found[room] |= (imported & rooms) - {room}

    def below(room: str) -> set[str]:
        return found[room] | {far for near in found[room] for far in below(near)}

    return {
        (room, near) for room in rooms for near in found[room]
        if not any(near in below(other) for other in found[room] if other != near)
    }  # fmt: skip


def picture() -> str:
    """The drawing, as SVG that reads on light and dark pages."""
    rows = layers()
    below = imports({room for row in rows for room in row})
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {len(rows) * ROW + 8}" '
        'font-family="sans-serif" text-anchor="middle">',
        "<title>The packages of counterbench in layers, each with those that it imports</title>",
        f'<rect width="{WIDTH}" height="{len(rows) * ROW + 8}" fill="#fff"/>',
    ]
    for y, row in enumerate(rows):
        wide = WIDTH // len(row)
        for x, room in enumerate(row):
            left, top, middle = x * wide + 4, y * ROW + 6, x * wide + wide // 2
            uses = ", ".join(sorted(near for upper, near in below if upper == room))
            out.append(
                f'<rect x="{left}" y="{top}" width="{wide - 8}" height="{HIGH}" rx="6" '
                'fill="#eef3f8" stroke="#40566b"/>'
                f'<text x="{middle}" y="{top + 19}" font-size="15" font-weight="bold" fill="#14202b">{room}</text>'
                f'<text x="{middle}" y="{top + 36}" font-size="12" fill="#40566b">{"→ " + uses if uses else ""}</text>'
            )
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PICTURE.write_text(picture(), encoding="utf-8")
    elif PICTURE.read_text(encoding="utf-8") != picture():
        sys.exit(f"{PICTURE} is not what the code is: python docs/draw_architecture.py draws it anew")
