import json
from typing import Any

import msgspec
import pytest
from sweeping import swept

from counterbench.answers import (
    ANSWER_TYPES,
    Answer,
    Outcome,
    Unparsed,
    answer_type,
    canonical,
    choice_type,
    graded,
    kind_of,
    name_of,
    parse,
    scale_of,
    share,
)
from counterbench.errors import InputError


def test_an_unknown_type_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean 'colour'"):
        answer_type("color")


@swept(
    ("value", "kind"),
    [
        ("yes", "yes-no"),
        ("0", "integer"),
        ("-1", "integer"),
        ("12", "integer"),
        ("red", "colour"),
        ("red circle", "colour-shape"),
        ("0.5", "grade"),
        ("1", "grade"),
        ("0", "score"),
        ("0.25", "score"),
        ("1", "score"),
        ("0.00001", "score"),
        ("uncertain", "verdict"),
        ("1", "rating:1-5"),
        ("3.5", "rating:1-5"),
        ("-2", "rating:-2-2"),
        ("0.75", "rating:0.5-1"),
        ('{"a":4,"b":3.5}', "ratings:1-5"),
        ("A ball.", "description"),
    ],
)
def test_canonical_values_are_accepted(value: str, kind: str) -> None:
    assert canonical(value, kind) == value


@swept(
    ("value", "kind"),
    [
        ("Yes", "yes-no"), ("", "yes-no"), ("04", "integer"), ("-0", "integer"), ("4.0", "integer"), ("٤",
        "integer"), ("4\n", "integer"),
        ("teal", "colour"), ("grey", "colour"), ("circle red", "colour-shape"), ("red  circle", "colour-shape"),
        ("red", "colour-shape"), (".5", "grade"), ("1.0", "grade"), ("0.7", "grade"), ("1/2", "grade"), ("0.50",
        "score"),
        ("1.0", "score"), ("1.5", "score"), ("-0", "score"), ("0.", "score"), ("0.5\n", "score"), ("٠.٥", "score"),
        ("1e-3", "score"), ("nan", "score"), ("Uncertain", "verdict"), ("maybe", "verdict"),
        ("6", "rating:1-5"), ("4.0", "rating:1-5"), ("4/5", "rating:1-5"), ("-0", "rating:-2-2"), ("", "rating:0-1"),
        ('{"b":4,"a":3}', "ratings:1-5"), ('{"a": 4}', "ratings:1-5"), ('{"a":6}', "ratings:1-5"),
        ('{"a":4,"b":6}', "ratings:1-5"),
        ("{}", "ratings:1-5"), ('{"a":"4"}', "ratings:1-5"), ('{"a":NaN}', "ratings:1-5"), ("[1]", "ratings:1-5"),
        ("4", "ratings:1-5"), (" ", "description"), ("7", "choice:3|4"), ("blue", "choice:red|green"),
    ],
)  # fmt: skip
def test_other_values_are_not_canonical(value: str, kind: str) -> None:
    with pytest.raises(InputError, match="not a canonical"):
        canonical(value, kind)


@swept(
    ("reply", "kind", "reason"),
    [
        ("0.7", "grade", "0.7 is none of 0, 0.5, 1"),
        ("Score: 5", "grade", "5 is none of 0, 0.5, 1"),
        ("-1", "grade", "-1 is none of 0, 0.5, 1"),
        ("50%", "grade", "50% is none of 0, 0.5, 1"),
        ("3/4", "grade", "3/4 is none of 0, 0.5, 1"),
        ("1.5", "score", "1.5 is outside 0 to 1"),
        ("-0.25", "score", "-0.25 is outside 0 to 1"),
        ("7/10", "score", "7/10 is on another scale than 0 to 1"),
        ("8 out of 10", "score", "8/10 is on another scale than 0 to 1"),
        ("85%", "score", "85% is on another scale than 0 to 1"),
        ("1,000", "score", "1,000 may be one number or several"),
        ("7", "rating:1-5", "7 is outside 1 to 5"),
        ("7/10", "rating:1-5", "7/10 is on another scale than 1 to 5"),
        ("{}", "ratings:0-10", "no number from 0 to 10 by name"),
        ("9" * 60, "score", f"{'9' * 40}… is outside 0 to 1"),
        (" ", "colour", "empty reply"),
        ("red or blue", "colour", "several answers, none marked as final: red, blue"),
        ("<think>red", "colour", "nothing after the reasoning"),
    ],
)
def test_a_reply_that_is_no_answer_says_why(reply: str, kind: str, reason: str) -> None:
    assert parse(reply, kind) == Unparsed(reason)


