"""Every command with every kind of judge: a cell each of the table in docs/any-judge.md.

`inspect:` judges are tried in tests/consumers/inspect.
"""

from pathlib import Path

import pytest
from every_command import COMMANDS, Tried

pytestmark = pytest.mark.slow

KINDS = {
    "vlm": Tried("pixels"),
    "scorer": Tried("scorer:mine:seen", answers=False),
    "rater": Tried("rater:planted:oracle", answers=False),
}
# 1 or 0 where the pixel reader can tell; else a little more if the middle has the last colour that is named.
SCORER = """
from counterbench.judges.pixels import CannotRead, PixelReading, read_statement
from counterbench.palette import COLOURS


def seen(image, text):
    prompt = text.removeprefix("a picture with ")
    statement = f"there is {prompt}" if prompt != text else text.removeprefix("a picture in which ")
    try:
        return float(read_statement(PixelReading(image), statement))
    except CannotRead:
        named = [word for word in text.split() if word in COLOURS]
        middle = image.convert("RGB").getpixel((image.width // 2, image.height // 2))
        return 0.6 if named and middle == {"red": (255, 0, 0), "blue": (0, 0, 255)}.get(named[-1]) else 0.5
"""


@pytest.fixture(autouse=True)
def scorer_of_mine(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(here))
    Path("mine.py").write_text(SCORER)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_does_with_a_kind_of_judge_what_the_page_says(command: str, kind: str) -> None:
    COMMANDS[command](KINDS[kind])
