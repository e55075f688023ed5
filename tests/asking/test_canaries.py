"""Canaries: what is asked again at the end of a run, how often, within which limits, and what the difference says."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from asking.fakes import FAILURE, YES, Paper, Scripted, records
from commands import call

import counterbench as cb
from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.asking.probe import probe
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.runs.journal import Record, read_journal
from counterbench.runs.queries import Key
from counterbench.runs.usage import CANARIES_FILE, Canaries, compare_canaries, usage_of

SOURCE = Paper(4)
FIRST = SOURCE.ids


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


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


def test_what_got_no_reply_is_no_change() -> None:
    assert compared(("yes", None), ("yes", "no")) == Canaries(2, 1, 1, 1, 1.0)
    assert compared(("yes", None), ("no", None)) == Canaries(2, 0, 0, 0, None)
    assert compared((None, "yes")) == Canaries(1, 0, 0, 0, None)


# ---- asking


@pytest.mark.parametrize("count", [0, 3, 8, 100])
def test_the_first_questions_are_asked_again_once_in_the_runs_own_words(out: Path, count: int) -> None:
    judge = Scripted(lambda id, times: Reply(text="yes", cost=0.25))
    expected = min(count, 8)
    progress = probe(SOURCE, judge, out, canaries=count)
    assert (progress.total, progress.done, progress.calls) == (8, 8, 8 + expected)
    assert progress.cost == progress.figures.cost == (8 + expected) / 4
    assert progress.figures.outcomes == {"answer": 8}
    assert judge.asked == FIRST + FIRST[:expected]
    assert judge.closed == 1
    assert (out / CANARIES_FILE).exists() == bool(count)
    assert found(out) == (Canaries(expected, expected, 0, 0, 0.0) if count else None)
    assert usage_of(out).cost == progress.cost
    journal = {r.identity: r for r in records(out)}
    assert len(journal) == len(records(out)) == 8
    for r in read_journal(out / CANARIES_FILE) if count else ():
        assert (r.id, r.asked) == (journal[r.identity].id, journal[r.identity].asked)
    assert cb.score(out).complete


def test_only_the_first_vote_is_asked_again(out: Path) -> None:
    judge = Scripted()
    probe(SOURCE, judge, out, votes=3, canaries=2)
    assert judge.asked[24:] == FIRST[:2]


def test_what_changes_between_is_seen(out: Path) -> None:
    said = {1: "yes", 2: "no"}
    probe(SOURCE, Scripted(lambda id, times: Reply(text=said[times] if id == FIRST[1] else "yes")), out, canaries=2)
    assert found(out) == Canaries(2, 2, 1, 1, 0.5)
    assert cb.score(out).observed.canaries == found(out)  # type: ignore[union-attr]


def test_the_same_command_again_asks_none_twice(out: Path) -> None:
    for canaries, asked in ((0, 8), (3, 3), (3, 0), (5, 2), (1, 0)):
        judge = Scripted()
        assert probe(SOURCE, judge, out, canaries=canaries).calls == len(judge.asked) == asked
    assert found(out) == Canaries(5, 5, 0, 0, 0.0)


def test_a_run_that_is_not_complete_has_none_yet_and_what_fails_is_asked_again_the_next_time(out: Path) -> None:
    judge = Scripted(lambda id, times: FAILURE if id == FIRST[2] else YES)
    assert not probe(SOURCE, judge, out, canaries=3).complete
    assert max(judge.times.values()) == 1
    assert found(out) is None
    progress = probe(SOURCE, Scripted(lambda id, times: FAILURE if id == FIRST[0] else YES), out, canaries=3)
    assert (progress.complete, progress.failed) == (True, 0), "a canary that fails is no question without an answer"
    assert found(out) == Canaries(3, 2, 0, 0, 0.0)
    last = Scripted()
    probe(SOURCE, last, out, canaries=3)
    assert last.asked == [FIRST[0]]
    assert found(out) == Canaries(3, 3, 0, 0, 0.0)


def test_limits_hold_for_them_too(out: Path) -> None:
    progress = probe(SOURCE, Scripted(), out, canaries=5, limits=Limits(max_calls=10))
    assert (progress.complete, progress.calls, progress.stopped) == (True, 10, "--max-calls 10 reached")
    assert found(out) == Canaries(2, 2, 0, 0, 0.0)
    progress = probe(SOURCE, Scripted(), out, canaries=5, limits=Limits(max_calls=10))
    assert (progress.calls, progress.stopped) == (3, "")


# ---- on the command line


def test_probe_and_score_say_what_they_said(tmp_path: Path) -> None:
    args = ("probe", "smoke", "--judge", "planted:noisy", "--out", str(tmp_path / "run"), "--canaries", "5")
    line = "planted:noisy: 0 of 5 canaries (0.0 %) got another answer at the end of the run, 0 other words"
    for asked in (41, 0):
        result = call(*args)
        assert result.exit_code == 0
        assert f"36 of 36 questions answered (complete), {asked} asked now" in result.stdout
        assert line in result.stdout
    assert line in call("score", str(tmp_path / "run")).stdout
    document = json.loads(call("score", str(tmp_path / "run"), "--json").stdout)["runs"][0]
    assert document["observed"]["canaries"] == {"asked": 5, "replied": 5, "changed": 0, "reworded": 0, "share": 0.0}


def test_a_canary_under_the_identity_of_another_question_is_refused(out: Path) -> None:
    probe(SOURCE, Scripted(), out, canaries=1)
    (canary,) = read_journal(out / CANARIES_FILE)
    formats.write_lines(out / CANARIES_FILE, [msgspec.structs.replace(canary, id=FIRST[1])])
    with pytest.raises(InputError, match=f"canaries.jsonl: its reply to {FIRST[1]!r} is not to what"):
        found(out)
