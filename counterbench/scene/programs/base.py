"""What every kind of question can do, and the words that all kinds share."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from counterbench.scene.scene import Scene, Shape

YES_NO = "yes-no"

NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SIDE_WORDS = {"left": "to the left of", "right": "to the right of", "above": "above", "below": "below"}


class BaseProgram(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """Base of the kinds of questions. `answer_type`: see `counterbench.answers`."""

    answer_type: ClassVar[str] = YES_NO

    def answer(self, scene: Scene) -> str:
        """The answer on `scene`, canonical ("yes", "4", "red circle"); AmbiguousError if there is no clear one."""
        raise NotImplementedError

    def wordings(self) -> tuple[str, ...]:
        """Every wording of the question. They hold no truth; the pixel reader understands them by code of its own."""
        raise NotImplementedError

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        """Whether this shape, its colour or its kind may matter to the answer. What cannot tell says that it may."""
        return True

    def labels(self, scene: Scene) -> dict[str, str]:
        """The labels that the question names and that may answer it ("A"), each with the answer that it stands for."""
        return {}

    def misreadings(self, scene: Scene) -> dict[str, str]:
        """By misreading, the answer of a judge that makes it; left out where it cannot show on this question.

        "off-by-one" and "off-by-minus-one" miscount, "at-most-four" counts no further; "colour-confusion" takes a
        colour for its neighbour, "left-right" one side for the other; "nearest-tail", "most-central" and "largest"
        name a shape without following the arrow; "first-mentioned" names what the question does first; "text-led" says
        what is painted in; "agreeable" says yes about what is not there; "bag-of-words" takes a thing and a colour that
        are both in the picture for a thing of that colour.
        """
        return {}

    def traits(self, scene: Scene) -> dict[str, str]:
        """What a diagnosis may find errors to go with, few values each: see `counterbench.scene.programs.traits`."""
        return {}


def yes_no(value: bool) -> str:
    """The canonical answer to a yes/no question."""
    return "yes" if value else "no"


def agreed(absent: bool) -> dict[str, str]:
    """What a judge that agrees makes of a yes/no question, if that is about something `absent`."""
    return {"agreeable": "yes"} if absent else {}


def miscounted(count: int) -> dict[str, str]:
    """What a judge that is off by one makes of a count, and one that counts up to four."""
    saturated = {"at-most-four": "4"} if count > 4 else {}
    fewer = {"off-by-minus-one": str(count - 1)} if count else {}
    return {"off-by-one": str(count + 1), **fewer, **saturated}
