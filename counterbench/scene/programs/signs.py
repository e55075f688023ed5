"""Questions about the word on a sign. Its letters are the truth, as they stand in the scene."""

from typing import Literal

from counterbench.errors import AmbiguousError
from counterbench.palette import SignColour
from counterbench.scene.figures import Sign
from counterbench.scene.programs.base import OpenProgram, traits_of
from counterbench.scene.programs.clauses import Clause, missing
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import CLEAR_OFFSET_PERCENT

SignPlace = Literal["leftmost", "rightmost", "topmost", "bottommost"]


class Reads(OpenProgram, frozen=True, tag="reads"):
    """The word on a sign: on the only sign, on the one of a colour, or on the one in a place ("leftmost")."""

    answer_type = "word"
    colour: SignColour | None = None
    place: SignPlace | None = None

    def answer(self, scene: Scene) -> str:
        return self._sign(scene).word.lower()

    def phrasings(self) -> tuple[str, ...]:
        return (
            f"What does the {self._noun} read?",
            f"What is written on the {self._noun}?",
            f"Which word is on the {self._noun}?",
        )

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        word = value.upper()
        return (
            f'Does the {self._noun} read "{word}"?',
            f'Is "{word}" written on the {self._noun}?',
            f'Is the word on the {self._noun} "{word}"?',
        )

    def clause(self, value: str) -> Clause:
        return Clause(f"the {self._noun}", "read", "reads", f'"{value.upper()}"')

    def true_clause(self, scene: Scene) -> Clause:
        """See `BaseProgram`; "there is no … sign" if no sign has the colour."""
        return super().true_clause(scene) if self._matching(scene) else missing(self._noun)

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return False

    def lacks(self, value: str, scene: Scene) -> bool:
        return not self._matching(scene)

    def traits(self, scene: Scene) -> dict[str, str]:
        return traits_of(self._sign(scene), scene) if self._matching(scene) else {}

    @property
    def _noun(self) -> str:
        return " ".join(part for part in (self.place, self.colour, "sign") if part)

    def _matching(self, scene: Scene) -> list[Sign]:
        """The signs of the colour, or all without one; `place` is not looked at."""
        return [e for e in scene.elements if isinstance(e, Sign) and self.colour in (None, e.colour)]

    def _sign(self, scene: Scene) -> Sign:
        """The sign that is meant; AmbiguousError unless it is so by a clear margin, and nothing touches it."""
        directions = {"leftmost": (-1, 0), "rightmost": (1, 0), "topmost": (0, -1), "bottommost": (0, 1)}
        right, down = directions[self.place] if self.place else (0, 0)
        ranked = sorted(((right * s.x + down * s.y, s.id, s) for s in self._matching(scene)), reverse=True)
        margin = CLEAR_OFFSET_PERCENT * scene.side
        if not ranked or (len(ranked) > 1 and (not self.place or 100 * (ranked[0][0] - ranked[1][0]) < margin)):
            raise AmbiguousError(f"{len(ranked)} signs may be the {self._noun}")
        sign = ranked[0][2]
        if any(e is not sign and scene.box_of(e).touches(sign.box) for e in scene.elements):
            raise AmbiguousError(f"something touches the sign {sign.id!r}")
        return sign
