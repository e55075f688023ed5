"""Runs: every question once, resumed after anything, limits kept, and what a judge does wrong is a Failed record."""

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asked import probe
from asking.fakes import FAILURE, REFUSED, YES, BrokenJudge, Paper, Scripted, raising, records, snapshot
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from processes import started
from sweeping import swept

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.errors import FormatError, InputError, JudgeError
from counterbench.interop.pairs import import_pairs
from counterbench.judges.base import Reply
from counterbench.judges.replay import ReplayJudge
from counterbench.runs.folder import default_path, last_records, read_keys, read_run_info
from counterbench.runs.queries import PromptTemplate, Query
from counterbench.suites.folder import Folder
from counterbench.suites.sources import FolderSource, SuiteSource
from counterbench.suites.suite import load_suite


@pytest.fixture(scope="module")
def smoke_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("smoke") / "pairs"
    cb.generate("smoke", folder, workers=1, limit=8)
    return folder


# ---- every question once, and only what is missing again


@given(pairs=st.integers(1, 12), batch=st.integers(1, 9), in_flight=st.integers(1, 5), repeats=st.integers(1, 3))
@settings(max_examples=15)
def test_every_question_is_asked_once_and_never_again(pairs: int, batch: int, in_flight: int, repeats: int) -> None:
    source = Paper(pairs)
    judge = Scripted(max_batch=batch, max_in_flight=in_flight)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        progress = probe(source, judge, out, repeats=repeats)
        questions = 2 * pairs * repeats
        assert (progress.total, progress.done, progress.failed, progress.calls) == (questions, questions, 0, questions)
        assert progress.figures.outcomes == {"answer": questions}
        assert Counter(judge.asked_ids) == dict.fromkeys(source.ids, repeats)
        assert judge.closed == 1
        written = records(out)
        assert Counter((r.id, r.repeat) for r in written) == {(id, v): 1 for id in source.ids for v in range(repeats)}
        assert len({r.identity for r in written}) == len(written)
        again = Scripted(max_batch=batch)
        assert probe(source, again, out, repeats=repeats).complete
        assert again.asked_ids == []


@given(cut=st.floats(0, 1), batch=st.integers(1, 4))
@settings(max_examples=15)
def test_a_run_resumes_from_a_journal_cut_anywhere(cut: float, batch: int) -> None:
    """As kill -9 or a power cut may leave it: what is whole is kept and not asked again, the rest is asked once."""
    source = Paper(4)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        probe(source, Scripted(), out)
        whole = (out / "journal.jsonl").read_bytes()
        (out / "journal.jsonl").write_bytes(whole[: int(cut * len(whole))])
        kept = records(out)
        judge = Scripted(max_batch=batch)
        assert probe(source, judge, out).complete
        assert records(out)[: len(kept)] == kept
        assert judge.asked_ids == source.ids[len(kept) :]
        assert Counter(r.id for r in records(out)) == dict.fromkeys(source.ids, 1)


def test_unparsed_and_refused_replies_are_not_asked_again(out: Path) -> None:
    replies = {"p0/original": "", "p0/intervened": "I'm sorry, but I can't help with that."}
    probe(Paper(1), Scripted(lambda id, times: Reply(text=replies[id])), out)
    assert [r.outcome for r in records(out)] == ["unparsed", "refused"]
    again = Scripted()
    assert probe(Paper(1), again, out).complete
    assert again.asked_ids == []


def test_a_judge_sees_the_templated_words_and_no_truth(out: Path) -> None:
    queries: list[Query] = []

    def does(batch: Sequence[Query]) -> list[Reply]:
        queries.extend(batch)
        return [YES] * len(batch)

    probe(Paper(1), BrokenJudge(does), out)
    assert queries[0].text == "Is shape 0 left of the other? Answer yes or no."
    assert set(queries[0].__struct_fields__) == {
        "id", "group", "role", "pictures", "text", "answer_type", "system", "prompt", "repeat", "labels",
            "answer_line", "in_json",
    }  # fmt: skip
    keys = {key.id: key for key in read_keys(out)}
    assert keys["p0/original"].expected == "yes"
    assert keys["p0/intervened"].expected == "no"


def test_progress_is_reported_and_ends_at_the_total(out: Path) -> None:
    counts: list[tuple[int, int, int]] = []
    probe(Paper(4), Scripted(max_batch=2), out, on_progress=lambda p: counts.append((p.done, p.failed, p.total)))
    assert counts == [(0, 0, 8), (2, 0, 8), (4, 0, 8), (6, 0, 8), (8, 0, 8)]


