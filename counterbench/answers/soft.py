"""How sure a judge was of yes or no: from log-probabilities where a server gives them, from candidates' likelihoods.

P(yes) ÷ (P(yes) + P(no)), and the residual: the probability of saying neither, which a good form of question keeps
small. Votes of a judge that samples give the same number by counting (`from_votes`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec


class Token(msgspec.Struct, frozen=True):
    """One token of a reply as the server reports it: its text, its log-probability, and the likeliest in its place."""

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class SoftAnswer(msgspec.Struct, frozen=True):
    """`p_yes` in 0 … 1 among yes and no; `residual` in 0 … 1, the mass that is on neither."""

    p_yes: float
    residual: float


def from_logprobs(tokens: Sequence[Token]) -> SoftAnswer | None:
    """From the first token that is a yes or a no, with its alternatives; None if none is, or none are given.

    All spellings of a word count ("Yes", " yes"). Mass below the reported alternatives is residual.
    """
    for token in tokens:
        if _word(token.text) in ("yes", "no"):
            return _soft(dict(((token.text, token.logprob), *token.top)))
    return None


def from_choices(choices: Mapping[str, float]) -> SoftAnswer | None:
    """From the log-likelihoods of whole candidate answers; None unless yes and no are among them."""
    return _soft(choices) if {"yes", "no"} <= {_word(choice) for choice in choices} else None


def from_votes(answers: Sequence[str | None]) -> SoftAnswer | None:
    """From what each vote answered (None: no answer); None if no vote says yes or no."""
    yes, no = answers.count("yes"), answers.count("no")
    if not yes + no:
        return None
    return SoftAnswer(yes / (yes + no), 1 - (yes + no) / len(answers))


def _soft(logprobs: Mapping[str, float]) -> SoftAnswer | None:
    mass = {"yes": 0.0, "no": 0.0}
    for text, logprob in logprobs.items():
        if (word := _word(text)) in mass and not math.isnan(logprob):
            mass[word] += math.exp(min(logprob, 0.0))
    total = mass["yes"] + mass["no"]
    if total <= 0:
        return None
    return SoftAnswer(mass["yes"] / total, max(0.0, 1 - total))


def _word(token: str) -> str:
    return token.strip(" \t\n\r▁Ġ\"'*.,:!`").casefold()
