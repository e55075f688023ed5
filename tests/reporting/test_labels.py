"""Labels: the judge's name, and only as much more as tells runs apart."""

from __future__ import annotations

from pathlib import Path

from handmade import run_info
from hypothesis import given
from hypothesis import strategies as st

from counterbench.reporting.labels import run_labels, shortened
from counterbench.runs.folder import RunInfo


def info(judge: str, wording: str = "default") -> RunInfo:
    return run_info(judge=judge, wording=wording)


def test_a_judge_is_named_alone_where_that_is_enough() -> None:
    assert run_labels([(Path("a"), info("x")), (Path("b"), info("y"))]) == ["x", "y"]


def test_a_judge_that_repeats_gets_its_wording_then_its_folder() -> None:
    two = [(Path("a"), info("x")), (Path("b"), info("x", "bare")), (Path("c"), info("y"))]
    assert run_labels(two) == ["x · default", "x · bare", "y"]
    same = [(Path("r/a"), info("x")), (Path("r/b"), info("x"))]
    assert run_labels(same) == ["x · a", "x · b"]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from(["p/r", "q/r"])), max_size=5))
def test_no_two_labels_are_the_same(given: list[tuple[str, str, str]]) -> None:
    labels = run_labels([(Path(path), info(judge, wording)) for judge, wording, path in given])
    assert len(set(labels)) == len(given)


def test_names_are_written_so_that_they_can_be_seen() -> None:
    assert run_labels([(Path("a"), info("gpt\u202e4")), (Path("b"), info("")), (Path("c"), info(" \t"))]) == [
        "gpt⟨U+202E⟩4",
        "(no name) · b",
        "(no name) · c",
    ]
    assert shortened("a\u2066b") == "a⟨U+2066⟩b"


def test_long_labels_keep_both_ends() -> None:
    assert shortened("short") == "short"
    cut = shortened("transformers:organisation/model-7b-instruct-2026")
    assert len(cut) == 32
    assert cut.startswith("transformers:")
    assert cut.endswith("t-2026")


@given(st.text(max_size=80), st.integers(5, 40))
def test_a_shortened_label_is_never_longer(text: str, longest: int) -> None:
    assert len(shortened(text, longest)) <= longest
