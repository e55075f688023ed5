"""Runs: every question once, resumed after anything, limits kept, and what a judge does wrong is a Failed record."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import counterbench as cb
from counterbench.answers.outcomes import Failed
from counterbench.asking.probe import Limits, Progress, probe
from counterbench.drawing.picture import Picture
from counterbench.errors import BusyError, FormatError, InputError
from counterbench.judges.base import Reply
from counterbench.runs.folder import default_path, read_keys, read_run_info
from counterbench.runs.journal import Record, last_records, read_journal
from counterbench.runs.queries import Query
from counterbench.runs.wordings import Wording, load_wording
from counterbench.scene.pairs import Pair
from counterbench.suites.folder import Folder
from counterbench.suites.sources import FolderSource, SuiteSource
from counterbench.suites.suite import load_suite

ROOT = Path(__file__).parents[2]
YES = Reply(text="yes")
FAILURE = Reply(failure=Failed("planted", "by design"))


class Paper:
    """A source of pairs without pictures: as quick as it gets."""

    seed: int | None = None

    def __init__(self, pairs: int, name: str = "paper") -> None:
        self.name, self.digest = name, f"digest of {pairs} {name}"
        self.pairs = [
            Pair(
                id=f"p{i}",
                index=i,
                family="spatial",
                category="spatial",
                skill="left-right",
                stratum="",
                form="yes-no",
                question=f"Is shape {i} left of the other?",
                answer_type="yes-no",
                original_answer="yes",
                intervened_answer="no",
                relevant=True,
                truth="published",
                intervention="swap",
                difficulty={},
            )
            for i in range(pairs)
        ]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        return ()


class Counting:
    """A judge that counts: what it was asked, in which batches, and how many calls ran at once."""

    def __init__(
        self,
        say: Callable[[Query], Reply] = lambda query: YES,
        *,
        name: str = "counting",
        max_batch: int = 1,
        max_in_flight: int = 1,
    ) -> None:
        self.say, self.name, self.max_batch, self.max_in_flight = say, name, max_batch, max_in_flight
        self.batches: list[list[str]] = []
        self.running = self.peak = self.closed = 0

    @property
    def asked(self) -> list[str]:
        return [id for batch in self.batches for id in batch]

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        self.batches.append([query.id for query in batch])
        self.running += 1
        self.peak = max(self.peak, self.running)
        for _ in range(len(self.batches) % 3):  # so that calls end in another order than they began
            await asyncio.sleep(0)
        self.running -= 1
        return [self.say(query) for query in batch]

    async def close(self) -> None:
        self.closed += 1


class Broken(Counting):
    """A judge whose `answer` does something else."""

    def __init__(self, does: Callable[[Sequence[Query]], Any], **options: Any) -> None:
        super().__init__(**options)
        self.does = does

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        self.batches.append([query.id for query in batch])
        return self.does(batch)  # type: ignore[no-any-return]


def raising(error: BaseException) -> Callable[[Sequence[Query]], Any]:
    def does(batch: Sequence[Query]) -> Any:
        raise error

    return does


def records(out: Path) -> list[Record]:
    return list(read_journal(out / "journal.jsonl"))


def ids(source: Paper) -> list[str]:
    return [f"{pair.id}/{role}" for pair in source for role in ("original", "intervened")]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture(scope="module")
def smoke_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("smoke") / "pairs"
    cb.generate("smoke", folder, workers=1, limit=8)
    return folder


# ---- every question once, and only what is missing again


@given(
    pairs=st.integers(1, 12),
    batch=st.integers(1, 9),
    in_flight=st.integers(1, 5),
    concurrency=st.none() | st.integers(1, 7),
    votes=st.integers(1, 3),
)
@settings(max_examples=30)
def test_every_question_is_asked_once_within_the_bounds(
    pairs: int, batch: int, in_flight: int, concurrency: int | None, votes: int
) -> None:
    source = Paper(pairs)
    judge = Counting(max_batch=batch, max_in_flight=in_flight)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        progress = probe(source, judge, out, votes=votes, limits=Limits(concurrency=concurrency))
        assert progress == Progress(total=2 * pairs * votes, done=2 * pairs * votes, calls=2 * pairs * votes)
        assert Counter(judge.asked) == dict.fromkeys(ids(source), votes)
        assert max(map(len, judge.batches)) <= batch
        assert judge.peak <= min(in_flight, concurrency or in_flight)
        assert judge.closed == 1
        written = records(out)
        assert Counter((r.id, r.vote) for r in written) == {(id, v): 1 for id in ids(source) for v in range(votes)}
        assert len({r.identity for r in written}) == len(written)
        again = Counting(max_batch=batch)
        assert probe(source, again, out, votes=votes).complete
        assert again.asked == []


def test_as_many_calls_are_in_flight_as_may_be(out: Path) -> None:
    class Slow(Counting):
        async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
            self.running += 1
            self.peak = max(self.peak, self.running)
            await asyncio.sleep(0.005)
            self.running -= 1
            return [YES] * len(batch)

    judge = Slow(max_in_flight=5)
    probe(Paper(10), judge, out)
    assert judge.peak == 5


def test_a_resumed_run_asks_only_what_failed(out: Path) -> None:
    source = Paper(6)
    bad = {"p1/original", "p4/intervened"}
    first = Counting(lambda q: FAILURE if q.id in bad else YES, max_batch=3)
    progress = probe(source, first, out)
    assert (progress.done, progress.failed, progress.complete) == (10, 2, False)
    second = Counting(max_batch=3)
    assert probe(source, second, out).complete
    assert second.asked == ["p1/original", "p4/intervened"]
    final = [r for r in records(out) if r.final]
    assert Counter(r.id for r in final) == dict.fromkeys(ids(source), 1)
    assert len(records(out)) == 14


def test_a_failure_never_undoes_an_answer_however_often_it_is_run(out: Path) -> None:
    source = Paper(2)
    probe(source, Counting(lambda q: FAILURE if q.id == "p0/original" else YES), out)
    for _ in range(3):
        assert not probe(source, Counting(lambda q: FAILURE), out).complete
    assert len(records(out)) == 4 + 3
    assert probe(source, Counting(), out).complete


def test_what_is_unparsed_or_refused_is_an_answer_and_not_asked_again(out: Path) -> None:
    replies = {"p0/original": "", "p0/intervened": "I'm sorry, but I can't help with that."}
    probe(Paper(1), Counting(lambda q: Reply(text=replies[q.id])), out)
    assert [r.outcome for r in records(out)] == ["unparsed", "refused"]
    again = Counting()
    assert probe(Paper(1), again, out).complete
    assert again.asked == []


def test_a_judge_is_shown_dressed_words_and_no_truth(out: Path) -> None:
    seen: list[Query] = []

    def say(query: Query) -> Reply:
        seen.append(query)
        return YES

    probe(Paper(1), Counting(say), out)
    assert seen[0].text == "Is shape 0 left of the other? Answer yes or no."
    assert set(seen[0].__struct_fields__) == {
        "id", "group", "role", "pictures", "text", "answer_type", "step", "system", "prompt", "vote",
    }  # fmt: skip
    keys = {key.id: key for key in read_keys(out)}
    assert keys["p0/original"].expected == "yes"
    assert keys["p0/intervened"].expected == "no"


def test_what_was_observed_is_kept(out: Path) -> None:
    reply = Reply(text="Yes.", model="x-2026-07", finish="stop", tokens_in=9, tokens_out=2, cost=0.5)
    progress = probe(Paper(1), Counting(lambda q: reply), out)
    assert progress.cost == 1.0
    first = records(out)[0]
    assert (first.reply, first.model, first.finish) == ("Yes.", "x-2026-07", "stop")
    assert (first.tokens_in, first.tokens_out, first.cost, first.outcome) == (9, 2, 0.5, "answer")
    assert first.seconds is not None
    info = read_run_info(out)
    assert (info.suite, info.judge, info.wording, info.votes, info.queries) == ("paper", "counting", "default", 1, 2)


def test_another_servers_model_id_is_no_new_question(out: Path) -> None:
    probe(Paper(2), Counting(lambda q: Reply(text="yes", model="first")), out)
    again = Counting(lambda q: Reply(text="no", model="second"))
    assert probe(Paper(2), again, out).complete
    assert again.asked == []


def test_progress_is_told_and_ends_at_the_total(out: Path) -> None:
    told: list[tuple[int, int, int]] = []
    probe(Paper(4), Counting(max_batch=2), out, on_progress=lambda p: told.append((p.done, p.failed, p.total)))
    assert told == [(0, 0, 8), (2, 0, 8), (4, 0, 8), (6, 0, 8), (8, 0, 8)]


def test_journals_are_the_same_whatever_the_concurrency(smoke_folder: Path, tmp_path: Path) -> None:
    source = FolderSource(Folder(smoke_folder))
    told = []
    for i, (batch, in_flight, concurrency) in enumerate([(1, 1, None), (5, 3, None), (16, 1, 1), (1, 8, 4)]):
        judge = Counting(lambda q: Reply(text=q.text[::-1]), max_batch=batch, max_in_flight=in_flight)
        run = tmp_path / f"run{i}"
        probe(source, judge, run, limits=Limits(concurrency=concurrency))
        lines = [{**json.loads(line), "time": "", "seconds": 0} for line in (run / "journal.jsonl").open()]
        told.append(sorted(lines, key=lambda line: line["identity"]))
        assert (run / "run.json").read_bytes() == (tmp_path / "run0" / "run.json").read_bytes()
        assert (run / "keys.jsonl").read_bytes() == (tmp_path / "run0" / "keys.jsonl").read_bytes()
    assert all(lines == told[0] for lines in told)
    assert len(told[0]) == 16


def test_a_suite_and_its_folder_are_the_same_run(smoke_folder: Path, out: Path) -> None:
    suite = SuiteSource(load_suite("smoke"), 8)
    assert probe(suite, Counting(), out).complete
    again = Counting()
    assert probe(FolderSource(Folder(smoke_folder)), again, out).complete
    assert again.asked == []


# ---- identity


WORDING = Wording("counterbench.wording/1", "other", suffix={"yes-no": "Yes or no?"})
OTHERS: dict[str, dict[str, Any]] = {
    "judge": {"judge": Counting(name="other")},
    "wording": {"wording": WORDING},
    "votes": {"votes": 3},
    "suite": {"source": Paper(3)},
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_run_in_the_same_folder_is_refused_and_the_folder_untouched(out: Path, what: str) -> None:
    probe(Paper(2), Counting(lambda q: FAILURE), out)
    before = snapshot(out)
    given: dict[str, Any] = {"source": Paper(2), "judge": Counting(), "out": out} | OTHERS[what]
    source, judge = given.pop("source"), given.pop("judge")
    with pytest.raises(InputError, match=f"holds another run: its {what}.*choose another --out"):
        probe(source, judge, **given)
    assert judge.asked == []
    assert snapshot(out) == before


def test_a_wording_by_another_name_with_the_same_words_is_the_same_run(out: Path) -> None:
    probe(Paper(2), Counting(), out, wording=WORDING)
    same = Wording("counterbench.wording/1", "renamed", "described", suffix={"yes-no": "Yes or no?"})
    again = Counting()
    assert probe(Paper(2), again, out, wording=same).complete
    assert again.asked == []


@pytest.mark.parametrize("holds", ["file", "folder", "suite"])
def test_an_out_that_holds_something_else_is_refused(tmp_path: Path, holds: str, smoke_folder: Path) -> None:
    out = tmp_path / "there"
    if holds == "file":
        out.write_text("mine")
    elif holds == "folder":
        out.mkdir()
        (out / "thesis.doc").write_text("mine")
    else:
        shutil.copytree(smoke_folder, out)
    before = snapshot(tmp_path)
    with pytest.raises(InputError, match="there: is"):
        probe(Paper(1), Counting(), out)
    assert snapshot(tmp_path) == before


def test_a_run_of_a_newer_version_is_refused_untouched(out: Path) -> None:
    probe(Paper(1), Counting(), out)
    newer = (out / "run.json").read_text().replace("counterbench.run/1", "counterbench.run/2")
    (out / "run.json").write_text(newer)
    before = snapshot(out)
    with pytest.raises(FormatError, match="newer format"):
        probe(Paper(1), Counting(), out)
    assert snapshot(out) == before


def test_a_damaged_journal_is_refused_untouched(out: Path) -> None:
    probe(Paper(2), Counting(), out)
    journal = out / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1][:40] + b"\n"
    journal.write_bytes(b"".join(lines))
    before = snapshot(out)
    judge = Counting()
    with pytest.raises(FormatError, match=r"journal\.jsonl, line 2"):
        probe(Paper(2), judge, out)
    assert judge.asked == []
    assert snapshot(out) == before


def test_keys_that_are_gone_are_written_again(out: Path) -> None:
    probe(Paper(2), Counting(), out)
    keys = (out / "keys.jsonl").read_bytes()
    (out / "keys.jsonl").unlink()
    assert probe(Paper(2), Counting(), out).complete
    assert (out / "keys.jsonl").read_bytes() == keys


@pytest.mark.parametrize("left", [".keys.jsonl.partial", ".run.json.partial"])
def test_a_run_killed_before_it_asked_anything_resumes(out: Path, left: str) -> None:
    out.mkdir()
    (out / left).write_bytes(b'{"format":')
    assert probe(Paper(1), Counting(), out).complete


def test_a_changed_picture_is_asked_again_and_a_reencoded_one_is_not(
    smoke_folder: Path, tmp_path: Path, out: Path
) -> None:
    folder = tmp_path / "pairs"
    shutil.copytree(smoke_folder, folder)
    probe(FolderSource(Folder(folder)), Counting(), out)
    pictures = sorted(folder.glob("images/counting/*-original.png"))
    Image.open(pictures[0]).save(pictures[0], compress_level=0)
    again = Counting()
    probe(FolderSource(Folder(folder)), again, out)
    assert again.asked == []
    with Image.open(pictures[0]) as image:
        image.putpixel((0, 0), (1, 2, 3))
        image.save(pictures[0])
    assert probe(FolderSource(Folder(folder)), again, out).complete
    assert again.asked == ["counting-000000/original"]


def test_an_answer_to_a_picture_that_has_changed_since_is_no_answer(
    smoke_folder: Path, tmp_path: Path, out: Path
) -> None:
    folder = tmp_path / "pairs"
    shutil.copytree(smoke_folder, folder)
    probe(FolderSource(Folder(folder)), Counting(), out)
    picture = next(folder.glob("images/counting/*-original.png"))
    with Image.open(picture) as image:
        image.putpixel((0, 0), (1, 2, 3))
        image.save(picture)
    progress = probe(FolderSource(Folder(folder)), Counting(lambda q: FAILURE), out)
    assert not progress.complete
    document = cb.score(out)
    assert not document.complete
    assert document.overall.outcomes["failed"] == 1


def test_a_picture_changed_back_has_its_first_answer(smoke_folder: Path, tmp_path: Path, out: Path) -> None:
    folder = tmp_path / "pairs"
    shutil.copytree(smoke_folder, folder)
    probe(FolderSource(Folder(folder)), Counting(lambda q: Reply(text="unsure")), out)
    picture = next(folder.glob("images/counting/*-original.png"))
    whole = picture.read_bytes()
    with Image.open(picture) as image:
        image.putpixel((0, 0), (1, 2, 3))
        image.save(picture)
    probe(FolderSource(Folder(folder)), Counting(lambda q: Reply(text="4")), out)
    picture.write_bytes(whole)
    assert probe(FolderSource(Folder(folder)), Counting(), out).calls == 0
    assert cb.score(out).overall.outcomes["answer"] == 0


@pytest.mark.parametrize("damage", ["missing", "damaged"])
def test_a_picture_that_is_missing_is_a_clear_error_and_no_failed_record(
    smoke_folder: Path, tmp_path: Path, out: Path, damage: str
) -> None:
    folder = tmp_path / "pairs"
    shutil.copytree(smoke_folder, folder)
    picture = next(folder.glob("images/counting/*-intervened.png"))
    whole = picture.read_bytes()
    picture.unlink()
    if damage == "damaged":
        picture.write_bytes(whole[:100])
    with pytest.raises(InputError, match=picture.name):
        probe(FolderSource(Folder(folder)), Counting(), out)
    assert all(r.final for r in records(out))
    picture.write_bytes(whole)
    judge = Counting()
    assert probe(FolderSource(Folder(folder)), judge, out).complete
    assert Counter(r.id for r in records(out)).most_common(1)[0][1] == 1


# ---- whatever a judge does wrong


WRONG: dict[str, tuple[Callable[[Sequence[Query]], Any], str]] = {
    "raises": (raising(RuntimeError("out of memory")), "RuntimeError"),
    "raises with no message": (raising(ValueError()), "ValueError"),
    "times out": (raising(TimeoutError("60 s")), "TimeoutError"),
    "says too little": (lambda batch: [YES] * (len(batch) - 1), "wrong-number"),
    "says too much": (lambda batch: [YES] * (len(batch) + 1), "wrong-number"),
    "says nothing": (lambda batch: [], "wrong-number"),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("in_flight", [1, 4])
def test_what_a_judge_does_wrong_is_a_failed_record(out: Path, what: str, in_flight: int) -> None:
    does, kind = WRONG[what]
    source = Paper(4)
    progress = probe(source, Broken(does, max_batch=3, max_in_flight=in_flight), out)
    assert (progress.done, progress.failed, progress.calls) == (0, 8, 8)
    written = records(out)
    assert [r.outcome for r in written] == ["failed"] * 8
    assert {r.failure.kind for r in written if r.failure} == {kind}
    assert all(r.reply is None for r in written)
    document = cb.score(out)
    assert document.overall.ccs.value is None
    assert document.overall.outcomes["failed"] == 8
    again = Counting(max_batch=3)
    assert probe(source, again, out).complete
    assert again.asked == ids(source)


MALFORMED: dict[str, Callable[[Sequence[Query]], Any]] = {
    "returns None": lambda batch: None,
    "returns strings": lambda batch: ["yes"] * len(batch),
    "returns a generator": lambda batch: (YES for _ in batch),
    "returns a number as text": lambda batch: [Reply(text=4)] * len(batch),  # type: ignore[arg-type]
    "returns a string as cost": lambda batch: [Reply(text="yes", cost="0.1")] * len(batch),  # type: ignore[arg-type]
    "says half a surrogate pair": lambda batch: [Reply(text="yes \ud800")] * len(batch),
    "raises with half a surrogate pair": raising(OSError("no file x\udcff")),
    "is cancelled from within": raising(asyncio.CancelledError()),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_reply_does_not_end_the_run(out: Path, what: str) -> None:
    progress = probe(Paper(2), Broken(MALFORMED[what], max_batch=2), out)
    assert progress.done + progress.failed == 4
    assert len(records(out)) == 4
    again = Counting()
    assert probe(Paper(2), again, out).complete
    assert len(again.asked) == progress.failed


NOT_UNICODE: dict[str, Reply] = {
    "as model": Reply(text="yes", model="m\ud800"),
    "as finish": Reply(text="yes", finish="s\ud800"),
    "in a failure's message": Reply(failure=Failed("OSError", "no file x\udcff")),
    "in a failure's kind": Reply(failure=Failed("\udcff")),
}


@pytest.mark.parametrize("where", NOT_UNICODE)
def test_half_a_surrogate_pair_anywhere_does_not_end_the_run(out: Path, where: str) -> None:
    progress = probe(Paper(2), Broken(lambda batch: [NOT_UNICODE[where]] * len(batch), max_batch=2), out)
    assert progress.done + progress.failed == 4
    assert len(records(out)) == 4


@pytest.mark.parametrize("cost", [float("nan"), -1.0])
def test_a_cost_that_is_no_amount_does_not_lift_the_limit(out: Path, cost: float) -> None:
    costs = iter([cost] + [1.0] * 19)
    judge = Counting(lambda q: Reply(text="yes", cost=next(costs)))
    probe(Paper(10), judge, out, limits=Limits(max_cost=3))
    assert len(judge.asked) <= 4


def test_a_judge_that_cannot_be_closed_loses_nothing(out: Path) -> None:
    class Stuck(Counting):
        async def close(self) -> None:
            raise RuntimeError("already closed")

    with contextlib.suppress(RuntimeError):
        probe(Paper(2), Stuck(), out)
    assert cb.score(out).complete


def test_one_bad_batch_costs_the_others_nothing(out: Path) -> None:
    def does(batch: Sequence[Query]) -> Sequence[Reply]:
        if batch[0].id == "p1/original":
            raise RuntimeError("once")
        return [YES] * len(batch)

    judge = Broken(does, max_batch=2, max_in_flight=3)
    assert probe(Paper(5), judge, out).done == 8
    assert {r.id for r in records(out) if not r.final} == {"p1/original", "p1/intervened"}


def test_an_endless_message_is_cut(out: Path) -> None:
    probe(Paper(1), Broken(raising(RuntimeError("x" * 100_000))), out)
    assert (out / "journal.jsonl").stat().st_size < 3000


def test_a_judge_is_closed_whatever_happens(out: Path) -> None:
    judge = Broken(raising(InputError("the picture of ours is gone")), max_in_flight=3)
    with pytest.raises(InputError, match="is gone"):
        probe(Paper(5), judge, out)
    assert judge.closed == 1
    assert records(out) == []


@pytest.mark.filterwarnings("ignore:coroutine")
def test_probing_works_inside_a_running_event_loop(out: Path) -> None:
    async def cell() -> str:
        try:
            return "" if probe(Paper(1), Counting(), out).complete else "incomplete"
        except RuntimeError as error:
            return str(error)

    message = asyncio.run(cell())
    gc.collect()  # a coroutine that was never awaited complains here, not in another test
    assert message == ""


# ---- limits


@given(
    pairs=st.integers(1, 10),
    batch=st.integers(1, 7),
    in_flight=st.integers(1, 4),
    calls=st.lists(st.integers(1, 9), max_size=4),
)
@settings(max_examples=25)
def test_max_calls_is_exact_and_the_runs_add_up(pairs: int, batch: int, in_flight: int, calls: list[int]) -> None:
    source = Paper(pairs)
    left = 2 * pairs
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        for most in calls:
            judge = Counting(max_batch=batch, max_in_flight=in_flight)
            progress = probe(source, judge, out, limits=Limits(max_calls=most))
            assert len(judge.asked) == progress.calls == min(most, left)
            left -= progress.calls
            assert progress.complete == (left == 0)
        assert probe(source, Counting(), out).complete
        assert Counter(r.id for r in records(out)) == dict.fromkeys(ids(source), 1)


def test_a_run_says_why_it_stopped(out: Path) -> None:
    progress = probe(Paper(5), Counting(max_batch=2), out, limits=Limits(max_calls=4))
    assert progress.stopped == "--max-calls 4 reached"
    assert probe(Paper(5), Counting(), out, limits=Limits(max_calls=6)).stopped == ""


def test_a_run_says_why_it_stopped_within_the_last_batch(out: Path) -> None:
    progress = probe(Paper(5), Counting(max_batch=64), out, limits=Limits(max_calls=4))
    assert progress.stopped == "--max-calls 4 reached"


def test_a_resumed_run_that_stops_early_knows_what_is_done(out: Path) -> None:
    bad = {"p0/original", "p0/intervened"}
    probe(Paper(5), Counting(lambda q: FAILURE if q.id in bad else YES), out)
    progress = probe(Paper(5), Counting(), out, limits=Limits(max_calls=1))
    assert progress.done == 9


@given(batch=st.integers(1, 5), in_flight=st.integers(1, 4), cents=st.integers(1, 40))
@settings(max_examples=25)
def test_max_cost_is_spent_and_never_crossed(batch: int, in_flight: int, cents: int) -> None:
    priced = Reply(text="yes", cost=0.25)
    with tempfile.TemporaryDirectory() as folder:
        judge = Counting(lambda q: priced, max_batch=batch, max_in_flight=in_flight)
        limit = cents / 4
        progress = probe(Paper(10), judge, Path(folder) / "run", limits=Limits(max_cost=limit))
        assert progress.cost == pytest.approx(0.25 * len(judge.asked))
        assert progress.cost == pytest.approx(min(limit, 20 * 0.25))
        assert bool(progress.stopped) == (not progress.complete)
        assert progress.stopped.startswith(f"--max-cost {limit} reached") or progress.complete


def test_money_is_set_aside_for_what_is_under_way(out: Path) -> None:
    """Prices that rise only after a first cheap call: the line is crossed by less than the surprise."""
    judge = Counting(lambda q: Reply(text="yes", cost=0.01 if q.id == "p0/original" else 0.2), max_in_flight=4)
    progress = probe(Paper(10), judge, out, limits=Limits(max_cost=1.0))
    assert not progress.complete
    assert progress.cost <= 1.0


def test_a_cost_limit_that_cannot_be_kept_is_said_after_one_call(out: Path) -> None:
    judge = Counting(max_in_flight=4)
    progress = probe(Paper(3), judge, out, limits=Limits(max_cost=0.01))
    assert len(judge.asked) == 1
    assert "no cost came with a reply" in progress.stopped


def test_planted_judges_and_the_pixel_reader_cost_nothing(tmp_path: Path) -> None:
    for name in ("planted:oracle", "pixels"):
        assert cb.probe("smoke", name, tmp_path / name[:6], limits=Limits(max_cost=0.01)).complete
    replay = f"replay:{tmp_path / 'pixels'}"
    assert cb.probe("smoke", replay, tmp_path / "again", limits=Limits(max_cost=0.01)).complete


@pytest.mark.parametrize("name", ["concurrency", "max_calls", "max_cost"])
@pytest.mark.parametrize("value", [0, -1])
def test_a_limit_of_nothing_is_refused(name: str, value: int) -> None:
    with pytest.raises(InputError, match=f"--{name.replace('_', '-')} must be more than 0, not {value}"):
        Limits(**{name: value})


def test_a_limit_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="--max-cost"):
        Limits(max_cost=float("nan"))


@pytest.mark.parametrize("votes", [0, -2])
def test_no_votes_are_refused(out: Path, votes: int) -> None:
    with pytest.raises(InputError, match=f"--votes must be at least 1, not {votes}"):
        probe(Paper(1), Counting(), out, votes=votes)
    assert not out.exists()


def test_votes_are_asked_one_by_one_and_only_the_failed_one_again(out: Path) -> None:
    said = iter(["yes", "no", "", "yes", "yes", "yes"])
    first = Counting(lambda q: Reply(text=text) if (text := next(said)) else FAILURE)
    assert probe(Paper(1), first, out, votes=3).done == 5
    assert first.asked == ["p0/original"] * 3 + ["p0/intervened"] * 3
    again = Counting()
    assert probe(Paper(1), again, out, votes=3).complete
    assert again.asked == ["p0/original"]
    assert {(r.id, r.vote): r.reply for r in last_records(out / "journal.jsonl").values()} == {
        ("p0/original", 0): "yes",
        ("p0/original", 1): "no",
        ("p0/original", 2): "yes",
        **{("p0/intervened", vote): "yes" for vote in range(3)},
    }


# ---- one process at a time, and whatever ends it


def test_a_second_process_on_the_same_run_is_refused(out: Path) -> None:
    probe(Paper(1), Counting(), out)
    with FileLock(out / ".lock"):
        judge = Counting()
        with pytest.raises(BusyError, match="another process is at work"):
            probe(Paper(1), judge, out)
    assert judge.asked == []
    assert probe(Paper(1), Counting(), out).complete


SLOW = """
import asyncio, os, sys
from pathlib import Path
import counterbench as cb
from counterbench.asking.probe import probe
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

