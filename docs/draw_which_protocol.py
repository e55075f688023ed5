"""Draws the picture of docs/which-protocol.md: Kendall's τ by judge and protocol, filled where certificates admit.

`python docs/draw_which_protocol.py` writes it, from the table that `benchmarks/protocols.py` made.
"""

from __future__ import annotations

import csv
from pathlib import Path

DOCS = Path(__file__).parent
PICTURE, TABLE = DOCS / "images" / "which-protocol.svg", DOCS / "static" / "which-protocol.csv"
# Of each judge its fault's dose, the set of models, and the words beside the row.
ROWS = (
    ("noisy?p=0.3", "close", "wrong at random, 30 %"),
    ("yes-bias?p=0.5", "close", "says yes, 50 %"),
    ("text-led?p=0.5", "vandal", "obeys painted words, 50 %"),
    ("prior-bound?p=0.5", "literal", "sees what is usual, 50 %"),
    ("bag-of-words?p=0.5", "swapper", "mixes up colours of things, 50 %"),
    ("agreeable?p=0.5", "forgetful", "agrees about missing things, 50 %"),
    ("style-blind?p=0.5", "one styled", "guesses at one model's style, 50 %"),
    ("style-blind?p=0.5", "all styled", "guesses at the style of all, 50 %"),
    ("small-blind?p=0.5", "one small", "guesses at small pictures, 50 %"),
    ("first-bias?p=0.8", "close", "says first, 80 %"),
    ("lazy?p=0.8", "far", "says equal, 80 %"),
    ("prettier-wins?p=0.5", "one fine", "prefers the richer picture, 50 %"),
    ("prompt-led?p=0.5", "far", "believes the prompt, 50 %"),
)
PROTOCOLS = {
    "checklist": "#2a78b5",
    "soft": "#12a3a3",
    "cf-eval": "#8a5bb8",
    "direct": "#777777",
    "pairwise": "#d9731a",
}
WIDTH, LEFT, RIGHT, TOP, HIGH, MIN_TAU = 720, 264, 24, 50, 30, 0.0


def x_of(tau: float) -> float:
    """The place of a τ."""
    return LEFT + (max(MIN_TAU, tau) - MIN_TAU) / (1 - MIN_TAU) * (WIDTH - LEFT - RIGHT)


def dot(x: float, y: float, colour: str, filled: bool) -> str:
    """A filled or an empty dot."""
    ink = colour if filled else "#fff"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{ink}" stroke="{colour}" stroke-width="2"/>'


def picture(table: list[dict[str, str]]) -> str:
    """The drawing, as SVG that reads on light and dark pages."""
    known = {(row["judge"], row["models"], row["protocol"]): row for row in table}
    bottom = TOP + HIGH * len(ROWS)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 46}" font-family="sans-serif" '
        'font-size="13">',
        "<title>Kendall's τ to the true order of five models, by the judge's fault and by protocol</title>",
        f'<rect width="{WIDTH}" height="{bottom + 46}" fill="#fff"/>',
    ]
    legend = [*PROTOCOLS.items(), ("admitted", "#222"), ("refused", "#222")]
    for i, (name, colour) in enumerate(legend):
        x = 14.0 + 88 * i
        out += [dot(x, 16, colour, name != "refused"), f'<text x="{x + 9}" y="20.5" fill="#222">{name}</text>']
    out += ['<line x1="630" x2="630" y1="7" y2="25" stroke="#888" stroke-width="3"/>']
    out += ['<text x="637" y="20.5" fill="#222">always right</text>']
    for fifth in range(6):
        x = x_of(fifth / 5)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{bottom}" stroke="#ddd"/>')
        label = f"{fifth / 5:.1f}"
        out.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" fill="#222">{label}</text>')
    words = "Kendall's τ to the true order, at equal numbers of calls"
    out.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{bottom + 38}" text-anchor="middle" fill="#222">{words}</text>'
    )
    for i, (judge, models, text) in enumerate(ROWS):
        y = TOP + HIGH * i + HIGH / 2 - 4
        if i % 2:
            out.append(
                f'<rect x="0" y="{y - HIGH / 2}" width="{WIDTH}" height="{HIGH}" fill="#000" fill-opacity="0.04"/>'
            )
        out.append(f'<text x="{LEFT - 16}" y="{y + 4.5}" text-anchor="end" fill="#222">{text}</text>')
        right = [float(known["oracle", models, by]["tau"]) for by in PROTOCOLS if ("oracle", models, by) in known]
        x = x_of(sum(right) / len(right))
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y - 10}" y2="{y + 10}" stroke="#888" stroke-width="3"/>')
        shown = [(by, colour) for by, colour in PROTOCOLS.items() if (judge, models, by) in known]
        for place, (by, colour) in enumerate(shown):
            row = known[judge, models, by]
            lift = (place - (len(shown) - 1) / 2) * 4.6
            out.append(dot(x_of(float(row["tau"])), y + lift, colour, row["admits"] == "1"))
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    with TABLE.open(newline="", encoding="utf-8") as file:
        PICTURE.write_text(picture(list(csv.DictReader(file))))
