"""Soft scores by hand: log-probabilities, likelihoods and repeats against the truth of yes/no questions."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from asked import probe
from handmade import key, record
from pictures.preparing.authors import Author
from typer.testing import CliRunner

import counterbench as cb
from counterbench.answers.soft import Token
from counterbench.cli import app
from counterbench.cli.tables import soft_line
from counterbench.judges.base import Reply
from counterbench.results.rules import SoftScore, soft_score
from counterbench.runs.folder import Record
from counterbench.runs.queries import Key
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

ln = math.log


def soft(records: Sequence[Record], *keys: Key, repeats: int = 1) -> SoftScore:
    found = soft_score(records, {k.id: k for k in keys}, repeats)
    assert found is not None
    return found


def expected_score(origin: str, questions: int, p_right: float, brier: float, residual: float = 0.0) -> SoftScore:
    numbers = {"p_right": p_right, "brier": brier, "residual": residual}
    near = {name: pytest.approx(number) for name, number in numbers.items()}
    return SoftScore(origin=origin, questions=questions, **near)  # type: ignore[arg-type]


def yes_no_tokens(p_yes: float, p_no: float, word: str = "Yes") -> tuple[Token, ...]:
    """A reply's tokens whose first word is yes or no with these probabilities."""
    return (Token(word, ln(p_yes), (("Yes", ln(p_yes)), (" no", ln(p_no)))), Token(".", -0.01))


# ---- scores


def test_a_soft_score_of_logprobs_equals_that_by_hand() -> None:
    records = [
        record("a", logprobs=yes_no_tokens(0.6, 0.2)),  # 0.75 of yes, and yes is right
        record("b", logprobs=yes_no_tokens(0.1, 0.9)),  # 0.1 of yes, and yes is right
        record("c", logprobs=yes_no_tokens(0.5, 0.5)),  # and no is right
    ]
    found = soft(records, key("a"), key("b"), key("c", "no"))
    assert found == expected_score("logprobs", 3, (0.75 + 0.1 + 0.5) / 3, (0.25**2 + 0.9**2 + 0.5**2) / 3, 0.2 / 3)


def test_likelihoods_of_choices_are_preferred_to_logprobs_and_repeats() -> None:
    reply = record("a", choices={"yes": ln(0.8), "no": ln(0.2)}, logprobs=yes_no_tokens(0.1, 0.9))
    assert soft([reply], key("a"), repeats=1) == expected_score("choices", 1, 0.8, 0.04)


def test_repeats_give_a_soft_score() -> None:
    replies = ["yes", "Yes.", "no", "It is hard to say."]
    records = [record("a", text, repeat=i) for i, text in enumerate(replies)]
    assert soft(records, key("a"), repeats=4) == expected_score("repeats", 1, 2 / 3, 1 / 9, 0.25)


def test_repeats_without_a_yes_or_no_give_no_soft_answer() -> None:
    records = [record("a", "It is hard to say.", repeat=i) for i in range(3)]
    assert soft_score(records, {"a": key("a")}, repeats=3) is None


def test_other_questions_and_failures_are_left_out() -> None:
    records = [
        record("a", None),
        record("b", "4", logprobs=yes_no_tokens(0.5, 0.5)),
        record("unknown", logprobs=yes_no_tokens(0.5, 0.5)),
        record("c", logprobs=yes_no_tokens(0.9, 0.1)),
    ]
    found = soft(records, key("a"), key("b", "4", answer_type="integer"), key("c"))
    assert (found.questions, found.p_right) == (1, pytest.approx(0.9))


def test_the_last_reply_of_a_question_counts() -> None:
    old, new = yes_no_tokens(0.9, 0.1), yes_no_tokens(0.2, 0.8)
    found = soft([record("a", logprobs=old), record("a", logprobs=new)], key("a"))
    assert (found.questions, found.p_right) == (1, pytest.approx(0.2))


# ---- of runs


def test_a_runs_soft_score_is_in_its_document_and_in_words(tmp_path: Path) -> None:
    sure = Author(lambda query: Reply(text="Yes.", logprobs=yes_no_tokens(0.8, 0.2)), "sure")
    probe(SuiteSource(load_suite("smoke"), 4), sure, tmp_path / "run")
    found = cb.score(tmp_path / "run").soft
    assert found == expected_score("logprobs", 4, 0.5, (0.2**2 + 0.8**2) / 2)  # right of one of each pair
    assert soft_line("sure", found) in CliRunner().invoke(app, ["score", str(tmp_path / "run")]).stdout
    assert soft_line("sure", found) == (
        "sure: yes/no by logprobs, 4 questions: P(right answer) 0.500, Brier 0.340, residual 0.000"
    )


def test_repeats_of_a_run_give_its_soft_score(tmp_path: Path) -> None:
    cb.probe("smoke", "planted:oracle", tmp_path / "run", repeats=3)
    assert cb.score(tmp_path / "run").soft == expected_score("repeats", 16, 1, 0)
