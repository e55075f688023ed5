"""Programs in processes of their own: Python with this checkout's package or another one, and others."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

ROOT = Path(__file__).parents[1]


def ran(*line: object, cwd: Path | None = None, stderr: int = subprocess.PIPE, **variables: str) -> str:
    """What a program prints that must end well; it finds this Python first, and has these variables besides."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        list(map(str, line)),
        cwd=cwd,
        env=os.environ | {"PATH": path} | variables,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        timeout=560,
    )
    assert done.returncode == 0, done.stdout + (done.stderr or "")
    return done.stdout


def python(*words: object, cwd: Path | None = None, packages: str | Path = ROOT) -> str:
    """What Python prints, called with these words in a folder; `packages`: where it finds ours first."""
    return ran(sys.executable, *words, cwd=cwd, PYTHONPATH=str(packages))


@contextmanager
def started(*words: object, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Python called with these words, which finds the tests' modules too; killed at the end, unless it has ended."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    given = {"env": kept | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}, "text": True}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, *map(str, words)], **{**given, **pipes, **options}) as process:
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


def command_started(*words: object, env: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """A command of this checkout in a process of its own, without anybody's key; its output is kept as text."""
    own = {name: value for name, value in (os.environ | (env or {})).items() if not name.startswith("OPENAI_")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-m", "counterbench", *map(str, words)]
    return subprocess.Popen(command, env={**own, "PYTHONPATH": str(ROOT)}, **pipes, **options)
