"""Asking a local model, for speed: the tests' small model on disk, batch 1 against the default batch.

    python benchmarks/local_model.py                       200 questions, 3 rounds
    python benchmarks/local_model.py --questions 1000 --rounds 5

Every measurement is a process of its own, the two take turns, and medians are printed; also how many replies agree.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from measuring import TESTS, answer_as_child, child, measured, middle


def build_model(path: str) -> dict[str, Any]:
    """The tests' small vision-language model, saved."""
    sys.path.insert(0, str(TESTS))
    importlib.import_module("small_vlm").build_small_vlm(Path(path))
    return {}


def local(model: str, option: str, pairs: str) -> dict[str, Any]:
    """A run with the small model; also a digest of what it answered."""
    from counterbench.asking.asking import Asking
    from counterbench.judges import open_judge
    from counterbench.runs.folder import read_journal
    from counterbench.runs.pair_queries import PairQuestions, keys
    from counterbench.suites.sources import SuiteSource
    from counterbench.suites.suite import load_suite

    source = SuiteSource(load_suite("counterbench-550"), int(pairs))
    judge = open_judge(f"transformers:{model}{option}", lambda: keys(source))
    with tempfile.TemporaryDirectory() as out:
        found = measured(lambda: Asking(PairQuestions(source), judge, Path(out) / "run").run()[0].end.done)
        replies = {record.id: record.reply for record in read_journal(Path(out) / "run" / "journal.jsonl")}
    return found | {"replies": replies}


def a_local_model(rounds: int, questions: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "small"
        child("build_model", model)
        options = {"batch 1": "?batch=1", "the default batch": ""}
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in options}
        for _ in range(rounds):
            for name, option in options.items():
                found[name].append(child("local", model, option, questions // 2))
    base = middle(found["batch 1"], "wall")
    count = found["batch 1"][0]["questions"]
    print(f"a small local model, {count:,} questions, median of {rounds} rounds on {os.cpu_count()} cores")
    for name, runs in found.items():
        wall = middle(runs, "wall")
        print(
            f"  {name:<18} {wall:6.2f} s   ratio {wall / base:.2f}"
            f"   {wall / count * 1000:.1f} ms a question   peak {middle(runs, 'peak'):.0f} MB"
        )
    single = found["batch 1"][0]["replies"]
    batched = found["the default batch"][0]["replies"]
    same = sum(batched.get(name) == reply for name, reply in single.items())
    print(f"  same replies: {same:,} of {len(single):,}")


def main() -> None:
    answer_as_child(build_model, local)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=200)
    chosen = parser.parse_args()
    a_local_model(chosen.rounds, chosen.questions)


if __name__ == "__main__":
    main()
