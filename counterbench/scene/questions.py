"""Questions: words for a judge, and the program that answers them for any scene.

Every program has several natural wordings; which one an item gets is a draw from its stream. The words hold no truth:
the pixel reader understands them by code of its own, so a template that says left for right cannot hide.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterbench.scene.fact_words import fact_wordings
from counterbench.scene.facts import Fact, Together, Whole
from counterbench.scene.programs import (
    ArrowTarget,
    ColourOf,
    Count,
    CountInside,
    Description,
    Equals,
    Further,
    IsInside,
    Program,
    Relates,
    Relation,
    ShapeProgram,
    answer_type_of,
    evaluate,
)
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

Form = Literal["open", "yes-no"]
FORMS: tuple[Form, ...] = ("open", "yes-no")

_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_SIDE: dict[Relation, str] = {
    "left": "to the left of",
    "right": "to the right of",
    "above": "above",
    "below": "below",
}
_MORE: dict[Relation, str] = {
    "left": "further to the left",
    "right": "further to the right",
    "above": "higher up",
    "below": "lower down",
}

_WORDINGS: dict[str, tuple[str, ...]] = {
    "colour-of": (
        "What color is the {target}?",
        "What is the color of the {target}?",
        "Which color does the {target} have?",
    ),
    "colour-of=": (
        "Is the {target} {value}?",
        "Is the color of the {target} {value}?",
        "Does the {target} have the color {value}?",
    ),
    "relates": (
        "Is {first} {side} {second}?",
        "Looking at the picture, is {first} {side} {second}?",
        "Does {first} lie {side} {second}?",
    ),
    "further": (
        "Which shape is {more}, {first} or {second}?",
        "Of {first} and {second}, which shape is {more}?",
    ),
    "further=": (
        "Of {first} and {second}, is the {value} the one that is {more}?",
        "Between {first} and {second}, is it the {value} that is {more}?",
    ),
    "count": (
        "How many {things} are there?",
        "How many {things} are in the picture?",
        "Count the {things} in the picture. How many are there?",
    ),
    "count=": (
        "Are there exactly {number} {things}?",
        "Are there exactly {number} {things} in the picture?",
        "Does the picture show exactly {number} {things}?",
    ),
    "count=1": (
        "Is there exactly one {things}?",
        "Is there exactly one {things} in the picture?",
        "Does the picture show exactly one {things}?",
    ),
    "count-any": (
        "How many shapes are visible?",
        "How many shapes can be seen in the picture?",
        "Count the shapes that are visible. How many are there?",
    ),
    "count-any=": (
        "Are exactly {number} shapes visible?",
        "Can exactly {number} shapes be seen in the picture?",
    ),
    "count-any=1": (
        "Is exactly one shape visible?",
        "Can exactly one shape be seen in the picture?",
    ),
    "is-inside": (
        "Is the {target} inside the container?",
        "Is the {target} inside the rectangular container?",
        "Does the {target} lie inside the container?",
    ),
    "count-inside": (
        "How many shapes are inside the container?",
        "How many shapes does the container hold?",
        "Count the shapes inside the rectangular container. How many are there?",
    ),
    "count-inside=": (
        "Are exactly {number} shapes inside the container?",
        "Does the container hold exactly {number} shapes?",
    ),
    "count-inside=1": (
        "Is exactly one shape inside the container?",
        "Does the container hold exactly one shape?",
    ),
    "arrow-target": (
        "Which shape does the arrow point to?",
        "What shape is the arrow pointing at?",
        "To which shape does the arrow point?",
    ),
    "arrow-target=": (
        "Does the arrow point to the {value}?",
        "Is the arrow pointing at the {value}?",
        "Is the {value} the shape that the arrow points to?",
    ),
}


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words and the program that computes their answer; answer types: see `counterbench.answers`."""

    words: str
    program: Program

    @property
    def answer_type(self) -> str:
        """The type of the answer: "yes-no", "integer", "colour" or "colour-shape"."""
        return answer_type_of(self.program)

    @property
    def form(self) -> Form:
        """How it is asked: openly, or as yes/no."""
        return "yes-no" if self.answer_type == "yes-no" else "open"

    def truth(self, scene: Scene) -> str:
        """The answer on `scene`, in canonical form; AmbiguousError if there is no clear one."""
        return evaluate(self.program, scene)


def ask(program: Program, stream: Stream) -> Question:
    """A question with words for `program`, the wording drawn from `stream`."""
    return Question(stream.choice(wordings(program)), program)


def wordings(program: Program) -> tuple[str, ...]:
    """Every wording of `program`, words filled in."""
    if isinstance(program, Fact | Together | Whole):
        return fact_wordings(program)
    key, words = _key_and_words(program)
    return tuple(template.format(**words) for template in _WORDINGS[key])


def describe(d: Description) -> str:
    """The noun phrase of a description, without an article: "leftmost red circle", "blue square labeled A"."""
    noun = " ".join(part for part in (d.place, d.colour, d.kind or "shape") if part)
    return f"{noun} labeled {d.letter}" if d.letter else noun


def _key_and_words(program: ShapeProgram) -> tuple[str, dict[str, str]]:
    match program:
        case ColourOf(target):
            return "colour-of", {"target": describe(target)}
        case Relates(first, relation, second):
            return "relates", {
                "first": _definite(first),
                "side": _SIDE[relation],
                "second": _definite(second),
            }
        case Further(first, relation, second):
            return "further", {
                "first": _definite(first),
                "more": _MORE[relation],
                "second": _definite(second),
            }
        case Count(None, None):
            return "count-any", {}
        case Count(kind, colour):
            return "count", {"things": " ".join(part for part in (colour, f"{kind or 'shape'}s") if part)}
        case IsInside(target):
            return "is-inside", {"target": describe(target)}
        case CountInside():
            return "count-inside", {}
        case ArrowTarget():
            return "arrow-target", {}
        case Equals(inner, value):
            key, words = _key_and_words(inner)
            number = int(value) if value.isascii() and value.isdecimal() else -1
            if number == 1 and "count" in key:
                return f"{key}=1", {name: text.removesuffix("s") for name, text in words.items()}
            spelt = _NUMBER_WORDS[number] if 0 <= number < len(_NUMBER_WORDS) else value
            return f"{key}=", {**words, "value": value, "number": spelt}


def _definite(d: Description) -> str:
    """ "the red circle (labeled A)", or "shape A" when only the letter is given."""
    if d.letter and d.kind is None and d.colour is None and d.place is None:
        return f"shape {d.letter}"
    bare = Description(d.kind, d.colour, None, d.place)
    return f"the {describe(bare)}" + (f" (labeled {d.letter})" if d.letter else "")