def test_a_scale_is_part_of_a_types_name() -> None:
    assert answer_type("rating:1-5") is answer_type("rating:1-5")
    assert answer_type("rating:1-5").name == "rating:1-5"
    assert [kind_of(name) for name in ("rating:1-5", "ratings:0-1", "yes-no")] == ["rating", "ratings", "yes-no"]
    scales = {"rating:-2.5-2": ("-2.5", "2"), "ratings:1-5": ("1", "5"), "grade": ("0", "1"), "yes-no": None}
    assert {name: scale_of(name) for name in scales} == scales
    schema: Any = answer_type("rating:1-5").schema
    assert schema["properties"] == {"score": {"type": "number", "description": "from 1 to 5"}}


@swept("name", ["rating:5-1", "rating:1-1", "rating:1", "rating:", "rating:a-b", "ratings:1–5", "rating:1-5 "])
def test_an_invalid_scale_is_refused_with_a_valid_example(name: str) -> None:
    with pytest.raises(InputError, match=r"its scale is LOW-HIGH, two numbers of which LOW is less: ratings?:1-5$"):
        answer_type(name)


@swept("choices", [["a"], ["red", "Red"], ["red", "a red"], ["red", ""], ["C", "C++"], ["1", "1"]])
def test_choices_that_read_alike_are_refused(choices: list[str]) -> None:
    with pytest.raises(InputError, match="it needs two choices or more that differ in letters or digits"):
        choice_type(choices)


@swept("name", ["choice", "rating", "ratings", "score:0-5", "yes-no:1-5", "ratng:1-5"])
def test_a_missing_or_superfluous_scale_makes_a_type_unknown(name: str) -> None:
    with pytest.raises(
        InputError, match=r"unknown answer type .*choose from: .*choice:ONE\|OTHER.*rating:LOW-HIGH, ratings:LOW-HIGH"
    ):
        answer_type(name)


def test_a_number_is_placed_on_its_scale() -> None:
    assert [share(value, "rating:1-5", "5") for value in ("1", "2", "5")] == [0, 0.25, 1]
    assert [share(value, "rating:1-5", "1") for value in ("1", "2", "5")] == [1, 0.75, 0]  # how garbled is it?
    assert [share("0.5", name, "1") for name in ("grade", "score")] == [0.5, 0.5]


def test_ratings_are_looked_up_by_name() -> None:
    found = parse('{"Hand Anatomy": 4, "light": 2.5}', "ratings:1-5")
    assert graded(found.value) == {"hand_anatomy": 4, "light": 2.5}
    assert name_of(" Hand anatomy") == name_of("hand-anatomy") == "hand_anatomy"


def test_types_asked_for_as_json_have_a_schema() -> None:
    with_schema = {name for name, kind in ANSWER_TYPES.items() if kind.schema is not None}
    assert with_schema == {"grade", "score", "verdict", "finding"}
    for name in with_schema:
        schema: Any = ANSWER_TYPES[name].schema
        assert json.loads(json.dumps(schema)) == schema
        # What OpenAI's strict mode asks for: every key required, no others.
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
    grade: Any = ANSWER_TYPES["grade"].schema
    verdict: Any = ANSWER_TYPES["verdict"].schema
    assert [str(value) for value in grade["properties"]["score"]["enum"]] == list(ANSWER_TYPES["grade"].alphabet or ())
    assert tuple(verdict["properties"]["answer"]["enum"]) == ANSWER_TYPES["verdict"].alphabet
    assert verdict["properties"]["confidence"]["type"] == "number"
    finding: Any = ANSWER_TYPES["finding"].schema
    assert {name: field for name, field in finding["properties"].items() if name != "evidence"} == verdict["properties"]


