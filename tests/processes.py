"""Python in a process of its own, with this checkout's package or another one."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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


def started(*words: object, env: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """A command of this checkout in a process of its own, without anybody's key; its output is kept as text."""
    own = {name: value for name, value in (os.environ | (env or {})).items() if not name.startswith("OPENAI_")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-m", "counterbench", *map(str, words)]
    return subprocess.Popen(command, env={**own, "PYTHONPATH": str(ROOT)}, **pipes, **options)
