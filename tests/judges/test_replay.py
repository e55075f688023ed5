"""Replay: another run's answers again, and a failure wherever that run was asked something else."""

import asyncio
import shutil
from pathlib import Path

import msgspec
import pytest
from asked import probe
from asking.fakes import FAILURE, Scripted

import counterbench as cb
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.replay import ReplayJudge
from counterbench.runs.folder import last_records
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

NOISY = "planted:noisy?p=0.4"


@pytest.fixture(scope="module")
def source() -> SuiteSource:
    return SuiteSource(load_suite("smoke"), 8)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, source: SuiteSource) -> Path:
    path = tmp_path_factory.mktemp("replay") / "run"
    probe(source, open_judge(NOISY, lambda: keys(source)), path)
    return path


def answers(path: Path) -> dict[tuple[str, int], str | None]:
    return {(r.id, r.repeat): r.reply for r in last_records(path / "journal.jsonl").values()}


def failures(path: Path) -> set[str]:
    return {r.failure.kind for r in last_records(path / "journal.jsonl").values() if r.failure}


def test_a_replayed_run_has_the_same_answers(run: Path, source: SuiteSource, tmp_path: Path) -> None:
    judge = ReplayJudge(run)
    assert judge.name.startswith(f"replay:{run.as_posix()}?journal=")
    assert probe(source, judge, tmp_path / "again").complete
    assert answers(tmp_path / "again") == answers(run)
    assert cb.score(tmp_path / "again").overall == cb.score(run).overall


def test_a_replay_repeats_the_first_answer_for_further_repeats(run: Path, source: SuiteSource, tmp_path: Path) -> None:
    assert probe(source, ReplayJudge(run), tmp_path / "repeats", repeats=2).complete
    found = answers(tmp_path / "repeats")
    assert {(id, 0): reply for (id, repeat), reply in found.items() if repeat == 1} == answers(run)


def test_a_question_that_the_run_did_not_ask_fails_in_replay(run: Path, source: SuiteSource, tmp_path: Path) -> None:
    progress = probe(source, ReplayJudge(run), tmp_path / "bare", template=load_template("bare"))
    assert (progress.done, progress.failed) == (0, 16)
    assert failures(tmp_path / "bare") == {"asked-otherwise"}
    other = SuiteSource(load_suite("smoke", seed=99), 8)
    assert probe(other, ReplayJudge(run), tmp_path / "other").done == 0
    assert failures(tmp_path / "other") <= {"asked-otherwise", "not-recorded"}
    more = probe(SuiteSource(load_suite("smoke")), ReplayJudge(run), tmp_path / "more")
    assert (more.done, more.failed) == (16, 2 * len(load_suite("smoke")) - 16)
    assert failures(tmp_path / "more") == {"not-recorded"}


def test_a_question_in_other_words_fails_in_replay(run: Path, source: SuiteSource) -> None:
    query = load_template().dress(next(iter(queries(source))))
    changes = ({"text": query.text + " "}, {"system": "Look."}, {"answer_type": "colour"}, {"pictures": ()})
    changed = [msgspec.structs.replace(query, **change) for change in changes]  # type: ignore[arg-type]
    same, *others = asyncio.run(ReplayJudge(run).answer([query, *changed]))
    assert same.text is not None
    for reply in others:
        assert reply.failure.kind == "asked-otherwise"
        assert str(run) in reply.failure.message


def test_other_replies_at_the_same_path_are_another_judge(run: Path, source: SuiteSource, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    judge = ReplayJudge(tmp_path / "run")
    assert open_judge(judge.name, list).name == judge.name
    probe(source, judge, tmp_path / "again")
    journal = tmp_path / "run" / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"reply":"yes"', '"reply":"no"'))
    assert open_judge(f"replay:{tmp_path / 'run'}", list).name != judge.name
    with pytest.raises(InputError, match="the digest of its journal is"):
        open_judge(judge.name, list)
    with pytest.raises(InputError, match=r"holds another run: .* its judge"):
        probe(source, ReplayJudge(tmp_path / "run"), tmp_path / "again")


def test_a_failure_of_the_run_fails_in_replay(source: SuiteSource, tmp_path: Path) -> None:
    probe(source, Scripted(lambda id, times: FAILURE), tmp_path / "first")
    assert probe(source, ReplayJudge(tmp_path / "first"), tmp_path / "again").done == 0
    assert failures(tmp_path / "again") == {"http-400"}


def test_a_folder_that_is_no_run_cannot_be_replayed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such run folder"):
        ReplayJudge(tmp_path / "none")
    with pytest.raises(InputError, match="not a run"):
        ReplayJudge(tmp_path)
