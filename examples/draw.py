"""Draws the pictures of two made-up text-to-image models, and the table that `counterbench evaluate` takes.

`python examples/draw.py` writes `pictures.csv` and `pictures/MODEL/NUMBER.png` beside this file. `careful` draws what
most prompts ask for, `hasty` what a part of them do; what each prompt asks for is in its questions.
"""

import csv
from pathlib import Path

from counterbench.drawing.styles import draw
from counterbench.palette import Colour, ShapeKind
from counterbench.scene.scene import Scene, Shape

HERE = Path(__file__).parent
SIDE, SIZE = 512, 40  # pixels, of a picture and of half a shape
Thing = tuple[Colour, ShapeKind, int, int]  # and its place


def row_of(colour: Colour, kind: ShapeKind, count: int, y: int = 256) -> list[Thing]:
    """So many equal things in a row."""
    return [(colour, kind, SIDE * (2 * i + 1) // (2 * count), y) for i in range(count)]


RED, BLUE, GREEN = ("red", "circle", 120, 256), ("blue", "square", 392, 256), ("green", "triangle", 256, 120)
# By prompt: the questions with their right answers, and the things that each of the two models drew.
PROMPTS: dict[str, tuple[dict[str, str], list[Thing], list[Thing]]] = {
    "a red circle to the left of a blue square": (
        {"Is there a red circle?": "yes", "Is the red circle to the left of the blue square?": "yes"},
        [RED, BLUE],
        [("red", "circle", 392, 256), ("blue", "square", 120, 256)],
    ),
    "three green triangles": (
        {"How many green triangles are there?": "3"},
        row_of("green", "triangle", 3),
        row_of("green", "triangle", 4),
    ),
    "a yellow diamond": (
        {"Is there a yellow diamond?": "yes"},
        row_of("yellow", "diamond", 1),
        row_of("yellow", "square", 1),
    ),
    "two purple squares and a red circle": (
        {"How many purple squares are there?": "2", "Is there a red circle?": "yes"},
        [*row_of("purple", "square", 2, 140), ("red", "circle", 256, 380)],
        [*row_of("purple", "square", 2, 140), ("red", "circle", 256, 380)],
    ),
    "a pink circle above a green triangle": (
        {"Is there a pink circle?": "yes", "Is the pink circle above the green triangle?": "yes"},
        [("pink", "circle", 256, 120), ("green", "triangle", 256, 380)],
        [("pink", "circle", 256, 380), GREEN],
    ),
    "five blue circles": (
        {"How many blue circles are there?": "5"},
        row_of("blue", "circle", 4),
        row_of("blue", "circle", 3),
    ),
    "an orange square below a cyan diamond": (
        {"Is the orange square below the cyan diamond?": "yes"},
        [("orange", "square", 256, 380), ("cyan", "diamond", 256, 120)],
        [("orange", "square", 256, 380), ("cyan", "diamond", 256, 120)],
    ),
    "four red triangles": (
        {"How many red triangles are there?": "4"},
        row_of("red", "triangle", 4),
        row_of("red", "triangle", 4),
    ),
    "a cyan triangle": (
        {"Is there a cyan triangle?": "yes"},
        row_of("cyan", "triangle", 1),
        row_of("green", "triangle", 1),
    ),
    "a purple circle to the right of a yellow square": (
        {"Is there a yellow square?": "yes", "Is the purple circle to the right of the yellow square?": "yes"},
        [("purple", "circle", 392, 256), ("yellow", "square", 120, 256)],
        [("purple", "circle", 392, 256), ("yellow", "square", 120, 256)],
    ),
    "six orange diamonds": (
        {"How many orange diamonds are there?": "6"},
        [*row_of("orange", "diamond", 3, 140), *row_of("orange", "diamond", 3, 380)],
        [*row_of("orange", "diamond", 3, 140), *row_of("orange", "diamond", 2, 380)],
    ),
    "a green square and no circle": (
        {"Is there a green square?": "yes", "How many green circles are there?": "0"},
        row_of("green", "square", 1),
        [*row_of("green", "square", 1), ("green", "circle", 120, 400)],
    ),
}


def main() -> None:
    """Draws all of them and writes the table."""
    rows = []
    for number, (prompt, (questions, *drawn)) in enumerate(PROMPTS.items(), 1):
        for model, things in zip(("careful", "hasty"), drawn, strict=True):
            shapes = [Shape(f"s{i}", kind, colour, x, y, SIZE) for i, (colour, kind, x, y) in enumerate(things)]
            file = HERE / "pictures" / model / f"{number:02}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            draw(Scene(SIDE, SIDE, elements=tuple(shapes))).save(file, optimize=True)
            rows += [(file.relative_to(HERE), prompt, model, *question) for question in questions.items()]
    with (HERE / "pictures.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("image", "prompt", "model", "question", "answer"), *rows])


if __name__ == "__main__":
    main()
