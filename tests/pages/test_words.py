"""Numbers in words, and names of runs: the judge, and only as much more as tells runs apart."""

import doctest
import re
from importlib.resources import files
from pathlib import Path

from handmade import run_info
from hypothesis import given
from hypothesis import strategies as st

from counterbench.pages import words
from counterbench.pages.words import run_labels
from counterbench.results.scores import Share
from counterbench.results.scores import band as band_of
from counterbench.text import HIDDEN


def labels(*runs: tuple[str, str, str]) -> list[str]:
    """Of runs given by path, judge and template."""
    return run_labels([(Path(path), run_info(judge=judge, template=template)) for path, judge, template in runs])


def test_the_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(words).failed == 0


def test_an_undefined_value_is_never_shown_as_a_number() -> None:
    nothing = Share(None, None, None, 0, 0)
    assert (words.percent(nothing.value), words.interval(nothing), band_of(nothing)) == ("–", "", "")
    assert [words.signed(0.464), words.signed(-0.282)] == ["+46.4", "−28.2"]
    assert [words.counted(1, "pair"), words.counted(1200, "reply", "replies")] == ["1 pair", "1,200 replies"]
    assert [words.p_value(p) for p in (None, 0.0004, 0.04567, 1.0)] == ["–", "<\u00a00.001", "0.046", "1.000"]


def test_page_and_gallery_escape_the_same_hidden_characters() -> None:
    script = files("counterbench.pages").joinpath("templates/gallery.js").read_text()
    (found,) = re.findall(r"const HIDDEN = /\[(.*)\]/gu;", script)
    assert re.sub(r"\\u\{(\w+)\}", lambda code: f"\\U{code[1]:>08}", found) == HIDDEN


def test_labels_add_template_then_folder_to_tell_runs_apart() -> None:
    assert labels(("a", "x", "default"), ("b", "x", "bare"), ("c", "y", "default")) == ["x · default", "x · bare", "y"]
    assert labels(("r/a", "x", "default"), ("r/b", "x", "default")) == ["x · a", "x · b"]
    assert labels(("a", "gpt\u202e4", "w"), ("b", "", "w"), ("c", " \t", "w")) == [
        "gpt⟨U+202E⟩4", "(no name) · b", "(no name) · c"
    ]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(["p/r", "q/r"]), st.sampled_from("ab"), st.sampled_from("xy")), max_size=5))
def test_no_two_labels_are_the_same(given: list[tuple[str, str, str]]) -> None:
    assert len(set(labels(*given))) == len(given)
