"""The paper's way, as a yardstick: one process, no antialiasing, Pillow's default PNG.

    python benchmarks/plain_pillow.py PAIRS.jsonl OUT

draws both scenes of every line of a `pairs.jsonl` with Pillow alone; it imports nothing of counterbench.
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


def draw(scene: dict[str, Any]) -> Image.Image:
    image = Image.new("RGB", (scene["width"], scene["height"]), (scene["background"],) * 3)
    page = ImageDraw.Draw(image)
    centres = {e["id"]: (e["x"], e["y"]) for e in scene["elements"] if e["type"] == "shape"}
    for e in scene["elements"]:
        if e["type"] == "shape":
            draw_shape(page, e)
        elif e["type"] == "container":
            w, h = e["half_width"], e["half_height"]
            page.rectangle((e["x"] - w, e["y"] - h, e["x"] + w, e["y"] + h), outline=OUTLINE, width=e["wall"])
        elif e["type"] == "arrow":
            draw_arrow(page, e)
        else:
            x, y = centres[e["of"]]
            page.text((x + e["dx"] - 8, y + e["dy"] - 12), e["text"], fill=OUTLINE, font=ImageFont.load_default(24))
    return image


def draw_shape(page: ImageDraw.ImageDraw, e: dict[str, Any]) -> None:
    x, y, s, fill = e["x"], e["y"], e["size"], RGB[e["colour"]]
    if e["kind"] == "circle":
        page.ellipse((x - s, y - s, x + s, y + s), fill=fill, outline=OUTLINE, width=2)
    elif e["kind"] == "square":
        page.rectangle((x - s, y - s, x + s, y + s), fill=fill, outline=OUTLINE, width=2)
    elif e["kind"] == "triangle":
        page.polygon(((x, y - s), (x + s, y + s), (x - s, y + s)), fill=fill, outline=OUTLINE)
    else:
        page.polygon(((x, y - s), (x + s, y), (x, y + s), (x - s, y)), fill=fill, outline=OUTLINE)


def draw_arrow(page: ImageDraw.ImageDraw, e: dict[str, Any]) -> None:
    tip = (e["tip_x"], e["tip_y"])
    page.line(((e["x"], e["y"]), tip), fill=OUTLINE, width=3)
    angle = math.atan2(tip[1] - e["y"], tip[0] - e["x"]) + math.pi
    for turn in (-0.4, 0.4):
        end = (tip[0] + 15 * math.cos(angle + turn), tip[1] + 15 * math.sin(angle + turn))
        page.line((tip, end), fill=OUTLINE, width=3)


def main() -> None:
    pairs, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with pairs.open(encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            for role in ("original", "intervened"):
                draw(pair[role]).save(out / f"{pair['id']}-{role}.png")


if __name__ == "__main__":
    main()