OUT, STALL, HANGS = sys.argv[1], int(sys.argv[2]), "hangs" in sys.argv

class Slow:
    name, max_batch, max_in_flight = "slow", 1, 3
    asked = 0

    def __init__(self):
        self.log = os.open(OUT + ".asked", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def answer(self, batch):
        os.write(self.log, (batch[0].id + "\\n").encode())
        self.asked += 1
        try:
            await asyncio.sleep(0.01 if self.asked <= STALL else 60)
        except asyncio.CancelledError:
            if not HANGS:
                raise
            await asyncio.sleep(60)
        return [cb.Reply(text="yes")]

    async def close(self):
        pass

print(probe(SuiteSource(load_suite("smoke"), 8), Slow(), Path(OUT)).complete)
"""
ALL = 16  # the questions of SLOW


def slow_run(out: Path, stall: int, *options: str) -> subprocess.Popen[str]:
    """A run whose judge answers the first `stall` questions and then takes forever."""
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, str(out), str(stall), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # even under nohup
    )


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else -1


@contextlib.contextmanager
def stalled(out: Path, stall: int, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A run that has journalled `stall` answers and waits for more."""
    process = slow_run(out, stall, *options)
    try:
        end = time.monotonic() + 30
        while lines_of(out / "journal.jsonl") < stall or not Path(f"{out}.asked").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < end, "the run does not get anywhere"
            time.sleep(0.002)
        yield process
    finally:
        process.kill()
        process.communicate()


def assert_nothing_is_lost(out: Path, in_flight: int = 3) -> None:
    """Finish a run; each question has one final record, and at most those in flight were asked twice."""
    kept = records(out) if (out / "journal.jsonl").exists() else []
    done, errors = slow_run(out, ALL).communicate(timeout=60)
    assert done == "True\n", errors
    written = records(out)
    assert written[: len(kept)] == kept
    assert len({r.identity for r in written if r.final}) == len(written) == ALL
    asked = Counter(Path(f"{out}.asked").read_text().split())
    assert len(asked) == ALL
    assert max(asked.values()) <= 2
    assert sum(asked.values()) <= ALL + in_flight


@pytest.mark.slow
@pytest.mark.parametrize("stall", [0, 1, 7, 14])
def test_a_killed_run_resumes(out: Path, stall: int) -> None:
    with stalled(out, stall) as process:
        process.kill()
        process.wait()
    assert_nothing_is_lost(out)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.1, 0.25, 0.35, 0.45])
