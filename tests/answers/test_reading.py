"""Why a reply ended decides before its words: cut off is no answer, blocked or declined is a refusal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.answers import ANSWER_TYPES, Refused, Unparsed, parse, read_reply
from counterbench.errors import InputError

TYPES = st.sampled_from(sorted(ANSWER_TYPES))


@given(st.text(max_size=60), TYPES, st.sampled_from(["", "stop", "end_turn", "eos", "LENGTH?"]), st.booleans())
def test_a_reply_that_ended_normally_is_read_by_the_parser(text: str, kind: str, finish: str, synonyms: bool) -> None:
    assert read_reply(text, kind, finish, synonyms=synonyms) == parse(text, kind, synonyms=synonyms)


@given(st.text(max_size=60), TYPES)
def test_a_reply_that_was_cut_off_is_no_answer(text: str, kind: str) -> None:
    assert read_reply(text, kind, "length") == Unparsed("cut off at the length limit")


@swept("kind", sorted(ANSWER_TYPES))
@swept("text", ["Yes", "4", "red circle", "0.5", ""])
def test_a_reply_that_the_server_blocked_is_a_refusal(kind: str, text: str) -> None:
    assert read_reply(text, kind, "content_filter") == Refused("blocked by the server's content filter")


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("I'd rather not.", "I'd rather not."),
        ("  \n", "the server marks it as a refusal"),
        ("", "the server marks it as a refusal"),
        ("x" * 900, "x" * 200),
        ("Yes", "Yes"),
    ],
)
def test_a_reply_that_the_server_marks_as_a_refusal_is_one(text: str, evidence: str) -> None:
    assert read_reply(text, "yes-no", "refusal") == Refused(evidence)


@swept("finish", ["", "stop", "length", "content_filter", "refusal"])
def test_an_unknown_type_is_an_error_however_the_reply_ended(finish: str) -> None:
    with pytest.raises(InputError, match="unknown answer type 'grad'"):
        read_reply("1", "grad", finish)
