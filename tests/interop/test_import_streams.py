"""A large import: a kill at any moment loses nothing but time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from counterbench.suites.folder import Folder

pytestmark = pytest.mark.slow
IMPORT = """
import sys
from pathlib import Path
from counterbench.interop import importer
importer("pairs")(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def rows(folder: Path, count: int) -> Path:
    """Pairs that share eight pictures, each with a question of its own."""
    folder.mkdir()
    for n in range(8):
        Image.new("RGB", (24, 24), (30 * n, 0, 0)).save(folder / f"{n}.png")
    file = folder / "pairs.csv"
    with file.open("w") as lines:
        lines.write("id,original,intervened,question,original_answer,intervened_answer,category\n")
        for n in range(count):
            lines.write(f"p{n},{n % 8}.png,{(n + 1) % 8}.png,What is it in {n}?,cat {n},dog,{n % 5}\n")
    return file


def run(file: Path, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", IMPORT, file, out], text=True)


def test_killed_at_any_moment_the_same_again_finishes_it(tmp_path: Path) -> None:
    file, out = rows(tmp_path / "own", 3000), tmp_path / "out"
    for pause in (0.0, 0.2, 0.6):
        process = run(file, out)
        while not (out / ".generating.json").is_file() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert not (out / "suite.json").is_file()
    for folder in (out, tmp_path / "at once"):
        assert run(file, folder).wait(timeout=600) == 0
    for name in ("pairs.jsonl", "metadata.jsonl", "oddities.json"):
        assert (out / name).read_bytes() == (tmp_path / "at once" / name).read_bytes()
    assert [pair.id for pair in Folder(out)][-1] == "p2999"
