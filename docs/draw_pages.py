"""Draws pictures of docs: the road of a verdict, what each fault costs, and one law at its three levels.

`python docs/draw_pages.py` writes them. With `--ask` it first asks the planted judges anew (a minute) and writes the
table of what their faults cost.
"""

from __future__ import annotations

import base64
import csv
import sys
import textwrap
from collections import defaultdict
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image

from counterbench.drawing import png
from counterbench.drawing.styles import draw
from counterbench.prompts.files import load_prompts
from counterbench.prompts.from_laws import outcome_of

DOCS = Path(__file__).parent
IMAGES, TABLE = DOCS / "images", DOCS / "static" / "fault-costs.csv"
INK, GREY, BLUE, GREEN, AMBER, RED = "#222", "#666", "#2a78b5", "#1a7f4b", "#8a5a00", "#b3261e"
WIDTH = 760
# Asked are all pairs of this suite, by judges with a fault at this dose.
SUITE, DOSE = "certify", 0.5
FAULTS = (
    "blind", "sticky", "yes-bias", "no-bias", "off-by-one", "colour-confusion", "bag-of-words", "fickle", "arrow-blind",
    "agreeable", "text-led",
)  # fmt: skip
COLUMNS = ("fault", "right", "pairs", "worst", "worst_right", "worst_pairs")
GROUP, SIDE, STORED = "wind.against.00", 176, 256  # of `laws-few`; pixels of a picture, as shown and as stored


def written(x: float, y: float, words: str, **looks: object) -> str:
    """A line of text; `font_size=12` is an attribute of SVG."""
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in looks.items())
    return f'<text x="{x:g}" y="{y:g}"{given}>{escape(words, quote=False)}</text>'


