"""The command line of a checkout, called from far away: `python PATH/cli.py`."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_checkout_has_a_script_of_its_own(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "list", "suites"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "smoke" in done.stdout
