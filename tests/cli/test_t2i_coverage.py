"""`t2i coverage`: what of a prompt set a certificate covers, in words, in JSON, and as an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call
from t2i.drawn import OWN
from t2i.lawful import altered, basic, certificate, older

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


def put(found: object) -> tuple[str, str]:
    formats.write_json(Path("c.json"), found)
    return "--certificate", "c.json"


def test_without_a_certificate_it_says_what_is_needed() -> None:
    lines = said("three.toml")
    assert lines[0] == "What tests a judge of three"
    assert " wind     33.3 %  5 cells" in lines
    assert "100.0 % of the weight has cells of its own, 15 of the suite laws" in lines
    lines = said("mine.toml")
    assert " count      75.0 %  near: counting/yes-no" in lines
    assert " integrity  25.0 %  none" in lines
    claim = "by a near cell, as the table 'default' has it (a claim, not a proof)"
    assert f"75.0 % of the weight can be tested {claim}" in lines
    assert "25.0 % of the weight has no cell: no pairs test it" in lines


@pytest.mark.slow
def test_it_holds_where_every_law_is_admitted() -> None:
    assert said("three.toml", *put(certificate(laws=LAWS))) == ["100.0 % of the weight is tested and admitted"]


@pytest.mark.slow
def test_what_failed_is_not_asked_again_and_what_was_not_asked_is() -> None:
    lines = said("three.toml", *put(certificate(laws=LAWS, inverted=("wind/assessment",))), code=1)
    assert " wind  33.3 %  5 cells  not-admitted: wind/assessment: fail" in lines
    assert "66.7 % of the weight is tested and admitted" in lines
    assert "33.3 % of the weight is tested and not admitted" in lines
    assert not [line for line in lines if line.startswith("next: ")]
    lines = said("three.toml", *put(certificate()), code=1)
    assert "66.7 % of the weight was never tested" in lines
    assert lines[-1] == "next: counterbench validate planted:oracle --for three.toml"


def test_the_command_asks_as_the_certificate_s_judge_was_asked() -> None:
    shown = altered(certificate(), wording="bare", votes=3)
    assert said("three.toml", *put(shown), code=1)[-1] == (
        "next: counterbench probe laws --judge planted:oracle --wording bare --votes 3 --until-certified standard "
        "--out runs/laws--planted-oracle"
    )
    lines = said("three.toml", *put(older()), code=1)
    assert any(line.startswith("not admitted: a certificate of an older kind") for line in lines)
    assert lines[-1] == "next: counterbench validate planted:oracle --for three.toml"


def test_checks_that_nothing_can_be_drawn_for_are_never_covered() -> None:
    lines = said("mine.toml", *put(basic()), code=1)
    assert " count      75.0 %  near: counting/yes-no  near" in lines
    assert " integrity  25.0 %  none                   untested: no cell asks for it" in lines
    assert (
        "75.0 % of the weight is tested by a near cell, as the table 'default' has it (a claim, not a proof)" in lines
    )
    assert lines[-1].startswith("scores that rest on the 100.0 % without a cell of their own are never certified")


def test_a_long_set_is_cut_and_says_so() -> None:
    assert "… and 23 more (-v prints all)" in said("laws")
    assert len([line for line in said("laws", "-v") if line.endswith((" 4 cells", " 5 cells"))]) == 35


def test_json_is_one_document() -> None:
    def document(*arguments: object, code: int = 0) -> dict[str, object]:
        found: dict[str, object] = json.loads("\n".join(said(*arguments, "--json", code=code)))
        return found

    found = document("three.toml")
    assert (found["prompts"], found["tested"], found["covered"], found["objections"]) == ("three", None, False, [])
    assert found["mapped"] == {"program": pytest.approx(1), "table": 0, "none": 0}
    assert found["commands"] == []
    found = document("three.toml", *put(certificate(laws=LAWS)))
    assert (found["covered"], found["commands"]) == (True, [])
    found = document("mine.toml", *put(basic()), code=1)
    assert [(p["name"], p["state"]) for p in found["parts"]] == [("count", "near"), ("integrity", "untested")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nosuch",), "unknown prompt set 'nosuch'"),
        (("three.toml", "--certificate", "gone.json"), "gone.json"),
        (("three.toml", "--certificate", "three.toml"), "three.toml"),
        (("three.toml", "--table", "nosuch"), "unknown coverage table 'nosuch'; choose from: default"),
    ],
)
def test_what_is_at_fault_is_one_message(arguments: tuple[str, ...], message: str) -> None:
    result = call("t2i", "coverage", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
