"""The gallery's pairs as data for the page: question, truth, and every judge's replies to both pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from counterbench.answers.outcomes import Answer, Refused, Unparsed
from counterbench.scene.pairs import Pair
from counterbench.scoring.results import PairResult
from counterbench.scoring.rules import Judged

# The outcomes of a judge's replies to a pair; several can be true at once.
OUTCOMES: dict[str, str] = {
    "right": "right on both",
    "wrong": "wrong",
    "collapsed": "collapsed: same answer, though the truth differs",
    "unstable": "unstable: another answer, though the truth stays",
    "unparsed": "unparsed",
    "refused": "refused",
    "failed": "failed",
    "missing": "not asked",
}


class ReplyCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One judge's reply to one picture."""

    said: list[str] = []  # as it came, one for each vote
    outcome: str = "answer"
    read: str = ""  # the answer that was read
    right: bool = False


class JudgeCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One judge on one pair."""

    original: ReplyCard
    intervened: ReplyCard
    outcomes: list[str] = []  # names of `OUTCOMES`


class PairCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One pair, with a card for each judge in the page's order."""

    id: str
    family: str
    category: str
    skill: str
    form: str
    relevant: bool
    truth: tuple[str, str]
    judges: list[JudgeCard]
    question: str = ""  # empty without the suite
    change: str = ""
    pictures: tuple[str, ...] = ()  # sources of the original and the intervened picture; the page puts `base` before


def pair_card(
    id: str,
    results: Sequence[PairResult],
    replies: Sequence[Mapping[str, list[str]]],
    pair: Pair | None = None,
    pictures: tuple[str, ...] = (),
) -> PairCard:
    """The card of one pair from every run's result and raw replies, in the same order."""
    key = results[0].key
    return PairCard(
        id=id,
        family=key.family,
        category=key.category,
        skill=key.skill,
        form=key.form,
        relevant=key.relevant,
        truth=(results[0].keys[0].expected, results[0].keys[1].expected),
        judges=[_judge_card(result, raw) for result, raw in zip(results, replies, strict=True)],
        question=pair.question if pair is not None else "",
        change=pair.intervention if pair is not None else "",
        pictures=pictures,
    )


def _judge_card(result: PairResult, raw: Mapping[str, list[str]]) -> JudgeCard:
    cards = [_reply_card(reply, raw.get(key.id, [])) for key, reply in result.questions]
    return JudgeCard(original=cards[0], intervened=cards[1], outcomes=_outcomes(result, cards))


def _reply_card(reply: Judged | None, said: list[str]) -> ReplyCard:
    if reply is None:
        return ReplyCard(said, "failed" if said else "missing")
    match reply.outcome:
        case Answer(value=value):
            return ReplyCard(said, "answer", value, reply.right)
        case Unparsed(reason=reason):
            return ReplyCard(said, "unparsed", reason)
        case Refused(evidence=evidence):
            return ReplyCard(said, "refused", evidence)
    return ReplyCard(said, "failed")


def _outcomes(result: PairResult, cards: Sequence[ReplyCard]) -> list[str]:
    names = {card.outcome for card in cards} - {"answer"}
    if result.consistent:
        names.add("right")
    if any(card.outcome == "answer" and not card.right for card in cards):
        names.add("wrong")
    both = result.both
    if both is not None and both[0].value is not None and both[1].value is not None:
        same = both[0].value == both[1].value
        if result.key.relevant and same:
            names.add("collapsed")
        if not result.key.relevant and not same:
            names.add("unstable")
    return [name for name in OUTCOMES if name in names]
