"""Two processes on one folder: the second is told who is at it, and no question is asked twice."""

import os
import signal
from pathlib import Path

import pytest
from loopback import LoopbackServer, Say
from processes import started, until

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.locks import LOCK, locked

_PROGRAM = """
import sys
from pathlib import Path
from judges.openai.dots import Dots, ask
from counterbench.asking.asker import Limits
from counterbench.errors import InputError

try:
    ask(Dots(20), sys.argv[1], Path(sys.argv[2]), limits=Limits(concurrency=2))
except InputError as error:
    sys.exit(str(error))
"""


@pytest.mark.slow
def test_each_question_of_a_run_is_asked_by_one_process(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with LoopbackServer(Say("1", delay=0.05)) as server:
        with started("-c", _PROGRAM, server.url, out) as first:
            until(lambda: server.log)
            first.send_signal(signal.SIGSTOP)  # so it has not ended when the second begins
            with started("-c", _PROGRAM, server.url, out) as second:
                errors = second.communicate()[1]
            first.send_signal(signal.SIGCONT)
            assert second.returncode
            assert f"{out}: is in use by process {first.pid} on " in errors
            assert "wait until it ends, or stop it" in errors
            assert first.wait(60) == 0
        assert server.asked_per_question().most_common(1)[0][1] == 1
        assert len(server.questions) == 40
    assert not [file.name for file in out.iterdir() if file.name.startswith(".")]


def test_one_process_writes_a_whole_folder(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from counterbench.files.formats import whole_folder

with whole_folder(Path(sys.argv[1])) as folder:
    (folder / "begun").touch()
    sys.stdin.read()
"""
    out = tmp_path / "new" / "out"
    with started("-c", program, out) as first:
        until(lambda: (out.parent / ".out.partial" / "begun").exists())
        with pytest.raises(InputError, match=f"is in use by process {first.pid}"), formats.whole_folder(out):
            pass
        first.communicate()
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert [path.name for path in out.iterdir()] == ["begun"]


def test_a_file_written_twice_at_once_is_whole_and_of_the_last_writer(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with formats.written_whole(file) as first:
        with formats.written_whole(file) as second:
            second.write(b"second")
        assert file.read_bytes() == b"second"
        first.write(b"first")
    assert file.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [file]


def test_old_temporary_files_of_killed_writers_are_deleted(tmp_path: Path) -> None:
    old, new = tmp_path / ".a.json.00000000.partial", tmp_path / ".b.json.00000000.partial"
    for left in (old, new):
        left.touch()
    os.utime(old, (0, 0))
    with formats.claim(tmp_path, "a run", (), lambda: None):
        assert not old.exists()
    assert new.exists()


def test_a_process_does_not_hold_a_lock_twice(tmp_path: Path) -> None:
    with locked(tmp_path / LOCK, "run"):
        again = locked(tmp_path / LOCK, "run")
        with pytest.raises(InputError, match=f"run: is in use by process {os.getpid()}, this one"), again:
            pass
        assert (tmp_path / LOCK).exists()
    with locked(tmp_path / LOCK, "run"):
        pass
