"""One judge in several styles: a judge that sees only flat pictures is told from one that sees all."""

import json
import shutil
from pathlib import Path

import pytest
from commands import call, done
from planted_runs import write_again

from counterbench.evidence.issue import by_style, certify
from counterbench.evidence.policies import load_policy
from counterbench.suites.sources import CellSource, cells_of, in_turn
from counterbench.suites.suite import load_suite

pytestmark = pytest.mark.usefixtures("here")

FAMILIES = ("control", "counting", "spatial", "treated")


def run_of(fault: str, style: str, pairs: int = 40) -> Path:
    suite = load_suite("certify", style=style)
    names = [name for name in cells_of(suite) if name.partition("/")[0] in FAMILIES]
    source = CellSource(suite, in_turn(dict.fromkeys(names, pairs)))
    return write_again(Path(f"{fault.partition('?')[0]}-{style}"), f"planted:{fault}", source)


@pytest.mark.slow
def test_a_judge_that_sees_only_flat_pictures_fails_in_other_styles() -> None:
    runs = [run_of("style-blind", style) for style in ("flat", "photograph")]
    shown = call("certify", *runs)
    assert shown.exit_code == 1
    table = shown.output[shown.output.index("skills by style") :].splitlines()
    assert [line.split()[1:] for line in table if line.startswith(" (verdict)")] == [["pass", "fail"]]
    assert [run for run in runs if not (run / "certificate-standard.json").is_file()] == []
    found = json.loads(call("certify", *runs, "--json").stdout)
    assert [c["domain"]["style"] for c in found["certificates"]] == ["flat", "photograph"]
    by_skill = found["by_style"]
    assert by_skill["verdicts"] == {"flat": "pass", "photograph": "fail"}
    assert set(by_skill["worst"].values()) == {"photograph"}
    for skill in ("count", "left-right"):
        assert by_skill["skills"][skill]["flat"]["value"] == 1
        assert by_skill["skills"][skill]["photograph"]["value"] < 0.6


@pytest.mark.slow
def test_a_certificate_of_a_style_is_derived_again_from_its_run() -> None:
    run = run_of("oracle", "blurred")
    assert call("certify", run, "--out", "blurred.json").exit_code == 0
    done("verify", "blurred.json", "--run", run)


@pytest.mark.slow
def test_runs_of_two_judges_or_of_one_style_are_not_certified_together() -> None:
    oracle, blind = run_of("oracle", "flat"), run_of("style-blind", "blurred")
    other = shutil.copytree(oracle, "other")
    for two, why in (
        ((oracle, blind), "judge 'planted:oracle' and 'planted:style-blind'"),
        ((oracle, other), "two of"),
    ):
        refused = call("certify", *two)
        assert refused.exit_code == 2
        assert why in refused.output
    assert "leave out --out: the certificates of" in call("certify", oracle, other, "--out", "a.json").output


@pytest.mark.slow
def test_a_style_that_is_not_worse_is_not_called_the_worst() -> None:
    both = [certify(run_of("oracle", style), load_policy("standard")) for style in ("flat", "textured")]
    assert by_style(both).worst == {}
