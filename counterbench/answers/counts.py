"""Which numbers in a text count things, and which of them may be only a part of the count."""

from __future__ import annotations

from itertools import pairwise

from counterbench.answers.base import Stance
from counterbench.answers.numbers import Number
from counterbench.answers.tokens import Token, sentences, word_at, word_set
from counterbench.answers.words import ARTICLES, colour_words, shape_words

_ABOUT = word_set(
    "about around approximately approx roughly nearly almost circa least most than over under upto like between ~ ≈ < "
    "> ≥ ≤ ≠ ± some max maximum min minimum"
)
_SKIPPED = word_set("only exactly just a the = some")
_OPERATORS = word_set("+ - – — × * / x ^ plus minus times")
_THINGS = word_set("shape shapes object objects figure figures item items element elements")
_SINGULAR_LABELLED = word_set("image picture figure photo step row column position group shape object item question q")
_PRONOUN_BEFORE = word_set(
    "the this that which each every another other no any some whichever first second third next last same left right "
    "top bottom middle upper lower big small large"
)
_ONE_BEFORE = word_set(
    "is are only just exactly be : = — answer precisely say see count counted total there there's of"
)
_PLACES = word_set("left right top bottom corner corners centre center middle upper lower row")
_MULTIPLES = word_set("pair pairs couple couples dozen dozens set sets")  # how many in all is left to the reader
_JOINING = word_set("and , plus + &")


def is_count(tokens: list[Token], number: Number) -> bool:
    """Whether a number counts things; not a label ("square 3"), not the pronoun "one"."""
    before, after = word_at(tokens, number.first - 1), word_at(tokens, number.last + 1)
    if after == ")" and before != "(" and not _in_brackets(tokens, number.first):
        return False  # "1) red 2) blue"
    if number.value != "1" or not number.in_words:
        singular = before in _SINGULAR_LABELLED or (before in shape_words(True) and not before.endswith("s"))
        return not singular or number.in_words
    if before in _PRONOUN_BEFORE or (after in ("of", "by", "-", "third", "quarter", "another")):
        return False
    if before in _ONE_BEFORE or (not before[:1].isalnum() and not after[:1].isalpha()):
        return True
    return _is_thing(tokens, number.last + 1)


def _in_brackets(tokens: list[Token], i: int) -> bool:
    return any(token.text == "(" for token in tokens[max(0, i - 20) : i])


def _is_thing(tokens: list[Token], i: int) -> bool:
    # "one (small) pink square", but not "one is on the left".
    for k in range(i, min(i + 4, len(tokens))):
        word = tokens[k].text
        if word in _THINGS or word in shape_words(True):
            return True
        if not word.isalpha() or word in ("is", "are", "of", "at", "on", "in", "to"):
            return False
    return False


def number_stance(tokens: list[Token], number: Number, stance: list[Stance]) -> Stance:
    """The stance to a number: bounds, ranges and operands are doubtful."""
    own = max(stance[number.first : number.last + 1])
    if own is Stance.MENTIONED and word_at(tokens, number.first - 1) == "than":
        return Stance.DOUBTFUL  # "more than 4" says little, but it is no echo
    doubtful = number.value is None or _is_approximate(tokens, number) or _is_operand(tokens, number)
    return max(own, Stance.DOUBTFUL) if doubtful else own


def _is_approximate(tokens: list[Token], number: Number) -> bool:
    k = number.first - 1
    while word_at(tokens, k) in _SKIPPED:
        k -= 1
    if word_at(tokens, k) in _ABOUT or (word_at(tokens, k) == "to" and word_at(tokens, k - 1) in ("up", "close")):
        return True
    after = [word_at(tokens, number.last + n) for n in (1, 2)]
    if after[0] in _MULTIPLES or (after[0] == "-" and after[1] == "ish"):
        return True
    if after[0] == "ish" or (after[0] == "(" and after[1] in ("approximately", "approx", "estimate", "estimated")):
        return True
    return after in (["or", "so"], ["or", "more"], ["or", "fewer"], ["or", "less"], ["at", "least"], ["at", "most"])


