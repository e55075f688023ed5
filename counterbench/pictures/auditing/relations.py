"""The metamorphic relations between answers about a picture: rules by which some answers cannot all be right.

A question makes a claim (`prompts.claims`), such as "there is a dog". A relation makes further questions from it, often
about an edited picture, and clauses: combinations of answers that cannot all be right. For instance "parts": yes to "is
there a cat and a dog?" with no to "is there a cat?". `RELATIONS` has them by name; an audit asks their questions, and
counts the broken clauses as wrong answers. To add one, write a function here, and a line of `_ALL`.

The clauses are sound: the right answers about a picture, by one reading of the words, never break one, however many of
the things there are. Each function says why (after "Sound"), and which claims it refuses.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from counterbench.pictures.auditing.edits import EDITS
from counterbench.prompts.claims import Absent, Beside, Both, Claim, Coloured, CountClaim, Denial, InOne, Present
from counterbench.prompts.nouns import COLOURS, plural

YesOrNo = Literal["yes", "no"]
AnswerClause = tuple[tuple[str, YesOrNo], ...]  # (name of a question, answer): these cannot all be right
ASKED = "asked"  # the name of the question that is audited

# Things that look otherwise in a mirror: writing, and things that have a left or a right of their own.
_MIRROR_SENSITIVE = re.compile(
    r"\b(texts?|words?|letters?|signs?|numbers?|captions?|titles?|logos?|labels?|clocks?|watch(es)?|maps?|flags?|books?"
    r"|posters?|newspapers?|(left|right)\w*|hands?|arms?|legs?|feet|foot|eyes?|ears?|gloves?|shoes?|mirrors?)\b"
)
# Things that plain grey may be taken for, unless they have another colour.
_LIKE_GREY = re.compile(
    r"\b(gr[ae]y|(wall|floor|ceiling|cloud|surface|texture|pattern|shadow|screen|paper|square|rectangle|fabric|cloth|road"
    r"|stone|canvas|shape|blanket|carpet|backdrop|board|curtain)s?"
    r"|sky|skies|fog|mist|smoke|haze|concrete|pavement|asphalt|steel|metal|dust|ice|snow|water|ocean|sea|space|wallpaper)\b"
)
_COLOURED = re.compile(rf"\b({'|'.join(COLOURS[:-2])})\b")
# For each colour, another one that nobody takes for it.
_OPPOSITE_COLOUR = {
    "red": "blue", "green": "purple", "blue": "yellow", "yellow": "blue", "orange": "blue", "purple": "green",
    "pink": "green", "cyan": "red", "brown": "blue", "black": "yellow", "white": "red", "gray": "red", "grey": "red",
}  # fmt: skip
# Nouns that name another thing with a colour before them: a red panda is no panda.
_RENAMED = ("panda", "hole", "bull", "herring", "dwarf", "giant", "eye", "light", "house", "board", "collar", "box")


class Extra(NamedTuple):
    """A further question that a relation asks about a picture, often after an edit of the picture."""

    name: str  # "<relation>.<question>", in the functions below without the relation
    claim: Claim
    edit: str = ""  # the name of the edit of the picture, a key of `EDITS`; empty for the picture as it is
    words: str = ""  # the question in other words than the claim's text; empty for the claim's text

    @property
    def asks(self) -> str:
        """The question without the words that say which picture is meant."""
        return self.words or self.claim.text

    @property
    def text(self) -> str:
        """The question as it is asked; about two pictures, it says first which one is meant."""
        return EDITS[self.edit].opening + self.asks


class RelatedQuestions(NamedTuple):
    """The further questions about one that is audited, and the clauses; empty if the relation refuses it."""

    extras: tuple[Extra, ...]
    clauses: tuple[AnswerClause, ...]

    @property
    def of_two(self) -> bool:
        """True if it needs another prompt's picture."""
        return any(EDITS[extra.edit].from_both is not None for extra in self.extras)


# The result of a rule: further questions, and clauses. A clause is written as a text: "asked, not left" says that yes
# to the question `asked` (the audited one) and no to the question `left` cannot both be right.
RelationRule = tuple[Sequence[Extra], Sequence[str]]
_NOTHING: RelationRule = ((), ())


class Relation(NamedTuple):
    """A metamorphic relation: a rule that makes further questions and clauses from a claim and its question's words."""

    name: str
    subject: str  # the subject of its further questions, in words
    trial_claims: tuple[str, ...]  # the kinds of claims (see `drawn`) in its trial on drawn pictures, in turns
    rule: Callable[[Claim, str], RelationRule]  # of a claim, and of the words of the question that made it

    def applied_to(self, claim: Claim, words: str) -> RelatedQuestions:
        """The further questions about a claim, which `words` asked about the picture as it is."""
        extras, clause_texts = self.rule(claim, words)
        named_extras = (extra._replace(name=f"{self.name}.{extra.name}") for extra in extras)
        return RelatedQuestions(tuple(named_extras), tuple(_clause(self.name, text) for text in clause_texts))


