"""Replies of any kind: an outcome, never an exception, and never a second of waiting.

FUZZ_REPLIES=1000000 python -m pytest -n 0 -s tests/fuzz/test_replies.py    so many replies, not 200,000
"""

import json
import math
import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from counterbench.answers import ANSWER_TYPES, Answer, Refused, Unparsed, read_reply
from counterbench.answers.outcomes import outcome_name
from counterbench.answers.parsing import UNREADABLE
from counterbench.answers.soft import Token, from_logprobs

REPLIES = int(os.environ.get("FUZZ_REPLIES", 100_000))
SLOWEST = 3.0  # CPU seconds a reply: one on a free core, and room for a busy one
GOLDEN = [json.loads(line)["reply"] for line in (Path(__file__).parents[1] / "answers/golden.jsonl").open()]
PIECES = (
    *"0123456789.,%/+-–—−*=~≈<>()[]{}|\\`'\"“”:;!?\n\t\r _#$&^", "yes", "no", "uncertain", "not ", "n't ", "one",
    "twenty-", "red ", "square ", "arrow ", "points to ", "half ", "answer", "Answer: ", "The answer is ",
    "Final answer: ", "score: ", "confidence: ", "Confidence: 0.00001%", "1e-7", "1e999", "1E-400",
    "0.00000000000000000000000000001", "9" * 40, "-", " 80% sure", "minus ", " out of ", "1/2", "²", "½", "٣", "೬",
    "①", "Ⅳ", "１", "،", "۔", "\\boxed{", "\\frac{1}{2}", "\\text{", "<think>", "</think>", "<answer>", "</answer>",
    "</s>", "<|end|>", "<|channel|>final", "```json\n", "**", "~~", "- ", "1. ", "2. ", "> ", "{", "}",
    '{"answer": ', '"confidence": ', '"score": ', '{"answer": {"answer": ', "[[", "null", "NaN", "Infinity",
    "-Infinity", "true", "\\u0000", "\\ud800", "\ud800", "\udfff", "\x00", "\ufeff", "\u202e", "\u200b", "\ufdfa",
    "\ue000", "\ue001", "\U0001f642", "İ", "ß", "ﬁ", "Question: ", "Human: ", "Wait, ", "I cannot ", "sorry ",
    "because ", "so ", "if ", "PROMPT: ",
)  # fmt: skip
# Characters that decoders, terminals and number parsers stumble over.
ODD = (
    "\ud800", "\udfff", "\ud83d", "\x00", "\x07", "\x1b[2J", "\x7f", "\x85", "\u2028", "\u0301", "\u202e", "\u2066",
    "\ufeff", "\uffff", "\U000e0001", "\U0010ffff", "\ue000", "\ufdfa", "ﬃ", "㍿", "Ⅻ", "𝟜", "٤", "९", "零", "½", "²",
)  # fmt: skip
TYPES = [*sorted(ANSWER_TYPES), "rating:1-5", "ratings:1-5"]
ENDS = (*["", "stop"] * 8, "length", "content_filter", "refusal")


def mutated(chance: random.Random) -> str:
    """A reply that is known, or pieces of replies, changed in a few places."""
    text = chance.choice(GOLDEN) if chance.random() < 0.7 else "".join(chance.choices(PIECES, k=chance.randint(0, 12)))
    for _ in range(chance.randint(0, 5)):
        start, end = sorted(chance.randint(0, len(text)) for _ in range(2))
        new = replaced(text[start:end], chance)
        text = text[:start] + new + text[start if chance.random() < 0.5 else end :]
    return text[:12_000]


def replaced(part: str, chance: random.Random) -> str:
    """What stands in the place of a part of a reply, or before it."""
    ways: list[Callable[[], str]] = [
        str,
        lambda: part * chance.randint(2, 4),
        lambda: json.dumps(part),
        lambda: chance.choice(PIECES),
        lambda: chance.choice(PIECES) * chance.randint(2, 40),
        lambda: spliced(chance.choice(GOLDEN), chance.choice(GOLDEN), chance),
        lambda: part[::-1],
        lambda: "".join(f"{char}{chance.choice(ODD)}" if chance.random() < 0.3 else char for char in part),
        lambda: chance.choice("0123456789٩９") * chance.choice((20, 400, 4_400, 9_000)),
        lambda: re.sub(r"\d+", lambda _: "9" * chance.choice((15, 16, 400, 4_400)), part),
        lambda: chr(chance.choice((chance.randrange(128), chance.randrange(0x3000), chance.randrange(0x110000)))),
    ]
    return chance.choice(ways)()


def spliced(first: str, second: str, chance: random.Random) -> str:
    """The beginning of one reply and the end of another."""
    return first[: chance.randint(0, len(first))] + second[chance.randint(0, len(second)) :]


def long(chance: random.Random, most: int) -> str:
    """Up to `most` characters: pieces repeated, between others."""
    unit = "".join(chance.choices(PIECES, k=chance.randint(1, 3)))
    size = int(most ** chance.uniform(0.5, 1))
    return mutated(chance) + unit * (size // len(unit)) + mutated(chance)


def read_every_way(text: str, chance: random.Random) -> str:
    """Read it in every way; the outcome's name. AssertionError with the reply if anything is wrong."""
    kind, finish = chance.choice(TYPES), chance.choice(ENDS)
    began = time.thread_time()
    labels = {"A": "A", "B": "red circle"} if chance.random() < 0.2 else {}
    outcome = read_reply(
        text, kind, finish, synonyms=chance.random() < 0.8, labels=labels, answer_line=chance.random() < 0.2
    )
    seconds = time.thread_time() - began
    shown = f"{kind} {finish!r} {text[:200]!r} ({len(text)} characters)"
    assert seconds < SLOWEST, f"{seconds:.1f} s for {shown}"
    assert isinstance(outcome, Answer | Unparsed | Refused), shown
    if isinstance(outcome, Unparsed):
        assert not outcome.reason.startswith(UNREADABLE), f"{outcome.reason}: {shown}"
    if isinstance(outcome, Answer):
        assert outcome.confidence is None or 0 <= outcome.confidence <= 1, shown
    return outcome_name(outcome)


def examine_the_others(text: str, chance: random.Random) -> None:
    """What else reads replies: their tokens, and prompts that were rewritten."""
    began = time.thread_time()
    soft = from_logprobs([Token(part, -chance.random()) for part in text.split("e")])
    assert soft is None or (0 <= soft.p_yes <= 1 and math.isfinite(soft.residual)), text[:200]
    assert time.thread_time() - began < SLOWEST, f"{text[:200]!r} ({len(text)} characters)"


@pytest.mark.slow
def test_any_reply_has_an_outcome() -> None:
    chance, counts = random.Random(12), Counter[str]()
    for _ in range(REPLIES):
        text = mutated(chance)
        counts[read_every_way(text, chance)] += 1
        examine_the_others(text, chance)
    print(f"\n{sum(counts.values()):,} replies: {dict(counts)}")
    assert min(counts[name] for name in ("answer", "unparsed", "refused")) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("most", "one_in"), [(100_000, 5_000), (10_000_000, 100_000)])
def test_long_replies_are_read_within_a_second(most: int, one_in: int) -> None:
    chance = random.Random(12)
    for _ in range(max(1, REPLIES // one_in)):
        text = long(chance, most)
        read_every_way(text, chance)
        examine_the_others(text, chance)
