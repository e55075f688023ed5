"""What is kept at an address is, after any end, what this machine and every other one goes on with."""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from counterbench.errors import BusyError, InputError
from counterbench.files import copies, formats, kept
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
    for name, seconds in {"SILENT": 0.2, "SETTLED": 0.0, "_LISTEN": 0.02}.items():
        monkeypatch.setattr(copies, name, seconds)
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
        sender._sent.set()
        sender._left.set()
        for thread in sender._threads:
            thread.join()
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


def test_what_was_not_sent_is_set_aside_once_another_machine_went_on(
    machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by who only reads there."""
    killed(monkeypatch, True, run_json="{}", journal_jsonl="one\n")
    (place(OUT) / "journal.jsonl").write_text("one\ntwo\n")
    (place(OUT) / "suite.json").write_text("{}")
    machine("two")
    write(journal_jsonl="one\nother\n")
    machine("one")
    with pytest.warns(
        UserWarning, match=r"memory://bucket/run was written to elsewhere since, .* is in /.*/@unsent/run-"
    ):
        assert (kept.fetched(OUT) / "journal.jsonl").read_text() == "one\nother\n"
    write()
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"one\nother\n"}
    (aside,) = place(OUT).parents[1].glob("@unsent/run-*")
    assert (aside / "journal.jsonl").read_text() == "one\ntwo\n"


def test_another_store_at_the_same_address_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    killed(monkeypatch, False, run_json="{}", journal_jsonl="one\n")
    fsspec.filesystem("memory").store.clear()
    with pytest.warns(UserWarning, match="or is another store"):
        kept.fetched(OUT)
    (aside,) = place(OUT).parents[1].glob("@unsent/run-*")
    assert (aside / "journal.jsonl").read_text() == "one\n"


def test_a_copy_that_somebody_deleted_takes_nothing_from_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    killed(monkeypatch, True, run_json="{}", journal_jsonl="one\n")
    for path in place(OUT).iterdir():
        path.unlink()
    write()
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"one\n"}


def test_nor_does_one_that_is_deleted_while_it_is_written_to() -> None:
    write(run_json="{}", journal_jsonl="one\n")

    def late() -> None:
        with kept.kept(place(OUT)):
            shutil.rmtree(place(OUT).parents[1])

    with pytest.raises(InputError, match="memory://bucket/run: its copy here was deleted while it was written to"):
        late()
    found = stored()
    del found[copies.AT_WORK_FILE]
    assert found == {"run.json": b"{}", "journal.jsonl": b"one\n"}


def test_what_others_put_there_meanwhile_stays(machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where whoever was at work died before anything said what it makes."""
    killed(monkeypatch, True)
    memory = fsspec.filesystem("memory")
    for name in ("thesis.doc", "0/run.json", "1/run.json"):
        memory.pipe_file(f"/bucket/run/{name}", b"mine")
    machine("two")
    write(run_json="{}")
    machine("one")
    write(keys_jsonl="keys")
    found = stored()
    assert [found.pop(name) for name in ("thesis.doc", "0/run.json", "1/run.json")] == [b"mine"] * 3
    assert found == {"run.json": b"{}", "keys.jsonl": b"keys"}


def test_an_address_below_another_has_a_copy_of_its_own() -> None:
    """Two processes of one machine: what one fetches leaves alone what the other has not sent yet."""
    write(suite_json="{}")
    inner = f"{OUT}/run-0"
    with kept.kept(place(inner)):
        (place(inner) / "run.json").write_text("{}")
        (place(inner) / "journal.jsonl").write_text("one\n")
        kept._kept.clear()  # another process
        kept.fetched(OUT)
        write(keys_jsonl="keys")
        assert (place(inner) / "journal.jsonl").read_text() == "one\n"
    assert stored()["run-0/journal.jsonl"] == b"one\n"
    assert sorted(stored()) == ["keys.jsonl", "run-0/journal.jsonl", "run-0/run.json", "suite.json"]


def test_what_changed_there_is_fetched_again(machine: Callable[[str], None]) -> None:
    write(run_json="{}", journal_jsonl="one\n", gone_json="{}")
    kept.fetched(OUT)
    machine("two")
    with kept.kept(place(OUT)):
        (place(OUT) / "journal.jsonl").write_text("two\n")
        (place(OUT) / "gone.json").unlink()
    machine("one")
    copy = kept.fetched(OUT)
    assert {path.name: path.read_text() for path in copy.iterdir()} == {"run.json": "{}", "journal.jsonl": "two\n"}
    (copy / "journal.jsonl").write_text("by hand\n")
    assert (kept.fetched(OUT) / "journal.jsonl").read_text() == "two\n"


def until(found: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not found():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_is_new_is_sent_as_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "EVERY", 0.01)
    with kept.kept(place(OUT)):
        for line in ("one\n", "two\n"):
            (place(OUT) / "journal.jsonl").write_text(line)
            until(lambda line=line: stored().get("journal.jsonl") == line.encode())  # type: ignore[misc]


def test_who_is_at_work_there_says_so_again_and_others_are_told(
    machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while it sends, however long that takes."""
    monkeypatch.setattr(kept, "EVERY", 0.01)
    monkeypatch.setattr(copies, "SILENT", 60)  # which is not waited for
    sending, refused = threading.Event(), threading.Event()
    put, told = Store.put, []

    def slow(store: Store, *args: Any) -> Iterator[list[str]]:
        if threading.current_thread() is threading.main_thread():  # at the end
            sending.set()
            assert refused.wait(30)
        yield from put(store, *args)

    def another() -> None:
        assert sending.wait(30)
        kept._kept.clear()
        machine("two")
        try:
            write(run_json="{}")
        except BusyError as error:
            told.append(str(error))
        finally:
            machine("one")
            refused.set()

    monkeypatch.setattr(Store, "put", slow)
    monkeypatch.setattr(kept, "_FIRST", 60)
    other = threading.Thread(target=another)
    other.start()
    with monkeypatch.context() as patch:
        patch.setattr(kept._Sender, "_send", lambda sender: None)
        write(journal_jsonl="one\n")
    other.join()
    assert re.fullmatch(rf"{OUT}: process \d+ on .* is at work in this folder; wait for it or stop it", *told)
    assert stored() == {"journal.jsonl": b"one\n"}


def test_two_that_begin_at_once_are_not_both_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who began last has it; the other is told before it does anything."""

    def meanwhile(seconds: float) -> None:
        copies.Copy(place(OUT))._say(copies._AtWork("another", "there", 1))

    monkeypatch.setattr(copies.time, "sleep", meanwhile)
    worked = []

    def work() -> None:
        with kept.kept(place(OUT)):
            worked.append("at once")

    with pytest.raises(BusyError, match="process 1 on there is at work in this folder now"):
        work()
    assert worked == []
    assert sorted(stored()) == [copies.AT_WORK_FILE]


def test_who_was_taken_for_dead_writes_over_nothing(machine: Callable[[str], None]) -> None:
    def late() -> None:
        with kept.kept(place(OUT)):
            kept._kept.clear()
            machine("two")
            write(run_json="{}", journal_jsonl="new\n")
            machine("one")
            (place(OUT) / "journal.jsonl").write_text("old\n")

    with pytest.raises(
        BusyError, match=r"is at work in this folder now, and no more this one; what was not sent is in /"
    ):
        late()
    assert stored() == {"run.json": b"{}", "journal.jsonl": b"new\n"}
    (aside,) = place(OUT).parents[1].glob("@unsent/run-*")
    assert (aside / "journal.jsonl").read_text() == "old\n"


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

    said = "memory://bucket/run: writing failed: the key has expired; all of it is here, and the same command again"
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

    monkeypatch.setattr(Store, "put", fails)
    with pytest.raises(ZeroDivisionError) as raised:
        written()
    assert raised.value.__notes__[0].startswith("no room there; all of it is here")


def test_pictures_are_there_before_what_tells_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of those that come while others are sent: what the store has is as it was here at one moment."""
    put, folder = Store.put, place(OUT)

    def more(store: Store, names: list[str], here: Path, check: Callable[[], None]) -> Iterator[list[str]]:
        (folder / "late.png").write_text("late")
        with (folder / "pairs.jsonl").open("a") as file:
            file.write("late\n")
        (folder / "suite.json").write_text("{}")
        yield from put(store, names, here, check)

    with monkeypatch.context() as patch, kept.kept(folder):
        (folder / "a.png").write_text("a")
        (folder / "pairs.jsonl").write_text("a\n")
        patch.setattr(Store, "put", more)
        copy = copies.Copy(folder)
        copy._state = copy._read()
        copy.send(lambda done, total: None)
        found = stored()
        del found[copies.AT_WORK_FILE]
        assert found == {"a.png": b"a", "pairs.jsonl": b"a\n"}
    assert sorted(stored()) == ["a.png", "late.png", "pairs.jsonl", "suite.json"]


def test_files_that_are_replaced_while_they_are_looked_at_are_sent_as_of_one_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copy_begin, folder = copies._copy_begin, place(OUT)
    replaced = False

    def once(path: Path, to: Path, length: int) -> None:
        nonlocal replaced
        copy_begin(path, to, length)
        if not replaced:
            replaced = True
            for name in ("keys.jsonl", "run.json"):
                formats.write_atomically(folder / name, b"new, and longer")

    monkeypatch.setattr(copies, "_copy_begin", once)
    with kept.kept(folder):
        for name in ("keys.jsonl", "run.json"):
            (folder / name).write_text("old")
        copy = copies.Copy(folder)
        copy._state = copy._read()
        copy.send(lambda done, total: None)
        assert stored()["keys.jsonl"] == stored()["run.json"] == b"new, and longer"


def test_once_all_was_sent_the_copy_is_no_longer_ahead() -> None:
    """Else who reads here would be shown it, whatever was written there since."""
    with kept.kept(place(OUT)):
        assert copies.Copy(place(OUT)).is_kept
    assert not copies.Copy(place(OUT)).is_kept


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
    shutil.rmtree(place(OUT).parents[1])
    first = copies.Copy(place(OUT))
    read: list[str] = []
    other = threading.Thread(target=lambda: read.append((kept.fetched(OUT) / "journal.jsonl").read_text()))
    with first.alone():
        first._mirror(set())  # as it begins
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


def test_a_folder_within_a_copy_is_used_as_it_is() -> None:
    write(run_json="{}")
    inner = kept.fetched(OUT) / "wordings"
    assert kept.fetched(inner) == inner
    with kept.kept(inner):
        assert not inner.exists()
