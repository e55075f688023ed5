"""The published benchmarks from import to table, as cards judged by a planted judge: time and memory of each step.

    python benchmarks/published.py FOLDER                  FOLDER holds CF-World, R2I-Bench and T2I-CoReBench (minutes)
    python benchmarks/published.py FOLDER --samples 4      more pictures of each prompt

With another number of --samples it shows how time and memory grow.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import ENVIRONMENT

SETS = {"cf-world": "CF-World", "r2i-bench": "R2I-Bench", "t2i-corebench": "T2I-CoReBench"}


def step(name: str, *words: object) -> None:
    """One command in a process of its own, and what it took."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "counterbench", *map(str, words)]
    with Path(os.devnull).open("w") as nowhere:
        made = subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=os.environ | ENVIRONMENT)
        _, status, usage = os.wait4(made.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    wall, cpu = time.perf_counter() - began, usage.ru_utime + usage.ru_stime
    print(f"  {name:<10}{wall:>7.1f} s{cpu:>9.1f} s CPU{peak:>8.0f} MB", flush=True)


def main() -> None:
    """Every step of each benchmark."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--samples", type=int, default=1)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        for name, published in SETS.items():
            print(f"{published}, {given.samples} pictures of each prompt")
            step("import", "import", name, given.folder / published, "--out", out)
            cards = ("--generator", "planted:card", "--name", "cards", "--out", out / name)
            step("generate", "t2i", "generate", out / f"{name}.jsonl", *cards, "--samples", given.samples)
            run = ("--judge", "planted:oracle", "--uncertified", "--out", out / f"{name}-run")
            step("judge", "t2i", "judge", out / name / "cards", *run)
            step("score", "score", out / f"{name}-run")


if __name__ == "__main__":
    main()
