"""What is kept at an address is, after any end, what this machine and every other one goes on with."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import fsspec
import pytest

from counterbench.errors import BusyError, InputError
from counterbench.files import copies, kept
from counterbench.files.addresses import place
from counterbench.files.store import Store

OUT = "memory://bucket/run"


class Killed(BaseException):
    """What a process that is killed does not notice."""


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Go to another machine: one that has nothing of what lies here."""

    def go(name: str) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))

    memory = fsspec.filesystem("memory")
    memory.store.clear()
    memory.pseudo_dirs[:] = [""]
    monkeypatch.setattr(copies, "SILENT", 0.2)
    go("one")
    yield go
    memory.store.clear()


def stored() -> dict[str, bytes]:
    memory = fsspec.filesystem("memory")
    return {path.removeprefix("/bucket/run/"): memory.cat_file(path) for path in memory.find("/bucket/run")}


def write(**files: str) -> None:
    """A process that writes these files; `_` stands for the dot in their names."""
    with kept.kept(place(OUT)):
        for name, text in files.items():
            path = place(OUT) / name.replace("_", ".")
            path.write_text(text)


def killed(monkeypatch: pytest.MonkeyPatch, sent: bool, **files: str) -> None:
    """A process that is killed once it has written these files, and, if so, sent them."""

    def die(sender: kept._Sender) -> None:
        sender._over.set()
        sender._thread.join()
        if sent:
            sender._copy.send(lambda done, total: None)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(kept._Sender, "end", die)
        with pytest.raises(Killed):
            write(**files)


def test_what_is_written_is_there_at_the_end_and_nobody_is_at_work() -> None:
    write(run_json="{}", a_png="picture")
    assert stored() == {"run.json": b"{}", "a.png": b"picture"}
    with kept.kept(place(OUT)):
        (place(OUT) / "a.png").unlink()
        (place(OUT) / "run.json").write_text("{1}")
        (place(OUT) / "keys.jsonl").write_text("more")
    assert stored() == {"run.json": b"{1}", "keys.jsonl": b"more"}


def test_another_machine_goes_on_with_what_was_sent(
    machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(monkeypatch, True, run_json="{}", journal_jsonl="one\n")
    machine("two")
    write()
    assert (place(OUT) / "journal.jsonl").read_text() == "one\n"
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"one\n"}


def test_this_machine_goes_on_with_what_was_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    write(run_json="{}", journal_jsonl="one\n")
    killed(monkeypatch, False, journal_jsonl="one\ntwo\n")
    assert stored()["journal.jsonl"] == b"one\n"
    assert kept.fetched(OUT).joinpath("journal.jsonl").read_text() == "one\ntwo\n"
    write()
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"one\ntwo\n"}


def test_what_was_not_sent_is_given_up_once_another_machine_went_on(
    machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(monkeypatch, True, run_json="{}", journal_jsonl="one\n")
    (place(OUT) / "journal.jsonl").write_text("one\ntwo\n")
    (place(OUT) / "suite.json").write_text("{}")
    machine("two")
    write(journal_jsonl="one\nother\n")
    machine("one")
    write()
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"one\nother\n"}


def test_a_copy_that_somebody_deleted_takes_nothing_from_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    killed(monkeypatch, True, run_json="{}", journal_jsonl="one\n")
    for path in place(OUT).iterdir():
        path.unlink()
    write()
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"one\n"}


def test_who_is_at_work_there_is_named_and_goes_on(
    machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "SILENT", 60)  # which is not waited for
    monkeypatch.setattr(copies, "_LISTEN", 0.05)
    over, begun = threading.Event(), threading.Event()
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with kept.kept(place(OUT)):
                first = copies.Copy(place(OUT))
                first._state.token = first.at_work().token  # type: ignore[union-attr]
                begun.set()
                beats = 0
                while not over.wait(0.01):
                    first.beat(beats := beats + 1)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    kept._kept.clear()  # of the other machine's process, which this is not
    machine("two")
    try:
        with pytest.raises(BusyError, match=r"memory://bucket/run: process \d+ on .* is at work in this folder"):
            write(run_json="{}")
    finally:
        machine("one")
        over.set()
        thread.join()
    assert not failed


def test_who_was_taken_for_dead_writes_over_nothing(machine: Callable[[str], None]) -> None:
    def late() -> None:
        with kept.kept(place(OUT)):
            kept._kept.clear()
            machine("two")
            write(run_json="{}", journal_jsonl="new\n")
            machine("one")
            (place(OUT) / "journal.jsonl").write_text("old\n")

    with pytest.raises(BusyError, match="another process has taken over"):
        late()
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"new\n"}
    assert (place(OUT) / "journal.jsonl").read_text() == "old\n"


