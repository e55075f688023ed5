"""Peak memory of `counterbench score` on a run about many pictures, start-up included.

    python benchmarks/t2i_memory.py                       100,000 pictures under cf-eval, of laws
    python benchmarks/t2i_memory.py --pictures 8000       fewer
    python benchmarks/t2i_memory.py --questions 1         pictures with one check each, under checklist
    python benchmarks/t2i_memory.py --against ../before   and by the code of another checkout

The run is that of tests/pictures/many_pictures.py.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from measuring import ENVIRONMENT, ROOT, TESTS

TARGET = "target for 100,000 pictures: 500 MB"


def score_cost(run: Path, checkout: Path) -> tuple[str, Any]:
    """Megabytes and seconds of one `score --json` by the code of a checkout, in words; and its document."""
    command = [sys.executable, "-m", "counterbench", "score", str(run), "--json"]
    env = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(checkout)}
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(command, stdout=printed, env=env, cwd=checkout)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"score ended with exit status {process.returncode}")
        printed.seek(0)
        document = json.load(printed)["runs"][0]
    megabytes = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return f"{megabytes:.0f} MB, {usage.ru_utime + usage.ru_stime:.1f} s of CPU", document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=100_000)
    parser.add_argument("--questions", type=int, help="checks of each picture; without it, those of laws")
    parser.add_argument("--against", type=Path, help="another checkout")
    chosen = parser.parse_args()
    sys.path.insert(0, str(TESTS))
    write_run = importlib.import_module("t2i.many_pictures").write_run
    with tempfile.TemporaryDirectory() as folder:
        with ProcessPoolExecutor(1) as other:  # what this process holds would count as what its children hold
            run = other.submit(write_run, Path(folder) / "run", chosen.pictures, chosen.questions).result()
        told, document = score_cost(run, ROOT)
        print(f"{document['pictures']:,} pictures: {told}; {TARGET}")
        if chosen.against:
            told, other = score_cost(run, chosen.against.resolve())
            same = all(document[name] == other[name] for name in ("columns", "slices", "bounds", "counts"))
            print(f"by {chosen.against}: {told}; {'the same' if same else 'OTHER'} numbers")


if __name__ == "__main__":
    main()