def test_a_run_killed_at_any_moment_resumes(out: Path, seconds: float) -> None:
    process = slow_run(out, ALL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=seconds)
    process.kill()
    process.communicate()
    assert_nothing_is_lost(out)


@pytest.mark.slow
def test_a_run_killed_in_the_middle_of_a_line_resumes(out: Path) -> None:
    with stalled(out, 5) as process:
        process.kill()
        process.wait()
    with (out / "journal.jsonl").open("ab") as file:
        file.write(b'{"format":"counterbench.record/1","id":"spatial-0000')
    assert_nothing_is_lost(out)


@pytest.mark.slow
def test_a_run_that_another_process_is_writing_is_busy(out: Path) -> None:
    with stalled(out, 2):
        second = slow_run(out, ALL)
        text = second.communicate(timeout=60)[1]
        assert second.returncode != 0
        assert "BusyError" in text
    assert_nothing_is_lost(out)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is POSIX")
@pytest.mark.parametrize("hangs", [False, True])
def test_interrupted_runs_resume_even_if_the_judge_does_not_let_go(out: Path, hangs: bool) -> None:
    with stalled(out, 4, *(["hangs"] if hangs else [])) as process:
        process.send_signal(signal.SIGINT)
        if hangs:  # a judge that ignores its cancellation needs a second Ctrl-C
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=20)
        assert "KeyboardInterrupt" in text
    assert_nothing_is_lost(out)


