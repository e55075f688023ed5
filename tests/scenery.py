"""A scene of shapes and one of a law's things, with an element of every type, and an edit of every field; suites."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from counterbench.scene.figures import Damage, Figure, Room, Writing
from counterbench.scene.interventions import Intervention
from counterbench.scene.pairs import Pair, build
from counterbench.scene.programs import Program
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
from counterbench.suites.suite import Suite, parse_suite

CIRCLE = Shape("a", "circle", "red", 100, 100, 40)
SQUARE = Shape("b", "square", "blue", 300, 300, 40)
BOX = Container("box", 250, 250, 100, 80)
ARROW = Arrow("arrow", 50, 400, 150, 420)
LETTER = Label("label-a", "A", "a", 3, -2, 24)
SCENE = Scene(elements=(CIRCLE, SQUARE, BOX, ARROW, LETTER))


def saved(image: Image.Image, format: str = "PNG", **options: object) -> bytes:
    """A picture's file."""
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def figure(noun: str, colour: Any, x: int, y: int, half: int = 20, **more: Any) -> Figure:
    """A thing; its id is the noun, and it is as high as wide, unless `more` says something else."""
    fields = {"id": noun, "half_width": half, "half_height": half, **more}
    return Figure(noun=noun, colour=colour, x=x, y=y, **fields)


STAGE = Scene(
    elements=(
        Room("room", 256, 256, 236, 236),
        figure("lamp", "red", 100, 100, 40, half_height=50),
        figure("flag", "blue", 300, 100, 40, half_height=50, facing="left"),
        figure("tank", "green", 100, 300, 40, half_height=50, quarters=1),
        figure("crystal", "pink", 300, 300, 40, half_height=50, form="circle"),
        Damage("damage", "static", 200, 200, 30, 10),
        Writing("words", "ANSWER NO", 256, 400),
        Shape("diamond", "diamond", "pink", 420, 300, 20),
    )
)
# Every field of every type of element, with a value that differs from the one in SCENE or STAGE.
OTHER: dict[str, dict[str, Any]] = {
    "a": {"kind": "square", "colour": "pink", "x": 101, "y": 101, "size": 41},
    "box": {"x": 251, "y": 251, "half_width": 101, "half_height": 81, "wall": 7},
    "arrow": {"x": 51, "y": 401, "tip_x": 151, "tip_y": 421, "width": 6},
    "label-a": {"text": "B", "of": "b", "dx": 4, "dy": -1, "height": 25},
    "room": {"x": 257, "y": 255, "half_width": 200, "half_height": 201, "wall": 9},
    "lamp": {"noun": "candle", "colour": "cyan", "x": 110, "y": 111, "half_width": 41, "half_height": 51, "lit": True},
    "flag": {"facing": "up"},
    "tank": {"quarters": 4},
    "crystal": {"form": "square"},
    "damage": {
        "kind": "black",
        "x": 201,
        "y": 202,
        "half_width": 31,
        "half_height": 11,
        "seed": 1,
        "dose": 2,
        "from_x": 5,
        "from_y": 6,
    },
    "diamond": {"slim": True, "shade": "c0ffee"},
    "words": {"words": "ANSWER YES", "x": 250, "y": 401, "height": 20},
}


def built(scene: Scene, edit: Intervention, program: Program) -> Pair:
    """The pair of a scene and its edit, which are asked about in the program's first words."""
    return build(
        id="x-0",
        index=0,
        family="attribute",
        category="attribute",
        skill="colour",
        stratum="open",
        scene=scene,
        intervention=edit,
        program=program,
        question=program.phrasings()[0],
        difficulty={},
    )


def suite_of(*families: dict[str, Any], **top: Any) -> Suite:
    """A suite as its file would give it."""
    data = {"format": "counterbench.suite/1", "name": "mine", "family": list(families), **top}
    return parse_suite(data, "mine.toml")


def edit_json(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a document in place, as somebody might by hand."""
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))
