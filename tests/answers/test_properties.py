import json
import math
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.answers import (
    ANSWER_TYPES,
    Answer,
    Refused,
    Unparsed,
    answer_type,
    graded,
    kind_of,
    name_of,
    parse,
    scale_of,
    share,
)
from counterbench.palette import COLOUR_SYNONYMS, COLOURS, OTHER_COLOURS, OTHER_SHAPES, SHAPE_SYNONYMS, SHAPES

RATINGS = ("rating:1-5", "rating:0-10", "rating:0-100")
ONE_VALUE = sorted({*ANSWER_TYPES, *RATINGS} - {"description"})  # of which a sentence names a value
TYPES = st.sampled_from([*ONE_VALUE, "description", "ratings:1-5"])
_WORDS = (
    "yes no not isn't maybe or and but the a is it answer final : . , ? ! ( ) 1 2 4 4.5 one two twenty - + = total of "
    "red blue teal grey reddish circle square disc oval points to at from left so wait actually sorry can't view "
    'images half 0.5 .5 0,5 1/2 50% 0.7 score: rating confidence uncertain unclear sure "score": "answer": '
    "images <think> </think> <answer> </answer> ** ``` { } \\boxed{ none any single about if"
)
WORDS = [*_WORDS.split(), "\n", '"']
NEAR = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
ANY = st.one_of(st.text(st.characters(codec=None), max_size=80), NEAR)

CARRIERS = (
    "{}", "{}.", " {} \n", "**{}**", "`{}`", "```\n{}\n```", '"{}"', "“{}”", "({})", "# {}", "- {}", "> {}", "{}!",
    "The answer is {}.",
    "Answer: {}", "**Answer:** {}", "Final answer: **{}**", "So, the answer is {}.", "<answer>{}</answer>",
    "$\\boxed{{{}}}$",
    "\\boxed{{\\text{{{}}}}}", '{{"answer": "{}"}}', '```json\n{{"final_answer": "{}"}}\n```', "<think>hm</think>{}",
    "Sorry, the answer is {}", "I believe the answer is {}.", "The answer is: {}\n",
    "<think>red 1 yes no 2 blue</think>\n\n{}",
)  # fmt: skip


def value_texts(kind: str) -> st.SearchStrategy[str]:
    alphabet = answer_type(kind).alphabet
    if (scale := scale_of(kind)) and kind_of(kind) == "rating":
        low, high = map(int, scale)
        return st.integers(2 * low, 2 * high).map(lambda n: f"{n / 2:g}")
    if kind == "score":
        return st.integers(0, 1000).map(lambda n: f"{n / 1000:.3f}".rstrip("0").rstrip("."))
    if kind == "text":
        return st.sampled_from(["cat", "red ball", "no entry", "räder", "3 45", "-2.5 m", "b"])
    if kind == "word":
        return st.sampled_from(["bold", "five", "räder", "stay", "b"])
    return st.sampled_from(alphabet) if alphabet else st.integers(-50, 5000).map(str)


def is_known(value: str, kind: str) -> bool:
    colours = {*COLOURS, *OTHER_COLOURS, *COLOUR_SYNONYMS}
    shapes = {*SHAPES, *OTHER_SHAPES, *SHAPE_SYNONYMS}
    if kind == "colour":
        return value in colours
    if kind == "colour-shape":
        colour, _, shape = value.partition(" ")
        return colour in colours and shape in shapes
    return answer_type(kind).is_canonical(value)


@given(ANY, TYPES, st.booleans())
def test_any_text_gives_one_known_outcome_and_always_the_same(text: str, kind: str, synonyms: bool) -> None:
    outcome = parse(text, kind, synonyms=synonyms)
    assert isinstance(outcome, Answer | Unparsed | Refused)
    assert outcome == parse(text, kind, synonyms=synonyms)
    if isinstance(outcome, Answer):
        assert is_known(outcome.value, kind)


@pytest.mark.parametrize("kind", ONE_VALUE)
@given(st.data(), st.sampled_from(CARRIERS), st.booleans())
def test_a_value_is_read_from_any_sentence(kind: str, data: st.DataObject, carrier: str, synonyms: bool) -> None:
    value = data.draw(value_texts(kind))
    if carrier == "> {}" and kind in ("integer", "grade", "score", *RATINGS):
        return  # more than, or a quote: no reader can tell
    assert parse(carrier.format(value), kind, synonyms=synonyms) == Answer(value)
    assert parse(carrier.format(value.upper()), kind, synonyms=synonyms) == Answer(value)


