"""Drawing and encoding, the product's own hot path: our wall time as a ratio to a plain Pillow script's, in one run.

The plain script does less: its edges are not antialiased, ours are. A second one, whose edges are, is timed too.

    python benchmarks/generate.py            speed: counterbench-550, start-up included, several rounds in turn
    python benchmarks/generate.py --memory   peak memory for 1,000 and for 100,000 pairs (minutes, 2 GB of disk)

Targets: two workers at most 0.17 of the plain script; 100,000 pairs within 50 MB of 1,000.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
SUITE = HERE.parent / "scenes" / "counterbench-550.toml"


def ours(out: Path, suite: str, workers: int) -> list[str]:
    return [sys.executable, "-m", "counterbench", "generate", suite, "--out", str(out), "--workers", str(workers)]


def timed(command: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def compiled(folder: Path) -> dict[str, str]:
    """An environment in which Python compiles each file once, as an installation does, even where that is off."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder)}


def speed(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        environment = compiled(root / "compiled")
        timed(ours(root / "pairs", str(SUITE), 2), environment)
        scenes = root / "pairs" / "pairs.jsonl"
        names = ("plain Pillow, one process", "the same, antialiased", "ours, 2 workers", "ours, 1 worker")
        times: dict[str, list[float]] = {name: [] for name in names}
        for i in range(rounds):
            # Each into folders of its own, and nothing deleted until the end: deleting slows what is timed next.
            plain = [sys.executable, str(HERE / "plain_pillow.py"), str(scenes), str(root / f"plain{i}")]
            times[names[0]].append(timed(plain, environment))
            times[names[1]].append(timed([*plain[:-1], str(root / f"fine{i}"), "--antialiased"], environment))
            times["ours, 2 workers"].append(timed(ours(root / f"two{i}", str(SUITE), 2), environment))
            times["ours, 1 worker"].append(timed(ours(root / f"one{i}", str(SUITE), 1), environment))
        base = statistics.median(times[names[0]])
        print(f"1,100 pictures, start-up included, median of {rounds} rounds on {os.cpu_count()} cores")
        for name, found in times.items():
            middle = statistics.median(found)
            print(
                f"  {name:<26} {middle:6.2f} s (from {min(found):.2f} to {max(found):.2f})   ratio {middle / base:.2f}"
            )


def print_memory() -> None:
    print("peak resident memory of the largest process, two workers")
    family_counts = {family["name"]: family["count"] for family in tomllib.loads(SUITE.read_text())["family"]}
    peaks = {}
    for pairs in (1_000, 100_000):
        with tempfile.TemporaryDirectory() as folder:
            suite = Path(folder) / "scaled.toml"
            suite.write_text(scale_suite(SUITE.read_text(), family_counts, pairs / sum(family_counts.values())))
            # A process of its own, so that what it reports of its children is of this run alone.
            script = (
                "import resource, subprocess, sys;"
                "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            )
            command = [sys.executable, "-c", script, *ours(Path(folder) / "pairs", str(suite), 2)]
            peaks[pairs] = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024
            print(f"  {pairs:>7,} pairs: {peaks[pairs]:.0f} MB")
    print(f"  difference: {peaks[100_000] - peaks[1_000]:.0f} MB")


def scale_suite(text: str, counts: dict[str, int], factor: float) -> str:
    """The suite with every family's count multiplied."""
    for name, count in counts.items():
        text = text.replace(f'name = "{name}"\ncount = {count}', f'name = "{name}"\ncount = {round(count * factor)}')
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", action="store_true", help="measure memory instead of time")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    if chosen.memory:
        print_memory()
    else:
        speed(chosen.rounds)


if __name__ == "__main__":
    main()
