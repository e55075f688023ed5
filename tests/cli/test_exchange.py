"""What `import` says of prompts: counts, warnings and the next step, for people and as JSON; and `export`."""

import json
import re
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from commands import document, done, fails
from docs_files import ROOT
from pictures.foreign_releases import cf_world, write_files
from planted_runs import write_run

from counterbench.interop.exports import EXPORTS, RUN_EXPORTS


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_files(tmp_path / "CF-World", cf_world())


def test_import_prints_sets_warnings_and_the_next_step(release: Path) -> None:
    lines = done("import", "cf-world", release, "--out", "cf").splitlines()
    counts = "9 prompts in 3 groups, 27 questions (prompts with questions: l1 3, l2 3, l3 3)"
    assert lines[0] == f"cf/cf-world.jsonl: {counts}"
    assert "warning: groups whose l3 asks what l2 asks (3): Cookery.0, Cookery.1, Bent-Light.0" in lines
    assert "cf/cf-world-rules.jsonl: 2 prompts, 2 questions (prompts with questions: rule 2)" in lines
    drawn = "cf/cf-world.jsonl --generator planted:card --out images --limit 5 --samples 1"
    assert lines[-1] == f"next: counterbench t2i generate {drawn}"


def test_import_json_has_the_same_counts_and_warnings(release: Path) -> None:
    first, *others = document("import", "cf-world", release, "--out", "cf")["imports"]
    assert [release["name"] for release in others] == ["cf-world-attributes", "cf-world-rules", "cf-world-denorm"]
    assert first.pop("warnings")["groups whose l3 asks what l2 asks"] == 3
    assert first == {
        "format": "cf-world",
        "file": "cf/cf-world.jsonl",
        "name": "cf-world",
        "protocol": "cf-eval",
        "prompts": 9,
        "groups": 3,
        "checks": 27,
        "by_level": {"l1": 3, "l2": 3, "l3": 3},
    }


def test_an_export_to_a_store_has_no_next_command() -> None:
    shown = done("export", "smoke", "--limit", 1, "--format", "hf", "--out", "memory://said")
    assert shown.startswith("memory://said: 1 pair of smoke as hf")
    assert "next:" not in shown


def test_every_format_has_a_next_step() -> None:
    formats = (EXPORTS | RUN_EXPORTS).values()
    assert [format_ for format_ in formats if "there" not in format_.then.format(out="there")] == []


def test_a_runs_scores_are_exported(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke")
    shown = done("export", run, "--format", "every-eval-ever", "--out", "record").splitlines()
    assert shown[0].startswith("record: scores on 18 pairs of smoke as every-eval-ever, 1 file, ")
    assert shown[1].startswith("next: before you share record, name your organisation in it")


def test_docs_log_scores_and_replies_to_wandb_and_mlflow(monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(Path("runs/smoke--pixels"), "planted:oracle", "smoke")
    Path("scores.json").write_text(done("score", "runs/smoke--pixels", "--json"))
    wandb, mlflow = MagicMock(), MagicMock()
    for name, module in {"wandb": wandb, "mlflow": mlflow}.items():
        monkeypatch.setitem(sys.modules, name, module)
    page = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    (block,) = (block for block in re.findall(r"```py\n(.*?)```", page, re.DOTALL) if "wandb" in block)
    exec(block, {})
    numbers = {"acc_original": 1.0, "acc_intervened": 1.0, "ccs": 1.0, "gap": 0.0}
    mlflow.log_metrics.assert_called_once_with(numbers)
    (logged,) = wandb.init.return_value.__enter__.return_value.log.call_args.args
    assert {name: logged[name] for name in numbers} == numbers
    (table, _), *_ = mlflow.log_table.call_args
    assert len(json.loads(json.dumps(table.to_dict("records")))) == 36


def test_a_prompt_table_may_rename_its_columns(tmp_path: Path) -> None:
    table = tmp_path / "asked.tsv"
    table.write_text("Text\tQ\tlabel\tnote\nA cup.\tIs there a cup?\tno\tx\n")
    assert "unknown column 'Text' (did you mean 'prompt'?)" in fails("import", "prompts", table, "--out", "mine")
    columns = ("--columns", "prompt=Text,question=Q,answer=label")
    assert done("import", "prompts", table, *columns, "--out", "mine").splitlines() == [
        "mine/asked.jsonl: 1 prompt, 1 question (prompts with questions: image 1)",
        "warning: columns that are not used (1): note",
        "next: counterbench t2i generate mine/asked.jsonl --generator planted:card --out images --limit 5 --samples 1",
    ]
    (imported,) = document("import", "prompts", table, *columns, "--out", "mine")["imports"]
    assert (imported["format"], imported["checks"]) == ("prompts", 1)
    assert imported["warnings"] == {"columns that are not used": 1}
    fails("import", "cf-world", table, *columns, "--out", "mine")
