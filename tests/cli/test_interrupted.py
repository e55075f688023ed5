"""Ctrl-C while the program still begins: one line, whichever module is being imported."""

import subprocess
import sys
from pathlib import Path

import pytest
from sweeping import swept

ROOT = Path(__file__).parents[2]
_PROGRAM = """
import importlib.abc, runpy, signal, sys

class Stops(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Stops())
runpy.run_path(sys.argv.pop(2), run_name="__main__")
"""


@pytest.mark.slow
@swept("module", ["counterbench.cli", "typer", "counterbench.text", "counterbench.cli.app"])
@swept("program", ["cli.py", "counterbench/__main__.py"])
def test_ctrl_c_at_any_import_is_one_line(module: str, program: str) -> None:
    line = [sys.executable, "-c", _PROGRAM, module, str(ROOT / program), "list", "suites"]
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, "stopped\n")
    assert "counterbench.__main__:main" in (ROOT / "pyproject.toml").read_text()
