"""Canaries: what is asked again at the end of a run, how often, within which limits, and what the difference says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import counterbench as cb
from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.asking.probe import probe
from counterbench.asking.runner import Progress
from counterbench.cli import app
from counterbench.errors import InputError, JudgeError
from counterbench.files import formats
from counterbench.judges.base import Reply, Retry
from counterbench.runs.journal import Record, read_journal
from counterbench.runs.queries import Key, Query
from counterbench.runs.usage import CANARIES_FILE, Canaries, compare_canaries, usage_of
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

PAIRS = 4
SOURCE = SuiteSource(load_suite("smoke"), PAIRS)
FIRST = ["spatial-000000/original", "spatial-000000/intervened", "attribute-000000/original"]
FAILURE = Reply(failure=Failed("http-400"))
QUICK = Limits(backoff=0.002, retries=1)


class Counting:
    """A judge that says what a function makes of a question's id and of how often it has been asked."""

    name, max_batch = "counting", 1

    def __init__(self, say: Callable[[str, int], Reply] = lambda id, times: Reply(text="yes"), most: int = 4) -> None:
        self.say, self.max_in_flight = say, most
        self.times: Counter[str] = Counter()
        self.asked: list[str] = []
        self.closed = 0

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        for query in batch:
            self.times[query.id] += 1
            self.asked.append(query.id)
        return [self.say(query.id, self.times[query.id]) for query in batch]

    async def close(self) -> None:
        self.closed += 1


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


def again(out: Path) -> list[Record]:
    return list(read_journal(out / CANARIES_FILE)) if (out / CANARIES_FILE).exists() else []


def found(out: Path) -> Canaries | None:
    return usage_of(out).canaries


# ---- comparing


def key(id: str, answer_type: str = "yes-no") -> Key:
    return Key(
        id=id, group=id, role="original", expected="yes", answer_type=answer_type, relevant=True, family="f",
        category="c", skill="s", form="open", truth="computed",
    )  # fmt: skip


def record(id: str, said: str | None, finish: str = "") -> Record:
    return Record(
        id=id, identity=f"identity of {id}", asked="", reply=said, failure=None if said is not None else Failed("x"),
        outcome="", parser="", time="", finish=finish,
    )  # fmt: skip


def compared(*pairs: tuple[str | None, str | None], answer_type: str = "yes-no") -> Canaries | None:
    before = {f"identity of q{i}": record(f"q{i}", old) for i, (old, _) in enumerate(pairs)}
    now = {f"identity of q{i}": record(f"q{i}", new) for i, (_, new) in enumerate(pairs)}
    return compare_canaries(before, now, {f"q{i}": key(f"q{i}", answer_type) for i in range(len(pairs))})


def test_what_changed_by_hand() -> None:
    assert compared(("yes", "yes"), ("yes", "no"), ("no", "No."), ("yes", "Yes, it is.")) == Canaries(4, 4, 1, 3, 0.25)


def test_an_answer_that_becomes_none_has_changed_and_other_words_for_none_have_not() -> None:
    hard, sorry = "It is hard to say.", "I'm sorry, but I can't help with that."
    assert compared(("yes", hard), (hard, sorry), (hard, "I cannot tell from this.")) == Canaries(3, 3, 2, 3, 2 / 3)


def test_a_cut_off_reply_is_no_answer() -> None:
    before, now = {"i": record("q0", "yes")}, {"i": record("q0", "yes", finish="length")}
    assert compare_canaries(before, now, {"q0": key("q0")}) == Canaries(1, 1, 1, 0, 1.0)


def test_what_got_no_reply_is_no_change() -> None:
    assert compared(("yes", None), ("yes", "no")) == Canaries(2, 1, 1, 1, 1.0)
    assert compared(("yes", None), ("no", None)) == Canaries(2, 0, 0, 0, None)
    assert compared((None, "yes")) == Canaries(1, 0, 0, 0, None)


def test_none_asked_is_nothing_to_say() -> None:
    assert compare_canaries({}, {}, {}) is None


def test_canaries_of_a_question_that_is_not_in_the_run_any_more_are_passed_over() -> None:
    assert compare_canaries({}, {"i": record("q0", "yes")}, {}) == Canaries(1, 0, 0, 0, None)


@given(st.lists(st.tuples(*[st.sampled_from(["yes", "no", "Yes.", "maybe", "", None])] * 2), min_size=1, max_size=20))
def test_counts_are_within_each_other(pairs: list[tuple[str | None, str | None]]) -> None:
    counted = compared(*pairs)
    assert counted is not None
    assert counted.changed <= counted.replied <= counted.asked == len(pairs)
    assert counted.changed <= counted.reworded <= counted.replied
    assert counted.share == (counted.changed / counted.replied if counted.replied else None)


# ---- asking


