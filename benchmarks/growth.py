"""How commands grow: CPU time and peak memory of each on runs of three sizes, start-up included, a process for each.

    python benchmarks/growth.py                         1,000, 10,000 and 100,000 records (minutes, to write them)
    python benchmarks/growth.py --records 1000 10000    other sizes
    python benchmarks/growth.py --keep FOLDER           with the runs in this folder, written where they are missing
    python benchmarks/growth.py --against ../before     and by the code of another checkout

The runs are of a judge that errs, on the suite certify with as many pairs as it takes, whose pictures are not drawn;
and of replies about generated pictures, as tests/pictures/many_pictures.py writes them.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from measuring import ENVIRONMENT, ROOT, TESTS, answer_as_child, child

# The rows of the table: what the run is about, and the command on it; RUN stands for its folder.
ROWS = {
    "score": ("pairs", "score RUN"),
    "diagnose": ("pairs", "diagnose RUN"),
    "report": ("pairs", "report RUN --out RUN.html"),
    "score, pictures": ("pictures", "score RUN"),
}


def pairs(records: str, out: str) -> dict[str, Any]:
    """Write a run of a planted judge about pairs, with so many records."""
    from counterbench.asking.asking import Asking
    from counterbench.judges import open_judge
    from counterbench.runs.pair_queries import PairQuestions, keys
    from counterbench.suites.sources import SuiteSource
    from counterbench.suites.suite import load_suite

    text = (ROOT / "scenes" / "certify.toml").read_text()
    counts = {family["name"]: family["count"] for family in tomllib.loads(text)["family"]}
    for name, count in counts.items():
        larger = max(1, round(count * int(records) / 2 / sum(counts.values())))
        text = text.replace(f'name = "{name}"\ncount = {count}', f'name = "{name}"\ncount = {larger}')
    suite = Path(out).with_suffix(".toml")
    suite.write_text(text)
    SuiteSource.pictures = lambda self, pair: ()  # type: ignore[method-assign]  # the judge looks at none
    source = SuiteSource(load_suite(suite))
    judge = open_judge("planted:noisy?p=0.1", lambda: keys(source))
    return {"records": Asking(PairQuestions(source), judge, Path(out)).run(lambda _: None)[0].end.done}


def pictures(records: str, out: str) -> dict[str, Any]:
    """Write a run about generated pictures, with about so many records: six for each picture."""
    sys.path.insert(0, str(TESTS))
    importlib.import_module("pictures.many_pictures").write_run(Path(out), int(records) // 6)
    return {"records": sum(1 for _ in (Path(out) / "journal.jsonl").open("rb"))}


def cost(command: str, run: Path, checkout: Path) -> str:
    """CPU seconds and megabytes of one command, by the code of a checkout."""
    args = [part.replace("RUN", str(run)) for part in command.split()]
    env = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(checkout)}
    process = subprocess.Popen([sys.executable, "-m", "counterbench", *args], stdout=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with exit status {process.returncode}")
    megabytes = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return f"{usage.ru_utime + usage.ru_stime:6.1f} s {megabytes:5.0f} MB"


def main() -> None:
    answer_as_child(pairs, pictures)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--keep", type=Path, help="a folder for the runs")
    parser.add_argument("--against", type=Path, help="another checkout")
    chosen = parser.parse_args()
    checkouts = [ROOT, *([chosen.against.resolve()] if chosen.against else [])]
    with tempfile.TemporaryDirectory() as folder:
        runs = chosen.keep or Path(folder)
        runs.mkdir(parents=True, exist_ok=True)
        print(f"{'records':<18}" + "".join(f"{records:>18,}" for records in chosen.records))
        for name, (about, command) in ROWS.items():
            for checkout in checkouts:
                costs = []
                for records in chosen.records:
                    run = runs / f"{about}-{records}"
                    if not run.exists():
                        child(about, records, run)
                    costs.append(cost(command, run, checkout))
                print(f"{name if checkout == ROOT else '  before':<18}" + "".join(f"{text:>18}" for text in costs))


if __name__ == "__main__":
    main()
