"""Short names: of the models, with as much more as tells them apart."""

import re
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.errors import InputError
from counterbench.runs.folder import MAX_CHARACTERS, default_path, given_name
from counterbench.runs.usage import short_names


class NamedRun(NamedTuple):
    judge: str
    name: str = ""


def shorts(*judges: str) -> list[str]:
    return short_names([NamedRun(judge) for judge in judges])


SERVER = "base_url=http://localhost:8000/v1"


@swept(
    ("judges", "names"),
    [
        (["pixels", "planted:noisy?p=0.1"], ["pixels", "planted:noisy?p=0.1"]),
        ([f"openai:qwen/a?{SERVER}", f"openai:qwen/b?{SERVER}"], ["a", "b"]),
        ([f"openai:one/a?{SERVER}", f"openai:two/a?{SERVER}"], ["one/a", "two/a"]),
        (["openai:a", "transformers:a"], ["openai:a", "transformers:a"]),
        ([f"openai:a?{SERVER}", f"openai:a?{SERVER}&temperature=1.0"], ["a", "a?temperature=1.0"]),
        (["transformers:./models/checkpoint/"], ["checkpoint"]),
        (["inspect:openai-api/local/a", "inspect:openai/b?temperature=0.5"], ["a", "b"]),
        (["replay:runs/smoke--mine?journal=0123"], ["smoke--mine"]),
        ([f"openai:m?{SERVER}", f"openai:m?{SERVER}"], ["m", "m"]),
    ],
)
def test_a_short_name_is_the_model_and_what_distinguishes_it(judges, names) -> None:
    assert shorts(*judges) == names


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ([NamedRun("openai:a", "mine"), NamedRun("openai:a")], ["mine", "a"]),
        ([NamedRun("openai:a", "mine"), NamedRun("pixels", "mine")], ["mine (a)", "mine (pixels)"]),
        ([NamedRun("openai:a", "mine"), NamedRun("openai:a", "mine")], ["mine", "mine"]),
    ],
)
def test_a_given_name_is_used_with_the_model_added_if_shared(runs, names) -> None:
    assert short_names(runs) == names


def test_a_long_name_is_cut_in_the_middle_unless_that_makes_two_alike() -> None:
    (short,) = shorts("openai:" + "a" * 30 + "b" * 30)
    assert len(short) == MAX_CHARACTERS
    assert short.startswith("aaa")
    assert short.endswith("bbb")
    alike = [f"openai:{'a' * 40}{which}{'b' * 40}" for which in "xy"]
    assert len(set(shorts(*alike))) == 2


KINDS = st.sampled_from(["openai:", "transformers:", "replay:", "planted:", ""])
JUDGES = st.builds(
    "{}{}{}".format, KINDS, st.text("ab/", min_size=1, max_size=4), st.sampled_from(["", "?x=1", "?x=1&y=2"])
)


@given(st.lists(JUDGES, unique=True, max_size=6))
def test_different_judges_have_different_names(judges: list[str]) -> None:
    assert len(set(shorts(*judges))) == len(judges)


@swept("name", [" a", "a\nb", "x" * (MAX_CHARACTERS + 1), "\x1b[31m", "..", "…"])
def test_an_invalid_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="short name"):
        given_name(name)


def test_names_may_have_letters_of_every_alphabet() -> None:
    names = ["模型", "é", "è", "модель", "café au lait"]
    assert [given_name(name) for name in names] == names
    folders = [default_path("smoke", name).name for name in names]
    assert len(set(folders)) == len(names)
    assert [folder for folder in folders if not re.fullmatch(r"smoke--[a-z-]*[0-9a-f]{8}", folder)] == []
