"""Real programs on what we export: an environment for each, cached, and its test run there. `make test-consumers`.

    python tests/consumers/run.py [--minutes M] [NAME ...]

A consumer is a folder beside this file: `requirements.txt`, every version pinned, and `test_NAME.py`. Their pins
contradict each other, so each has an environment of its own under `.venv-consumers/`, made anew when what it asks for
changes. In `requirements.txt` a line `# extras: a,b` names our extras that it needs, a line `# pip: ARGUMENTS` what pip
is told. Exit code 1 if a test failed or nothing ran. A consumer has failed, too, if its tests took more than 15
minutes or one of them was skipped. One that could not be installed, or for which there was no time left, is reported as
not run.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENVIRONMENTS = ROOT / ".venv-consumers"
LIMIT = 900.0  # seconds for the tests of one consumer; a hang is a failure. Ray takes 80 s, six minutes on busy cores
PASSED, FAILED, NOT_RUN = "passed", "FAILED", "NOT RUN"


@dataclass(frozen=True)
class ConsumerOutcome:
    """What came of one consumer: `passed`, `FAILED` or `NOT RUN`, in a line; how many seconds its test took."""

    name: str
    status: str
    why: str = ""
    seconds: float = 0.0


def consumer_names() -> list[str]:
    """Every consumer that there is a folder for."""
    return sorted(file.parent.name for file in HERE.glob("*/requirements.txt"))


def run_consumer(name: str, until: float) -> ConsumerOutcome:
    """Install a consumer, unless it is, and run its test; `until` is when time is up (`time.monotonic`)."""
    log = ENVIRONMENTS / f"{name}.log"
    try:
        python = install(name, log, until)
    except (subprocess.CalledProcessError, OSError) as error:
        print(_end(log))
        return ConsumerOutcome(name, NOT_RUN, f"could not be installed: {error} ({log})")
    except subprocess.TimeoutExpired:
        return ConsumerOutcome(name, NOT_RUN, "could not be installed in the time that was left")
    command = [str(python), "-m", "pytest", "-c", str(HERE / "pytest.ini"), "-p", "no:cacheprovider", str(HERE / name)]
    started, left = time.monotonic(), _left(until)
    try:
        code = subprocess.run(command, cwd=ROOT, env=_environment(), timeout=min(LIMIT, left)).returncode
    except subprocess.TimeoutExpired:
        if left >= LIMIT:
            return ConsumerOutcome(name, FAILED, f"its test did not end within {LIMIT / 60:.0f} minutes")
        return ConsumerOutcome(name, NOT_RUN, "its test did not end in the time that was left")
    return ConsumerOutcome(
        name, FAILED if code else PASSED, f"pytest ended with {code}" if code else "", time.monotonic() - started
    )


def install(name: str, log: Path, until: float) -> Path:
    """The python of a consumer's environment, which is made if it is not there or was made for something else."""
    needs = HERE / name / "requirements.txt"
    text = needs.read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode() + (ROOT / "pyproject.toml").read_bytes() + sys.version.encode()).hexdigest()
    home = ENVIRONMENTS / name
    python, stamp = home / "bin" / "python", home / "installed-for"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return python
    shutil.rmtree(home, ignore_errors=True)
    ENVIRONMENTS.mkdir(exist_ok=True)
    extras = _note(text, "extras")
    ours = f"{ROOT}[{extras}]" if extras else str(ROOT)
    steps = [
        [sys.executable, "-m", "venv", str(home)],
        [str(python), "-m", "pip", "install", "--no-compile", *_note(text, "pip").split(), "--requirement", str(needs)],
        [str(python), "-m", "pip", "install", "--no-compile", "pytest>=8.3", "--editable", ours],
    ]
    print(f"installing {name} (log: {log})", flush=True)
    with log.open("w", encoding="utf-8") as out:
        for step in steps:
            subprocess.run(step, check=True, stdout=out, stderr=out, timeout=_left(until))
    stamp.write_text(digest, encoding="utf-8")
    return python


def _note(text: str, key: str) -> str:
    """What a line `# KEY: …` of the requirements says."""
    found = re.search(rf"^# {key}: *(.+)$", text, re.MULTILINE)
    return found.group(1).strip() if found else ""


def _environment() -> dict[str, str]:
    """No hub is asked for anything, and one thread a process."""
    return os.environ | {
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT / "tests"),
    }


def _left(until: float) -> float:
    return max(1.0, until - time.monotonic())


def _end(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]) if log.is_file() else ""


def main() -> int:
    """Run those that are named, or all; a line for each at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(consumer_names())}; without: all")
    parser.add_argument("--minutes", type=float, default=30, help="stop after so many minutes (default 30)")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(consumer_names())):
        parser.error(f"no such consumer: {', '.join(unknown)}; there are {', '.join(consumer_names())}")
    until = time.monotonic() + 60 * options.minutes
    outcomes = []
    for name in options.names or consumer_names():
        print(f"== {name}", flush=True)
        outcomes.append(run_consumer(name, until))
    print()
    for outcome in outcomes:
        print(f"{outcome.status:8}{outcome.name:14}{outcome.why or f'{outcome.seconds:.0f} s'}")
    failed = any(outcome.status == FAILED for outcome in outcomes)
    return int(failed or not any(outcome.status == PASSED for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
