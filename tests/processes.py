"""Python in a process of its own, with this checkout's package or another one."""

import os
import subprocess
import sys
from pathlib import Path

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
