"""An export that is killed at any moment leaves no `export.json`."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from interop.exports.exported import files, source, write

from counterbench.interop.exports import EXPORTS
from counterbench.interop.exports.target import EXPORT_FILE

ROOT = Path(__file__).parents[2]
KILLS, PAIRS = 12, 18

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and fork are POSIX"),
]

# Imports once, then forks an export for each line on its standard input, and prints its process id and its end.
ZYGOTE = """
import os, sys
import pyarrow.parquet
from interop.exports.exported import source, write
format, out, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3])
for line in sys.stdin:
    child = os.fork()
    if not child:
        end = 9
        try:
            write(format, out, source(pairs))
            end = 0
        finally:
            os._exit(end)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def zygote(format: str, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ZYGOTE, format, str(out), str(PAIRS)],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


@pytest.mark.parametrize("format", sorted(EXPORTS))
def test_kill_9_at_any_moment_leaves_no_export_that_is_not_whole(format: str, tmp_path: Path) -> None:
    chance = random.Random(20261122)
    out = tmp_path / "out"
    write(format, tmp_path / "whole", source(PAIRS))
    whole = files(tmp_path / "whole")
    with zygote(format, out) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("how long it takes\n")
        process.stdout.readline()
        begun = time.monotonic()
        assert process.stdout.readline() == "0\n"
        takes = time.monotonic() - begun
        kept = 0
        for kill in range(KILLS):
            shutil.rmtree(out, ignore_errors=True)
            process.stdin.write("again\n")
            child = int(process.stdout.readline())
            # Spread over the whole of it, the last ones where it is about to end.
            time.sleep(takes * (kill + chance.random()) / KILLS)
            with contextlib.suppress(ProcessLookupError):  # it came to its end first
                os.kill(child, signal.SIGKILL)
            kept += process.stdout.readline() == "0\n"
            there = files(out)
            assert EXPORT_FILE not in there or whole.items() <= there.items()
        assert kept < KILLS, "none was killed at work"
        process.stdin.write("to the end\n")
        process.stdout.readline()
        assert process.stdout.readline() == "0\n"
        process.stdin.close()
    assert whole.items() <= files(out).items()
