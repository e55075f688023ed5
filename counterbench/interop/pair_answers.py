"""Somebody else's answers in our canonical form, and the type that both answers of a pair are of."""

from __future__ import annotations

from collections.abc import Mapping

from counterbench.answers import Answer, answer_type, canonical, parse
from counterbench.errors import InputError

ANSWERS = ("original_answer", "intervened_answer")
FREE = "text"
_TOLD_APART = ("yes-no", "integer", "colour", "colour-shape")  # types recognised by their answers, tried in this order
_YES_NO = {"true": "yes", "false": "no"}


def plain(text: str) -> str:
    """An answer without case, space around it or a full stop."""
    text = text.casefold().strip().rstrip(".")
    return _YES_NO.get(text, text)


def typed(said: Mapping[str, str], place: str) -> tuple[str, list[str]]:
    """The type of a row's answers, and both answers in canonical form; "" for one that no reply could be read as.

    InputError if the row names a type and an answer is not of that type.
    """
    raw = [said[name] for name in ANSWERS]
    answers = [plain(answer) for answer in raw]
    kind = said.get("answer_type", "")
    if not kind:
        kinds = (name for name in _TOLD_APART if all(map(answer_type(name).is_canonical, answers)))
        kind = next(kinds, FREE)
    if kind == FREE:
        return kind, [_read(answer) for answer in raw]
    try:
        answer_type(kind)
    except InputError as error:
        raise InputError(f"{place}, column 'answer_type': {error}") from None
    for name, answer in zip(ANSWERS, answers, strict=True):
        try:
            canonical(answer, kind)
        except InputError as error:
            raise InputError(f"{place}, column {name!r}: {error}; or leave answer_type out") from None
    return kind, answers


def _read(answer: str) -> str:
    """A free answer, read as a reply of the same words would be; "" if no reply can be read as this answer."""
    outcome = parse(answer, FREE)
    return outcome.value if isinstance(outcome, Answer) and parse(outcome.value, FREE) == outcome else ""
