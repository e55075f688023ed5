"""The paper's way, as a yardstick: one process, no antialiasing, Pillow's default PNG.

    python benchmarks/plain_pillow.py PAIRS.jsonl OUT [--antialiased]

draws both scenes of every line of a `pairs.jsonl` with Pillow alone; it imports nothing of counterbench. Our pictures
have smooth edges, the paper's have not. With --antialiased, a picture is drawn four times as large and reduced.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

RGB = {
    "red": (214, 39, 40),
    "orange": (255, 140, 0),
    "yellow": (255, 221, 0),
    "green": (34, 150, 60),
    "cyan": (0, 205, 215),
    "blue": (0, 90, 230),
    "purple": (145, 30, 180),
    "pink": (255, 130, 190),
}
OUTLINE = (32, 32, 32)
# What is a length or a place in a scene.
PIXELS = {"width", "height", "x", "y", "size", "half_width", "half_height", "wall", "tip_x", "tip_y", "dx", "dy"}


def enlarged(thing: dict[str, Any], by: int) -> dict[str, Any]:
    return {name: value * by if name in PIXELS else value for name, value in thing.items()}


def draw_antialiased(scene: dict[str, Any], fine: int = 4) -> Image.Image:
    elements = [enlarged(element, fine) for element in scene["elements"]]
    return draw(enlarged(scene, fine) | {"elements": elements}, fine).reduce(fine)


def draw(scene: dict[str, Any], by: int = 1) -> Image.Image:
    """The picture of a scene; `by`: the number of times that its lines are as thick, its letters as high."""
    image = Image.new("RGB", (scene["width"], scene["height"]), (scene["background"],) * 3)
    page = ImageDraw.Draw(image)
    centres = {e["id"]: (e["x"], e["y"]) for e in scene["elements"] if e["type"] == "shape"}
    for e in scene["elements"]:
        if e["type"] == "shape":
            draw_shape(page, e, 2 * by)
        elif e["type"] == "container":
            w, h = e["half_width"], e["half_height"]
            page.rectangle((e["x"] - w, e["y"] - h, e["x"] + w, e["y"] + h), outline=OUTLINE, width=e["wall"])
        elif e["type"] == "arrow":
            draw_arrow(page, e, by)
        else:
            x, y = centres[e["of"]]
            at, font = (x + e["dx"] - 8 * by, y + e["dy"] - 12 * by), ImageFont.load_default(24 * by)
            page.text(at, e["text"], fill=OUTLINE, font=font)
    return image


def draw_shape(page: ImageDraw.ImageDraw, e: dict[str, Any], width: int) -> None:
    x, y, s, fill = e["x"], e["y"], e["size"], RGB[e["colour"]]
    if e["kind"] == "circle":
        page.ellipse((x - s, y - s, x + s, y + s), fill=fill, outline=OUTLINE, width=width)
    elif e["kind"] == "square":
        page.rectangle((x - s, y - s, x + s, y + s), fill=fill, outline=OUTLINE, width=width)
    elif e["kind"] == "triangle":
        page.polygon(((x, y - s), (x + s, y + s), (x - s, y + s)), fill=fill, outline=OUTLINE, width=width // 2)
    else:
        page.polygon(((x, y - s), (x + s, y), (x, y + s), (x - s, y)), fill=fill, outline=OUTLINE, width=width // 2)


def draw_arrow(page: ImageDraw.ImageDraw, e: dict[str, Any], by: int) -> None:
    tip = (e["tip_x"], e["tip_y"])
    page.line(((e["x"], e["y"]), tip), fill=OUTLINE, width=3 * by)
    angle = math.atan2(tip[1] - e["y"], tip[0] - e["x"]) + math.pi
    for turn in (-0.4, 0.4):
        end = (tip[0] + 15 * by * math.cos(angle + turn), tip[1] + 15 * by * math.sin(angle + turn))
        page.line((tip, end), fill=OUTLINE, width=3 * by)


def main() -> None:
    pairs, out = Path(sys.argv[1]), Path(sys.argv[2])
    picture_of = draw_antialiased if "--antialiased" in sys.argv else draw
    out.mkdir(parents=True, exist_ok=True)
    with pairs.open(encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            for role in ("original", "intervened"):
                picture_of(pair[role]).save(out / f"{pair['id']}-{role}.png")


if __name__ == "__main__":
    main()