def test_a_suite_and_its_folder_are_the_same_run(smoke_folder: Path, out: Path) -> None:
    suite = SuiteSource(load_suite("smoke"), 8)
    assert probe(suite, Scripted(), out).complete
    again = Scripted()
    assert probe(FolderSource(Folder(smoke_folder)), again, out).complete
    assert again.asked_ids == []


# ---- identity


TEMPLATE = PromptTemplate("counterbench.template/1", "other", suffix={"yes-no": "Yes or no?"})
OTHERS: dict[str, dict[str, Any]] = {
    "judge": {"judge": Scripted(name="other")},
    "template": {"template": TEMPLATE},
    "repeats": {"repeats": 3},
    "suite": {"source": Paper(3)},
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_run_in_the_same_folder_is_refused_and_the_folder_untouched(out: Path, what: str) -> None:
    probe(Paper(2), Scripted(lambda id, times: FAILURE), out)
    before = snapshot(out)
    given: dict[str, Any] = {"source": Paper(2), "judge": Scripted(), "out": out} | OTHERS[what]
    source, judge = given.pop("source"), given.pop("judge")
    with pytest.raises(InputError, match=f"holds another run: .* its {what}.*choose another --out"):
        probe(source, judge, **given)
    assert judge.asked_ids == []
    assert snapshot(out) == before


def test_a_template_by_another_name_with_the_same_words_is_the_same_run(out: Path) -> None:
    probe(Paper(2), Scripted(), out, template=TEMPLATE)
    same = PromptTemplate("counterbench.template/1", "renamed", "described", suffix={"yes-no": "Yes or no?"})
    again = Scripted()
    assert probe(Paper(2), again, out, template=same).complete
    assert again.asked_ids == []


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("run.json", "counterbench.run/1", "counterbench.run/2", "newer format"),
        ("journal.jsonl", '"id":"p0/intervened",', '"id":"p0/interv', r"journal\.jsonl, line 2"),
    ],
)
def test_a_run_of_a_newer_version_or_with_a_damaged_journal_is_refused_untouched(
    out: Path, name: str, old: str, new: str, message: str
) -> None:
    probe(Paper(2), Scripted(), out)
    (out / name).write_text((out / name).read_text().replace(old, new))
    before, judge = snapshot(out), Scripted()
    with pytest.raises(FormatError, match=message):
        probe(Paper(2), judge, out)
    assert (judge.asked_ids, snapshot(out)) == ([], before)


@pytest.mark.parametrize("left", [".keys.jsonl.partial", ".run.json.partial"])
def test_a_run_killed_before_it_asked_anything_resumes(out: Path, left: str) -> None:
    out.mkdir()
    (out / left).write_bytes(b'{"format":')
    assert probe(Paper(1), Scripted(), out).complete


def test_a_changed_picture_is_refused_and_a_reencoded_one_is_not(smoke_folder: Path, tmp_path: Path, out: Path) -> None:
    folder = tmp_path / "pairs"
    shutil.copytree(smoke_folder, folder)
    failing = {"counting-000000/original"}
    probe(FolderSource(Folder(folder)), Scripted(lambda id, times: FAILURE if id in failing else YES), out)
    picture = next(folder.glob("images/counting/*-original.png"))
    Image.open(picture).save(picture, compress_level=0)
    assert probe(FolderSource(Folder(folder)), Scripted(), out).calls == 1
    whole = picture.read_bytes()
    with Image.open(picture) as image:
        image.putpixel((0, 0), (1, 2, 3))
        image.save(picture)
    before, judge = snapshot(out), Scripted()
    with pytest.raises(InputError, match=r"1 of 16 pictures.*counting/000000-original.png: is not the recorded"):
        probe(FolderSource(Folder(folder)), judge, out)
    assert (judge.asked_ids, snapshot(out)) == ([], before)
    picture.write_bytes(whole)
    assert probe(FolderSource(Folder(folder)), judge, out).complete
    assert judge.asked_ids == []


def test_a_run_under_another_judges_name_is_refused(out: Path) -> None:
    probe(Paper(2), Scripted(), out)
    info = (out / "run.json").read_text()
    (out / "run.json").write_text(info.replace(Scripted().name, "pixels"))
    for read in (cb.score, cb.certify, cb.diagnose, cb.frame, ReplayJudge):
        with pytest.raises(InputError, match=r"its reply to 'p0/original' does not belong to the judge 'pixels'"):
            read(out)


# ---- whatever a judge does wrong