@lru_cache
def _clause(relation: str, text: str) -> AnswerClause:
    """A clause from its text: "asked, not left" are the answers yes to `asked` and no to `<relation>.left`."""
    terms = ((term.removeprefix("not "), term.startswith("not ")) for term in text.split(", "))
    return tuple((ASKED if name == ASKED else f"{relation}.{name}", "no" if is_no else "yes") for name, is_no in terms)


def _two_in_one(claim: Claim, question: str) -> RelationRule:
    """Two pictures A and B of different prompts, pasted side by side, as A|B and as B|A.

    Sound: pasting changes no thing, so the left picture of A|B shows what A shows, and the left one of B|A shows what B
    shows. If A has exactly n of a thing and B has some, the two together do not have n; if B has none, they have n.
    Exactly one of them shows a thing if one does and the other does not. It takes a claim of one thing, or of a number
    that says "exactly" or answers "how many". It refuses plurals and loose numbers, which have several readings.
    It catches a judge that reads both pictures as one, or says yes (or a prompt's number) whatever the picture shows.
    """
    match claim:
        case Present(number="one"):
            other, words = Extra("other", claim, "other", question), question
            joint = Extra("together", InOne(claim), "together")
            sums = ["asked, other, together", "not asked, not other, together"]
            sums += ["asked, not other, not together", "not asked, other, not together"]
        case CountClaim(reading="exactly"):
            other, words = Extra("other", CountClaim(claim.things, 1, "at least"), "other"), claim.text
            joint = Extra("together", claim, "together")
            sums = ["asked, other, together", "asked, not other, not together", "not asked, not other, together"]
        case _:
            return _NOTHING
    extras = other, Extra("left", claim, "left first", words), other._replace(name="swapped", edit="right first"), joint
    return extras, ("asked, not left", "not asked, left", "other, not swapped", "not other, swapped", *sums)


def _mirror(claim: Claim, question: str) -> RelationRule:
    """The question "is the X to the left (or right) of the Y?" about the mirror image too; is there one X, one Y?

    Sound: with exactly one X and exactly one Y, X is not to the left of Y both in a picture and in its mirror image, so
    not all four answers are yes. Nothing follows from no and no: one may be above the other, or missing. With two of X
    or of Y the right answer to "exactly one" is no, which breaks no clause. It refuses questions about writing, and
    about things that have a left or right of their own.
    It catches a judge that says what the prompt says, or takes left for right at random; not one that always does.
    """
    if not isinstance(claim, Beside) or claim.every or _MIRROR_SENSITIVE.search(f"{claim.thing} {claim.other}"):
        return _NOTHING
    numbers = Extra("one", CountClaim(plural(claim.thing), 1)), Extra("one_other", CountClaim(plural(claim.other), 1))
    return (Extra("mirrored", claim, "mirrored", question), *numbers), ("asked, mirrored, one, one_other",)


def _gone(claim: Claim, question: str) -> RelationRule:
    """The question itself, about a plain grey picture of the same size; a number is asked for as a yes/no question.

    Sound: plain grey shows nothing, so that "yes" is wrong by itself: to a thing, to a number above 0, to two things.
    It refuses all other questions ("is it red?" has no right answer where the thing is missing), and things that plain
    grey may be taken for, such as a wall, fog or the sky.
    It catches a judge that says yes, or what the words suggest, without looking.
    """
    if not isinstance(claim, Present | Both | CountClaim) or (isinstance(claim, CountClaim) and claim.number == 0):
        return _NOTHING
    if _LIKE_GREY.search(claim.text) and not _COLOURED.search(claim.text):
        return _NOTHING
    return (Extra("grey", claim, "grey", claim.text if isinstance(claim, CountClaim) else question),), ("grey",)


def _denied(claim: Claim, question: str) -> RelationRule:
    """The questions "is there an X?" and "is it true that there is no X?", about the same picture.

    Sound: one of them is true and the other is not, whatever X is, if its words are read in one way. For a plural only
    yes to both is a contradiction: about a single dog both "dogs" and "no dogs" may be denied. It refuses every claim
    that is not about a thing alone: it is not certain what the negation of "is the X red?" denies.
    It catches a judge that says yes (or no) to everything; not one that answers as the prompt suggests, which fits both
    questions.
    """
    if not isinstance(claim, Present):
        return _NOTHING
    clauses = ("asked, denied", "not asked, not denied")
    return (Extra("denied", Absent(claim)),), clauses[:1] if claim.number == "many" else clauses


