"""Questions: words for a judge, and the program that answers them for any scene."""

from __future__ import annotations

from typing import Literal

import msgspec

from counterbench.scene.programs import Program
from counterbench.scene.programs.base import YES_NO
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

Form = Literal["open", "yes-no"]
FORMS: tuple[Form, ...] = ("open", "yes-no")


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words and the program that computes their answer; answer types: see `counterbench.answers`."""

    words: str
    program: Program

    @property
    def answer_type(self) -> str:
        """The type of the answer: "yes-no", "integer", "colour" or "colour-shape"."""
        return self.program.answer_type

    @property
    def form(self) -> Form:
        """The form: open, or yes/no."""
        return "yes-no" if self.answer_type == YES_NO else "open"

    def truth(self, scene: Scene) -> str:
        """The answer on `scene`, in canonical form; AmbiguousError if there is no clear one."""
        return self.program.answer(scene)


def ask(program: Program, stream: Stream) -> Question:
    """A question with words for `program`, the phrasing drawn from `stream`."""
    return Question(stream.choice(program.phrasings()), program)
