"""`import counterbench` and `--help` load nothing heavy; public names are pinned; every command shows an example."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest
from processes import ROOT, python
from sweeping import swept
from typer.testing import CliRunner

import counterbench
from counterbench.cli import app

HEAVY = [
    "numpy", "skimage", "pandas", "scipy", "statsmodels", "openai", "torch", "transformers", "matplotlib",
    "jinja2", "starlette", "uvicorn", "genai_prices", "pyarrow", "fsspec", "ray",
]  # fmt: skip
COMMANDS = [
    "doctor", "evaluate", "validate", "compare", "report", "label", "demo", "probe", "score", "diagnose", "certify",
    "swap", "watch", "card", "site", "align", "list", "generate", "verify", "gallery", "import", "export", "merge",
    "ray generate", "ray probe", "t2i audit", "t2i export-prompts", "t2i generate", "t2i import", "t2i judge",
    "t2i prepare",
]  # fmt: skip
LIGHT = {
    "import": "import counterbench",
    "a suite": "import counterbench; counterbench.load_suite('smoke')[0]",
    "--help": "run('--help')",
    "--version": "run('--version')",
    **{f"{command} --help": f"run(*{command.split()}, '--help')" for command in COMMANDS},
    "list suites": "run('list', 'suites')",
    "list judges": "run('list', 'judges')",
    "an unknown command": "run('prove')",
}
RUN = """
import contextlib, io, json, sys
def run(*args):
    from counterbench.cli import main
    sys.argv = ["counterbench", *args]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            main()
        except SystemExit:
            pass
"""


@pytest.mark.slow
def test_import_and_help_load_no_heavy_package() -> None:
    # One process for all: what stays unloaded at the end was loaded by none.
    text = RUN + "\n".join(LIGHT.values()) + f"\nprint(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    assert json.loads(python("-c", text)) == []


@pytest.mark.slow
def test_import_counterbench_loads_few_modules_of_ours() -> None:
    text = "import counterbench, sys; print(*sorted(m for m in sys.modules if m.startswith('counterbench')))"
    assert python("-c", text).split() == ["counterbench", "counterbench._version"]


@pytest.mark.slow
def test_the_checkouts_script_runs_from_any_folder(tmp_path: Path) -> None:
    assert "smoke" in python(ROOT / "cli.py", "list", "suites", cwd=tmp_path, packages="")


def test_the_public_names_are_pinned() -> None:
    assert counterbench.__all__ == [
        "__version__", "align", "card", "ccs_rewards", "certify", "compare", "compare_models", "diagnose", "doctor",
        "evaluate", "frame", "generate", "items", "load_suite", "merge", "open_judge", "probe", "report", "reward",
        "score", "scorer", "swap", "t2i_generate", "t2i_judge", "t2i_score", "validate", "verify", "watch", "Arrow",
        "Audit", "Certificate", "Container", "CounterbenchError", "Evaluation", "Failed", "FormatError", "Generator",
        "InputError", "Judge", "JudgeError", "Judging", "Key", "Label", "Limits", "Pair", "Probe", "Progress",
        "PromptSet", "Query", "Reply", "Retry", "Run", "Scene", "Shape", "Suite", "Validation",
    ]  # fmt: skip
    for name in counterbench.__all__[1:]:
        found = getattr(counterbench, name)
        assert found.__doc__
        assert found.__module__.startswith("counterbench.")
    assert set(counterbench.__all__) <= set(dir(counterbench))
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'; it has: __version__, align, card,"):
        _ = counterbench.nosuch  # type: ignore[attr-defined]


def test_type_checkers_see_the_names_that_exist_at_run_time() -> None:
    source = Path(counterbench.__file__).read_text()
    checked = source[source.index("if TYPE_CHECKING:") : source.index("# Public name")]
    for name, home in counterbench._HOMES.items():
        assert hasattr(importlib.import_module(f"counterbench.{home}"), name)
        assert name in checked


def test_the_commands_are_pinned() -> None:
    found = [str(command.name) for command in app.registered_commands]
    for group in app.registered_groups:
        found += [f"{group.name} {command.name}" for command in group.typer_instance.registered_commands]
    assert found == COMMANDS


@swept("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    result = CliRunner().invoke(app, [*command.split(), "--help"])
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert f"Example: counterbench {command}" in text
