"""Files at an address are fetched to be read; a run is uploaded there and resumed from there."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from counterbench.errors import InputError, JudgeError
from counterbench.files import addresses
from counterbench.files.addresses import fetched, masked, resume, shown, uploaded, written

RUN = "memory://bucket/run"


@pytest.fixture(autouse=True)
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    system = fsspec.filesystem("memory")
    system.store.clear()
    system.pseudo_dirs[:] = [""]
    yield system
    system.store.clear()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    run = tmp_path / "run"
    (run / "templates/strict").mkdir(parents=True)
    for name in ("keys.jsonl", "templates/strict/keys.jsonl", ".run.json.partial"):
        (run / name).write_text(name)
    return run


def files_stored(system: fsspec.AbstractFileSystem) -> dict[str, str]:
    return {path.removeprefix("/bucket/run/"): system.cat_file(path).decode() for path in system.find("/bucket/run")}


def texts_in(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


WHOLE = {name: name for name in ("keys.jsonl", "templates/strict/keys.jsonl")}


def test_a_run_is_uploaded_and_fetched_whole(run: Path, memory: fsspec.AbstractFileSystem, tmp_path: Path) -> None:
    with uploaded(run, RUN):
        pass
    assert files_stored(memory) == WHOLE == texts_in(fetched(RUN))
    resume(tmp_path / "another" / "run", RUN, RUN)
    assert texts_in(tmp_path / "another") == {f"run/{name}": name for name in WHOLE}


def test_a_file_is_fetched_and_its_copy_is_shown_as_its_address(memory: fsspec.AbstractFileSystem) -> None:
    memory.pipe_file("/bucket/a.csv", b"1")
    copy = fetched("memory://bucket/a.csv")
    assert (copy.name, copy.read_bytes(), shown(copy)) == ("a.csv", b"1", "memory://bucket/a.csv")
    assert masked(f"{copy}, line 2: no") == "memory://bucket/a.csv, line 2: no"
    assert fetched("runs/a") == Path("runs/a")


def test_a_growing_run_is_uploaded_from_time_to_time(
    run: Path, memory: fsspec.AbstractFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "UPLOAD_PERIOD", 0.01)
    with uploaded(run, RUN):
        (run / "journal.jsonl").write_text("1")
        for _ in range(500):
            if files_stored(memory) == WHOLE | {"journal.jsonl": "1"}:
                break
            threading.Event().wait(0.01)
        assert files_stored(memory) == WHOLE | {"journal.jsonl": "1"}
        (run / "journal.jsonl").write_text("12")
    assert files_stored(memory)["journal.jsonl"] == "12"


@pytest.mark.parametrize(("error", "kept"), [(KeyboardInterrupt, True), (JudgeError, True), (InputError, False)])
def test_a_run_is_uploaded_at_its_end_except_after_an_input_error(
    error: type[BaseException], kept: bool, run: Path, memory: fsspec.AbstractFileSystem
) -> None:
    """But after an InputError the folder may be another's."""
    with pytest.raises(error), uploaded(run, RUN):
        raise error
    assert files_stored(memory) == (WHOLE if kept else {})


def test_the_stop_signal_of_a_scheduler_acts_as_ctrl_c(run: Path, memory: fsspec.AbstractFileSystem) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), uploaded(run, RUN):
        signal.raise_signal(signal.SIGTERM)
    assert (files_stored(memory), signal.getsignal(signal.SIGTERM)) == (WHOLE, before)


def test_a_store_that_fails_for_a_while_gives_only_a_warning(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed, warned = threading.Event(), []

    def fail(*args: object) -> None:
        failed.set()
        raise InputError("the network is gone")

    monkeypatch.setattr(addresses, "UPLOAD_PERIOD", 0.01)
    monkeypatch.setattr(addresses.warnings, "warn", lambda text, stacklevel: warned.append(text))
    with monkeypatch.context() as patch:
        patch.setattr(addresses, "upload", fail)
        with uploaded(run, RUN):
            assert failed.wait(10)
            patch.undo()
    assert warned[0] == "the network is gone; it is tried again"


def test_a_local_run_resumes_without_a_fetch_and_a_missing_one_begins(run: Path, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="is on this machine and goes on; nothing is fetched from memory://bucket/run"):
        resume(run, RUN, RUN)
    with pytest.warns(UserWarning, match="there is nothing yet; the run begins"):
        resume(tmp_path / "new", RUN, RUN)
    assert not (tmp_path / "new").exists()


def test_another_run_at_the_address_is_not_overwritten(memory: fsspec.AbstractFileSystem, tmp_path: Path) -> None:
    memory.pipe_file("/bucket/run/journal.jsonl", b"1")
    with pytest.raises(InputError, match=f"--upload {RUN}: a run is there; --resume-from {RUN} goes on with it"):
        resume(tmp_path / "new", "", RUN)


def test_writing_to_an_address_and_reading_a_missing_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=f"--out {RUN}: is not on this machine; .* --upload {RUN}"):
        written(RUN)
    with pytest.raises(InputError, match=f"{RUN}: there is nothing"):
        fetched(RUN)
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    with pytest.raises(InputError, match=f"{RUN} needs fsspec .* this installs it: .*fsspec"):
        fetched(RUN)
