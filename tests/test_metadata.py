"""What the project says of itself is so: Pythons and systems of its tests, version, address, targets."""

import re
import tomllib
from pathlib import Path

import pytest

from counterbench._version import __version__

ROOT = Path(__file__).parents[1]
PYPROJECT = ROOT / "pyproject.toml"
PROJECT = tomllib.loads(PYPROJECT.read_text())["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SYSTEMS = {"ubuntu-latest": "POSIX :: Linux", "macos-latest": "MacOS"}


def classified(kind: str) -> set[str]:
    """What follows this in the classifiers."""
    return {text.removeprefix(kind) for text in PROJECT["classifiers"] if text.startswith(kind)}


def test_the_classifiers_are_the_pythons_and_systems_that_the_workflow_tests() -> None:
    yaml = pytest.importorskip("yaml")
    matrix = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]["test"]["strategy"]["matrix"]
    assert classified("Programming Language :: Python :: 3.") == {text.removeprefix("3.") for text in matrix["python"]}
    assert classified("Operating System :: ") == {SYSTEMS[name] for name in matrix["os"]}
    assert PROJECT["requires-python"] == f">={matrix['python'][0]}"


def test_the_version_is_the_same_wherever_it_stands() -> None:
    assert "version" in PROJECT["dynamic"]
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^(?:## )?(\d+\.\d+\.\d+)\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == __version__


def test_the_address_of_the_repository_stands_in_the_metadata_and_in_one_line_of_the_readme() -> None:
    (address,) = PROJECT["urls"].values()
    pages = [*ROOT.glob("*.md"), *ROOT.glob("*.cff"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.*")]
    # The README's copy is held to it by a test of the wheel.
    assert [page.name for page in pages if page.is_file() and address in page.read_text()] == ["README.md"]
    assert PYPROJECT.read_text().count(address) == 1


def test_the_image_is_built_from_all_that_the_wheel_is_built_from() -> None:
    hatch = tomllib.loads(PYPROJECT.read_text())["tool"]["hatch"]
    wheel = hatch["build"]["targets"]["wheel"]
    hooks = [hook["path"] for hook in hatch["metadata"]["hooks"].values()]
    needed = {
        "pyproject.toml",
        "README.md",
        *PROJECT["license-files"],
        *hooks,
        *wheel["packages"],
        *wheel["force-include"],
    }
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert kept == needed


def test_workflows_and_hooks_call_targets_that_the_makefile_has() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    texts = [page.read_text() for page in (*WORKFLOWS, ROOT / "CONTRIBUTING.md", ROOT / "Makefile")]
    called = set(re.findall(r"(?:run: |`|entry: )make ([\w-]+)", "\n".join(texts)))
    listed = set(re.findall(r"target: \[(.*)\]", "\n".join(texts))[0].split(", "))
    assert called | listed >= {"test", "test-slow", "test-lowest", "docs", "dist"}
    assert called | listed <= targets
