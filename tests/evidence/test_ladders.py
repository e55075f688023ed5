"""Ladders: the last rung that a judge was shown to see; errors over all ladders; stopped and gone on with."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import call, done
from ladders import simulate

from counterbench.evidence.policies import load_policy
from counterbench.suites.families.ladders import LADDERS

pytestmark = pytest.mark.usefixtures("here")


def granted_rungs(judge: str, *more: object, code: int = 0) -> dict[str, Any]:
    document = json.loads(done("validate", judge, "--for", "ladder", "--out", "run", "--json", *more, code=code))
    return {name: ladder["granted"] for name, ladder in document["ladders"].items()}


@pytest.mark.slow
def test_a_judge_that_counts_to_six_is_shown_to_count_to_six() -> None:
    last = {name: ladder.values[-1] for name, ladder in LADDERS.items()}
    assert granted_rungs("planted:threshold?count=6") == last | {"count": 6}
    output = done("validate", "planted:threshold?count=6", "--for", "ladder", "--out", "run")
    assert "sees counts up to 6\n" in output
    assert "for all ladders together" in output


@pytest.mark.slow
def test_a_judge_that_guesses_ends_every_ladder_with_its_first_rung() -> None:
    assert granted_rungs("planted:noisy?p=0.4", code=1) == dict.fromkeys(LADDERS)
    run = json.loads(Path("run/ladders.json").read_text())
    for ladder in run["ladders"].values():  # and a few pairs above it, which grant nothing
        assert len(ladder["rungs"]) == 3
        assert "pass" not in [rung["verdict"] for rung in ladder["rungs"]]


@pytest.mark.slow
def test_a_stopped_ladder_test_resumes_to_the_same_result() -> None:
    judge = "planted:threshold?count=3"
    whole = granted_rungs(judge)
    stopped = call("validate", judge, "--for", "ladder", "--out", "part", "--max-calls", 300)
    assert stopped.exit_code == 3
    done("validate", judge, "--for", "ladder", "--out", "part")
    kept = [json.loads(Path(name, "ladders.json").read_text())["ladders"] for name in ("run", "part")]
    assert kept[0] == kept[1]
    assert whole["count"] == 3


def test_an_unseen_rung_is_granted_in_at_most_1_of_20_tests() -> None:
    """Judges at the bound itself above a rung: a grant there is an error; benchmarks/ladders.py counts more."""
    found = simulate(("count", "offset", "size"), beyond=load_policy("standard").ccs, runs=200)
    assert found.wrong <= 0.05 * 200
    assert found.calls <= 500


def test_a_judge_with_few_lapses_is_granted_the_rung_that_it_sees_or_the_one_below() -> None:
    found = simulate(("count", "offset", "size"), beyond=0.0, runs=200, lapse=0.01)
    assert found.near >= 0.85 * found.ladders
    assert found.wrong == 0


def test_ladders_are_refused_for_stickers() -> None:
    result = call("validate", "pixels", "--for", "stickers", "--onto", ".", "--ladders", "count")
    assert (result.exit_code, "--ladders is for --for ladder" in result.stderr) == (2, True)
