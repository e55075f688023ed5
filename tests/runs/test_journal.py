"""The journal: appended to, never rewritten, read past a torn end, and never read past damage."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.answers.outcomes import Failed
from counterbench.errors import FormatError, InputError
from counterbench.files import formats
from counterbench.runs.journal import Journal, Record, answered, identity_of, last_records, read_journal

ROOT = Path(__file__).parents[2]


def record(number: int = 0, reply: str | None = "yes", **fields: Any) -> Record:
    failure = None if reply is not None else Failed("timeout", "no reply in 60 s")
    given = {"id": f"q{number}", "identity": f"i{number}", "asked": "d", "outcome": "answer" if reply else "failed"}
    return Record(
        **{**given, "parser": "1", "time": "2026-01-01T00:00:00.000+00:00"} | fields, reply=reply, failure=failure
    )


def write(path: Path, *records: Record) -> None:
    with Journal(path) as journal:
        for one in records:
            journal.append([one])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def test_one_record_a_line_appended_and_never_rewritten(path: Path) -> None:
    write(path, record(0), record(1))
    before = path.read_bytes()
    write(path, record(2, None))
    assert path.read_bytes().startswith(before)
    lines = path.read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["q0", "q1", "q2"]
    assert all(json.loads(line)["format"] == "counterbench.record/1" for line in lines)
    assert list(read_journal(path)) == [record(0), record(1), record(2, None)]


def test_a_record_is_on_its_way_to_the_disk_when_append_returns(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([record(0)])
        assert list(read_journal(path)) == [record(0)]


def test_several_records_in_one_append(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([record(0), record(1, None)])
        journal.append([])
    assert [r.id for r in read_journal(path)] == ["q0", "q1"]


def test_a_journal_that_is_not_open_takes_nothing(path: Path) -> None:
    with pytest.raises(ValueError, match="not open"):
        Journal(path).append([record()])


def test_the_final_record_wins_over_a_later_failure(path: Path) -> None:
    write(path, record(0, "yes"), record(0, None))
    assert last_records(path)["i0"].reply == "yes"
    assert answered(path).identities == {"i0"}


def test_a_failure_then_an_answer(path: Path) -> None:
    write(path, record(0, None), record(1, None), record(0, "no"))
    assert last_records(path)["i0"].reply == "no"
    assert last_records(path)["i1"].failure == Failed("timeout", "no reply in 60 s")
    assert answered(path).identities == {"i0"}


def test_the_last_of_two_failures_is_kept(path: Path) -> None:
    write(path, record(0, None, time="first"), record(0, None, time="second"))
    assert last_records(path)["i0"].time == "second"


def test_an_empty_reply_is_final(path: Path) -> None:
    write(path, record(0, "", outcome="unparsed"))
    assert answered(path).identities == {"i0"}


def test_no_journal_has_no_answers(path: Path) -> None:
    assert answered(path).identities == set()
    with pytest.raises(InputError, match=r"journal\.jsonl: cannot be read"):
        list(read_journal(path))


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=20))
def test_answered_and_last_records_agree_with_a_plain_loop(history: list[tuple[int, bool]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        records = [record(n, f"reply {i}" if ok else None, time=str(i)) for i, (n, ok) in enumerate(history)]
        write(path, *records)
        expected: dict[str, Record] = {}
        for n in {n for n, _ in history}:
            attempts = [r for r in records if r.id == f"q{n}"]
            expected[f"i{n}"] = ([r for r in attempts if r.failure is None] or attempts)[-1]
        assert last_records(path) == expected
        assert answered(path).identities == {identity for identity, r in expected.items() if r.failure is None}


@given(text=st.text(st.characters(codec="utf-8"), min_size=0))
def test_a_reply_is_kept_as_it_came(text: str) -> None:
    line = formats.encode(record(0, text))
    assert b"\n" not in line
    assert msgspec.json.decode(line, type=Record).reply == text


def test_what_is_kept_of_an_attempt(path: Path) -> None:
    full = record(0, seconds=1.5, model="gpt-x-2026", finish="stop", tokens_in=812, tokens_out=3, cost=0.0021, vote=2)
    write(path, full)
    assert list(read_journal(path)) == [full]


@pytest.mark.parametrize("torn", [b"{", b'{"format":"counterbench.record/1","id":"q9', b"\xff\xfe", b"\0" * 200_000])
def test_a_torn_last_line_is_passed_over_and_cut_off_before_the_next_record(path: Path, torn: bytes) -> None:
    write(path, record(0), record(1))
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert [r.id for r in read_journal(path)] == ["q0", "q1"]
    assert path.read_bytes() == whole + torn  # reading changes nothing
    write(path, record(2))
    assert path.read_bytes().startswith(whole)
    assert [r.id for r in read_journal(path)] == ["q0", "q1", "q2"]


def test_every_cut_of_a_journal_can_be_continued(path: Path) -> None:
    write(path, record(0), record(1, None), record(2))
    whole = path.read_bytes()
    for end in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:end])
        kept = [r.id for r in read_journal(path)]
        write(path, record(3))
        assert [r.id for r in read_journal(path)] == [*kept, "q3"]


def test_a_complete_journal_is_not_cut(path: Path) -> None:
    write(path, record(0))
    before = path.read_bytes()
    write(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [b"{not json}", b'{"format":"counterbench.record/1"}', b"[]", b"\xff", b'{"id": "q1"', b"null", b"\0\0\0\0"],
)
def test_a_damaged_middle_line_is_an_error_that_names_file_and_line(path: Path, damage: bytes) -> None:
    lines = [formats.encode(record(n)) for n in range(3)]
    lines[1] = damage
    data = b"\n".join(lines) + b"\n"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"journal\.jsonl, line 2"):
        list(read_journal(path))
    with pytest.raises(FormatError, match="line 2"):
        answered(path)
    assert path.read_bytes() == data


def test_a_field_that_this_version_does_not_know_is_an_error(path: Path) -> None:
    data = {**msgspec.to_builtins(record()), "confidence": 0.9}
    path.write_bytes(msgspec.json.encode(data) + b"\n")
    with pytest.raises(FormatError, match=r"line 1.*confidence"):
        list(read_journal(path))


def test_a_newer_format_is_refused_with_a_message_that_says_so(path: Path) -> None:
    data = {**msgspec.to_builtins(record()), "format": "counterbench.record/2", "confidence": 0.9}
    path.write_bytes(formats.encode(record()) + b"\n" + msgspec.json.encode(data) + b"\n")
    with pytest.raises(FormatError, match=r"line 2.*newer format 'counterbench\.record/2'.*update counterbench"):
        list(read_journal(path))


def test_a_full_disk_is_one_clear_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FullDisk:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def flush(self) -> None: ...

    write(path, record(0))
    before = path.read_bytes()
    with Journal(path) as journal:
        real = journal._file
        monkeypatch.setattr(journal, "_file", FullDisk())
        with pytest.raises(InputError, match=r"journal\.jsonl: cannot be written \(No space left on device\)"):
            journal.append([record(1)])
        monkeypatch.setattr(journal, "_file", real)
    assert path.read_bytes() == before


LIMITED = """
import asyncio, resource, signal, sys
from pathlib import Path
import counterbench as cb
from counterbench.asking.probe import probe
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

