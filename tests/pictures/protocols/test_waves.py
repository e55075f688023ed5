"""The engine: wave after wave of questions, until none follows from the replies that are there."""

from collections.abc import Mapping, Sequence

import pytest
from sweeping import swept

from counterbench.answers.outcomes import Answer
from counterbench.pictures.protocols.asks import Ask, CheckReply
from counterbench.pictures.protocols.replies import MAX_WAVES, AskedCheck, waves

YES = CheckReply(Answer("yes"))


def chain(replies: Mapping[str, CheckReply]) -> Sequence[Ask]:
    """a and b at once, c after a, d after c and b."""
    needs = {"a": (), "b": (), "c": ("a",), "d": ("c", "b")}
    return [Ask(id=id, text=id) for id, parents in needs.items() if id not in replies and replies.keys() >= {*parents}]


def waves_after(replies: str) -> AskedCheck:
    return waves(chain, lambda id: YES if id in replies else None)


@swept(("replies", "asks"), [("", "ab"), ("a", "abc"), ("b", "ab"), ("ac", "abc"), ("abc", "abcd"), ("abcd", "abcd")])
def test_each_wave_follows_from_the_replies_so_far(replies: str, asks: str) -> None:
    found = waves_after(replies)
    assert "".join(sorted(found.asks)) == asks
    assert found.replies.keys() == set(replies)


def test_a_reply_to_an_unasked_question_counts_for_nothing() -> None:
    assert waves_after("cd").replies == {}


def test_a_protocol_may_repeat_questions_already_asked() -> None:
    found = waves(lambda replies: [Ask(id=id, text=id) for id in ("ab" if replies else "a")], lambda id: YES)
    assert list(found.asks) == ["a", "b"]


def test_endless_questions_of_a_protocol_are_an_error() -> None:
    with pytest.raises(ValueError, match=f"a protocol asked {MAX_WAVES} waves of questions about one thing"):
        waves(lambda replies: [Ask(id=str(len(replies)), text="more?")], lambda id: YES)
