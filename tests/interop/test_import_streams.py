"""A large import: memory grows with ids alone, and a kill at any moment loses nothing but time."""

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
# What a row more may cost: its id, the names of its pictures and a digest are remembered, nothing of its pixels.
BYTES_A_ROW = 400
IMPORT = """
import resource, sys
from pathlib import Path
from counterbench.interop import importer
importer("pairs")(Path(sys.argv[1]), Path(sys.argv[2]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
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
    return subprocess.Popen([sys.executable, "-c", IMPORT, file, out], stdout=subprocess.PIPE, text=True)


def peak(file: Path, out: Path) -> int:
    said, _ = run(file, out).communicate(timeout=1200)
    return int(said)


def test_a_hundred_thousand_rows_stream(tmp_path: Path) -> None:
    few, many = 2_000, 100_000
    small = peak(rows(tmp_path / "few", few), tmp_path / "small")
    large = peak(rows(tmp_path / "many", many), tmp_path / "large")
    assert len(Folder(tmp_path / "large")) == many
    print(f"{small / 2**20:.0f} MiB for {few} rows, {large / 2**20:.0f} MiB for {many}")
    assert large - small < BYTES_A_ROW * (many - few)


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
    peak(file, out)
    peak(file, tmp_path / "at once")
    for name in ("pairs.jsonl", "metadata.jsonl", "oddities.json"):
        assert (out / name).read_bytes() == (tmp_path / "at once" / name).read_bytes()
    assert [pair.id for pair in Folder(out)][-1] == "p2999"
