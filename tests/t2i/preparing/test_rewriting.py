"""The words that a rewriting holds, whatever stands around them."""

from __future__ import annotations

import pytest

from counterbench.t2i.preparing.rewriting import read_rewriting


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("PROMPT: A ball.", "A ball."),
        ("I think.\n\nPROMPT:\nA ball\non a box.", "A ball on a box."),
        ("PROMPT: draft\nBetter:\n**Prompt:** A ball.**", "A ball."),
        ("## PROMPT: A ball.", "A ball."),
        ('PROMPT: "A ball."', "A ball."),
        ("<think>PROMPT: not this</think>PROMPT: A ball.", "A ball."),
        ("Prompt : A ball.", "A ball."),
        ("The prompt: is unclear to me", ""),
        ("PROMPT:", ""),
        ("", ""),
    ],
)
def test_reading(reply: str, words: str) -> None:
    assert read_rewriting(reply) == words


@pytest.mark.parametrize("unit", ["<think>", "</think>", "\n", "prompt ", "prompt", "prompt:\n", "# ", "*\n"])
def test_a_long_rewriting_takes_no_long_time(unit: str) -> None:
    """A search that begins anew at each of them would take the square of it: hours."""
    read_rewriting(unit * (4_000_000 // len(unit)))


def test_thoughts_may_come_in_any_number() -> None:
    thought = "<think>PROMPT: no</think>"
    assert read_rewriting(f"{thought}A.{thought}\nPROMPT: a red ball{thought}") == "a red ball"
    assert read_rewriting("no beginning</thinking>\nPROMPT: a red ball") == "a red ball"
