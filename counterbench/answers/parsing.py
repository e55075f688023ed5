"""From a judge's reply to one of the outcomes. Doubt is never resolved by a guess: see `parse`."""

from __future__ import annotations

import re
from functools import lru_cache

from counterbench.answers.base import AnswerType, Reading, merge
from counterbench.answers.clean import clean
from counterbench.answers.declared import Declared, Tier, declared
from counterbench.answers.markup import without_markup
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.refusal import refusal, without_refusal
from counterbench.answers.registry import answer_type as lookup
from counterbench.answers.stance import is_hedged
from counterbench.answers.structured import without_cut_object
from counterbench.answers.thinking import without_thinking
from counterbench.answers.tokens import sentences, tokenise
from counterbench.answers.words import ARTICLES

PARSER_VERSION: str = "2"

_CORRECTION = re.compile(
    r"\b(?:wait|actually|correction|on second thought|let me re\w+|scratch that|i mean|oops|my mistake|i made a mistake"
    r"|hmm)\b"
)
_CONCLUSION = re.compile(
    r"(?:^|(?<=[.!?\n;,:—]))[ \t]*(?:and |so, )?(?:so(?! far| many| much| that| close)|therefore|thus|hence"
    r"|in conclusion|to conclude|in summary|overall|consequently|conclusion)\b[,:]?",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"[^.!?\n;]*(?:[.](?=\d)[^.!?\n;]*)*[.!?;]?")


# Judges say the same few short things over and over; what those mean is remembered.
_SHORT, _REMEMBERED = 40, 4096


def parse(text: str, answer_type: str, *, synonyms: bool = True) -> Outcome:
    """What a reply to a question of that answer type says: an Answer, Unparsed, or Refused.

    What the reply marks as its answer decides; then what it concludes; then the one value that it names. Several
    values with nothing that says which is final are Unparsed. `synonyms=False` is strict: other words for our colours
    and shapes stand for themselves.
    """
    return (_parse_short if len(text) <= _SHORT else _parse)(text, answer_type, synonyms)


def _parse(text: str, answer_type: str, synonyms: bool) -> Outcome:
    kind = lookup(answer_type)
    if not text.strip():
        return Unparsed("empty reply")
    marked = kind.prepare(clean(without_thinking(text)))
    if not marked:
        return Unparsed("nothing after the reasoning")
    if kind.schema:
        marked = without_cut_object(marked)
    plain = without_markup(marked)
    cued = _declared_outcome(declared(marked, plain, kind), plain, kind, synonyms)
    if cued is not None:
        return _settled(cued, marked, plain, kind)
    declined = refusal(plain)
    if declined is not None:
        rest = _settled(_prose(without_refusal(plain), kind, synonyms), marked, plain, kind)
        answers = isinstance(rest, Answer) and rest.value not in kind.abstentions
        return rest if answers else Refused(declined[:200])
    return _settled(_prose(plain, kind, synonyms), marked, plain, kind)


_parse_short = lru_cache(_REMEMBERED)(_parse)


def _settled(outcome: Outcome, marked: str, plain: str, kind: AnswerType) -> Outcome:
    return kind.settle(outcome, marked, plain) if isinstance(outcome, Answer) else outcome


def _declared_outcome(all_: list[Declared], plain: str, kind: AnswerType, synonyms: bool) -> Outcome | None:
    for tier in (Tier.FINAL, Tier.PLAIN):
        marks = [(mark, kind.read(mark.text, synonyms)) for mark in all_ if mark.tier is tier]
        readable = [(mark, reading) for mark, reading in marks if reading.held or (reading and tier is Tier.FINAL)]
        if not readable:
            if marks and tier is Tier.FINAL and refusal(plain) is None:
                return Unparsed("what is marked as the answer is none")
            continue
        # "The answer is 4. Wait … The answer is 5": taken back, and said again.
        turns = [match.start() for match in _CORRECTION.finditer(plain)]
        kept = [(m, r) for m, r in readable if not turns or m.start > turns[-1]] or readable
        outcome = merge(reading for _, reading in kept).outcome()
        end = max(mark.end for mark, _ in kept)
        if isinstance(outcome, Answer) and _takes_back(plain[end:], outcome.value, kind, synonyms):
            return Unparsed(f"says {outcome.value}, then takes it back")
        return outcome
    return None


def _takes_back(rest: str, value: str, kind: AnswerType, synonyms: bool) -> bool:
    turn = _CORRECTION.search(rest)
    return turn is not None and any(other != value for other in kind.read(rest[turn.end() :], synonyms).held)


def _prose(plain: str, kind: AnswerType, synonyms: bool) -> Outcome:
    whole = kind.read(plain, synonyms)
    own = kind.cued(plain, synonyms)
    if own is not None:
        return own.outcome()
    if whole.value is not None:
        return Answer(whole.value)
    for reading in (_bare(plain, kind, synonyms), _conclusion(plain, kind, synonyms)):
        if reading is not None and reading.value is not None:
            return Answer(reading.value)
    return whole.outcome()


def _conclusion(plain: str, kind: AnswerType, synonyms: bool) -> Reading | None:
    """What the last "so …" or "therefore …" says, unless something else is said after it."""
    cues = list(_CONCLUSION.finditer(plain))
    if not cues:
        return None
    stretch = _SENTENCE.match(plain, cues[-1].end())
    reading = kind.read(stretch[0] if stretch else "", synonyms)
    rest = kind.read(plain[stretch.end() if stretch else cues[-1].end() :], synonyms)
    return None if any(value not in reading.firm for value in rest.held) else reading


def _bare(plain: str, kind: AnswerType, synonyms: bool) -> Reading | None:
    """The answer that stands alone in the first or last sentence, where the others only explain it.

    If the other sentences state one value of their own, or are as short, they contradict rather than explain.
    """
    if _CORRECTION.search(plain):
        return None
    tokens = tokenise(plain)
    bounds = list(sentences(tokens))
    if len(bounds) < 2:
        return None
    alone: list[Reading] = []
    for i in dict.fromkeys((0, len(bounds) - 1)):
        start, end = bounds[i]
        words = [t.text for t in tokens[start:end] if t.is_word and t.text not in ARTICLES]
        reading = kind.read(plain[tokens[start].start : tokens[end - 1].end], synonyms)
        if reading.value is not None and len(words) <= kind.bare_words and not is_hedged(words):
            alone.append(reading)
            bounds[i] = (end, end)
    if not alone:
        return None
    value = merge(alone).value
    others = [plain[tokens[start].start : tokens[end - 1].end] for start, end in bounds if end > start]
    rest = kind.read("\n".join(others), synonyms)
    short = any(
        any(other != value for other in kind.read(text, synonyms).held) and len(text.split()) < 4 for text in others
    )
    if value is None or short or rest.value not in (None, value):
        return None
    return merge(alone)
