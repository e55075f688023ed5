"""Letters: the words of `words` in letters of a height in thousandths of the picture's side, down to a few pixels."""

from typing import Any

from counterbench.errors import NoRoomError
from counterbench.scene.figures import MIN_WORD
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Params
from counterbench.suites.families.words import Words


class LettersParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of words by the height of their letters."""

    limits = {"letters": (5, 140), "signs": (1, 2), "distractors": (1, 8)}
    letters: tuple[int, int] = (10, 40)  # height of the letters, in thousandths of the shorter side
    signs: tuple[int, int] = (1, 1)
    distractors: tuple[int, int] = (1, 2)


class Letters(Words):
    """The word on a sign, by the height of its letters."""

    name = "letters"
    summary = "what does the sign read, in letters of this height?"
    params_type = LettersParams

    def height(self, stream: Stream, params: Any, canvas: Canvas) -> int:
        """The height of letters in pixels, drawn from the range `letters`; NoRoomError if it is below MIN_WORD."""
        side = min(canvas.width, canvas.height)
        height = stream.integer(*params.letters) * side // 1000
        if height < MIN_WORD:
            raise NoRoomError(
                f"letters of {list(params.letters)} thousandths of {side} px are {height} px high; they need at least "
                f"{MIN_WORD} px: raise letters or the picture's size"
            )
        return height
