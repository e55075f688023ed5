"""Where a sentence denies, doubts or only mentions what it says; shared by all answer types."""

from __future__ import annotations

from counterbench.answers.base import Stance
from counterbench.answers.tokens import Token, sentences, word_set
from counterbench.palette import COLOUR_SYNONYMS, COLOURS, OTHER_COLOURS

_NEGATORS = word_set("not never neither nor cannot isnt arent doesnt dont cant wasnt except excluding hardly aint")
_NO_NEGATION = frozenset({"only", "just", "merely"})  # "not only red"
_SCOPE_ENDS = word_set(
    ", : ( ) — – but instead however although though yet so therefore thus hence because since whereas"
)
_AFTER_PLAIN_NO = word_set(
    "doubt problem worries need matter it the there they this that because since no yes nope to for"
)

_HEDGES = word_set(
    "maybe perhaps possibly possible either if unless whether unsure uncertain unclear ambiguous indeterminate "
    "doubt depends depending assuming supposing suppose conceivably hypothetically"
)
_MODALS = frozenset({"could", "might", "may"})
_AFTER_MODAL = frozenset({"be", "also", "have", "not", "say", "well", "even", "easily", "possibly", "equally"})
_HEDGE_PAIRS = word_set(
    "not sure;not certain;not clear;not confident;n't sure;n't clear;n't certain;closer to;"
    "hard to;difficult to;impossible to;tough to;"
    "kind of;sort of;close to;similar to;unable to",
    ";",
)
_QUESTION_WORDS = word_set(
    "is are does do did was were has have can could how which what where who to of between looking count q question "
    "isn't aren't doesn't don't"
)
_COPULAS = frozenset({"is", "are", "was", "were", "would", "does", "do"})
_REJECTED = word_set("not wrong incorrect false untrue never")
_PRONOUNS = word_set("it they there that this these those which who he she what i we you")
_COLOUR_WORDS = frozenset({*COLOURS, *COLOUR_SYNONYMS, *OTHER_COLOURS})
_COMPARED = frozenset({"than", "unlike"})


def stances(tokens: list[Token]) -> list[Stance]:
    """The stance that the sentence around it gives to each token."""
    result = [Stance.FIRM] * len(tokens)
    for start, end in sentences(tokens):
        words = [token.text for token in tokens[start:end]]
        if words[-1] == "?":
            echo = words[0] in _QUESTION_WORDS or sum(token.is_word for token in tokens[start:end]) >= 4
            result[start:end] = [Stance.MENTIONED if echo else Stance.DOUBTFUL] * (end - start)
            continue
        if is_hedged(words):
            result[start:end] = [Stance.DOUBTFUL] * (end - start)
        _deny(words, start, result)
        _deny_subjects(words, start, result)
        if words[:2] in (["of", "the"], ["between", "the"]) and "," in words:
            # "Of the red circle and the blue square, …" repeats the question's choice.
            stop = start + words.index(",")
            result[start:stop] = [Stance.MENTIONED] * (stop - start)
    return result


def is_hedged(words: list[str]) -> bool:
    """Whether a sentence leaves open what it says."""
    for i, word in enumerate(words):
        before = words[i - 1] if i else ""
        if word in _HEDGES and not (word == "doubt" and before in ("no", "without", "a")):
            return True
        after = words[i + 1] if i + 1 < len(words) else ""
        if word in _MODALS and after in _AFTER_MODAL:
            return True
        pair = f"n't {after}" if word.endswith("n't") else f"{word} {after}"
        if pair in _HEDGE_PAIRS:
            return True
    return False


def _deny(words: list[str], start: int, result: list[Stance]) -> None:
    # The scope of a negation is its clause; with a "but" after it, all up to the "but".
    last_but = max((i for i, word in enumerate(words) if word == "but"), default=-1)
    scope: Stance | None = None
    for i, word in enumerate(words):
        after = words[i + 1] if i + 1 < len(words) else ""
        before = words[i - 1] if i else ""
        own_no = word == "no" and scope is None  # an answer "no" does not deny itself
        if word == "but" and before in ("anything", "all", "everything"):
            scope = Stance.DENIED
        elif word in _COMPARED or (word in ("instead", "other", "rather") and after in ("of", "than")):
            scope = Stance.MENTIONED
        elif word in _SCOPE_ENDS and not (scope is Stance.DENIED and i < last_but and word != "but"):
            scope = None
        elif _negates(word, after):
            scope = Stance.DENIED
        if scope is not None and not own_no:
            result[start + i] = scope


def _deny_subjects(words: list[str], start: int, result: list[Stance]) -> None:
    """ "The red circle is not the target", "3 is wrong": what a clause says something untrue of is denied."""
    clause = 0
    for i, word in enumerate(words):
        if word in _SCOPE_ENDS:
            clause = i + 1
        after = words[i + 1] if i + 1 < len(words) else ""
        if after in ("the", "a", "an"):  # "is the wrong answer"
            after = words[i + 2] if i + 2 < len(words) else ""
        rejected = word in _COPULAS and after in _REJECTED
        if not (rejected or (word.removesuffix("n't") in _COPULAS and word.endswith("n't"))) or i == clause:
            continue
        end = next((j for j in range(i, len(words)) if words[j] in _SCOPE_ENDS), len(words))
        plain = words[i - 1] in _PRONOUNS or _COLOUR_WORDS.intersection(words[i:end]) or "but" in words[i:]
        if not plain:  # "The circle is not red" denies red, and not the circle
            own = clause + (words[clause] in ("yes", "no") and i > clause + 1)
            result[start + own : start + i] = [Stance.DENIED] * (i - own)


def _negates(word: str, after: str) -> bool:
    if word == "no":
        return after[:1].isalpha() and after not in _AFTER_PLAIN_NO
    if word == "opposed":
        return after == "to"
    return (word in _NEGATORS or word.endswith("n't")) and after not in _NO_NEGATION
