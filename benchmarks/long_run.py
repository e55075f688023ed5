"""Asking, for endurance: memory and time of a long run of a planted judge, then of `score`.

    python benchmarks/long_run.py                          100,000 questions, pictures drawn on the way (minutes)
    python benchmarks/long_run.py --questions 10000        fewer

Peak memory is printed at the start, at 10 % and at the end of the run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from measuring import ENVIRONMENT, ROOT, answer_as_child, child, measured, peak_mb


def planted(suite: str, out: str) -> dict[str, Any]:
    """A run over a suite drawn on the way; peak memory at its start, at 10 % and at its end."""
    from counterbench.asking.asking import Asking
    from counterbench.asking.runner import Progress
    from counterbench.judges import open_judge
    from counterbench.runs.pair_queries import PairQuestions, keys
    from counterbench.suites.sources import SuiteSource
    from counterbench.suites.suite import load_suite

    source = SuiteSource(load_suite(Path(suite)))
    judge = open_judge("planted:oracle", lambda: keys(source))
    peaks: dict[str, float] = {}

    def note(progress: Progress) -> None:
        for name, share in (("start", 0.0), ("tenth", 0.1)):
            if progress.done >= share * progress.total:
                peaks.setdefault(name, peak_mb())

    found = measured(lambda: Asking(PairQuestions(source), judge, Path(out)).run(note)[0].end.done)
    return found | peaks | {"journal": (Path(out) / "journal.jsonl").stat().st_size / 2**20}


def a_long_run(questions: int) -> None:
    text = (ROOT / "scenes" / "certify.toml").read_text()
    counts = {family["name"]: family["count"] for family in tomllib.loads(text)["family"]}
    factor = questions / 2 / sum(counts.values())
    for name, count in counts.items():
        larger = max(1, round(count * factor))
        text = text.replace(f'name = "{name}"\ncount = {count}', f'name = "{name}"\ncount = {larger}')
    with tempfile.TemporaryDirectory() as folder:
        suite, out = Path(folder) / "scaled.toml", Path(folder) / "run"
        suite.write_text(text)
        found = child("planted", suite, out)
        print(f"planted:oracle, {found['questions']:,} questions, pictures drawn on the way")
        print(f"  asked in {found['wall']:.1f} s, {found['wall'] / found['questions'] * 1000:.2f} ms a question")
        print(
            f"  peak memory {found['start']:.0f} MB at the start, {found['tenth']:.0f} MB at 10 %, "
            f"{found['peak']:.0f} MB at the end; journal {found['journal']:.0f} MB"
        )
        began = time.perf_counter()
        command = [sys.executable, "-m", "counterbench", "score", str(out)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **ENVIRONMENT})
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
        outcome = "" if process.returncode == 0 else f" (exit status {process.returncode})"
        print(f"  score: {wall:.1f} s, start-up included, peak memory {peak:.0f} MB{outcome}")


def main() -> None:
    answer_as_child(planted)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=100_000)
    a_long_run(parser.parse_args().questions)


if __name__ == "__main__":
    main()
