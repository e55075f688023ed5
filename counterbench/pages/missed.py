"""Pairs that a judge missed, as pages show them: question, truth, replies, both pictures."""

from typing import NamedTuple

from counterbench.results.results import PairResult
from counterbench.scene.pairs import Pair


class Missed(NamedTuple):
    """A pair that a judge was not right on."""

    question: str
    truth: tuple[str, ...]
    answers: tuple[str, ...]
    pictures: tuple[str, ...] | tuple[int, ...]  # sources, or places among the pictures of a page


def missed(pair: Pair, result: PairResult, pictures: tuple[str, ...] | tuple[int, ...]) -> Missed:
    """A pair that a judge missed, as a page shows it."""
    replies = ("nothing" if reply is None else reply.value or "no answer that can be read" for reply in result.replies)
    return Missed(pair.words, pair.answers, tuple(replies), pictures)