@given(NEAR, st.sampled_from([*ONE_VALUE, "ratings:1-5"]), st.sampled_from(["  {}", "\n{}\n", "{} \u00a0", "{}\u200b"]))
def test_case_and_space_around_change_nothing(text: str, kind: str, frame: str) -> None:
    def plain(text: str) -> object:
        outcome = parse(text, kind)
        return outcome.value if isinstance(outcome, Answer) else type(outcome)

    # A line break may complete a list marker or a heading, so only the framing of whole, unbroken text is compared.
    text = re.sub(r"\s+", " ", text).strip()
    assert plain(frame.format(text)) == plain(text)
    assert plain(text.upper()) == plain(text)


@pytest.mark.parametrize("kind", sorted({*ONE_VALUE} - {"text"}))  # of which two values are a third
@given(
    st.data(),
    st.sampled_from(["{} {}", "{}, {}", "{} or {}", "{}. {}.", "{}\n{}", "either {} or {}", "{}? {}", "{}... no, {}"]),
)
def test_two_values_without_an_answer_cue_are_no_answer(kind: str, data: st.DataObject, joint: str) -> None:
    first, second = data.draw(value_texts(kind)), data.draw(value_texts(kind))
    if first == second:
        return
    assert isinstance(parse(joint.format(first, second), kind), Unparsed)


@given(st.floats(0, 1), st.text(max_size=40))
def test_a_score_in_json_is_read(score: float, note: str) -> None:
    for reply in ({"score": score}, {"note": note, "score": score}):
        outcome = parse(json.dumps(reply), "score")
        assert float(outcome.value) == score
        assert ANSWER_TYPES["score"].is_canonical(outcome.value)


@given(st.sampled_from(("yes", "no", "uncertain")), st.floats(allow_nan=False), st.text(max_size=40))
def test_a_verdict_in_json_is_read(answer: str, confidence: float, note: str) -> None:
    expected = Answer(answer, confidence if 0 <= confidence <= 1 else None)
    if math.isfinite(confidence):
        assert parse(json.dumps({"answer": answer, "confidence": confidence}), "verdict") == expected
        reply = json.dumps({"reason": note, "answer": answer, "confidence": confidence}, ensure_ascii=False)
        assert parse(reply, "verdict") == expected


@given(st.sampled_from(("yes", "no", "uncertain")), st.floats(0, 1), st.text(max_size=80))
def test_a_finding_in_json_is_read_with_any_evidence(answer: str, confidence: float, words: str) -> None:
    reply = json.dumps({"answer": answer, "evidence": words, "confidence": confidence})
    outcome = parse(reply, "finding")
    assert outcome.value == answer
    assert outcome.evidence == " ".join(words.encode(errors="replace").decode().split())


@given(st.floats(allow_nan=True) | st.integers(), st.sampled_from(CARRIERS))
def test_a_number_off_the_scale_is_no_score(number: float, carrier: str) -> None:
    shown = carrier.format(repr(number))
    for kind, allowed in (("grade", number in (0, 0.5, 1)), ("score", 0 <= number <= 1)):
        outcome = parse(shown, kind)
        if isinstance(outcome, Answer):
            assert allowed
            assert float(outcome.value) == number
        elif carrier != "> {}":
            assert not allowed


@given(
    st.decimals(-20, 120, places=2), st.sampled_from(RATINGS), st.sampled_from(("{}", "Rating: {}", '{{"score": {}}}'))
)
def test_a_rating_is_the_stated_number_or_unparsed(number: Decimal, kind: str, form: str) -> None:
    low, high = (Decimal(end) for end in scale_of(kind) or ())
    outcome = parse(form.format(number), kind)
    assert isinstance(outcome, Answer) == (low <= number <= high)
    if isinstance(outcome, Answer):
        assert Decimal(outcome.value) == number
        assert share(outcome.value, kind, str(high)) == pytest.approx(1 - share(outcome.value, kind, str(low)))


