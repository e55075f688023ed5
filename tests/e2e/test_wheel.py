"""The wheel: it holds the data, works from nothing but itself, and holds nothing that belongs to the checkout."""

import email
import functools
import importlib.util
import re
import zipfile
from pathlib import Path

import pytest
from processes import ROOT, python

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("build") is None,
        reason="THE WHEEL IS NOT CHECKED: the package `build` is not installed (pip install build)",
    ),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    isolation = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    python("-m", "build", "--wheel", *isolation, "--outdir", out, ROOT, cwd=out, packages="")
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_package_its_data_and_nothing_else(names: set[str]) -> None:
    data = [path for folder in ("scenes", "probes") for path in (ROOT / folder).rglob("*")]
    paths = {f"counterbench/_data/{p.relative_to(ROOT).as_posix()}" for p in data if p.suffix in (".toml", ".jsonl")}
    assert {name for name in names if name.startswith("counterbench/_data/")} == paths != set()
    fonts = {f"counterbench/drawing/fonts/{name}" for name in ("letters.ttf", "LICENSE.txt")}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "counterbench").rglob("*.py")}
    assert modules | fonts | {"counterbench/py.typed"} <= names
    assert {top for name in names if not (top := name.split("/")[0]).endswith(".dist-info")} == {"counterbench"}
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names), names
    assert [name for name in names if "test_" in name or "/tests/" in name] == []


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_works_without_the_checkout(unpacked: Path, tmp_path: Path) -> None:
    own = functools.partial(python, cwd=tmp_path, packages=unpacked)
    home = own("-c", "import counterbench; print(counterbench.__file__)").strip()
    assert Path(home).is_relative_to(unpacked)
    listed = own("-m", "counterbench", "list", "suites")
    for name in ("certify", "controls", "counterbench-550", "smoke"):
        assert name in listed
    assert "default" in own("-m", "counterbench", "list", "templates")
    own("-m", "counterbench", "generate", "smoke", "--out", "pairs", "--workers", "1")
    assert "every check holds" in own("-m", "counterbench", "verify", "./pairs")


def test_the_wheels_script_is_the_command_line(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "counterbench = counterbench.__main__:main" in archive.read(entry).decode()


def test_the_wheel_says_what_installs_an_extra(unpacked: Path, tmp_path: Path) -> None:
    text = "from counterbench.files.installation import install_command as i; print(i('report'))"
    assert python("-c", text, cwd=tmp_path, packages=unpacked).strip().endswith(" 'jinja2>=3.1'")


def test_the_readme_of_the_wheel_links_to_the_repository(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    (repository,) = re.findall(r"git\+(https:\S+)", (ROOT / "README.md").read_text())
    assert f"Repository, {repository}" in metadata.get_all("Project-URL", [])
    targets = set(re.findall(r"\]\(([^)]*)\)", str(metadata.get_payload())))
    assert {target for target in targets if not target.startswith(("https://", "#"))} == set()
    assert any(target.startswith(f"{repository}/raw/main/docs/images/") for target in targets)
