"""What `import` says of prompts: counts, oddities and the next step, for people and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call
from t2i.foreign_releases import cf_world, corebench, put, r2i_bench

from counterbench.interop import IMPORTS
from counterbench.t2i.prompts.imports import PROMPT_IMPORTS


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return put(tmp_path / "CF-World", cf_world())


def test_sets_with_their_oddities_and_what_to_do_next(release: Path) -> None:
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
    assert first.pop("oddities")["groups whose l3 asks what l2 asks"] == 3
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


def test_t2i_corebench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "CoReBench", corebench())
    shown = call("import", "t2i-corebench", "CoReBench", "--out", ".").stdout
    assert shown.startswith("t2i-corebench.jsonl: 3 prompts, 7 questions (prompts with questions: image 3)\n")


def test_r2i_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "R2I", r2i_bench())
    shown = call("import", "r2i-bench", "R2I", "--out", ".").stdout
    assert shown.startswith("r2i-bench.jsonl: 3 prompts, 8 questions (prompts with questions: image 3)\n")
    (document,) = json.loads(call("import", "r2i-bench", "R2I", "--out", ".", "--json").stdout)["imports"]
    assert document.pop("oddities")["weights of 0: asked, and no part of the score"] == 1
    assert document == {
        "format": "r2i-bench",
        "file": "r2i-bench.jsonl",
        "name": "r2i-bench",
        "protocol": "r2i-score",
        "prompts": 3,
        "groups": 3,
        "checks": 8,
        "by_level": {"image": 3},
    }


def test_an_unknown_format_names_those_of_prompts_too(release: Path) -> None:
    done = call("import", "cfworld", release, "--out", "cf")
    assert done.exit_code == 2
    assert f"choose from: {', '.join(sorted([*IMPORTS, *PROMPT_IMPORTS]))}" in done.stderr
    assert not Path("cf").exists()


def test_what_is_no_release_is_refused_and_nothing_written(release: Path) -> None:
    done = call("import", "cf-world", release / "prompt", "--out", "cf")
    assert done.exit_code == 2
    assert "not a CF-World release" in done.stderr
    assert not Path("cf").exists()
