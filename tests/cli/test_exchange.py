"""What `import` says of prompts: counts, warnings and the next step, for people and as JSON; and `export`."""

import json
from pathlib import Path

import pytest
from commands import call
from pictures.foreign_releases import cf_world, put

from counterbench.interop.exports import EXPORTS


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return put(tmp_path / "CF-World", cf_world())


def test_sets_with_their_warnings_and_what_to_do_next(release: Path) -> None:
    done = call("import", "cf-world", release, "--out", "cf")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "cf/cf-world.jsonl: 9 prompts in 3 groups, 27 questions (prompts with questions: l1 3, l2 3, l3 3)"
    )
    assert "odd: groups whose l3 asks what l2 asks (3): Cookery.0, Cookery.1, Bent-Light.0" in lines
    assert "cf/cf-world-rules.jsonl: 2 prompts, 2 questions (prompts with questions: rule 2)" in lines
    assert lines[-1] == (
        "next: counterbench t2i generate cf/cf-world.jsonl --generator planted:card --out images --limit 5 --samples 1"
    )


def test_the_same_as_json(release: Path) -> None:
    document = json.loads(call("import", "cf-world", release, "--out", "cf", "--json").stdout)
    first, *others = document["imports"]
    assert [each["name"] for each in others] == ["cf-world-attributes", "cf-world-rules", "cf-world-denorm"]
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


def test_what_is_no_release_is_refused_and_nothing_written(release: Path) -> None:
    done = call("import", "cf-world", release / "prompt", "--out", "cf")
    assert done.exit_code == 2
    assert "not a CF-World release" in done.stderr
    assert not Path("cf").exists()


def test_what_reads_a_folder_is_not_said_of_a_store() -> None:
    result = call("export", "smoke", "--limit", 1, "--format", "hf", "--out", "memory://said")
    assert result.stdout.startswith("memory://said: 1 pair of smoke as hf")
    assert "next:" not in result.stdout


def test_every_format_has_a_next_step() -> None:
    assert all("there" in format_.then.format(out="there") for format_ in EXPORTS.values())


def test_a_table_of_prompts_with_other_names_for_its_columns(tmp_path: Path) -> None:
    table = tmp_path / "asked.tsv"
    table.write_text("Text\tQ\tlabel\tnote\nA cup.\tIs there a cup?\tno\tx\n")
    refused = call("import", "prompts", table, "--out", "mine")
    assert refused.exit_code == 2
    assert "unknown column 'Text' (did you mean 'prompt'?)" in refused.stderr
    columns = ("--columns", "prompt=Text,question=Q,answer=label")
    done = call("import", "prompts", table, *columns, "--out", "mine")
    assert done.stdout.splitlines() == [
        "mine/asked.jsonl: 1 prompt, 1 question (prompts with questions: image 1)",
        "odd: columns that are not used (1): note",
        "next: counterbench t2i generate mine/asked.jsonl --generator planted:card --out images --limit 5 --samples 1",
    ]
    (document,) = json.loads(call("import", "prompts", table, *columns, "--out", "mine", "--json").stdout)["imports"]
    assert (document["format"], document["checks"]) == ("prompts", 1)
    assert document["warnings"] == {"columns that are not used": 1}
    assert call("import", "cf-world", table, *columns, "--out", "mine").exit_code == 2
