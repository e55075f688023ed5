"""The install command in a message works in the installation that prints it."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from counterbench.files import installation
from counterbench.files.installation import install_command

METADATA = """Metadata-Version: 2.4
Name: counterbench
Version: 9
Requires-Dist: numpy>=1.26
Requires-Dist: isal>=1.7; platform_machine == 'x86_64'
Provides-Extra: report
Requires-Dist: jinja2>=3.1; extra == 'report'
Requires-Dist: matplotlib>=3.8; extra == "report"
Provides-Extra: t2i
Requires-Dist: torch>=2.6; (sys_platform == 'linux') and extra == 't2i'
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As any way to install it leaves it: a folder with the package's metadata."""
    (tmp_path / "counterbench-9.dist-info").mkdir()
    (tmp_path / "counterbench-9.dist-info" / "METADATA").write_text(METADATA)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(installation.importlib.util, "find_spec", lambda name: object())


@pytest.mark.usefixtures("installed")
def test_the_install_command_names_the_packages_of_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/my work/bin/python")
    assert install_command("report") == "'/my work/bin/python' -m pip install 'jinja2>=3.1' 'matplotlib>=3.8'"
    monkeypatch.setattr(installation.importlib.util, "find_spec", lambda name: None)  # of an environment of uv
    assert install_command("t2i") == "uv pip install --python '/my work/bin/python' 'torch>=2.6'"


def test_the_install_command_names_the_checkout_or_else_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert shlex.split(install_command("report"))[-1] == f"{Path(__file__).parents[2]}[report]"
    monkeypatch.setattr(installation, "_CHECKOUT", tmp_path)
    assert shlex.split(install_command("report"))[-1] == "counterbench[report]"


@pytest.mark.slow
def test_the_install_command_works_here() -> None:
    done = subprocess.run(
        f"{install_command('report')} --no-index", shell=True, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "already satisfied: jinja2" in done.stdout
