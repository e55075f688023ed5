"""Words: what does the sign read? One letter of its word is another one, which makes another word.

With two signs the question names one by its colour or its place; the other stays as it is.
"""

from typing import Any, ClassVar

from counterbench.errors import NoRoomError
from counterbench.palette import SIGN_COLOURS
from counterbench.scene.figures import Sign, sign_half_width
from counterbench.scene.geometry import Box
from counterbench.scene.interventions import Reword
from counterbench.scene.programs.shapes import Equals
from counterbench.scene.programs.signs import Reads, SignPlace
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Draft, Family, Parameters, Params, Plan, Redraw
from counterbench.suites.families.placement import Field, extra_shapes

# Common words in twos that differ in one letter, anywhere. No word comes twice, so that each is as often the original
# as it is the intervened one.
PAIRS: tuple[tuple[str, str], ...] = tuple(
    (pair[:at], pair[at + 1 :])
    for line in (
        "arm art, bag bat, bed beg, box fox, cap car, cup cut, dog log, hat hot, hen pen, map man, net nut",
        "oil owl, run sun, sea tea",
        "bold bolt, boat coat, book cook, cake care, cold gold, deck desk, dish fish, door poor, farm form, fire five",
        "food wood, free tree, game name, hand sand, lake late, lamb lamp, mile milk, moon noon, nose rose, park part",
        "race rice, read road, sale salt, ship shop, star stay, wind wine",
        "beach peach, block clock, brain train, bread break, chain chair, glass grass, honey money, horse house",
        "light night, paint point, plane plant, power tower, sheep sleep, stone store",
        "battle bottle, better butter, candle handle, castle cattle, finger ginger, letter litter, marker market",
        "pocket rocket, winner winter",
    )
    for pair in line.split(", ")
    for at in [len(pair) // 2]
)
_PARTNER = {word: other for pair in PAIRS for word, other in (pair, pair[::-1])}
_PLACES: tuple[SignPlace, ...] = ("leftmost", "rightmost", "topmost", "bottommost")
_TRIES = 40
_MIN_HEIGHT = 10  # pixels of letters that are read without effort


class WordsParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about words."""

    limits = {"letters": (3, 14), "signs": (1, 2), "distractors": (1, 8)}
    letters: tuple[int, int] = (4, 8)  # height of the letters
    signs: tuple[int, int] = (1, 2)
    distractors: tuple[int, int] = (1, 4)  # shapes


class Words(Family):
    """The word on a sign among shapes."""

    name = "words"
    category = "text"
    summary = 'what does the sign read? Change a letter: "BOLT", "BOLD"'
    params_type: ClassVar[type[Parameters]] = WordsParams
    never = ("edge",)
    open_answers = tuple(_PARTNER)

    def draw(self, stream: Stream, plan: Plan, params: WordsParams, canvas: Canvas) -> Draft:
        """A sign with the planned word, perhaps another sign, and shapes.

        `words` has a tuple for each sign: of the first its word before and after, of the other its only word.
        """
        # Of the yes/no form one word of a pair is asked for, and the original has it or the other.
        asked_word = stream.choice(self.open_answers) if plan.form == "yes-no" else plan.answer
        before = _PARTNER[asked_word] if plan.answer == "no" else asked_word
        words: list[tuple[str, ...]] = [(before, _PARTNER[before])]
        for _ in range(stream.integer(*params.signs) - 1):
            words.append((stream.choice([word for word in _PARTNER if word not in words[0]]),))
        height = self.height(stream, params, canvas)
        colours = stream.shuffled(SIGN_COLOURS) if stream.chance(0.5) else [stream.choice(SIGN_COLOURS)] * 2
        field = Field(canvas, canvas.px(params.gap))
        signs = []
        for i, (texts, colour) in enumerate(zip(words, colours, strict=False)):
            capitals = [word.upper() for word in texts]
            wide = sign_half_width(height, *capitals)
            sign = Sign(f"sign{i}", capitals[0], colour, 0, 0, wide, height, stream.chance(0.5))
            signs.append(_placed(stream, field, sign))
        reads = Reads()
        if len(signs) > 1:
            by_colour = colours[0] != colours[1] and stream.chance(0.5)
            reads = Reads(colour=colours[0]) if by_colour else Reads(place=stream.choice(_PLACES))
        others = extra_shapes(stream, params, canvas, field, stream.integer(*params.distractors), set())
        scene = canvas.scene(*stream.shuffled([*signs, *others]))
        if reads.answer(scene) != before:
            raise Redraw("the question is about the other sign")
        program = reads if plan.form == "open" else Equals(reads, asked_word)
        difficulty = {"length": len(before), "signs": len(signs), "height": height, "distractors": len(others)}
        return Draft(scene, Reword("sign0", _PARTNER[before].upper()), program, "text", difficulty)

    def height(self, stream: Stream, params: Any, canvas: Canvas) -> int:
        """The height of the letters in pixels; NoRoomError where they would be illegible."""
        low, high = (canvas.px(percent) for percent in params.letters)
        if high < _MIN_HEIGHT:
            side = min(canvas.width, canvas.height)
            raise NoRoomError(
                f"letters = {list(params.letters)} per cent of {side} px are at most {high} px high; "
                f"{_MIN_HEIGHT} are needed"
            )
        return stream.integer(max(low, _MIN_HEIGHT), high)


def _placed(stream: Stream, field: Field, sign: Sign) -> Sign:
    """The sign in a free place, which is then taken; or Redraw."""
    area, half_width, half_height = field.area, sign.half_width, sign.box.bottom - sign.y
    if 2 * half_width >= area.right - area.left or 2 * half_height >= area.bottom - area.top:
        raise Redraw(f"a sign of {2 * half_width} px does not fit")
    for _ in range(_TRIES):
        x = stream.integer(area.left + half_width, area.right - half_width)
        y = stream.integer(area.top + half_height, area.bottom - half_height)
        if field.free(box := Box.around(x, y, half_width, half_height)):
            field.take(box)
            return sign.but(x=x, y=y)
    raise Redraw("no free place for a sign")