def test_a_judge_is_closed_after_success_and_failure(out: Path) -> None:
    judge = BrokenJudge(raising(InputError("the picture of ours is gone")), max_in_flight=3)
    with pytest.raises(InputError, match="is gone"):
        probe(Paper(5), judge, out)
    assert judge.closed == 1
    assert records(out) == []


# ---- limits


@given(
    pairs=st.integers(1, 10),
    batch=st.integers(1, 7),
    in_flight=st.integers(1, 4),
    calls=st.lists(st.integers(1, 9), max_size=4),
)
@settings(max_examples=25)
def test_max_calls_is_exact_and_resumed_runs_add_up(pairs: int, batch: int, in_flight: int, calls: list[int]) -> None:
    source = Paper(pairs)
    left = 2 * pairs
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        for most in calls:
            judge = Scripted(max_batch=batch, max_in_flight=in_flight)
            progress = probe(source, judge, out, limits=Limits(max_calls=most))
            assert len(judge.asked_ids) == progress.calls == min(most, left)
            left -= progress.calls
            assert progress.complete == (left == 0)
        assert probe(source, Scripted(), out).complete
        assert Counter(r.id for r in records(out)) == dict.fromkeys(source.ids, 1)


def test_earlier_failures_are_asked_last_and_do_not_stop_the_run(out: Path) -> None:
    """Else questions that a server never takes would stand before all others, whenever the run goes on."""
    source, bad = Paper(30), {f"p{i}/original" for i in range(25)}
    refusing = Scripted(lambda id, times: REFUSED if id in bad else YES)
    probe(source, refusing, out, limits=Limits(max_calls=40))
    again = Scripted(lambda id, times: REFUSED if id in bad else YES)
    with pytest.raises(JudgeError):
        probe(source, again, out)
    assert sorted(again.asked_ids[:20]) == sorted(source.ids[40:])
    assert len(again.asked_ids) == 40, "then 20 refusals in a row, that a run with answers takes"
    assert {r.id for r in records(out) if r.final} == set(source.ids) - bad