class Wordy:
    name, max_batch, max_in_flight = "wordy", 1, 4
    async def answer(self, batch):
        await asyncio.sleep(0.001)
        return [cb.Reply(text="yes " + "z" * 3000)]
    async def close(self): pass

if sys.argv[2] == "limited":
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
try:
    print(probe(SuiteSource(load_suite("smoke"), 8), Wordy(), Path(sys.argv[1])).complete)
except cb.CounterbenchError as error:
    print(error)
    sys.exit(2)
"""


def fill(out: Path, mode: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(out), mode],
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_a_file_system_that_takes_no_more_stops_the_run_and_a_second_call_resumes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    full = fill(out, "limited")
    assert full.returncode == 2, full.stderr
    assert str(out) in full.stdout
    assert full.stdout.count("\n") == 1
    kept = list(read_journal(out / "journal.jsonl"))
    assert 0 < len(kept) < 16
    again = fill(out, "unlimited")
    assert again.stdout == "True\n", again.stderr
    records = list(read_journal(out / "journal.jsonl"))
    assert records[: len(kept)] == kept
    assert sorted(r.id for r in records) == sorted({r.id for r in records})
    assert len(records) == 16


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_a_file_system_that_takes_no_more_prints_no_traceback(tmp_path: Path) -> None:
    full = fill(tmp_path / "run", "limited")
    assert "Traceback" not in full.stderr
    assert "journal.jsonl" in full.stdout


def test_identity_depends_on_each_of_its_parts() -> None:
    parts = ("pixels", "wording", "query", "digest", 0)
    others = ("planted:oracle", "other", "query2", "digest2", 1)
    changed = [identity_of(*(*parts[:i], others[i], *parts[i + 1 :])) for i in range(5)]  # type: ignore[arg-type]
    assert len({identity_of(*parts), *changed}) == 6
    assert identity_of("a", "bc", "d", "e", 0) != identity_of("ab", "c", "d", "e", 0)
    assert identity_of(*parts) == identity_of(*parts)
