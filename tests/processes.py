"""Python in a process of its own, with this checkout's package or another one."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

ROOT = Path(__file__).parents[1]


def python(*words: object, cwd: Path | None = None, packages: str | Path = ROOT) -> str:
    """What Python prints, called with these words in a folder; `packages`: where it finds ours first."""
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        timeout=560,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def started(*words: object, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Python called with these words, which finds the tests' modules too; killed at the end, unless it has ended."""
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    line = [sys.executable, *map(str, words)]
    with subprocess.Popen(line, **{"env": paths, "text": True, **pipes, **options}) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


def until(condition: Callable[[], T | None], seconds: float = 60.0) -> T:
    """What a condition gives as soon as it is true; a failure if it takes too long."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found
