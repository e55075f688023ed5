"""Scoring, for endurance: CPU time and peak memory of `counterbench score`, start-up included, on a million records.

    python benchmarks/scoring.py                       `certify` by planted:noisy, repeated to 1,000,000 records
    python benchmarks/scoring.py --records 100000      fewer
    python benchmarks/scoring.py --against ../before   in turn with the code of another checkout, and the ratio

Keys and records are those of a small run of probe with other ids, written as probe writes them; one record in a hundred
follows a failure, and one in a thousand comes much later than its key.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain, count, islice
from pathlib import Path

import msgspec
from measuring import ENVIRONMENT, ROOT

from counterbench.answers.outcomes import Failed
from counterbench.api import probe
from counterbench.files import formats
from counterbench.runs.folder import Record, RunInfo, identity_of, read_journal, read_keys, read_run_info
from counterbench.runs.queries import Key

TARGET = "target for a million records: 15 s of CPU and 300 MB"


def repeated(keys: list[Key], answers: dict[str, Record], info: RunInfo) -> Iterator[tuple[Key, Record]]:
    """Each key with its record, again and again under new ids."""
    for turn in count():
        for key in keys:
            group = f"{key.group}.{turn}"
            new = msgspec.structs.replace(key, id=f"{group}/{key.role}", group=group)
            record = answers[key.id]
            identity = identity_of(info.judge, info.template_digest, new.id, record.asked, record.repeat)
            yield new, msgspec.structs.replace(record, id=new.id, identity=identity)


def write_long_run(small: Path, out: Path, records: int) -> None:
    """A run of so many questions."""
    info = read_run_info(small)
    answers = {record.id: record for record in read_journal(small / "journal.jsonl")}
    out.mkdir()
    formats.write_json(out / "run.json", msgspec.structs.replace(info, queries=records))
    late: list[Record] = []
    with (out / "keys.jsonl").open("wb") as keys, (out / "journal.jsonl").open("wb") as journal:
        found = repeated(list(read_keys(small)), answers, info)
        for number, (key, record) in enumerate(islice(found, records)):
            keys.write(formats.encode(key) + b"\n")
            if number % 100 == 0:
                failed = msgspec.structs.replace(record, reply=None, failure=Failed("server"), outcome="failed")
                journal.write(formats.encode(failed) + b"\n")
            if number % 1000 == 0:
                late.append(record)
            else:
                journal.write(formats.encode(record) + b"\n")
        for record in chain(late[1::2], late[::2]):
            journal.write(formats.encode(record) + b"\n")


def score_cost(run: Path, checkout: Path) -> tuple[float, float]:
    """CPU seconds and peak megabytes of one `counterbench score`, by the code of a checkout."""
    command = [sys.executable, "-m", "counterbench", "score", str(run), "--json"]
    env = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(checkout)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"score ended with exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small, run = Path(folder) / "small", Path(folder) / "run"
        probe("certify", "planted:noisy", out=small)
        write_long_run(small, run, chosen.records)
        checkouts = [chosen.against.resolve(), ROOT] if chosen.against else [ROOT]
        found: dict[Path, list[tuple[float, float]]] = {checkout: [] for checkout in checkouts}
        for checkout in checkouts * chosen.rounds:
            found[checkout].append(score_cost(run, checkout))
        print(f"{chosen.records:,} records, the least of {chosen.rounds} rounds; {TARGET}")
        for checkout, rounds in found.items():
            cpu, peak = (min(figures) for figures in zip(*rounds, strict=True))
            print(f"  {checkout}: {cpu:.1f} s of CPU, {cpu / chosen.records * 1e6:.1f} µs a record, {peak:.0f} MB")
        if chosen.against:
            before, after = (min(cpu for cpu, _ in found[checkout]) for checkout in checkouts)
            print(f"  ratio {after / before:.2f}")


if __name__ == "__main__":
    main()