NOTEBOOK = """
import asyncio, os, signal, sys, threading
import counterbench as cb

class Slow:
    name, max_batch, max_in_flight = "slow", 1, 1
    asked = 0
    async def answer(self, batch):
        Slow.asked += 1
        if Slow.asked == 3:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        await asyncio.sleep(0.1)
        return [cb.Reply(text="yes")]
    async def close(self): pass

async def cell():
    try:
        cb.probe("smoke", Slow(), sys.argv[1])
    except KeyboardInterrupt:
        print(Slow.asked)

signal.signal(signal.SIGINT, signal.default_int_handler)
asyncio.new_event_loop().run_until_complete(cell())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is POSIX")
def test_an_interrupt_inside_a_running_event_loop_stops_the_run(out: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK, str(out)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert int(done.stdout) < 10, done.stderr


# ---- names of runs


@pytest.mark.parametrize(
    ("suite", "judge", "expected"),
    [
        ("smoke", "pixels", "runs/smoke--pixels"),
        ("smoke", "planted:noisy?p=0.1", "runs/smoke--planted-noisy-p=0.1"),
        ("s", "replay:runs/a b", "runs/s--replay-runs-a-b"),
        ("s", "openai:org/model\n*", "runs/s--openai-org-model"),
        ("s", "../../etc", "runs/s--..-..-etc"),
    ],
)
def test_default_names_are_safe_on_any_file_system(suite: str, judge: str, expected: str) -> None:
    assert default_path(suite, judge).as_posix() == expected


@given(st.text(max_size=300), st.text(max_size=300))
def test_default_names_are_one_short_plain_component(suite: str, judge: str) -> None:
    path = default_path(f"s{suite}", judge)
    assert path.parent == Path("runs")
    assert len(path.name) <= 150
    assert all(c.isascii() and (c.isalnum() or c in "._=-") for c in path.name)


def test_default_names_never_end_in_a_dot() -> None:
    assert not default_path("s" * 147, ".x").name.endswith(".")


def test_a_bundled_wording_is_used_when_none_is_given(out: Path) -> None:
    probe(Paper(1), Counting(), out)
    assert read_run_info(out).wording_digest == load_wording().digest
