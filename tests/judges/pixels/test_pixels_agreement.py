"""Two independent roads to the truth: the question programs on the scene, the pixel reader on the picture."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from counterbench.drawing.render import render
from counterbench.errors import AmbiguousError, NoRoomError
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.scene.pairs import FORMS
from counterbench.scene.programs import Program
from counterbench.scene.programs.shapes import Relates
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import Description
from counterbench.suites.families import FAMILIES, Canvas, family, sample
from counterbench.suites.families.base import read_params
from counterbench.suites.families.laws import LawFamily

pytestmark = pytest.mark.slow

CANVASES = (Canvas(), Canvas(200, 200, 255), Canvas(240, 480, 225), Canvas(640, 360, 250), Canvas(1024, 1024, 235))
WIDE: dict[str, dict[str, Any]] = {
    "spatial": {"shape_size": [5, 16], "offset": [8, 90], "distractors": [0, 1]},
    "attribute": {"distractors": [4, 10], "shape_size": [4, 7], "gap": 1},
    "counting": {"count": [1, 12], "distractors": [0, 10], "shape_size": [4, 5], "gap": 1},
    "containment": {"distractors": [2, 8], "shape_size": [4, 5], "container": [30, 60], "gap": 1},
    "arrow": {"shapes": [3, 9], "length": 8, "tip_gap": 1, "gap": 3, "shape_size": [4, 9]},
    "occlusion": {"count": [1, 6], "covered": [5, 65], "shape_size": [4, 12], "gap": 1},
    "composition": {"distractors": [0, 8], "shape_size": [4, 9], "gap": 1, "offset": [8, 90]},
    "presence": {"distractors": [2, 12], "shape_size": [4, 6], "gap": 1, "alone": 20},
    "words": {"letters": [4, 9], "distractors": [1, 8], "shape_size": [4, 6]},
    "control": {},
}
# What is painted or treated is not read: `verify` holds the pictures before that against the reader.
READ: dict[str, dict[str, Any]] = {"treated": {"interventions": ["edge"]}}


# Pictures of laws are read by other code: tests/laws.
SHAPED = [f.name for f in FAMILIES.values() if not isinstance(f, LawFamily)]


@pytest.mark.parametrize(
    ("canvas", "wide"),
    [(CANVASES[0], False), *((canvas, True) for canvas in CANVASES)],
    ids=["default", *(f"wide-{c.width}x{c.height}" for c in CANVASES)],
)
@pytest.mark.parametrize("name", SHAPED)
def test_reader_and_programs_agree(name: str, canvas: Canvas, wide: bool) -> None:
    params = read_params(family(name), READ.get(name) or (WIDE.get(name, {}) if wide else {}))
    read = 0
    for index in range(10):
        try:
            pair = sample(family(name), params, FORMS, canvas, 7, index)
        except NoRoomError:
            continue
        for scene, truth in zip(pair.scenes, pair.answers, strict=True):
            assert read_answer(render(scene), pair.question) == truth, (pair.id, pair.question)
            read += 1
    assert read >= 6


@pytest.mark.parametrize("name", SHAPED)
def test_every_phrasing_of_a_question_is_read_alike(name: str) -> None:
    params = read_params(family(name), {})
    for index in range(6):
        pair = sample(family(name), params, FORMS, Canvas(), 3, index)
        picture = render(pair.scenes[0])
        for words in pair.program.phrasings():
            assert read_answer(picture, words) == pair.program.answer(pair.scenes[0])


GOLDEN = Path(__file__).parents[2] / "golden" / "scenes.jsonl"


def test_the_reader_agrees_with_hand_labelled_scenes() -> None:
    """A third road: what a person saw. The reader may decline, but never answers otherwise."""
    read = 0
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        scene = msgspec.convert(case["scene"], Scene)
        program: Program = msgspec.convert(case["program"], Program)
        picture = render(scene)
        for words in program.phrasings():
            try:
                answer = read_answer(picture, words)
            except CannotRead:
                continue
            if not case.get("ambiguous"):
                assert answer == case["answer"], case["why"]
                read += 1
    assert read > 100


def test_pictures_without_a_clear_answer_are_mostly_declined() -> None:
    """The reader's own idea of what is clear at a glance is no laxer than half of the programs'."""
    for gap in range(0, 10):
        scene = Scene(
            elements=(Shape("a", "circle", "red", 100, 100, 40), Shape("b", "square", "blue", 100 + gap, 300, 40))
        )
        program = Relates(Description(colour="red"), "left", Description(colour="blue"))
        with pytest.raises(AmbiguousError):
            program.answer(scene)
        with pytest.raises(CannotRead):
            read_answer(render(scene), program.phrasings()[0])