def svg(height: int, title: str, parts: list[str]) -> str:
    """A drawing on white, that reads on light and dark pages."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
            f'font-size="13" fill="{INK}">',
            f"<title>{title}</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def box(x: float, y: float, ink: str, title: str, *lines: str) -> list[str]:
    """A station of the road: its name and what it means."""
    return [
        f'<rect x="{x}" y="{y}" width="172" height="80" rx="6" fill="{ink}" fill-opacity="0.07" stroke="{ink}"/>',
        written(x + 10, y + 21, title, font_weight="bold", fill=ink),
        *(written(x + 10, y + 39 + 15 * i, line, font_size=11) for i, line in enumerate(lines)),
    ]


def road() -> str:
    """From drawn pairs to a verdict, and where a judge leaves the road."""
    ways = "M176,144 h18 M370,144 h18 M564,144 h11 M575,50 v188 M575,50 h7 M575,144 h7 M575,238 h7 M284,184 v14"
    heads = [(191, 144), (385, 144), (579, 50), (579, 144), (579, 238)]
    arrows = [f'<path d="M{x},{y - 5} l7,5 l-7,5 z"/>' for x, y in heads]
    parts = [
        f'<path d="{ways}" fill="none" stroke="{INK}"/>',
        *arrows,
        '<path d="M279,199 l5,7 l5,-7 z"/>',
        *box(4, 104, BLUE, "Drawn", "pairs of pictures whose", "truth is computed"),
        *box(
            198,
            104,
            BLUE,
            "Admitted",
            "to what it was shown to",
            "see: both pictures right in",
            "over 85 % of each cell",
        ),
        *box(198, 206, RED, "Turned away", "a cell failed, or was not", "decided: what rests on it", "is not scored"),
        *box(392, 104, BLUE, "Asked", "about your pictures, and", "tried on them: by stickers", "or human labels"),
        *box(586, 10, GREEN, "Supported", "at least 90 % of the weight", "tried; passed on these", "very pictures"),
        *box(586, 104, AMBER, "In part", "less was tried, or drawn", "pairs alone"),
        *box(586, 198, RED, "Not supported", "revoked: something speaks", "against the judge; or", "nothing was tried"),
    ]
    return svg(296, "The road of a verdict: drawn, admitted, then supported, in part or not supported", parts)


def ask() -> list[dict[str, str]]:
    """What each fault costs: pairs right over all, and in the cell or treatment that it hits hardest."""
    sys.path.insert(0, str(DOCS.parent / "benchmarks"))
    from rehearsal import Rehearsal

    from counterbench.runs.queries import cell_of
    from counterbench.suites.sources import SuiteSource
    from counterbench.suites.suite import load_suite

    rehearsal, rows = Rehearsal(SuiteSource(load_suite(SUITE))), []
    for fault in FAULTS:
        parts = defaultdict[str, list[bool]](list)
        for pair in (found := rehearsal.results(f"{fault}?p={DOSE}")):
            parts[pair.treatment or cell_of(pair.key)].append(bool(pair.consistent))
        worst = min(parts, key=lambda name: sum(parts[name]) / len(parts[name]))
        counts = sum(pair.consistent is True for pair in found), len(found)
        row = (fault, *counts, worst, sum(parts[worst]), len(parts[worst]))
        rows.append(dict(zip(COLUMNS, map(str, row), strict=True)))
    return rows


def faults(table: list[dict[str, str]]) -> str:
    """A bar of CCS over all for each fault, and a dot where it costs most."""
    left, wide, top, high = 132, 400, 44, 27
    bottom = top + high * len(table)
    parts = [
        f'<rect x="14" y="10" width="22" height="12" fill="{BLUE}"/>',
        written(42, 20.5, f"over all pairs of {SUITE}"),
        f'<circle cx="240" cy="16" r="5" fill="{RED}"/>',
        written(251, 20.5, "in the cell or treatment that the fault hits hardest"),
    ]
    for tenth in range(0, 11, 2):
        x = left + wide * tenth / 10
        parts.append(f'<line x1="{x:g}" x2="{x:g}" y1="{top - 6}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(written(x, bottom + 17, str(10 * tenth), text_anchor="middle"))
    for i, row in enumerate(table):
        y = top + high * i
        share, worst = int(row["right"]) / int(row["pairs"]), int(row["worst_right"]) / int(row["worst_pairs"])
        x = left + wide * worst
        parts += [
            written(left - 8, y + 15, row["fault"], text_anchor="end"),
            f'<rect x="{left}" y="{y + 2}" width="{wide * share:.1f}" height="17" fill="{BLUE}" fill-opacity="0.9"/>',
            f'<circle cx="{x:.1f}" cy="{y + 10.5}" r="5" fill="{RED}" stroke="#fff"/>',
            written(left + wide * share - 6, y + 15, f"{100 * share:.0f}", text_anchor="end", fill="#fff"),
            written(left + wide + 12, y + 15, f"{100 * worst:.0f} in {row['worst']}", fill=RED),
        ]
    words = f"CCS of a judge with the fault at dose {DOSE}, %"
    parts.append(written(left + wide / 2, bottom + 35, words, text_anchor="middle"))
    return svg(bottom + 46, "CCS of planted judges by fault, over all pairs and where it is lowest", parts)


def image(scene: Any, x: float, y: float) -> str:
    """A scene as a picture in the drawing."""
    small = draw(scene).resize((STORED, STORED), Image.Resampling.BOX)
    data = base64.b64encode(png.encode(small)).decode()
    return f'<image x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}" href="data:image/png;base64,{data}"/>'


def levels() -> str:
    """One law at L1, L2, L3: what the prompt says, the right picture, and the prior's."""
    prompts = load_prompts("laws-few")
    group = {prompt.level: prompt for prompt in prompts.prompts if prompt.group == GROUP}
    sentences = {level: prompt.text.split(". ") for level, prompt in group.items()}
    shared = [part for part in sentences["l1"] if all(part in parts for parts in sentences.values())]
    parts = [written(14, 20 + 17 * i, line) for i, line in enumerate(textwrap.wrap(". ".join(shared), 92))]
    top, titles = 104, {"l1": "L1: the real law", "l2": "L2: law and outcome", "l3": "L3: the law alone"}
    for column, (level, prompt) in enumerate(group.items()):
        x = 62 + 234 * column
        parts.append(written(x, top, titles[level], font_weight="bold", fill=BLUE))
        own = textwrap.wrap(". ".join(part for part in sentences[level] if part not in shared) + ".", 36)
        parts += [written(x, top + 18 + 14 * i, line, font_size=11) for i, line in enumerate(own)]
        parts.append(image(outcome_of(prompts, prompt), x, top + 108))
        prior = outcome_of(prompts, prompt, prior=True)
        y = top + 116 + SIDE
        parts.append(image(prior, x, y) if prior else written(x, y + 20, "the same", fill=GREY))
    for row, words in enumerate(("right", "prior")):
        parts.append(written(14, top + 108 + (SIDE + 8) * row + 20, words, font_weight="bold"))
    return svg(top + 126 + 2 * SIDE, "One law at three levels, with the right picture and the prior's", parts)


def main() -> None:
    """The table if it is asked for, then all pictures."""
    if "--ask" in sys.argv:
        with TABLE.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(ask())
    for name, drawn in pictures().items():
        (IMAGES / name).write_text(drawn, encoding="utf-8")


def pictures() -> dict[str, str]:
    """All of them, by the names of their files."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    return {"verdict.svg": road(), "faults.svg": faults(table), "levels.svg": levels()}


if __name__ == "__main__":
    main()
