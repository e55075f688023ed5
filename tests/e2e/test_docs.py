"""Every page of the docs, and the README, run as it is written: a fresh folder, a shell, and models on loopback.

What a page says must be set first ($JUDGE, $MODEL, $ADDRESS, $T2I) is set to those models; releases of prompts
($CF_WORLD, $COREBENCH, $R2I_BENCH) are the authors' where they are at hand, else small ones of ours in the same layout.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from docs_files import COMMAND, ROOT, SKIPPED, make_examples, outputs, page_commands, python_blocks, script, shown_files
from pictures.foreign_releases import cf_world, corebench, r2i_bench, write_files
from PIL import Image
from processes import python, ran
from published import UPSTREAM
from skimage import data
from stub_models import DRAWS, SEES, served
from sweeping import swept

from counterbench.judges.specs import read_judge_file

README = ROOT / "README.md"
ALL = [README, *sorted((ROOT / "docs").rglob("*.md"))]
# What an addition to a clone would break first: the rules of names and words, and shipped suites.
HOUSE_RULES = ("tests/test_names.py", "tests/test_words.py", "tests/suites/test_suite.py")
PAGES = [page for page in ALL if page_commands(page) or python_blocks(page) or ">>>" in page.read_text()]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_as_it_is_written(page: Path, tmp_path: Path) -> None:
    put_what_is_needed(page, tmp_path)
    make_examples(page, tmp_path)
    options: dict[str, Any] = {"cwd": tmp_path, "packages": packages(tmp_path)}
    if (tmp_path / "counterbench").is_dir():  # as whoever adds to the package would
        added = [name for name in shown_files(page) if name.startswith(("counterbench/", "tests/"))]
        python("-m", "ruff", "check", *added, **options)
        python("-m", "ruff", "format", "--check", *added, **options)
        python("-m", "pytest", "-q", "-m", "not slow", *HOUSE_RULES, **options)
    output = run_lines(page_commands(page), tmp_path)
    assert "not used" not in output  # a picture that a page shows and the command passes over
    printed = [" ".join(line.split()) for line in output.splitlines()]
    assert [line for line in outputs(page) if " ".join(line.split()) not in printed] == []
    python("-c", "\n".join(python_blocks(page)), **options)
    shutil.copy(page, tmp_path / "page.txt")  # doctest takes other names for those of modules
    python("-m", "doctest", "-o", "NORMALIZE_WHITESPACE", "-o", "ELLIPSIS", "page.txt", **options)


@pytest.mark.slow
def test_the_first_steps_of_the_readme_run_as_they_are_written(tmp_path: Path) -> None:
    lines = page_commands(README)
    first = next(n for n, line in enumerate(lines) if line.startswith("counterbench score"))
    run_lines(lines[: first + 1], tmp_path)


@swept("page", ALL)
def test_every_command_on_a_page_is_run(page: Path) -> None:
    text = page.read_text()
    fenced = [line for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    looks = [line for line in re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE) if COMMAND.match(line)]
    assert not [line for line in fenced if re.match(r"[$> ]*counterbench ", line)]
    assert [line for line in looks if not SKIPPED.match(line)] == [
        line for line in page_commands(page) if COMMAND.match(line)
    ]


def test_every_judge_file_on_a_page_is_valid(tmp_path: Path) -> None:
    make_examples(ROOT / "docs" / "judges.md", tmp_path)
    assert read_judge_file(tmp_path / "router.toml").name == "qwen"


def put_what_is_needed(page: Path, folder: Path) -> None:
    """A checkpoint, or the published release, where the page speaks of one; skipped where it cannot be had."""
    lines = "\n".join(page_commands(page))
    if "--onto pictures" in lines:
        (folder / "pictures").mkdir()
        for number in range(12):
            Image.fromarray(data.coffee()[:300, 20 * number :][:, :300]).save(folder / "pictures" / f"{number}.png")
    if "examples/pictures.csv" in lines:
        shutil.copytree(ROOT / "examples", folder / "examples")
    if "./checkpoint" in lines:
        pytest.importorskip("torch")
        from small_vlm import build_small_vlm

        build_small_vlm(folder / "checkpoint")
    if "import counterbench" in lines:
        release = UPSTREAM / "CounterBench"
        if not release.is_dir():
            pytest.skip(f"no CounterBench release in {release}; name its parent folder in COUNTERBENCH_UPSTREAM")
        shutil.copytree(release, folder / release.name)


def release_path(name: str, ours: dict[str, Any], folder: Path) -> str:
    """Where a release of prompts is."""
    release = UPSTREAM / name
    return str(release if release.is_dir() else write_files(folder / name, ours))


def run_lines(lines: Sequence[str], folder: Path) -> str:
    """What they print in bash, with the models that they ask for on loopback; the first that fails is shown."""
    with served() as address:
        ours = {
            "ADDRESS": address,
            "MODEL": SEES,
            "JUDGE": f"openai:{SEES}?base_url={address}",
            "T2I": DRAWS,
            "CF_WORLD": release_path("CF-World", cf_world(), folder),
            "R2I_BENCH": release_path("R2I-Bench", r2i_bench(), folder),
            "COREBENCH": release_path("T2I-CoReBench", corebench(), folder),
            "OPENAI_BASE_URL": address,
            "OPENAI_API_KEY": "x",
        }
        environment = {"PYTHONPATH": packages(folder)} | ours
        return ran("bash", "-x", "-c", script(list(lines)), cwd=folder, stderr=subprocess.STDOUT, **environment)


def packages(folder: Path) -> str:
    """The copy of the package that the folder may hold before any other."""
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH", ""))))
