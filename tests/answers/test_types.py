from __future__ import annotations

import pytest

from counterbench.answers import ANSWER_TYPES, PARSER_VERSION, Unparsed, answer_type, canonical, parse
from counterbench.errors import InputError


def test_the_types_and_their_alphabets() -> None:
    sizes = {name: kind.alphabet and len(kind.alphabet) for name, kind in ANSWER_TYPES.items()}
    assert sizes == {"yes-no": 2, "integer": None, "colour": 8, "colour-shape": 32}
    assert all(answer_type(name).name == name for name in sizes)
    assert PARSER_VERSION == "2"


def test_an_unknown_type_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'colour'"):
        answer_type("color")
    with pytest.raises(InputError, match="answer type"):
        parse("red", "colr")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("yes", "yes-no"),
        ("0", "integer"),
        ("-1", "integer"),
        ("12", "integer"),
        ("red", "colour"),
        ("red circle", "colour-shape"),
    ],
)
def test_canonical_values_pass(value: str, kind: str) -> None:
    assert canonical(value, kind) == value


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("Yes", "yes-no"), ("", "yes-no"), ("04", "integer"), ("-0", "integer"), ("4.0", "integer"), ("٤",
        "integer"), ("4\n", "integer"),
        ("teal", "colour"), ("grey", "colour"), ("circle red", "colour-shape"), ("red  circle", "colour-shape"),
        ("red", "colour-shape"),
    ],
)  # fmt: skip
def test_other_values_do_not(value: str, kind: str) -> None:
    with pytest.raises(InputError, match="not a canonical"):
        canonical(value, kind)


def test_reasons() -> None:
    assert parse(" ", "colour") == Unparsed("empty reply")
    assert parse("red or blue", "colour") == Unparsed("several answers, none marked as final: red, blue")
    assert parse("<think>red", "colour") == Unparsed("nothing after the reasoning")