def _is_operand(tokens: list[Token], number: Number) -> bool:
    before, after = word_at(tokens, number.first - 1), word_at(tokens, number.last + 1)
    numeric_after = word_at(tokens, number.last + 2)[:1].isdigit()
    if after == "+" and not numeric_after:
        return True  # "4+"
    if after in _OPERATORS and after != "—" and numeric_after:
        return True
    return before in _OPERATORS and before != "—" and word_at(tokens, number.first - 2)[:1].isdigit()


def zeros_and_singles(tokens: list[Token], stance: list[Stance]) -> list[tuple[str, Stance]]:
    """The counts that are said without a number: "none", "no pink squares", "a single square"."""
    found: list[tuple[str, Stance]] = []
    described = colour_words(True)
    for i, token in enumerate(tokens):
        if token.text == "none":
            either = "or" in (word_at(tokens, i - 1), word_at(tokens, i + 1))
            found.append(("0", max(stance[i], Stance.DOUBTFUL) if either else stance[i]))
        elif token.text == "no":
            k = i + 1
            while k < i + 5 and (word_at(tokens, k) in described or word_at(tokens, k) in ("visible", "such", "-")):
                k += 1
            if word_at(tokens, k) in _THINGS or word_at(tokens, k) in shape_words(True):
                found.append(("0", Stance.FIRM if stance[i] is Stance.DENIED else stance[i]))
        elif token.text == "any":
            if _is_negated(tokens, i) and not _is_picture(tokens, i):
                found.append(("0", Stance.FIRM))
        elif token.text == "single" and word_at(tokens, i - 1) in ARTICLES and _is_thing(tokens, i + 1):
            found.append(("0", Stance.FIRM) if _is_negated(tokens, i) else ("1", stance[i]))
    return found


def _is_negated(tokens: list[Token], i: int) -> bool:
    before = [word_at(tokens, k) for k in range(i - 3, i)]
    return any(word.endswith("n't") or word in ("not", "cannot") for word in before)


def _is_picture(tokens: list[Token], i: int) -> bool:
    return word_at(tokens, i + 1) in ("image", "images", "picture", "pictures", "photo", "photos", "attachment")


def only_denied(tokens: list[Token], words: frozenset[str]) -> bool:
    """Whether each of `words` stands after "no" or "any", as in "no other squares"."""
    return all(word_at(tokens, i - 1) in ("no", "any") for i, token in enumerate(tokens) if token.text in words)


def lists_parts(tokens: list[Token], numbers: list[Number]) -> bool:
    """Whether several numbers may be parts of the count ("2 on the left and 2 on the right")."""
    # "three (3)" says one number twice.
    numbers = [
        number
        for number, before in zip(numbers, [None, *numbers], strict=False)
        if not (before and before.value == number.value and before.last + 2 == number.first)
        or word_at(tokens, number.first - 1) != "("
    ]
    placed = 0
    n = 0
    for start, end in sentences(tokens):
        inside = []
        while n < len(numbers) and numbers[n].first < end:
            inside.append(numbers[n])
            n += 1
        if inside and any(token.text in _PLACES for token in tokens[start:end]):
            placed += len(inside)
        for one, other in pairwise(inside):
            if any(token.text in _JOINING for token in tokens[one.last + 1 : other.first]):
                return True
    return placed > 1


def adds_up(tokens: list[Token], numbers: list[Number]) -> list[str]:
    """The counts that a sentence states and then breaks up: "3 squares: 1 at the top, 2 below"."""
    totals = []
    n = 0
    for start, end in sentences(tokens):
        inside = []
        while n < len(numbers) and numbers[n].first < end:
            inside.append(numbers[n])
            n += 1
        breaks = [i for i in range(start, end) if tokens[i].text in (":", "(", "—")]
        split = next((i for i in breaks if inside and inside[0].last < i), end)
        head = {number.value for number in inside if number.last < split}
        parts = [int(number.value) for number in inside if number.first > split and number.value]
        if len(head) == 1 and len(parts) > 1 and str(sum(parts)) in head:
            totals.append(str(sum(parts)))
    return totals
