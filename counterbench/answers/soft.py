"""Probability of yes and no: from a server's log-probabilities, from candidates' likelihoods, or from repeats.

It is P(yes) ÷ (P(yes) + P(no)); of a whole number, P(it) ÷ P(any whole number). The residual is the probability of
saying neither, which a good form of question keeps small.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from counterbench.answers.lazy import lazily
from counterbench.answers.numbers import WORD, whole_numbers
from counterbench.answers.outcomes import Answer
from counterbench.answers.parsing import first_turn, read_reply, reply_span
from counterbench.answers.yes_no import spoken

_UNKNOWN = -9999.0  # servers write it as the log-probability of what is unknown or impossible
_ROUNDING = 0.01  # a log-probability is at most 0; one above this is no rounding error, but wrong
_SPACES = str.maketrans({"▁": " ", "Ġ": " ", "Ċ": "\n"})  # how tokenisers write a space or a line break
_MARKS = " \t\n\r\"'“”‘’*_#`~.,:;!()[]{}<>|"
_CUE = lazily(r"\b(?:answer|verdict)\b\W{0,8}(?:(?:is|would be|should be)\b\W{0,8})?$", re.IGNORECASE)


class Token(msgspec.Struct, frozen=True):
    """One token of a reply as the server reports it: its text, its log-probability, and the likeliest in its place."""

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class SoftAnswer(msgspec.Struct, frozen=True):
    """The probabilities of yes, and of neither yes nor no, in a reply."""

    p_yes: float  # from 0 to 1, among yes and no
    residual: float  # from 0 to 1, of neither


def from_logprobs(tokens: Sequence[Token], answer_line: bool = False) -> SoftAnswer | None:
    """The probability of yes, by the token that answers and its alternatives, in all spellings ("Yes", " yes", "YES.").

    The answering token has the answer of the whole reply: the last one after "answer:", else the first one that is said
    as an answer ("no" in "there is no cup" is not). None if the whole reply is neither yes nor no, or if the word is
    spread over several tokens. The mass of alternatives that are not reported is residual: without any, `p_yes` is 0
    or 1. `answer_line`: the question asked for a line "Answer: …", as of `read_reply`.
    """
    text = "".join(token.text.translate(_SPACES) for token in tokens)
    outcome = read_reply(text, "yes-no", answer_line=answer_line)
    place = _answer_place(text, outcome.value, answer_line) if isinstance(outcome, Answer) else None
    if place is None:
        return None
    for token in tokens:
        if place < len(token.text):
            listed = ((_word_of(entry), logprob) for entry, logprob in _entries(token).items() if logprob > _UNKNOWN)
            return _soft_answer(listed) if _word_of(token.text) in ("yes", "no") else None
        place -= len(token.text)
    return None


def number_chance(tokens: Sequence[Token], expected: str, answer_line: bool = False) -> float | None:
    """The probability (0 … 1) of the whole number `expected`, in digits, by the tokens of a reply.

    It is the share among all numbers that are listed in the place of the first token that is the answer.

    A digit and its word count together: "4" and "four" (GenEval 2's Soft-TIFA). None if the reply is no whole number,
    or the number is spread over several tokens.
    """
    texts = [token.text.translate(_SPACES) for token in tokens]
    text = "".join(texts)
    outcome = read_reply(text, "integer", answer_line=answer_line)
    place, (start, _) = 0, reply_span(text) if answer_line else first_turn(text)
    for token, spelled in zip(tokens, texts, strict=True):
        if isinstance(outcome, Answer) and place + len(spelled) > start and _number_of(spelled) == outcome.value:
            chances: dict[str, float] = {}
            for other, logprob in _entries(token).items():
                if (number := _number_of(other)) is not None and _UNKNOWN < logprob <= _ROUNDING:
                    chances[number] = chances.get(number, 0.0) + math.exp(logprob)
            return chances.get(expected, 0.0) / total if (total := sum(chances.values())) else None
        place += len(spelled)
    return None


def from_choices(choices: Mapping[str, float]) -> SoftAnswer | None:
    """The probability of yes by the log-likelihood of each candidate answer; None unless yes and no are among these."""
    likelihoods = [(_word_of(choice), value) for choice, value in choices.items()]
    if any(math.isnan(value) for word, value in likelihoods if word in ("yes", "no")):
        return None
    if not {"yes", "no"} <= {word for word, _ in likelihoods}:
        return None
    # Whole candidates may be less likely than any token: only the number that means "unknown" is dropped.
    return _soft_answer((word, value) for word, value in likelihoods if value != _UNKNOWN)


def from_repeats(answers: Sequence[str | None]) -> SoftAnswer | None:
    """The probability of yes by the answers of repeats (None: no answer); None if none of them says yes or no."""
    yes, no = answers.count("yes"), answers.count("no")
    if not yes + no:
        return None
    return SoftAnswer(yes / (yes + no), 1 - (yes + no) / len(answers))


def _answer_place(text: str, value: str, answer_line: bool) -> int | None:
    """The place in a reply of the word that is its answer; None if there is none."""
    start, end = reply_span(text) if answer_line else first_turn(text)
    reply = text[start:end]
    places = [start + place for spoken_, place in spoken(reply) if spoken_ == value]
    cued = [place for place in places if _CUE.search(text, max(0, place - 40), place)]
    return cued[-1] if cued else next(iter(places), None)


def _entries(token: Token) -> dict[str, float]:
    """The log-probabilities of all texts that are listed in the place of a token, itself among them."""
    # A text stands for one entry, however often it is listed: the alternatives usually repeat the token itself.
    entries: dict[str, float] = {}
    for text, logprob in token.top:
        if not math.isnan(logprob):
            entries[text] = max(logprob, entries.get(text, -math.inf))
    if token.text not in entries:
        if math.isnan(token.logprob):
            return {}
        entries[token.text] = token.logprob
    return entries


def _soft_answer(logprobs: Iterable[tuple[str, float]]) -> SoftAnswer | None:
    """The soft answer by pairs of a word and its log-probability; words but "yes" and "no" are passed over.

    It is computed relative to the highest, so that tiny probabilities count. None if there is neither word, or if a
    log-probability is wrong (above 0).
    """
    parts: dict[str, list[float]] = {"yes": [], "no": []}
    for word, logprob in logprobs:
        if word in parts:
            if logprob > _ROUNDING:
                return None
            parts[word].append(min(logprob, 0.0))
    highest = max((*parts["yes"], *parts["no"]), default=-math.inf)
    if highest == -math.inf:
        return None
    yes, no = (sum(math.exp(logprob - highest) for logprob in parts[word]) for word in ("yes", "no"))
    return SoftAnswer(yes / (yes + no), min(1.0, max(0.0, 1 - (yes + no) * math.exp(highest))))


def _number_of(token: str) -> str | None:
    """The whole number that a token spells, as digits; None if it is no number."""
    word = _word_of(token)
    numbers = whole_numbers(word) if re.fullmatch(rf"\d+|{WORD}", word) else []
    return numbers[0] if len(numbers) == 1 else None


def _word_of(token: str) -> str:
    """The word in a token in lower case, without the spaces and characters around it."""
    return token.translate(_SPACES).strip(_MARKS).casefold()
