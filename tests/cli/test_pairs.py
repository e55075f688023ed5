"""generate, verify and gallery: what is printed and where, JSON alone on standard output, exit codes, help."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import call, done

import counterbench as cb
from counterbench import __version__
from counterbench.suites.folder import Folder, picture_name
from counterbench.suites.suite import load_suite

ROOT = Path(__file__).parents[2]


def run(*args: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | more.pop("env", {})
    command = [sys.executable, "-m", "counterbench", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, **more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "pairs"
    assert call("generate", "smoke", "--out", out, "--workers", 1).exit_code == 0
    return out


# the three steps, as a person does them


def test_seed_and_limit(tmp_path: Path) -> None:
    made = call("generate", "smoke", "--out", tmp_path / "x", "--seed", 5, "--limit", 3, "--workers", 1, "--json")
    info = json.loads(made.stdout)
    assert (info["seed"], info["limit"], info["pairs"]) == (5, 3, 3)
    assert info["counts"] == {"spatial": 1, "attribute": 1, "counting": 1}


def test_families_are_drawn_without_a_suite_file() -> None:
    done("generate", "--families", "spatial,counting,law-control", "--count", 8, "--size", 256, "--seed", 7)
    info = Folder(Path("pairs/spatial-counting-law-control-8--seed-7--size-256")).info
    assert (info.counts, info.seed) == ({"spatial": 3, "counting": 3, "law-control": 2}, 7)
    assert info.definition["size"] == 256
    same = cb.generate(families=["spatial", "counting", "law-control"], count=8, size=256, seed=7)
    assert same.info == info  # in the same folder, which is there already


# JSON


def test_json_is_one_document_and_alone(tmp_path: Path, folder: Path) -> None:
    made = call("generate", "smoke", "--out", tmp_path / "x", "--json")
    assert (made.exit_code, made.stderr) == (0, "")
    assert json.loads(made.stdout) == json.loads((tmp_path / "x" / "suite.json").read_text())
    checked = call("verify", folder, "--json")
    assert (checked.exit_code, checked.stderr) == (0, "")
    document = json.loads(checked.stdout)
    assert document == {
        "source": "smoke",
        "digest": load_suite("smoke").digest,
        "holds": True,
        "pairs": dict.fromkeys((p.family for p in load_suite("smoke")), 2),
        "problems": [],
        "notes": [],
        "unchecked": [],
    }


def damaged(folder: Path, tmp_path: Path, count: int = 1) -> Path:
    import shutil

    copy = tmp_path / "damaged"
    shutil.copytree(folder, copy)
    for pair in load_suite("smoke")[:count]:
        (copy / picture_name(pair, "original")).unlink()
    return copy


def test_a_check_that_does_not_hold_is_1(folder: Path, tmp_path: Path) -> None:
    copy = damaged(folder, tmp_path)
    checked = call("verify", copy)
    assert checked.exit_code == 1
    assert "spatial-000000 (spatial): picture: " in checked.stdout
    assert "18 pairs: 1 problem\n" in checked.stdout
    assert "next: " not in checked.stdout
    assert "Traceback" not in checked.stderr
    as_json = call("verify", copy, "--json")
    assert (as_json.exit_code, as_json.stderr) == (1, "")
    document = json.loads(as_json.stdout)
    assert document["holds"] is False
    assert [(p["pair"], p["family"], p["check"]) for p in document["problems"]] == [
        ("spatial-000000", "spatial", "picture")
    ]


def test_many_problems_are_counted_and_the_json_has_all(folder: Path, tmp_path: Path) -> None:
    copy = damaged(folder, tmp_path)
    lines = [json.loads(line) for line in (copy / "pairs.jsonl").read_text().splitlines()]
    for line in lines:
        line.update(question="?", skill="?", relevant=not line["relevant"])
    (copy / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    short, full = call("verify", copy), call("verify", copy, "--json")
    problems = json.loads(full.stdout)["problems"]
    assert len(problems) > 50
    assert f"18 pairs: {len(problems)} problems" in short.stdout
    assert f"… and {len(problems) - 50} more (--json has all)" in short.stdout
    assert len([line for line in short.stdout.splitlines() if re.match(r"\S+ \(\w*\): \w+: ", line)]) == 50
    assert (short.exit_code, full.exit_code) == (1, 1)


# what is wrong with the input


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    "args",
    [("generate", "smoke", "--out", "x", "--json"), ("verify", "smoke")],
)
def test_a_reader_that_leaves_is_no_failed_check(tmp_path: Path, args: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "counterbench", *args]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, cwd=tmp_path, env=environment)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) != 1
    assert b"Traceback" not in errors


@pytest.mark.slow
def test_a_terminal_that_knows_ascii_only(folder: Path) -> None:
    result = run("verify", folder, env={"PYTHONIOENCODING": "ascii"})
    assert "Traceback" not in result.stderr
    assert result.returncode == 0


def test_version() -> None:
    assert call("--version").stdout == f"counterbench {__version__}\n"