@given(batch=st.integers(1, 5), in_flight=st.integers(1, 4), cents=st.integers(1, 600))
@settings(max_examples=25)
def test_max_cost_is_never_crossed_and_spent_up_to_the_last_call(batch: int, in_flight: int, cents: int) -> None:
    priced = Reply(text="yes", cost=0.25)
    with tempfile.TemporaryDirectory() as folder:
        judge = Scripted(lambda id, times: priced, max_batch=batch, max_in_flight=in_flight)
        progress = probe(Paper(10), judge, Path(folder) / "run", limits=Limits(max_cost=cents / 100))
        assert len(judge.asked_ids) == min(max(1, cents // 25), 20)  # the first tells the price
        assert progress.cost == pytest.approx(0.25 * len(judge.asked_ids))
        assert bool(progress.stopped) == (not progress.complete)
        assert progress.stopped.startswith(f"the limit of {cents / 100} USD is reached") or progress.complete


def test_planted_judges_and_the_pixel_reader_cost_nothing(tmp_path: Path) -> None:
    for name in ("planted:oracle", "pixels"):
        assert cb.probe("smoke", name, tmp_path / name[:6], limits=Limits(max_cost=0.01)).complete
    replay = f"replay:{tmp_path / 'pixels'}"
    assert cb.probe("smoke", replay, tmp_path / "again", limits=Limits(max_cost=0.01)).complete


def test_repeats_are_asked_one_by_one_and_only_the_failed_one_again(out: Path) -> None:
    texts = iter(["yes", "no", "", "yes", "yes", "yes"])
    first = Scripted(lambda id, times: Reply(text=text) if (text := next(texts)) else FAILURE)
    assert probe(Paper(1), first, out, repeats=3).done == 5
    assert first.asked_ids == ["p0/original"] * 3 + ["p0/intervened"] * 3
    again = Scripted()
    assert probe(Paper(1), again, out, repeats=3).complete
    assert again.asked_ids == ["p0/original"]
    assert {(r.id, r.repeat): r.reply for r in last_records(out / "journal.jsonl").values()} == {
        ("p0/original", 0): "yes",
        ("p0/original", 1): "no",
        ("p0/original", 2): "yes",
        **{("p0/intervened", repeat): "yes" for repeat in range(3)},
    }


# ---- whatever ends it


def interrupted(out: Path) -> tuple[Scripted, list[str]]:
    """A run that gets Ctrl-C at its fifth question, and what had its reply by then."""

    def seconds(id: str) -> float:
        if id == "p2/original":
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
            return 1e6  # a run that waits for it does not end
        return 0.0

    judge = Scripted(seconds=seconds)
    with pytest.raises(KeyboardInterrupt):
        probe(Paper(10), judge, out)
    return judge, [record.id for record in records(out)]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is POSIX")
@pytest.mark.parametrize("notebook", [False, True])
def test_an_interrupted_run_keeps_what_it_has_and_resumes(out: Path, notebook: bool) -> None:
    async def cell() -> tuple[Scripted, list[str]]:
        return interrupted(out)

    judge, kept = asyncio.new_event_loop().run_until_complete(cell()) if notebook else interrupted(out)
    assert kept == Paper(10).ids[:4]
    assert (judge.asked_ids, judge.closed) == (Paper(10).ids[:5], 1)
    again = Scripted()
    assert probe(Paper(10), again, out).complete
    assert again.asked_ids == Paper(10).ids[4:]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is POSIX")
def test_a_second_interrupt_ends_a_hanging_judge(out: Path) -> None:
    program = """
import asyncio, sys
from pathlib import Path
from asking.fakes import Paper, Scripted
from asked import probe

class Hangs(Scripted):
    async def answer(self, batch):
        print("asked", flush=True)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            print("hangs", flush=True)
            await asyncio.sleep(60)

probe(Paper(2), Hangs(), Path(sys.argv[1]))
"""
    with started("-c", program, out) as process:
        for line in ("asked\n", "hangs\n"):
            assert process.stdout.readline() == line
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors


# ---- names of runs


@swept(
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


def test_a_runs_name_is_kept_and_is_no_part_of_its_identity(out: Path) -> None:
    source = SuiteSource(load_suite("smoke"), limit=2)
    probe(source, Scripted(), out, name="mine", limits=Limits(max_calls=1))
    assert probe(source, Scripted(), out).complete
    assert read_run_info(out).name == "mine"
    probe(source, Scripted(), out, name="other")
    assert read_run_info(out).name == "other"
    assert len(records(out)) == 4


def test_a_larger_limit_extends_the_same_run(out: Path) -> None:
    smoke = load_suite("smoke")
    for source, new in ((SuiteSource(smoke, 4), 8), (SuiteSource(smoke), 28)):
        judge = Scripted()
        end = probe(source, judge, out)
        assert (len(judge.asked_ids), end.total, end.complete) == (new, 2 * len(source), True)
        assert read_run_info(out).suite_digest == source.digest
        assert len(list(read_keys(out))) == read_run_info(out).queries == 2 * len(source)
    with pytest.raises(InputError, match="holds more questions of this suite already, 36 and not 8"):
        probe(SuiteSource(smoke, 4), Scripted(), out)


# ---- what the pictures are like


@pytest.mark.parametrize("needs_images", [True, False])
def test_pictures_stay_in_memory_only_for_a_judge_that_needs_them(out: Path, needs_images: bool) -> None:
    held: list[bool] = []

    def note(batch: Sequence[Query]) -> list[Reply]:
        held.extend(picture.bytes_held > 0 for query in batch for picture in query.pictures)
        return [YES] * len(batch)

    judge = BrokenJudge(note)
    judge.needs_images = needs_images  # type: ignore[attr-defined]
    probe(SuiteSource(load_suite("smoke"), 2), judge, out)
    assert held == [needs_images] * 4


def test_an_imported_run_says_what_its_pictures_are_like(out: Path, tmp_path: Path) -> None:
    rows = [{"id": "a", "original": "o.jpg", "intervened": "i.jpg", "question": "Red?", "original_answer": "yes",
             "intervened_answer": "no"}]  # fmt: skip
    for name in ("o.jpg", "i.jpg"):
        Image.new("RGB", (60, 40), (len(name), 200 if name == "o.jpg" else 9, 0)).save(tmp_path / name)
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_pairs(tmp_path / "pairs.jsonl", tmp_path / "imported")
    probe(FolderSource(Folder(tmp_path / "imported")), Scripted(), out)
    found = read_run_info(out).domain
    assert (found.renderer, found.style, found.size) == ("imported", "", "60x40")
    assert found.file_format == "png"  # what an import keeps, and a judge is sent


def test_missing_keys_are_written_again(out: Path) -> None:
    probe(Paper(2), Scripted(), out)
    keys = (out / "keys.jsonl").read_bytes()
    (out / "keys.jsonl").unlink()
    assert probe(Paper(2), Scripted(), out).complete
    assert (out / "keys.jsonl").read_bytes() == keys
