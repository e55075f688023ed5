"""Draws the picture of docs/judge-changes.md: the interval of a difference, pair by pair, of three swaps.

`python docs/draw_judge_changes.py` writes it. The judges are simulated: the old one is right on 95 % of the pairs.
"""

from __future__ import annotations

import random
from pathlib import Path

from counterbench.results.judge_changes import OVERALL
from counterbench.stats.differences import Differences, mean

PICTURE = Path(__file__).parent / "images" / "judge-changes.svg"
OLD, DELTA, PAIRS, STEP = 0.95, 0.05, 700, 10
SWAPS = (
    (0.95, "no change: equivalent", "#2a78b5", 8),
    (0.85, "10 points lost: changed", "#c4452d", 1),
)
WIDTH, HEIGHT, LEFT, TOP, MIN_D, MAX_D = 640, 300, 64, 16, -0.3, 0.2


def at(pairs: float, difference: float) -> str:
    """The place of a number of pairs and a difference in the picture."""
    x = LEFT + pairs / PAIRS * (WIDTH - LEFT - 16)
    y = TOP + (MAX_D - max(MIN_D, min(MAX_D, difference))) / (MAX_D - MIN_D) * (HEIGHT - TOP - 40)
    return f"{x:.1f},{y:.1f}"


def swap(new: float, seed: int) -> list[tuple[int, float, float, float]]:
    """The pairs, and the difference with its interval, until it is decided."""
    chance, counts, found = random.Random(seed), [0, 0, 0], []
    for pair in range(1, PAIRS + 1):
        counts[(1, -1, 0).index((chance.random() < new) - (chance.random() < OLD))] += 1
        if pair % STEP == 0:
            interval = mean(Differences(*counts), OVERALL)
            found.append((pair, interval.value or 0.0, interval.low or 0.0, interval.high or 0.0))
            if found[-1][2] > 0 or found[-1][3] < 0 or max(-found[-1][2], found[-1][3]) < DELTA:
                break
    return found


def picture() -> str:
    """The drawing, as SVG that reads on light and dark pages."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="13">',
        "<title>The interval of the difference of two judges narrows pair by pair until the swap is decided</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    corner, end = at(0, DELTA), at(PAIRS, -DELTA)
    (x, y), (right, low) = (map(float, place.split(",")) for place in (corner, end))
    out.append(f'<rect x="{x}" y="{y}" width="{right - x:.1f}" height="{low - y:.1f}" fill="#e8e8e8"/>')
    for points in range(-30, 21, 10):
        x, y = map(float, at(0, points / 100).split(","))
        label = f"{points:+d}".replace("-", "−") if points else "0"
        out.append(f'<text x="{x - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
        out.append(f'<line x1="{x}" x2="{right}" y1="{y}" y2="{y}" stroke="#bbb" stroke-width="{1 + (points == 0)}"/>')
    for pairs in range(0, PAIRS + 1, 100):
        x = float(at(pairs, 0).split(",")[0])
        out.append(f'<text x="{x}" y="{HEIGHT - 22}" text-anchor="middle">{pairs}</text>')
    words = "pairs that both have answered; new − old, points of CCS, 95 %"
    out.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 5}" text-anchor="middle">{words}</text>')
    for new, name, colour, seed in SWAPS:
        found = swap(new, seed)
        band = [at(pair, low) for pair, _, low, _ in found] + [at(pair, high) for pair, _, _, high in found[::-1]]
        out.append(f'<polygon points="{" ".join(band)}" fill="{colour}" fill-opacity="0.25"/>')
        line = " ".join(at(pair, value) for pair, value, _, _ in found)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = map(float, at(found[-1][0], found[-1][1]).split(","))
        out.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>')
        out.append(f'<text x="{x + 8}" y="{y - 8}" fill="{colour}">{name}</text>')
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture())