def _exclusive(claim: Claim, question: str) -> RelationRule:
    """Exactly n, exactly n + 1 and exactly n − 1; entirely red and entirely blue; all to the left and all to the right.

    Sound: a number is one number; what is entirely red is not entirely blue, and a thing of two colours is neither;
    if every X is to the left of every Y, and there are some, no X is to the right of a Y. The question as it was asked
    may be loose: "three dogs" may be four, so that only "exactly two" contradicts it, and "red" may be red in part, so
    that only "entirely blue" does. Yes to "entirely red" needs yes to "red". It refuses all other claims.
    It catches a judge that says yes to everything; not one that says yes to the prompt's words and no to all else.
    """
    entire: Claim
    other: Claim
    match claim:
        case CountClaim(things, number, reading) if reading != "at least" and number > 0:
            extras = Extra("more", CountClaim(things, number + 1)), Extra("less", CountClaim(things, number - 1))
            return extras, ("asked, less", "more, less", *(["asked, more"] if reading == "exactly" else []))
        case Coloured(thing, colour) if colour in _OPPOSITE_COLOUR:
            entire, other = Coloured(thing, colour, True), Coloured(thing, _OPPOSITE_COLOUR[colour], True)
        case Beside(every=False):
            entire, other = claim.turned.turned, claim.turned
        case _:
            return _NOTHING
    extras = Extra("all", entire), Extra("all_other", other)
    return extras, ("asked, all_other", "all, all_other", "all, not asked")


def _parts(claim: Claim, question: str) -> RelationRule:
    """A conjunction against its parts: a cat and a dog need a cat, a red ball needs a ball, two dogs need a dog.

    Sound: yes to the whole needs yes to each part; and for "a cat and a dog", yes to both parts needs yes to the whole.
    A ball of two colours is a ball. "Is X to the left of Y?" and "is the X red?" need an X. It refuses adjectives other
    than colours (a toy dog is no dog), and names such as "red panda".
    It catches a judge that answers the whole from the words and the parts from the picture; not one that answers all in
    one way.
    """
    parts: dict[str, Claim] = {}
    match claim:
        case Both(first, second):
            parts = {"one": first, "other": second}
        case Present():
            colour, _, noun = claim.thing.partition(" ")
            if colour in COLOURS and noun and noun.split()[-1] not in _RENAMED:
                parts = {"part": Present(noun, claim.number)}
        case CountClaim() if claim.number > 0 and claim.reading != "at least":
            parts = {"part": CountClaim(claim.things, 1, "at least")}
        case Beside(every=False):
            parts = {"one": Present(claim.thing), "other": Present(claim.other)}
        case Coloured(entirely=False):
            parts = {"part": Present(claim.thing)}
    clause_texts = [f"asked, not {name}" for name in parts]
    clause_texts += ["one, other, not asked"] if isinstance(claim, Both) else []
    return [Extra(name, part) for name, part in parts.items()], clause_texts


def _unchanged(claim: Claim, question: str) -> RelationRule:
    """The question itself about the picture saved as JPEG, smaller, padded or brighter, and in other words.

    It has no clauses: equal answers may all be wrong, and different ones show only that the judge is noisy. So it is
    reported beside the other relations and never counted in the bound on wrong answers. Of its five questions each
    audited question is asked one. It refuses nothing.
    """
    if isinstance(claim, CountClaim) and claim.reading == "exactly":
        question = claim.text
    changed = [Extra(edit, claim, edit, question) for edit in ("jpeg", "smaller", "padded", "brighter")]
    return [*changed, Extra("words", claim, "", f"Looking at the picture, {question[0].lower()}{question[1:]}")], ()


def _framed(claim: Claim, question: str) -> RelationRule:
    """The question "is the following false: …?", about the same picture.

    It has no clauses here: `judging.negation` counts the contradictions of this kind in a run. It is used on drawn
    pictures alone, to show if a judge can answer such questions; only then its contradictions count (see `denials`).
    """
    extras = [Extra("framed", Denial(claim))] if isinstance(claim, Present | CountClaim | Beside | Coloured) else []
    return extras, ()


_SAME_PICTURES = "the same pictures"
_ALL = (
    Relation("two-in-one", "two pictures side by side", ("present", "count"), _two_in_one),
    Relation("mirror", "mirror images", ("beside",), _mirror),
    Relation("gone", "plain grey pictures", ("present", "count"), _gone),
    Relation("denied", _SAME_PICTURES, ("present",), _denied),
    Relation("exclusive", _SAME_PICTURES, ("count", "beside", "coloured"), _exclusive),
    Relation("parts", _SAME_PICTURES, ("present", "beside", "coloured"), _parts),
)
RELATIONS: dict[str, Relation] = {relation.name: relation for relation in _ALL}
UNCHANGED = Relation("unchanged", _SAME_PICTURES, (), _unchanged)
FRAMED = Relation("framed", _SAME_PICTURES, ("present", "beside"), _framed)

# One claim of each kind that a relation takes, chosen so that as many relations as possible take it.
_EXAMPLES: tuple[Claim, ...] = (
    Present("red ball"),
    CountClaim("balls", 2),
    Beside("ball", "left", "box"),
    Coloured("ball", "red"),
    Both(Present("ball"), Present("box")),
)


def takes(claim: Claim, words: str) -> bool:
    """True if any relation makes further questions of a claim."""
    return any(relation.rule(claim, words)[0] for relation in RELATIONS.values())


def most_answers(relations: Sequence[str]) -> int:
    """The largest number of answers about one question under these relations, its own included."""
    counts = [
        sum(len(RELATIONS[name].applied_to(claim, claim.text).extras) for name in relations) for claim in _EXAMPLES
    ]
    return 1 + max(counts, default=0)