@pytest.mark.parametrize("count", [0, 1, 3, 2 * PAIRS, 100])
@pytest.mark.parametrize("in_flight", [1, 3])
def test_the_first_questions_are_asked_again_once(out: Path, count: int, in_flight: int) -> None:
    judge = Counting(most=in_flight)
    progress = probe(SOURCE, judge, out, canaries=count)
    expected = min(count, 2 * PAIRS)
    assert progress == Progress(total=8, done=8, calls=8 + expected)
    first = judge.asked[:8]
    assert judge.asked[8:] == first[:expected]
    assert (out / CANARIES_FILE).exists() == bool(count)
    assert Counter(r.id for r in again(out)) == Counter(first[:expected])
    counted = found(out)
    assert counted == (Canaries(expected, expected, 0, 0, 0.0) if count else None)
    assert judge.closed == 1


def test_they_are_asked_in_the_runs_own_words_and_are_no_part_of_its_journal(out: Path) -> None:
    probe(SOURCE, Counting(), out, canaries=3)
    journal = {r.identity: r for r in read_journal(out / "journal.jsonl")}
    assert len(journal) == sum(1 for _ in read_journal(out / "journal.jsonl")) == 8
    for r in again(out):
        assert (r.id, r.asked) == (journal[r.identity].id, journal[r.identity].asked)
    document = cb.score(out)
    assert document.complete
    assert document.overall.pairs == PAIRS


def test_what_changes_between_is_seen(out: Path) -> None:
    said = {1: "yes", 2: "no"}
    judge = Counting(lambda id, times: Reply(text=said[times] if id == FIRST[1] else "yes"))
    probe(SOURCE, judge, out, canaries=2)
    counted = found(out)
    assert counted == Canaries(2, 2, 1, 1, 0.5)
    assert cb.score(out).observed.canaries == counted  # type: ignore[union-attr]


def test_the_same_command_again_asks_none_twice(out: Path) -> None:
    probe(SOURCE, Counting(), out, canaries=3)
    second = Counting()
    assert probe(SOURCE, second, out, canaries=3).calls == 0
    assert second.asked == []
    more = Counting()
    probe(SOURCE, more, out, canaries=5)
    assert len(more.asked) == 2
    fewer = Counting()
    probe(SOURCE, fewer, out, canaries=1)
    assert fewer.asked == []
    assert found(out) == Canaries(5, 5, 0, 0, 0.0)


def test_they_can_be_asked_of_a_run_that_is_complete_already(out: Path) -> None:
    probe(SOURCE, Counting(), out)
    judge = Counting(lambda id, times: Reply(text="no"))
    progress = probe(SOURCE, judge, out, canaries=4)
    assert (progress.calls, progress.complete) == (4, True)
    assert found(out) == Canaries(4, 4, 2, 4, 0.5)  # of two of them neither yes nor no is an answer


def test_a_run_that_is_not_complete_has_none_yet(out: Path) -> None:
    judge = Counting(lambda id, times: FAILURE if id == FIRST[2] else Reply(text="yes"))
    assert not probe(SOURCE, judge, out, canaries=3).complete
    assert max(judge.times.values()) == 1
    assert found(out) is None
    assert probe(SOURCE, Counting(), out, canaries=3).complete
    assert len(again(out)) == 3


def test_what_fails_is_asked_again_the_next_time(out: Path) -> None:
    judge = Counting(lambda id, times: FAILURE if times == 2 and id == FIRST[0] else Reply(text="yes"))
    progress = probe(SOURCE, judge, out, canaries=3)
    assert progress.complete
    assert found(out) == Canaries(3, 2, 0, 0, 0.0)
    second = Counting()
    probe(SOURCE, second, out, canaries=3)
    assert second.asked == [FIRST[0]]
    assert found(out) == Canaries(3, 3, 0, 0, 0.0)


def test_what_may_pass_is_tried_again(out: Path) -> None:
    passing = Reply(failure=Failed("http-500"), retry=Retry())
    judge = Counting(lambda id, times: passing if times == 2 else Reply(text="yes"))
    probe(SOURCE, judge, out, canaries=2, limits=QUICK)
    assert [(r.attempts, r.final) for r in again(out)] == [(1, False), (1, False), (2, True), (2, True)]
    assert found(out) == Canaries(2, 2, 0, 0, 0.0)


def test_none_that_is_answered_has_no_share(out: Path) -> None:
    probe(SOURCE, Counting(lambda id, times: Reply(text="yes") if times == 1 else FAILURE), out, canaries=3)
    assert found(out) == Canaries(3, 0, 0, 0, None)


def test_max_calls_holds_for_them_too(out: Path) -> None:
    judge = Counting()
    progress = probe(SOURCE, judge, out, canaries=5, limits=Limits(max_calls=10))
    assert (progress.complete, progress.calls, progress.stopped) == (True, 10, "--max-calls 10 reached")
    assert len(judge.asked) == 10
    assert found(out) == Canaries(2, 2, 0, 0, 0.0)
    second = Counting()
    progress = probe(SOURCE, second, out, canaries=5, limits=Limits(max_calls=10))
    assert (progress.calls, progress.stopped) == (3, "")
    assert found(out) == Canaries(5, 5, 0, 0, 0.0)