@swept(
    ("reply", "expected"),
    [
        ('{"answer": "no", "evidence": "Yes is not what I see: no cup.", "confidence": 0.9}',
         Answer("no", 0.9, "Yes is not what I see: no cup.")),
        ('```json\n{"answer": "uncertain", "evidence": "It is\\n cut off.", "confidence": 0.2}\n```',
         Answer("uncertain", 0.2, "It is cut off.")),
        ('{"answer": "yes", "evidence": "\\ud800 cup"}', Answer("yes", None, "? cup")),
        ('{"answer": "yes", "evidence": ["a", "b"]}', Answer("yes")),
        ("Yes. Confidence: 0.8", Answer("yes", 0.8)),
        ('{"answer": "yes", "evidence": "' + "very " * 200 + '"}', Answer("yes", None, "very " * 99 + "very")),
    ],
)  # fmt: skip
def test_a_finding_is_a_verdict_with_its_evidence(reply: str, expected: Answer) -> None:
    assert parse(reply, "finding") == expected


@swept(
    ("confidence", "evidence", "expected"),
    [
        ("0.4", "a cup with a 20% sure reflection", 0.4),
        ("0.4", "confidence 0.9", 0.4),
        ("95", "", 0.95),
        ('"95%"', "", 0.95),
        ('"0.5"', "", 0.5),
        ("null", "20% sure", None),
    ],
)
def test_a_confidence_is_read_from_its_json_key_only(confidence: str, evidence: str, expected: float | None) -> None:
    reply = f'{{"answer": "yes", "evidence": "{evidence}", "confidence": {confidence}}}'
    assert parse(reply, "finding") == Answer("yes", expected, evidence)


@swept("confidence", ["-0.5", "NaN", "1e999", "8", "120", '"high"', "true", "[0.4]", "9" * 400])
def test_a_finding_with_an_invalid_confidence_is_no_answer(confidence: str) -> None:
    reply = f'{{"answer": "yes", "evidence": "a cup", "confidence": {confidence}}}'
    found = parse(reply, "finding")
    assert found.reason.startswith("says yes, with a confidence that is no number from 0 to 1: ")


@pytest.mark.parametrize(
    ("reply", "kind"), [("Yes. Confidence: -0", "verdict"), ('{"answer": "yes", "confidence": -0.0}', "finding")]
)
def test_a_confidence_of_minus_zero_is_zero(reply: str, kind: str) -> None:
    found = parse(reply, kind)
    assert str(found.confidence) == "0.0"


def test_a_finding_with_two_confidences_is_no_answer() -> None:
    twice = '{"answer": "yes", "confidence": 0.5} {"answer": "yes", "confidence": %s}'
    assert parse(twice % "0.5", "finding") == Answer("yes", 0.5)
    assert isinstance(parse(twice % "0.6", "finding"), Unparsed)


def test_only_verdicts_have_a_confidence() -> None:
    assert parse('{"answer": "yes", "confidence": 0.9}', "yes-no") == Answer("yes")
    assert parse('{"score": 1, "confidence": 0.9}', "grade") == Answer("1")


def test_an_answer_without_a_confidence_keeps_its_format() -> None:
    assert msgspec.json.encode(Answer("yes")) == b'{"type":"answer","value":"yes"}'
    both: list[Outcome] = [Answer("yes"), Answer("no", 0.25)]
    assert msgspec.json.decode(msgspec.json.encode(both), type=list[Outcome]) == both
