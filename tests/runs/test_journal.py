"""The journal: appended to, never rewritten, read past a torn end, and never read past damage."""

import errno
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asking import fakes
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.runs.folder import (
    Journal,
    Record,
    RunInfo,
    answered,
    identity_of,
    last_records,
    read_journal,
    unchanged,
)

# Of queries, each with a reply or a failure.
ATTEMPTS = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=4)


def record(number: int = 0, reply: str | None = "yes", **more: Any) -> Record:
    """A record of the query with that number; without a reply, a failure."""
    given = {"identity": f"i{number}", "outcome": "answer" if reply else "failed"} | more
    return fakes.record(f"q{number}", reply, "" if reply is not None else "timeout", **given)


def write_journal(path: Path, *records: Record) -> None:
    with Journal(path) as journal:
        for record in records:
            journal.append([record])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


class Writers(RuleBasedStateMachine):
    """One writer after the other appends to a journal; some are killed while they write. Nothing whole is ever lost."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "journal.jsonl"
        self.written: list[Record] = []
        self.torn = b""

    def teardown(self) -> None:
        self.folder.cleanup()

    def records(self, attempts: list[tuple[int, bool]]) -> list[Record]:
        """Attempts at queries, with a reply (some are empty) or a failure."""
        number = len(self.written)
        return [
            record(n, "reply" * (i % 3) if answered else None, time=str(i))
            for i, (n, answered) in enumerate(attempts, number)
        ]

    @rule(attempts=ATTEMPTS, at_once=st.booleans())
    def a_writer_appends(self, attempts: list[tuple[int, bool]], at_once: bool) -> None:
        new = self.records(attempts)
        with Journal(self.path) as journal:
            for batch in [new] if at_once else [[record] for record in new]:
                journal.append(batch)
        self.written, self.torn = self.written + new, b""

    @rule(attempts=ATTEMPTS, share=st.floats(0, 1))
    def a_writer_is_killed(self, attempts: list[tuple[int, bool]], share: float) -> None:
        with Journal(self.path):  # cuts a torn end off
            pass
        new = self.records(attempts)
        data = b"".join(formats.encode(record) + b"\n" for record in new)
        data = data[: int(share * len(data))]
        with self.path.open("ab") as file:
            file.write(data)
        self.written, self.torn = self.written + new[: data.count(b"\n")], data.rpartition(b"\n")[2]

    @precondition(lambda self: self.path.exists())
    @invariant()
    def what_was_written_is_read(self) -> None:
        whole = b"".join(formats.encode(record) + b"\n" for record in self.written)
        assert self.path.read_bytes() == whole + self.torn
        assert list(read_journal(self.path)) == self.written
        by_query: dict[str, list[Record]] = defaultdict(list)
        for record in self.written:
            by_query[record.identity].append(record)
        final = {identity: [r for r in log if r.failure is None] for identity, log in by_query.items()}
        assert last_records(self.path) == {identity: (final[identity] or log)[-1] for identity, log in by_query.items()}
        assert answered(self.path).identities == {identity for identity, kept in final.items() if kept}


TestWriters = Writers.TestCase
TestWriters.settings = settings(max_examples=25, stateful_step_count=10, deadline=None)


def test_a_missing_journal_has_no_answers(path: Path) -> None:
    assert answered(path).identities == set()
    with pytest.raises(InputError, match=r"journal\.jsonl: cannot be read"):
        list(read_journal(path))


def test_replies_about_two_pictures_under_one_query_are_refused(path: Path) -> None:
    write_journal(path, record(0, None), record(0, repeat=1, identity="i0 again"), record(0), record(1))
    assert answered(path).identity_by_repeat == {("q0", 0): "i0", ("q0", 1): "i0 again", ("q1", 0): "i1"}
    assert answered(path).identities == {"i0", "i0 again", "i1"}
    write_journal(path, record(0, None, identity="another picture"))
    with pytest.raises(InputError, match=r"journal\.jsonl: holds replies to 'q0' about two different pictures"):
        answered(path)


@given(text=st.text(st.characters(codec="utf-8"), min_size=0))
def test_a_reply_is_kept_as_it_came(text: str) -> None:
    line = formats.encode(record(0, text))
    assert b"\n" not in line
    assert msgspec.json.decode(line, type=Record).reply == text


@pytest.mark.parametrize("torn", [b"{", b'{"format":"counterbench.record/1","id":"q9', b"\xff\xfe", b"\0" * 200_000])
def test_a_torn_last_line_is_passed_over_and_cut_off_before_the_next_record(path: Path, torn: bytes) -> None:
    write_journal(path, record(0), record(1))
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert [r.id for r in read_journal(path)] == ["q0", "q1"]
    assert path.read_bytes() == whole + torn  # reading changes nothing
    write_journal(path, record(2))
    assert path.read_bytes().startswith(whole)
    assert [r.id for r in read_journal(path)] == ["q0", "q1", "q2"]


def test_a_full_disk_is_one_clear_error_for_all_that_follows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FullDisk:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def flush(self) -> None: ...

    write_journal(path, record(0))
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
    parts = ("pixels", "template", "query", "digest", 0)
    others = ("planted:oracle", "other", "query2", "digest2", 1)
    changed = [identity_of(*(*parts[:i], others[i], *parts[i + 1 :])) for i in range(5)]  # type: ignore[arg-type]
    assert len({identity_of(*parts), *changed}) == 6
    assert identity_of("a", "bc", "d", "e", 0) != identity_of("ab", "c", "d", "e", 0)
    assert identity_of(*parts) == identity_of(*parts)


def bound(judge: str = "mine", template: str = "w") -> RunInfo:
    return RunInfo(
        suite="s", suite_digest="", seed=0, judge=judge, template="default", template_digest=template, repeats=1,
        queries=1,
        versions={},
    )  # fmt: skip


def test_a_record_of_another_judge_or_template_is_refused() -> None:
    record = fakes.record("q", identity=identity_of("mine", "w", "q", "asked", 0), asked="asked")
    assert list(unchanged([record], "here", bound())) == [record]
    for other in (bound(judge="another"), bound(template="other")):
        with pytest.raises(InputError, match="here: its reply to 'q' does not belong to"):
            list(unchanged([record], "here", other))
    for change in ({"id": "r"}, {"asked": "else"}, {"repeat": 1}):
        with pytest.raises(InputError, match="does not belong to the judge 'mine'"):
            list(unchanged([msgspec.structs.replace(record, **change)], "here", bound()))  # type: ignore[arg-type]
