"""Numbers that must not change, recorded in `frozen.json` beside this file and compared with it.

    python tests/golden/freeze.py                        # compares all parts, lists differences, exits with 1 if any
    python tests/golden/freeze.py --only digests,replies
    python tests/golden/freeze.py --write                # records anew what --only names, or all

digests     of every shipped suite and prompt set
replies     the outcome of every golden reply
demo        the scores of the demo's judges and models, and its verdicts of laws (two minutes)
published   the CounterBench figures, as released and corrected; skipped where the release is absent
verdicts    of each law, of a certified run (ten seconds)
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT, FROZEN, REPLIES = HERE.parents[1], HERE / "frozen.json", HERE.parent / "answers" / "golden.jsonl"
RELEASE = Path(os.environ.get("COUNTERBENCH_UPSTREAM") or ROOT.parent / "shared" / "upstream") / "CounterBench"
sys.path.insert(0, str(ROOT))
Part = dict[str, Any]

# It fails in some laws, too little is known of it in others; the oracle, in the demo, passes in all.
CERTIFIED = "planted:off-by-one?p=0.5"
CF_EVAL = ("s_l1", "s_l2", "s_l3", "prr", "rrr")


def counterbench(*args: str | Path) -> Any:
    """The JSON document of one command of this checkout."""
    return json.loads(called(*args, "--json"))


def called(*args: str | Path) -> str:
    """The output of one command of this checkout."""
    command = [sys.executable, "-m", "counterbench", *map(str, args)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: a judge did not pass, which is one of the answers
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def digests(folder: Path) -> Part:
    from counterbench.files import catalog
    from counterbench.suites.suite import load_suite
    from counterbench.t2i.prompts.files import load_prompts, names

    suites = {name: load_suite(name).digest for name in catalog.names("scenes")}
    return {"suites": suites, "prompts": {name: load_prompts(name).digest for name in names()}}


def replies(folder: Path) -> Part:
    from counterbench.answers import Answer, read_reply

    rows = []
    for case in map(json.loads, REPLIES.read_text(encoding="utf-8").splitlines()):
        asked = {"labels": {label: label for label in case.get("labels", ())}, "answer_line": "answer_line" in case}
        for synonyms in (True, False):
            outcome = read_reply(case["reply"], case["type"], synonyms=synonyms, **asked)
            value = outcome.value if isinstance(outcome, Answer) else None
            rows.append([case["reply"], case["type"], synonyms, type(outcome).__name__, value])
    return {"rows": len(rows), "digest": hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()}


def demo(folder: Path) -> Part:
    called("demo", "--out", folder / "demo")
    runs = sorted(path.parent for path in (folder / "demo" / "runs").glob("*/run.json"))
    certificates = [json.loads((run / "certificate-standard.json").read_text()) for run in runs if "laws--" in run.name]
    pairs = [run for run in runs if run.name.startswith("counterbench-550--")]
    pictures = [run for run in runs if run.name.startswith("laws-few--")]
    models = {run["generator"]: run for run in counterbench("t2i", "score", *pictures)["runs"]}
    return {
        "ccs": figures(counterbench("score", *pairs)),
        "laws": {c["judge"]: laws(c) for c in certificates},
        "t2i": {name: {column: run[column] for column in CF_EVAL} for name, run in models.items()},
    }


def figures(document: Any) -> Part:
    """How many pairs each run has right on both pictures, of how many, by category and overall; and its outcomes."""
    shown = {}
    for run in document["runs"]:
        scored = {**run["categories"], "overall": run["overall"]}
        right = {name: f"{part['ccs']['hits']} of {part['ccs']['of']}" for name, part in scored.items()}
        shown[Path(run["run"]).name] = right | {"outcomes": run["overall"]["outcomes"]}
    return shown


def published(folder: Path) -> Part | None:
    if not (RELEASE / "data" / "benchmark.json").is_file():
        return None
    counterbench("import", "counterbench", RELEASE, "--out", folder / "released")
    runs = sorted(path.parent for path in folder.glob("released/**/run.json"))
    return {
        name: figures(counterbench("score", *runs, "--scoring", name)) for name in ("as-released", "strict", "default")
    }


def verdicts(folder: Path) -> Part:
    return laws(counterbench("validate", CERTIFIED, "--for", "laws-few", "--out", folder / "run")["certificate"])


def laws(certificate: Any) -> Part:
    """The verdict of each law of a certificate, and how many questions it took."""
    found = {name: law["verdict"] for name, law in certificate["laws"].items()}
    return {"verdict": certificate["verdict"], "questions": certificate["questions"], "laws": found}


PARTS: dict[str, Callable[[Path], Part | None]] = {
    part.__name__: part for part in (digests, replies, demo, published, verdicts)
}


def differences(before: Any, now: Any, where: str = "") -> list[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        keys = dict.fromkeys([*before, *now])
        return [line for key in keys for line in differences(before.get(key), now.get(key), f"{where}/{key}")]
    return [] if before == now else [f"{where}: {json.dumps(before)} is now {json.dumps(now)}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, by commas")
    parser.add_argument("--check", action="store_true", help="compare (the default)")
    parser.add_argument("--write", action="store_true", help="record instead of comparing")
    args = parser.parse_args()
    frozen = json.loads(FROZEN.read_text(encoding="utf-8")) if FROZEN.is_file() else {}
    changed = []
    for name in args.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            part = PARTS[name](Path(folder))
        if part is None:
            print(f"{name}: SKIPPED, no CounterBench release in {RELEASE}")
        elif args.write:
            frozen[name] = part
            print(f"{name}: recorded")
        else:
            lines = differences(frozen.get(name), json.loads(json.dumps(part)), name)
            print("\n".join(lines) or f"{name}: the same")
            changed += lines
    if args.write:
        FROZEN.write_text(json.dumps(frozen, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
