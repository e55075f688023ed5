from __future__ import annotations

import time

import pytest

from counterbench.answers import ANSWER_TYPES, Answer, Unparsed, parse
from counterbench.answers.clean import HEAD, TAIL

UNITS = [
    "not ", "(((", "1 ", "<think>", "</think>", "{", '{"a":', "[", "\\boxed{", "answer is ", "final answer: ",
    "yes, ", "no ",
    "red ", "red-", "red square ", "square red ", "points to red ", "total ", "= 1 ", "1=", "\n", "# ", "```",
    "**", "~~", "<answer>",
    "so ", "wait ", "as an ai ", "sorry ", "I can't ", "no pink ", "twenty-", "1,", "٤", "\u200b", "\ud800",
    "\x00", "ﷺ", ".", "?",
    "between the red, ", "other ", "1. a\n", "answer to ", "can't a a ", " ", "\t", "'", '"', "<a ", "one ",
    "any ", "1: 1 1 ",
    "0.5 ", ".5", "0/1", "1 of ", "0 to 1 ", "score ", "score: 1 ", '{"score": ', "(0", "= 0.5", "0,", "1e", "\\frac{",
    "half ", "point five ", "criteria 1 ", "confidence: ", "80% sure ", "i am not ", "it is quite ", "uncertain, ",
    "overall ", '{"answer": "yes", ', "9",
]  # fmt: skip


SECONDS = 5  # for a text of any length: what is read of it is cut; 0.7 at most on an idle machine
SHORT = 8  # so many times shorter a text is tried first


def seconds(text: str, kind: str) -> float:
    """What reading a text costs this thread, whatever else the machine does."""
    start = time.thread_time()
    parse(text, kind)
    return time.thread_time() - start


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_long_repetition_takes_no_long_time(unit: str) -> None:
    """As long as is read in one type each; in all types an eighth of it, and the whole where that leaves a doubt.

    What takes t for an eighth takes 64 t for the whole if it grows with the square of the length.
    """
    long = unit * (200_000 // len(unit))
    in_turn = list(ANSWER_TYPES)[UNITS.index(unit) % len(ANSWER_TYPES)]
    for kind in ANSWER_TYPES:
        if kind == in_turn or SHORT**2 * seconds(long[: (HEAD + TAIL) // SHORT], kind) > SECONDS:
            assert seconds(long, kind) < SECONDS


def test_a_megabyte_is_read_at_its_head_and_tail() -> None:
    filler = "the shapes are here and there. " * 35_000
    assert len(filler) > 1_000_000 > HEAD + TAIL
    assert parse(f"{filler}\nFinal answer: 4", "integer") == Answer("4")
    assert parse(f"<answer>red</answer>\n{filler}", "colour") == Answer("red")


@pytest.mark.parametrize("kind", sorted(ANSWER_TYPES))
@pytest.mark.parametrize(
    "text", ['{"a":' * 20_000, '{"a":' * 900 + '"b"' + "}" * 900, '{"score": ' + "1" * 9_000 + "}"]
)
def test_deep_json_and_long_numbers_are_no_answer(kind: str, text: str) -> None:
    start = time.perf_counter()
    assert isinstance(parse(text, kind), Unparsed)
    assert time.perf_counter() - start < 5


def test_the_new_types_are_read_at_head_and_tail_too() -> None:
    filler = "the shapes are here and there. " * 35_000
    assert parse(f"{filler}\nFinal score: 0.5", "grade") == Answer("0.5")
    assert parse(f"<score>0.25</score>\n{filler}", "score") == Answer("0.25")
    assert parse(f'{filler}\n{{"answer": "uncertain", "confidence": 0.5}}', "verdict") == Answer("uncertain", 0.5)


@pytest.mark.parametrize("kind", sorted(ANSWER_TYPES))
@pytest.mark.parametrize(
    "text", ["\ud800", "\x00", "\x00\x00yes\x00or\x00no", "\udfff" * 9, "[" * 50_000, "\ufeff"], ids=ascii
)
def test_odd_characters_are_no_answer(kind: str, text: str) -> None:
    assert isinstance(parse(text[:60_000], kind), Unparsed)
