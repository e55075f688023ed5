"""What `import` says of prompts: counts, warnings and the next step, for people and as JSON; and `export`."""

from pathlib import Path

import pytest
from commands import document, done, fails
from pictures.foreign_releases import cf_world, write_files

from counterbench.interop.exports import EXPORTS


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


def test_a_path_that_is_no_release_is_refused_and_nothing_is_written(release: Path) -> None:
    assert "not a CF-World release" in fails("import", "cf-world", release / "prompt", "--out", "cf")
    assert not Path("cf").exists()


def test_an_export_to_a_store_has_no_next_command() -> None:
    shown = done("export", "smoke", "--limit", 1, "--format", "hf", "--out", "memory://said")
    assert shown.startswith("memory://said: 1 pair of smoke as hf")
    assert "next:" not in shown


def test_every_format_has_a_next_step() -> None:
    assert [format_ for format_ in EXPORTS.values() if "there" not in format_.then.format(out="there")] == []


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
