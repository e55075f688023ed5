"""generate, verify and gallery: what is printed and where, JSON alone on standard output, exit codes, help."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from commands import call, document, done
from processes import command_started

import counterbench as cb
from counterbench import __version__
from counterbench.suites.folder import Folder, picture_name
from counterbench.suites.suite import load_suite


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "pairs"
    assert call("generate", "smoke", "--out", out, "--workers", 1).exit_code == 0
    return out


def test_families_are_drawn_without_a_suite_file() -> None:
    done("generate", "--families", "spatial,counting,law-control", "--count", 8, "--size", 256, "--seed", 7)
    info = Folder(Path("pairs/spatial-counting-law-control-8--seed-7--size-256")).info
    assert (info.counts, info.seed) == ({"spatial": 3, "counting": 3, "law-control": 2}, 7)
    assert info.definition["size"] == 256
    same = cb.generate(families=["spatial", "counting", "law-control"], count=8, size=256, seed=7)
    assert same.info == info  # in the same folder, which is there already


def test_generate_and_verify_json_have_the_fields_of_the_contract(tmp_path: Path, folder: Path) -> None:
    made = document("generate", "smoke", "--out", tmp_path / "x")
    assert made == json.loads((tmp_path / "x" / "suite.json").read_text())
    assert document("verify", folder) == {
        "source": "smoke",
        "digest": load_suite("smoke").digest,
        "holds": True,
        "pairs": dict.fromkeys((p.family for p in load_suite("smoke")), 2),
        "problems": [],
        "notes": [],
        "unchecked": [],
    }


def damaged(folder: Path, tmp_path: Path) -> Path:
    copy = Path(shutil.copytree(folder, tmp_path / "damaged"))
    (copy / picture_name(load_suite("smoke")[0], "original")).unlink()
    return copy


def test_a_failed_verification_exits_with_1(folder: Path, tmp_path: Path) -> None:
    copy = damaged(folder, tmp_path)
    checked = done("verify", copy, code=1)
    assert "spatial-000000 (spatial): picture: " in checked
    assert "18 pairs: 1 problem\n" in checked
    assert "next: " not in checked
    found = document("verify", copy, code=1)
    assert found["holds"] is False
    (problem,) = found["problems"]
    assert (problem["pair"], problem["family"], problem["check"]) == ("spatial-000000", "spatial", "picture")


def test_many_problems_are_counted_in_text_and_complete_in_json(folder: Path, tmp_path: Path) -> None:
    copy = damaged(folder, tmp_path)
    lines = [json.loads(line) for line in (copy / "pairs.jsonl").read_text().splitlines()]
    for line in lines:
        line.update(question="?", skill="?", relevant=not line["relevant"])
    (copy / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    short, problems = done("verify", copy, code=1), document("verify", copy, code=1)["problems"]
    assert len(problems) > 50
    assert f"18 pairs: {len(problems)} problems" in short
    assert f"… and {len(problems) - 50} more (--json has all)" in short
    assert len([line for line in short.splitlines() if re.match(r"\S+ \(\w*\): \w+: ", line)]) == 50


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("args", [("generate", "smoke", "--out", "x", "--json"), ("verify", "smoke")])
def test_a_closed_pipe_does_not_exit_with_1_or_a_traceback(tmp_path: Path, args: tuple[str, ...]) -> None:
    process = command_started(*args, cwd=tmp_path)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) != 1
    assert "Traceback" not in errors


@pytest.mark.slow
def test_output_works_on_an_ascii_terminal(folder: Path) -> None:
    process = command_started("verify", folder, env={"PYTHONIOENCODING": "ascii"})
    _, errors = process.communicate()
    assert (process.returncode, "Traceback" in errors) == (0, False)


def test_version_prints_name_and_version() -> None:
    assert call("--version").stdout == f"counterbench {__version__}\n"
