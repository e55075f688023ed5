"""Asking a local model, for speed: the tests' small model at 2.5 million parameters, batch 1 against the default batch.

    python benchmarks/local_model.py                       200 questions, 3 rounds
    python benchmarks/local_model.py --choice              in choice mode
    python benchmarks/local_model.py --choice --against ../before      and by the code of another checkout

Every measurement is a process of its own, they take turns, and medians are printed; also how many replies agree, and,
where a GPU is, tokens a second.
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
    """The tests' small vision-language model, four times as wide, saved."""
    sys.path.insert(0, str(TESTS))
    small_vlm: Any = importlib.import_module("small_vlm")
    small_vlm.HIDDEN *= 4
    small_vlm.build_small_vlm(Path(path))
    return {}


def local(model: str, option: str, pairs: str) -> dict[str, Any]:
    """A run with the small model; also what it answered, and the tokens it read and wrote, if on a GPU."""
    import torch

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
        records = list(read_journal(Path(out) / "run" / "journal.jsonl"))
    tokens = sum((record.tokens_in or 0) + (record.tokens_out or 0) for record in records)
    replies = {record.id: record.reply for record in records}
    return found | {"replies": replies, "tokens": tokens if torch.cuda.is_available() else 0}


def a_local_model(rounds: int, questions: int, choice: bool, against: Path | None) -> None:
    mode = "&mode=choice" if choice else ""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "small"
        child("build_model", model)
        runs: dict[str, tuple[str, dict[str, str]]] = {
            "batch 1": (f"?batch=1{mode}", {}),
            "the default batch": (f"?batch=8{mode}", {}),
        }
        if against is not None:
            runs["by that checkout"] = (f"?batch=8{mode}", {"PYTHONPATH": str(against.resolve())})
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name, (option, env) in runs.items():
                found[name].append(child("local", model, option, questions // 2, env=env))
    base = middle(found["batch 1"], "cpu")
    first = found["batch 1"][0]
    count, replies = first["questions"], first["replies"]
    print(f"a small local model, {count:,} questions, median of {rounds} rounds on {os.cpu_count()} cores")
    for name, measures in found.items():
        wall, cpu = middle(measures, "wall"), middle(measures, "cpu")
        same = sum(measures[0]["replies"].get(id) == reply for id, reply in replies.items())
        speed = f"   {measures[0]['tokens'] / wall:,.0f} tokens a second" if measures[0]["tokens"] else ""
        print(
            f"  {name:<18} {wall:6.2f} s   CPU {cpu:6.2f} s   ratio {cpu / base:.2f}"
            f"   {cpu / count * 1000:.1f} ms a question   peak {middle(measures, 'peak'):.0f} MB{speed}"
            f"   same replies: {same:,} of {len(replies):,}"
        )


def main() -> None:
    answer_as_child(build_model, local)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--choice", action="store_true", help="in choice mode")
    parser.add_argument("--against", type=Path, help="another checkout")
    chosen = parser.parse_args()
    a_local_model(chosen.rounds, chosen.questions, chosen.choice, chosen.against)


if __name__ == "__main__":
    main()