@given(
    st.dictionaries(st.text("abcxyzÄß -_", min_size=1, max_size=12).filter(name_of), st.integers(-1, 7), max_size=6),
    st.booleans(),
)
def test_only_numbers_on_the_scale_are_ratings(ratings: dict[str, int], as_lines: bool) -> None:
    ratings = {name: ratings[name] for name in {name_of(name): name for name in ratings}.values()}
    lines = as_lines and all(name[0].isalpha() and name[-1].isalpha() for name in ratings)
    reply = "\n".join(f"{k}: {n}" for k, n in ratings.items()) if lines else f"So:\n```json\n{json.dumps(ratings)}\n```"
    outcome = parse(reply, "ratings:1-5")
    valid = {name_of(name): n for name, n in ratings.items() if 1 <= n <= 5}
    assert (graded(outcome.value) if isinstance(outcome, Answer) else {}) == valid
    assert not isinstance(outcome, Answer) or answer_type("ratings:1-5").is_canonical(outcome.value)


@given(st.text(max_size=60))
def test_a_description_is_read_word_for_word(text: str) -> None:
    outcome = parse(f"I see this. So it is. {text}", "description")
    assert outcome.value.startswith("I see this. So it is.")
    assert parse(f"<think>{text}</think>A ball.", "description") == Answer("A ball.")


@given(st.sampled_from(("grade", "score", "verdict")), st.data())
def test_truncated_json_never_gives_another_answer(kind: str, data: st.DataObject) -> None:
    value = data.draw(value_texts(kind))
    reply = {"answer": value, "confidence": 0.25} if kind == "verdict" else {"score": float(value)}
    text = json.dumps({**reply, "reason": data.draw(st.sampled_from(("1 of 2, so 0.5", "no, unclear", "yes")))})
    outcome = parse(text[: data.draw(st.integers(0, len(text) - 1))], kind)
    if isinstance(outcome, Answer):
        assert outcome.value == value
        assert outcome.confidence in (None, 0.25)


# ---- labels, which are answers where the question names them

LABELS = {"A": "A", "B": "B"}
_SAID_OF_LABELS = "A B a b shape Shape label labeled higher than square diamond both option"
LABEL_WORDS = [*WORDS, *_SAID_OF_LABELS.split()]
LABEL_NEAR = st.lists(st.sampled_from(LABEL_WORDS), max_size=10).map(" ".join)
SAID = ("{}", "Shape {}", "shape {}", "the shape labeled {}", "{} is higher up", "Shape {} lies further to the left")


@given(st.sampled_from("ABab"), st.sampled_from(SAID), st.sampled_from(CARRIERS), st.booleans())
def test_a_label_is_read_from_any_sentence(label: str, form: str, carrier: str, synonyms: bool) -> None:
    reply = carrier.format(form.format(label))
    expected = Answer(label.upper())
    assert parse(reply, "colour-shape", synonyms=synonyms, labels=LABELS) == expected
    assert isinstance(parse(reply, "colour-shape", synonyms=synonyms), Unparsed)


@given(LABEL_NEAR, st.booleans())
def test_labels_hide_no_answer_and_are_read_only_where_stated(text: str, synonyms: bool) -> None:
    with_, without = (parse(text, "colour-shape", synonyms=synonyms, labels=labels) for labels in (LABELS, {}))
    if isinstance(without, Answer):
        assert isinstance(with_, Answer)
    if isinstance(with_, Answer) and with_ != without:
        assert with_.value in LABELS
        assert re.search(rf"\b{with_.value}\b", text, re.IGNORECASE)


@given(st.sampled_from(COLOURS), st.sampled_from(SHAPES), st.sampled_from(("a {} {}", "A {} {}", "A {1}", "a {0} one")))
def test_the_article_a_is_not_read_as_a_label(colour: str, shape: str, form: str) -> None:
    outcome = parse(form.format(colour, shape), "colour-shape", labels=LABELS)
    assert outcome == parse(form.format(colour, shape), "colour-shape")


@given(
    st.sampled_from(("{} {}", "{}, {}", "{} or {}", "{}. {}.", "{}\n{}", "{}? {}", "{} is to the left of {}.")),
    st.sampled_from(("AB", "BA")),
    st.sampled_from(("{}", "Shape {}")),
)
def test_two_labels_without_an_answer_cue_are_no_answer(joint: str, labels: str, form: str) -> None:
    reply = joint.format(*map(form.format, labels))
    assert isinstance(parse(reply, "colour-shape", labels=LABELS), Unparsed)