def test_what_others_keep_there_is_left_alone() -> None:
    fsspec.filesystem("memory").pipe_file("/bucket/run/thesis.doc", b"mine")
    for use in (write, lambda: kept.fetched(OUT)):
        with pytest.raises(InputError, match="memory://bucket/run: is not empty, and holds nothing that counterbench"):
            use()
    assert stored() == {"thesis.doc": b"mine"}


def test_a_store_that_fails_costs_nothing_that_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("the key has expired")

    def written(patch: pytest.MonkeyPatch) -> None:
        with kept.kept(place(OUT)):
            (place(OUT) / "run.json").write_text("{}")
            patch.setattr(fsspec.filesystem("memory"), "open", fail)

    said = "memory://bucket/run: writing failed: the key has expired; all is kept here, and the same command again"
    with monkeypatch.context() as patch, pytest.raises(InputError, match=said):
        written(patch)
    assert (place(OUT) / "run.json").read_text() == "{}"
    write()
    assert stored() == {"run.json": b"{}"}


def test_what_failed_first_is_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise InputError("no room there")

    def written() -> None:
        with kept.kept(place(OUT)):
            (place(OUT) / "run.json").write_text("{}")
            raise ZeroDivisionError

    monkeypatch.setattr(Store, "write_from", fails)
    with pytest.raises(ZeroDivisionError) as raised:
        written()
    assert raised.value.__notes__[0].startswith("no room there; all is kept here")


def test_pictures_are_there_before_what_tells_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of those that come while others are sent: what the store has is as it was here at one moment."""
    put, folder = Store.put, place(OUT)

    def more(store: Store, names: list[str], here: Path) -> Iterator[list[str]]:
        (folder / "late.png").write_text("late")
        with (folder / "pairs.jsonl").open("a") as file:
            file.write("late\n")
        (folder / "suite.json").write_text("{}")
        yield from put(store, names, here)

    with monkeypatch.context() as patch, kept.kept(folder):
        (folder / "a.png").write_text("a")
        (folder / "pairs.jsonl").write_text("a\n")
        patch.setattr(Store, "put", more)
        copies.Copy(folder).send(lambda done, total: None)
        found = stored()
        del found[copies.AT_WORK_FILE]
        assert found == {"a.png": b"a", "pairs.jsonl": b"a\n"}
    assert sorted(stored()) == ["a.png", "late.png", "pairs.jsonl", "suite.json"]


def test_a_file_of_the_store_that_would_lie_elsewhere_is_refused() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/bucket/run/run.json", b"{}")
    memory.pipe_file("/bucket/run/../../secret", b"mine")
    with pytest.raises(InputError, match=r"has a file called '../../secret', which would lie elsewhere"):
        kept.fetched(OUT)


def test_a_folder_of_this_machine_is_used_as_it_is(tmp_path: Path) -> None:
    assert kept.fetched(tmp_path / "x") == tmp_path / "x"
    assert kept.fetched(f"file://{tmp_path}/x") == tmp_path / "x"
    with kept.kept(tmp_path / "x"):
        assert not [*tmp_path.glob("*")]


def test_one_file_is_fetched() -> None:
    fsspec.filesystem("memory").pipe_file("/bucket/judge.json", b"{}")
    assert kept.fetched("memory://bucket/judge.json").read_text() == "{}"


def test_a_pattern_stands_for_what_matches() -> None:
    memory = fsspec.filesystem("memory")
    for name in ("a-0/run.json", "a-1/run.json", "b/run.json"):
        memory.pipe_file(f"/bucket/{name}", b"{}")
    assert sorted(map(str, kept.matching("memory://bucket/a-*"))) == ["memory://bucket/a-0", "memory://bucket/a-1"]
    assert kept.matching("memory://bucket/c-*") == ["memory://bucket/c-*"]
    assert kept.matching("runs/*") == ["runs/*"]


def test_who_reads_waits_for_another_process_that_fetches(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not for one that writes, which has what is newest here."""
    write(run_json="{}", journal_jsonl="one\n")
    shutil.rmtree(place(OUT))
    first = copies.Copy(place(OUT))
    read: list[str] = []
    other = threading.Thread(target=lambda: read.append((kept.fetched(OUT) / "journal.jsonl").read_text()))
    with first.alone():
        first._mirror({})  # as it begins
        other.start()
        other.join(0.5)
        assert read == []
        first.come()
    other.join()
    assert read == ["one\n"]
    with kept.kept(place(OUT)):
        (place(OUT) / "journal.jsonl").write_text("one\ntwo\n")
        kept._kept.clear()  # another process
        assert (kept.fetched(OUT) / "journal.jsonl").read_text() == "one\ntwo\n"
