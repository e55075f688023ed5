"""Prompt sets as lines: written and read again they are the same."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures.lawful import of_laws
from sweeping import swept

from counterbench.errors import InputError
from counterbench.prompts.files import load_prompts, read_prompt_set, write_prompt_set
from counterbench.prompts.from_laws import disowned
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

ONE = (
    '{"format":"counterbench.prompt-set/1","name":"a","levels":["x"]}\n'
    '{"id":"a/x","group":"a","level":"x","text":"A cup.","checks":[{"id":"q","text":"Is it?","answer_type":"KIND"}]}\n'
)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)
ids = st.text("abcxyz0189-", min_size=1, max_size=6)
checks = st.lists(
    st.builds(
        Check,
        id=ids,
        text=words,
        dimension=words,
        weight=st.floats(0.5, 9, width=16),
        skill=words,
        tags=st.lists(words, max_size=2).map(tuple),
        criterion=words,
        criteria=words,
    ),
    max_size=3,
    unique_by=lambda check: check.id,
).map(tuple)


@st.composite
def prompt_sets(draw: st.DrawFn) -> PromptSet:
    """Sets of any words, with holes, and prompts without checks."""
    places = draw(st.lists(st.tuples(ids, st.sampled_from(["l1", "l2"])), min_size=1, max_size=5, unique=True))
    prompts = [Prompt.at(*at, draw(words), checks=draw(checks), category=draw(words)) for at in places]
    return PromptSet("mine", ("l1", "l2"), prompts, draw(st.none() | st.integers(0, 9)), "checklist", draw(words))


@given(prompt_sets())
def test_a_prompt_set_survives_writing_and_reading(tmp_path_factory: pytest.TempPathFactory, made: PromptSet) -> None:
    path = tmp_path_factory.mktemp("lines") / "set.jsonl"
    write_prompt_set(path, made)
    read = load_prompts(path)
    assert vars(read) == vars(made)
    assert read.digest == made.digest


@swept(
    ("lines", "message"),
    [
        ("", ": is empty"),
        ('{"format":"counterbench.prompt-set/2"}\n', "line 1: written in the newer format"),
        ('{"format":"counterbench.prompt-set/1","name":"a","levels":["x"]}\n{"id":"a/x"}\n', "line 2: "),
        (
            ONE.replace(
                '"KIND"', '"rating:1-5","call":"c"},{"id":"Q","text":"?","answer_type":"rating:1-5","call":"c"'
            ),
            "line 2, check 'Q': the call 'c' asks check 'q' too, and a reply could not tell the two names apart",
        ),
        (ONE.replace("KIND", "yes-ni"), "line 2, check 'q': unknown answer type 'yes-ni' (did you mean 'yes-no'?)"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(lines)
    with pytest.raises(InputError) as error:
        read_prompt_set(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


def test_a_checks_program_is_kept_only_if_its_law_asks_that_check(tmp_path: Path) -> None:
    known = of_laws("falling", "wind")
    path = tmp_path / "set.jsonl"
    write_prompt_set(path, known)
    assert read_prompt_set(path) == known

    def claimed(prompt: Prompt) -> Prompt:
        first, *others = prompt.checks
        return msgspec.structs.replace(prompt, checks=(msgspec.structs.replace(first, text="Is it art?"), *others))

    write_prompt_set(path, known.holding([claimed(prompt) for prompt in known.prompts]))
    assert (disowned(known), disowned(read_prompt_set(path))) == (0, len(known.prompts))
    for prompt in read_prompt_set(path).prompts:
        assert [check.program is None for check in prompt.checks] == [True] + [False] * (len(prompt.checks) - 1)
    write_prompt_set(path, known.holding([msgspec.structs.replace(p, law="nonsense") for p in known.prompts]))
    assert [check for prompt in read_prompt_set(path).prompts for check in prompt.checks if check.program] == []
