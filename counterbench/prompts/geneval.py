"""GenEval's metadata: the things that a picture must show, which we ask as questions.

A row's `include` lists things with `class`, `count`, and some with `color` or `position`: ["left of", 0] is left of the
first thing in the list. Its `exclude` lists things, each with the `count` that would be too many.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from counterbench.answers import Answer, parse
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row
from counterbench.prompts.nouns import plural
from counterbench.scene.programs.shapes import with_article

Cells = dict[str, Any]  # of one row, by the names of our columns

_SIDES = {"left of": "to the left of", "right of": "to the right of", "above": "above", "below": "below"}
_UNCHANGED = ("scissors", "skis", "broccoli")  # in the plural, and without an article
_KNOWN = ("class", "count", "color", "position")


def read_geneval(rows: Iterable[Row], warnings: Warnings) -> Iterator[Cells]:
    """The cells of each row: its prompt, with a question for everything that its metadata say.

    `warnings`: gets a note on everything that cannot be asked.
    """
    for row in rows:
        listed = {name: _usable_things(row, name, warnings) for name in ("include", "exclude")}
        wanted = listed["include"]
        questions = [question for number in wanted for question in _questions_of(number, wanted, row, warnings)]
        questions += [_exclusion_question(number, thing) for number, thing in listed["exclude"].items()]
        yield {"prompt": row.values.get("prompt"), "category": row.values.get("tag"), "questions": questions}


def _usable_things(row: Row, name: str, warnings: Warnings) -> dict[int, Mapping[str, Any]]:
    """The usable things in the list `name` of a row, by their numbers from 1; others are reported."""
    things: dict[int, Mapping[str, Any]] = {}
    for number, thing in enumerate(row.values.get(name) or (), 1):
        if not (isinstance(thing, dict) and isinstance(thing.get("class"), str) and _count(thing)):
            warnings.add(f"things of {name!r} without a class or a number, not asked", f"{row.where}, thing {number}")
            continue
        for key in thing:
            if key not in (_KNOWN if name == "include" else _KNOWN[:2]):
                warnings.add(f"things that {name!r} says and we cannot ask", f"{row.where}: {key}")
        things[number] = thing
    return things


def _questions_of(
    number: int, wanted: Mapping[int, Mapping[str, Any]], row: Row, warnings: Warnings
) -> Iterator[Cells]:
    """The questions about the thing `number` of `wanted`; those about its colour and place need it to be there."""
    thing = wanted[number]
    name, count, presence = thing["class"], _count(thing), f"presence-{number}"
    yield _question("presence", number, f"{_existence_words(name)} in the picture?")
    if count > 1:
        yield _question("count", number, f"How many {_plural(name)} are in the picture?", str(count))
    colour = thing.get("color")
    if colour and not isinstance(parse(str(colour), "colour"), Answer):
        warnings.add("colours that we cannot ask", f"{row.where}: {str(colour)[:60]}")
    elif colour:
        question = f"What colour {_is_or_are(name)} the {name}?"
        yield _question("colour", number, question, str(colour), "colour", needs=[presence])
    if "position" in thing:
        match thing["position"]:
            case [str(side), int(index)] if side in _SIDES and index + 1 in wanted and index + 1 != number:
                other, words = index + 1, _SIDES[side]
            case place:
                warnings.add("places that we cannot ask", f"{row.where}: {str(place)[:60]}")
                return
        question = f"{_is_or_are(name).capitalize()} the {name} {words} the {wanted[other]['class']}?"
        yield _question("place", number, question, needs=[presence, f"presence-{other}"])


def _exclusion_question(number: int, thing: Mapping[str, Any]) -> Cells:
    """The question about an excluded thing: is it there so many times? The right answer is no."""
    name, count = thing["class"], _count(thing)
    question = f"Are there {count} or more {_plural(name)}" if count > 1 else _existence_words(name)
    question += " in the picture?"
    return _question("excluded", number, question, "no")


def _question(criterion: str, number: int, text: str, answer: str = "yes", kind: str = "", **fields: Any) -> Cells:
    """The cells of a question: by our names of columns, with a check id such as "count-2"."""
    named = {"check": f"{criterion}-{number}", "criterion": criterion, "dimension": criterion}
    return named | {"question": text, "answer": answer, "answer_type": kind, **fields}


def _count(thing: Mapping[str, Any]) -> int:
    """The `count` of a thing, 1 by default; 0 if it is no whole number."""
    count = thing.get("count", 1)
    return count if isinstance(count, int) else 0


def _is_or_are(name: str) -> str:
    """The verb for a thing: "are" for a plural such as "scissors", else "is"."""
    return "are" if name in ("scissors", "skis") else "is"


def _existence_words(name: str) -> str:
    """The beginning of a question, such as "Is there a dog"."""
    return f"{_is_or_are(name).capitalize()} there {name if name in _UNCHANGED else with_article(name)}"


def _plural(name: str) -> str:
    """The plural of a thing's name."""
    return name if name in _UNCHANGED else plural(name)
