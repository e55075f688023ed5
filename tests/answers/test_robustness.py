import time

import pytest
from sweeping import swept

from counterbench.answers import ANSWER_TYPES, Answer, Unparsed, explicit, parse, read_reply
from counterbench.answers.explicit import HEAD, TAIL

TYPES = sorted([*ANSWER_TYPES, "rating:1-5", "ratings:1-5"])
# What a part of the parser looks for, repeated: a search that begins anew at each of them may take the square of it.
UNITS = [
    "not ", "(((", "1 ", "<think>", "{", '{"a":', "[", "\\boxed{", "answer is ", "final answer: ", "yes, ", "red-",
    "red square ", "points to red ", "= 1 ", "\n", "**", "<answer>", "so ", "wait ", "I can't ", "twenty-",
    "</s>", "<|end|>", "Answer:\n", "\n* ", "final ",
    "1,", "\u0664", "\u200b", "\ud800", "\ufdfa", ".", "?", "than ", "1. a\n", " ", "\t", "'", '"', "<a ",
    "one ", "0.5 ", ".5", "0/1", "4/5 ", "a: 4\n", "a=", "|", "| a ", '"a": ', '{"a": 4}',
    "score: 1 ", "(0", "1e", "confidence: ", "80% sure ", "cannot say ", "if you need ", "9",
    "_", "a square 2 ", "1 + ", "2 of 7 ", "five hundred ", "yes 3", "question: ", "is it so?\n",
    "next to it ", "image is ",
]  # fmt: skip
LONG, SECONDS = 3_000, 0.3  # 0.03 on an idle machine; with a square in it, 0.75 and more


@pytest.mark.slow
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("part", range(8))
def test_a_long_repetition_is_read_quickly(kind: str, part: int) -> None:
    for unit in UNITS[(part + TYPES.index(kind)) % 8 :: 8]:
        text = unit * (LONG // len(unit))
        assert any(_seconds(text, kind) < SECONDS for _ in range(3)), unit  # once may be a pause of the machine


def _seconds(text: str, kind: str) -> float:
    start = time.thread_time()
    parse(text, kind)
    read_reply(text, kind, answer_line=True)
    return time.thread_time() - start


@pytest.mark.parametrize("reply", ["4.5\n2 red and 3 blue", "6" * 40 + "\n-31"])
def test_a_first_line_of_other_words_is_no_count(reply: str) -> None:
    outcome = parse(reply, "integer")
    assert "raised" not in outcome.reason


def test_an_exception_in_the_parser_is_an_unparsed_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply is journaled with how it was read: what raised would be asked again whenever the run goes on."""

    def broken(text: str) -> str:
        raise OverflowError(text)

    monkeypatch.setattr(explicit, "clean", broken)
    for text in ("a reply never seen before", "a longer reply, of which no reading is remembered"):
        assert parse(text, "yes-no") == read_reply(text, "yes-no") == Unparsed("reading it raised OverflowError")


def test_a_megabyte_is_read_at_its_head_and_tail() -> None:
    filler = "the shapes are here and there. " * 35_000
    assert len(filler) > 1_000_000 > HEAD + TAIL
    assert parse(f"{filler}\nFinal answer: 4", "integer") == Answer("4")
    assert parse(f"<answer>red</answer>\n{filler}", "colour") == Answer("red")
    assert parse(f'{filler}\n{{"answer": "uncertain", "confidence": 0.5}}', "verdict") == Answer("uncertain", 0.5)


@pytest.mark.slow
@swept("kind", sorted({*TYPES} - {"description"}))
def test_deep_json_long_numbers_and_odd_characters_are_no_answer(kind: str) -> None:
    deep = ['{"a":' * 20_000, '{"a":' * 900 + '"b"' + "}" * 900, '{"score": ' + "1" * 9_000 + "}", "[" * 50_000]
    strange = ["\ud800", "\x00", "\x00\x00yes\x00or\x00no", "\udfff" * 9, "\ufeff", "\ue000\ue001", "9" * 300]
    for text in deep + strange:
        assert isinstance(parse(text, kind), Unparsed)


@pytest.mark.parametrize("text", ["\ud800", "\x00", "\ufeff"])
def test_text_without_characters_is_no_description(text: str) -> None:
    assert isinstance(parse(text, "description"), Unparsed)


def test_a_description_is_encodable_and_bounded() -> None:
    found = parse(f"A ball\ud800. {'It lies there. ' * 10_000}", "description")
    assert found.value.encode().startswith(b"A ball?. It lies")
    assert len(found.value) < 16_010
