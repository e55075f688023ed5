"""`t2i coverage`: the part of a prompt set that a certificate covers, in words, in JSON, and as an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call
from t2i.drawn import OWN
from t2i.lawful import altered, certificate

from counterbench.files import formats

LAWS = ("falling", "frost", "wind")
THREE = """
format = "counterbench.prompts/1"
kind = "laws"
name = "three"
seed = 7
laws = ["falling", "frost", "wind"]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("three.toml").write_text(THREE)
    Path("mine.toml").write_text(OWN)


def said(*arguments: object, code: int = 0) -> list[str]:
    result = call("t2i", "coverage", *arguments)
    assert result.exit_code == code, result.output
    return [line.rstrip() for line in result.stdout.splitlines()]


def under(found: object) -> tuple[str, str]:
    formats.write_json(Path("c.json"), found)
    return "--certificate", "c.json"


def test_without_a_certificate_it_says_what_is_needed() -> None:
    lines = said("three.toml")
    assert lines[0] == "What tests a judge of three"
    assert any(line.split() == ["wind", "33.3", "%", "5"] for line in lines)
    assert "100.0 % of the weight is of 15 cells of the suite laws" in lines
    lines = said("mine.toml")
    assert lines[0].startswith("100.0 % of the weight cannot be drawn: no pairs test it")


def test_it_holds_where_every_law_is_admitted_and_else_says_which_is_not() -> None:
    assert "100.0 % of the weight is tested and admitted" in said("three.toml", *under(certificate(laws=LAWS)))
    lines = said("three.toml", *under(certificate(laws=LAWS, inverted=("wind/assessment",))), code=1)
    assert any(
        line.split() == ["wind", "33.3", "%", "5", "not", "admitted:", "wind/assessment:", "fail"] for line in lines
    )
    assert "66.7 % of the weight is tested and admitted" in lines
    assert lines[-1] == "next: counterbench validate planted:oracle --for three.toml"


def test_json() -> None:
    shown = certificate(laws=("falling", "frost"))
    result = call("t2i", "coverage", "three.toml", *under(shown), "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["prompts"], found["certificate"], found["objections"]) == ("three", shown.digest, [])
    assert [(of["law"], of["admitted"], of["why"]) for of in found["laws"]] == [
        ("falling", True, ""),
        ("frost", True, ""),
        ("wind", False, "not asked"),
    ]
    assert (found["not_drawn"], found["covered"]) == (0, False)


def test_a_certificate_that_opens_nothing_covers_nothing() -> None:
    lines = said("three.toml", *under(altered(certificate(laws=LAWS), attempt=None)), code=1)
    assert "not admitted: the certificate is of no attempt: somebody chose its pairs" in lines
