"""What a judge returns, sound or not: what can be kept is kept, and everything else is a failure that says why."""

import math
from typing import Any

import pytest
from asking.fakes import YES
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.answers.outcomes import Failed
from counterbench.answers.soft import Token, from_choices, from_logprobs
from counterbench.asking.asker import checked
from counterbench.files import formats
from counterbench.judges.base import Reply, Retry, raised


def test_a_reply_is_a_text_or_a_failure_and_only_a_failure_is_tried_again_or_stops() -> None:
    for wrong in ({}, {"text": "yes", "failure": Failed("x")}):
        with pytest.raises(ValueError, match="either a text or a failure"):
            Reply(**wrong)  # type: ignore[arg-type]
    for more in ({"retry": Retry()}, {"stop": "no"}):
        with pytest.raises(ValueError, match="only a failure has"):
            Reply(text="yes", **more)  # type: ignore[arg-type]


BAD: dict[str, Any] = {
    "a text": "yes",
    "a failure": Failed("x"),
    "a number as text": Reply(text=4),  # type: ignore[arg-type]
    "an object as text": Reply(text=object()),  # type: ignore[arg-type]
    "bytes as text": Reply(text=b"yes"),  # type: ignore[arg-type]
    "a truth as cost": Reply(text="yes", cost=True),
    "a cost below 0": Reply(text="yes", cost=-0.1),
    "a cost of nan": Reply(text="yes", cost=math.nan),
    "a cost of -inf": Reply(text="yes", cost=-math.inf),
    "tokens in part": Reply(text="yes", tokens_in=1.5),  # type: ignore[arg-type]
    "a choice of nan": Reply(text="yes", choices={"yes": math.nan, "no": -1.0}),
    "a logprob of inf": Reply(text="yes", logprobs=(Token("yes", -0.1, (("yes", -0.1), ("no", math.inf))),)),
    "numbers as logprobs": Reply(text="yes", logprobs=(-0.1,)),  # type: ignore[arg-type]
    "an object in a failure": Reply(failure=Failed("x", OSError())),  # type: ignore[arg-type]
    "a truth as retry": Reply(failure=Failed("x"), retry=True),  # type: ignore[arg-type]
}


@swept("what", BAD)
def test_a_malformed_reply_is_a_failure_that_says_so_and_costs_its_batch_nothing(what: str) -> None:
    before, bad, after = checked([YES, BAD[what], YES], 3)
    assert bad.failure.kind == "wrong-type"
    assert bad.failure.message
    assert (bad.text, bad.cost, before, after) == (None, None, YES, YES)


@pytest.mark.parametrize("what", [None, "yes", {}, (YES for _ in range(2))])
def test_anything_but_a_list_of_replies_fails_the_whole_batch(what: Any) -> None:
    message = f"the judge returned {type(what).__name__}, not a list of replies"
    assert checked(what, 2) == [Reply(failure=Failed("wrong-type", message))] * 2


def test_a_wrong_number_of_replies_fails_the_whole_batch() -> None:
    assert checked([YES] * 4, 3) == [Reply(failure=Failed("wrong-number", "4 replies to 3 queries"))] * 3


def test_a_logprob_of_minus_infinity_is_kept_as_minus_9999() -> None:
    tokens = (Token("yes", -math.inf, (("yes", -math.inf), ("no", -0.5))), Token(".", -0.1))
    (reply,) = checked([Reply(text="yes", logprobs=tokens, choices={"yes": -math.inf, "no": -0.5})], 1)
    assert reply.logprobs == (Token("yes", -9999.0, (("yes", -9999.0), ("no", -0.5))), Token(".", -0.1))
    assert reply.choices == {"yes": -9999.0, "no": -0.5}
    for soft in (from_logprobs(reply.logprobs), from_choices(reply.choices)):
        assert soft.p_yes == 0.0


TEXTS = st.text(st.characters(codec=None), max_size=10)  # half surrogate pairs, too
LOGS = st.floats(max_value=0, allow_nan=False)


@given(
    text=TEXTS,
    model=TEXTS,
    kind=TEXTS,
    choices=st.none() | st.dictionaries(TEXTS, LOGS, max_size=3),
    tops=st.lists(st.tuples(TEXTS, LOGS), max_size=3),
    cost=st.none() | st.floats(0, 1e6),
    tokens=st.none() | st.integers(0, 2**70),
    fails=st.booleans(),
)
def test_every_reply_of_the_right_types_is_kept_and_can_be_read(
    text: str, model: str, kind: str, tops: list[tuple[str, float]], tokens: int | None, fails: bool, **more: Any
) -> None:
    logprobs = tuple(Token(name, value, ((name, value),)) for name, value in tops) or None
    content: dict[str, Any] = {"failure": Failed(kind, text)} if fails else {"text": text}
    reply = Reply(**content, model=model, finish=kind, tokens_in=tokens, logprobs=logprobs, dropped=(model,), **more)
    (kept,) = checked([reply], 1)
    assert formats.decode(formats.encode(kept), Reply, "here") == kept
    assert (kept.failure is not None) == fails
    assert kept.cost == reply.cost
    assert len(kept.choices or {}) == len(reply.choices or {})
    if not fails and not any("\ud800" <= c <= "\udfff" for c in text):
        assert kept.text == text


def test_an_exception_of_a_judge_is_named_and_shortened() -> None:
    assert raised(KeyError("x")) == Failed("KeyError", "'x'")
    assert raised(OSError("no file \udcff" + "x" * 1000)).message == "no file \\udcff" + "x" * 491
