"""Draws the picture of the README: CCS of four published VLMs by category, counted correctly and as published.

`python docs/draw_released.py` writes it from the table beside it. `python docs/draw_released.py CounterBench`, with the
folder of CounterBench's release, first makes the table anew from the published replies.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

from counterbench.interop.counterbench_release import import_release
from counterbench.results.scores import CATEGORIES, score_runs

DOCS = Path(__file__).parent
PICTURE, TABLE = DOCS / "images" / "released.svg", DOCS / "static" / "released.csv"
COLUMNS = ("scoring", "model", "category", "right", "pairs", "low", "high")
PUBLISHED, COUNTED = "as-released", "strict"
MODELS = {
    "gpt4o": ("GPT-4o", "#0072b2"),
    "gpt4o_mini": ("GPT-4o mini", "#d55e00"),
    "gemini_flash": ("Gemini 2.0 Flash", "#009e73"),
    "qwen_vl": ("Qwen2.5-VL-72B", "#8a4fa3"),
}
ORDER = ("causal", "counting", "attribute", "spatial", "containment", "control")
WIDTH, LEFT, RIGHT, TOP, LANE, HIGH, MIN_CCS = 760, 104, 20, 92, 10.5, 52, 0.3


def read_release(folder: Path) -> list[dict[str, str]]:
    """The table's rows: of each scoring, model and category the pairs right on both pictures, with their interval."""
    with tempfile.TemporaryDirectory() as place:
        runs = import_release(folder, Path(place) / "released").runs
        scored = [(scoring, doc) for scoring in (PUBLISHED, COUNTED) for doc in score_runs(runs, scoring)]
    values = [
        (scoring, Path(doc.run).name, name, found.hits, found.of, f"{found.low:.4f}", f"{found.high:.4f}")
        for scoring, doc in scored
        for name in CATEGORIES
        if (found := doc.categories[name].ccs)
    ]
    return [dict(zip(COLUMNS, map(str, row), strict=True)) for row in values]


def x_of(share: float) -> float:
    """The place of a share of pairs."""
    return LEFT + (share - MIN_CCS) / (1 - MIN_CCS) * (WIDTH - LEFT - RIGHT)


def picture(table: list[dict[str, str]]) -> str:
    """The drawing, as SVG that reads on light and dark pages."""
    rows = {(row["scoring"], row["category"], row["model"]): row for row in table}
    ccs = {place: int(row["right"]) / int(row["pairs"]) for place, row in rows.items()}
    bottom = TOP + HIGH * len(ORDER)
    published, counted = ([round(100 * ccs[how, "causal", model]) for model in MODELS] for how in (PUBLISHED, COUNTED))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 42}" font-family="sans-serif" '
        'font-size="13" fill="#222">',
        "<title>CCS of four VLMs by category: as published, and counted correctly from the same replies</title>",
        f'<rect width="{WIDTH}" height="{bottom + 42}" fill="#fff"/>',
        f'<text x="14" y="24" font-size="16" font-weight="bold">Causal: “at most {max(published)} %” was '
        f"a bug in the scoring; {min(counted)} to {max(counted)} % is right</text>",
        '<text x="30" y="50">counted correctly, with 95 % interval</text>',
        '<text x="302" y="50">as published</text>',
        '<path d="M8,45.5 H24" stroke="#222" stroke-width="2"/><circle cx="16" cy="45.5" r="4.5"/>',
        '<circle cx="290" cy="45.5" r="6" fill="none" stroke="#222" stroke-width="1.5"/>',
    ]
    for place, (name, colour) in enumerate(MODELS.values()):
        out.append(f'<circle cx="{16 + 150 * place}" cy="69.5" r="4.5" fill="{colour}"/>')
        out.append(f'<text x="{30 + 150 * place}" y="74">{name}</text>')
    for tenth in range(3, 11):
        x = x_of(tenth / 10)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{tenth * 10}</text>')
    words = "pairs right on both pictures (CCS), %"
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{bottom + 35}" text-anchor="middle">{words}</text>')
    for line, category in enumerate(ORDER):
        y = TOP + HIGH * line
        if line % 2 == 0:
            out.append(f'<rect y="{y}" width="{WIDTH}" height="{HIGH}" fill="#000" fill-opacity="0.04"/>')
        weight = ' font-weight="bold"' if category == "causal" else ""
        out.append(f'<text x="14" y="{y + HIGH / 2 + 4.5}"{weight}>{category}</text>')
        for lane, (model, (_, colour)) in enumerate(MODELS.items()):
            at = y + HIGH / 2 + (lane - 1.5) * LANE
            row = rows[COUNTED, category, model]
            x, old = (x_of(ccs[scoring, category, model]) for scoring in (COUNTED, PUBLISHED))
            low, high = x_of(float(row["low"])), x_of(float(row["high"]))
            if x != old:
                out.append(f'<path d="M{old + 6:.1f},{at} H{low:.1f}" stroke="{colour}" stroke-dasharray="2 3"/>')
            out.append(f'<path d="M{low:.1f},{at} H{high:.1f}" stroke="{colour}" stroke-width="2"/>')
            out.append(f'<circle cx="{x:.1f}" cy="{at}" r="3.7" fill="{colour}"/>')
            out.append(f'<circle cx="{old:.1f}" cy="{at}" r="5.2" fill="none" stroke="{colour}" stroke-width="1.3"/>')
    return "\n".join([*out, "</svg>", ""])


def main() -> None:
    """The table from the release, if it is named; then the picture from the table."""
    if len(sys.argv) > 1:
        with TABLE.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(read_release(Path(sys.argv[1])))
    with TABLE.open(newline="", encoding="utf-8") as file:
        PICTURE.write_text(picture(list(csv.DictReader(file))), encoding="utf-8")


if __name__ == "__main__":
    main()
