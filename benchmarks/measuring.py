"""What the benchmarks that ask a judge share: a measurement is a process of its own, so that peaks are its own too."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
# What is measured is the checkout that this file is in. The server takes any key; the clients want one.
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "loopback", "LOOPBACK_API_KEY": "loopback"}


def peak_mb() -> float:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def cpu_seconds() -> float:
    """User and system time of this process, all threads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measured(work: Callable[[], int]) -> dict[str, Any]:
    """Time, CPU time and peak memory of the asking part, which returns a count: imports and opening are done before."""
    began, used = time.perf_counter(), cpu_seconds()
    questions = work()
    return {
        "wall": time.perf_counter() - began,
        "cpu": cpu_seconds() - used,
        "peak": peak_mb(),
        "questions": questions,
    }


def child(name: str, *given: object, python: str = sys.executable, env: dict[str, str] | None = None) -> dict[str, Any]:
    """What a function of the running script returns, called in a process of its own by `answer_as_child`."""
    command = [python, str(Path(sys.argv[0]).resolve()), "--child", name, *map(str, given)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ENVIRONMENT, **(env or {})})
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr[-4000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def answer_as_child(*functions: Callable[..., dict[str, Any]]) -> None:
    """In a process that `child` started: print what the function it names returns, and end. Elsewhere nothing."""
    if sys.argv[1:2] == ["--child"]:
        chosen = {function.__name__: function for function in functions}[sys.argv[2]]
        print(json.dumps(chosen(*sys.argv[3:])))
        raise SystemExit


def middle(found: list[dict[str, Any]], figure: str) -> float:
    return float(statistics.median(run[figure] for run in found))