def test_max_calls_that_the_run_uses_up_leaves_none(out: Path) -> None:
    progress = probe(SOURCE, Counting(), out, canaries=5, limits=Limits(max_calls=8))
    assert (progress.complete, progress.calls) == (True, 8)
    assert again(out) == []


def test_max_cost_holds_for_them_too(out: Path) -> None:
    judge = Counting(lambda id, times: Reply(text="yes", cost=0.25), most=3)
    progress = probe(SOURCE, judge, out, canaries=8, limits=Limits(max_cost=2.5))
    assert (progress.complete, progress.calls, progress.cost) == (True, 10, 2.5)
    assert progress.stopped.startswith("--max-cost 2.5 reached")


def test_a_judge_that_cannot_be_asked_any_more_loses_nothing(out: Path) -> None:
    gone = Reply(failure=Failed("http-404"), stop="check the model's name")
    with pytest.raises(JudgeError, match="check the model's name"):
        probe(SOURCE, Counting(lambda id, times: Reply(text="yes") if times == 1 else gone, most=1), out, canaries=3)
    assert cb.score(out).complete
    assert probe(SOURCE, Counting(), out, canaries=3).complete
    assert found(out) == Canaries(3, 3, 0, 0, 0.0)


def test_a_torn_last_line_is_asked_again(out: Path) -> None:
    probe(SOURCE, Counting(), out, canaries=3)
    path = out / CANARIES_FILE
    path.write_bytes(path.read_bytes()[:-20])
    judge = Counting()
    probe(SOURCE, judge, out, canaries=3)
    assert judge.asked == [FIRST[2]]
    assert len(again(out)) == 3


def test_fewer_than_none_are_refused(out: Path) -> None:
    with pytest.raises(InputError, match="--canaries must be 0 or more, not -1"):
        probe(SOURCE, Counting(), out, canaries=-1)
    assert not out.exists()


def test_canaries_answered_by_another_model_say_so(out: Path) -> None:
    judge = Counting(lambda id, times: Reply(text="yes", model="new" if times > 1 else "old"))
    probe(SOURCE, judge, out, canaries=2)
    assert "new" in formats.encode(usage_of(out)).decode()


def test_what_canaries_cost_is_part_of_what_was_spent(out: Path) -> None:
    judge = Counting(lambda id, times: Reply(text="yes", cost=0.25, tokens_in=10, tokens_out=1))
    progress = probe(SOURCE, judge, out, canaries=4)
    assert progress.cost == 3.0
    assert usage_of(out).cost == 3.0


# ---- on the command line


def call(*args: str) -> Result:
    result = CliRunner().invoke(app, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def document(out: Path) -> Any:
    result = call("score", str(out), "--json")
    assert result.exit_code == 0
    return json.loads(result.stdout)["runs"][0]


def test_score_shows_them_in_words_and_in_its_document(out: Path) -> None:
    judge = Counting(lambda id, times: Reply(text="no" if times > 1 and id in FIRST[:1] else "yes"))
    probe(SOURCE, judge, out, canaries=3)
    line = "counting: 1 of 3 canaries (33.3 %) got another answer at the end of the run, 1 other words"
    assert line in call("score", str(out)).stdout
    assert document(out)["observed"]["canaries"] == {
        "asked": 3, "replied": 3, "changed": 1, "reworded": 1, "share": pytest.approx(1 / 3),
    }  # fmt: skip


def test_probe_takes_them_and_says_what_they_said(tmp_path: Path) -> None:
    args = ("probe", "smoke", "--judge", "planted:noisy", "--out", str(tmp_path / "run"), "--canaries", "5")
    first = call(*args)
    assert first.exit_code == 0
    assert "32 of 32 questions answered (complete), 37 asked now" in first.stdout
    line = "planted:noisy: 0 of 5 canaries (0.0 %) got another answer at the end of the run, 0 other words"
    assert line in first.stdout
    second = call(*args)
    assert "32 of 32 questions answered (complete), 0 asked now" in second.stdout
    assert line in second.stdout
    found = json.loads(call(*args, "--json").stdout)
    assert found["observed"]["canaries"] == {"asked": 5, "replied": 5, "changed": 0, "reworded": 0, "share": 0.0}


def test_probe_refuses_fewer_than_none(tmp_path: Path) -> None:
    result = call("probe", "smoke", "--judge", "pixels", "--out", str(tmp_path / "run"), "--canaries", "-1")
    assert result.exit_code == 2
    assert "error: --canaries must be 0 or more, not -1" in result.stderr
    assert not (tmp_path / "run").exists()


def test_canaries_that_got_no_reply_are_said(out: Path) -> None:
    probe(SOURCE, Counting(lambda id, times: Reply(text="yes") if times == 1 else FAILURE), out, canaries=3)
    assert "canaries" in call("score", str(out)).stdout
