"""The journal: appended to, never rewritten, read past a torn end, and never read past damage."""

from __future__ import annotations

import errno
import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.answers.outcomes import Failed
from counterbench.errors import FormatError, InputError
from counterbench.files import formats
from counterbench.runs.folder import RunInfo
from counterbench.runs.journal import Journal, Record, answered, identity_of, last_records, read_journal, unchanged


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


def test_several_records_in_one_append(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([record(0), record(1, None)])
        journal.append([])
        assert [r.id for r in read_journal(path)] == ["q0", "q1"], "on their way to the disk when append returns"


def test_a_journal_that_is_not_open_takes_nothing(path: Path) -> None:
    with pytest.raises(ValueError, match="not open"):
        Journal(path).append([record()])


def test_an_empty_reply_is_final(path: Path) -> None:
    write(path, record(0, "", outcome="unparsed"))
    assert answered(path).identities == {"i0"}


def test_no_journal_has_no_answers(path: Path) -> None:
    assert answered(path).identities == set()
    with pytest.raises(InputError, match=r"journal\.jsonl: cannot be read"):
        list(read_journal(path))


def test_replies_about_two_pictures_under_one_query_are_refused(path: Path) -> None:
    write(path, record(0, None), record(0, vote=1, identity="i0 again"), record(0), record(1))
    assert answered(path).asked == {("q0", 0): "i0", ("q0", 1): "i0 again", ("q1", 0): "i1"}
    assert answered(path).identities == {"i0", "i0 again", "i1"}
    write(path, record(0, None, identity="another picture"))
    with pytest.raises(InputError, match=r"journal\.jsonl: holds replies to 'q0' about two different pictures"):
        answered(path)


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=20))
def test_answered_and_last_records_agree_with_a_plain_loop(history: list[tuple[int, bool]]) -> None:
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
    for end in range(0, len(whole) + 1, 23):
        path.write_bytes(whole[:end])
        kept = [r.id for r in read_journal(path)]
        write(path, record(3))
        assert [r.id for r in read_journal(path)] == [*kept, "q3"]


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


def test_a_full_disk_is_one_clear_error_for_all_that_follows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        with pytest.raises(InputError, match="No space left on device"):  # half a line may be there
            journal.append([record(2)])
    assert path.read_bytes() == before


def test_identity_depends_on_each_of_its_parts() -> None:
    parts = ("pixels", "wording", "query", "digest", 0)
    others = ("planted:oracle", "other", "query2", "digest2", 1)
    changed = [identity_of(*(*parts[:i], others[i], *parts[i + 1 :])) for i in range(5)]  # type: ignore[arg-type]
    assert len({identity_of(*parts), *changed}) == 6
    assert identity_of("a", "bc", "d", "e", 0) != identity_of("ab", "c", "d", "e", 0)
    assert identity_of(*parts) == identity_of(*parts)


# ---- what a record was a reply to


def bound(judge: str = "mine", wording: str = "w") -> RunInfo:
    return RunInfo(
        suite="s", suite_digest="", seed=0, judge=judge, wording="default", wording_digest=wording, votes=1, queries=1,
        versions={},
    )  # fmt: skip


def test_a_record_is_held_against_the_judge_and_the_wording_of_its_run() -> None:
    said = record(identity=identity_of("mine", "w", "q", "asked", 0), id="q", asked="asked")
    assert list(unchanged([said], "here", bound())) == [said]
    for other in (bound(judge="another"), bound(wording="other")):
        with pytest.raises(InputError, match="here: its reply to 'q' is not to what"):
            list(unchanged([said], "here", other))
    for change in ({"id": "r"}, {"asked": "else"}, {"vote": 1}):
        with pytest.raises(InputError, match="is not to what 'mine' was asked"):
            list(unchanged([msgspec.structs.replace(said, **change)], "here", bound()))  # type: ignore[arg-type]
