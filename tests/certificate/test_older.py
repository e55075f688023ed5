"""Certificates of the version before, by skill and of no attempt: read, and they open nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import call
from planted_runs import write_run

from counterbench.certificate import Certificate, OlderCertificate, read_certificate

SHARE = {"value": 1.0, "low": 0.9408, "high": 1.0, "hits": 61, "of": 61}
CONDITION = {"value": 1.0, "low": 0.9408, "high": 1.0, "bound": 0.85, "verdict": "pass", "needed": None, "reason": ""}
OUTCOMES = {"answer": 122, "unparsed": 0, "refused": 0, "failed": 0}
OLDER: dict[str, Any] = {
    "format": "counterbench.certificate/1",
    "verdict": "pass",
    "judge": "planted:oracle",
    "kind": "planted",
    "address": "",
    "parameters": {},
    "dropped": [],
    "models": {"planted:oracle": 244},
    "wording": "default",
    "wording_digest": "4562e2fd45919a51b0d40576b7d63f21",
    "votes": 1,
    "scoring": "default",
    "parser": "4",
    "suite": "laws",
    "suite_digest": "ae4d7abe6e80b388997189512cb1b387",
    "seed": 20261,
    "truth": "computed",
    "truth_checked": True,
    "truth_note": "",
    "questions": 244,
    "keys_digest": "68816de2ada720fd16181ac59f66e9c4",
    "journal_digest": "1e2c38394d7e558ec7a8072587ed9ac7",
    "skills": {
        "position": {
            "verdict": "pass",
            "pairs": 61,
            "counted": 61,
            "ccs": SHARE,
            "sensitivity": SHARE,
            "specificity": SHARE,
            "outcomes": OUTCOMES,
            "conditions": {
                "pairs": CONDITION | {"value": 61, "low": None, "high": None, "bound": 30},
                "ccs": CONDITION,
                "sensitivity": CONDITION | {"bound": 0.8},
                "specificity": CONDITION | {"bound": 0.8},
            },
        }
    },
    "control": {
        "verdict": "pass",
        "pairs": 61,
        "counted": 61,
        "stability": SHARE,
        "accuracy": SHARE,
        "outcomes": OUTCOMES,
        "conditions": {"stability": CONDITION, "accuracy": CONDITION},
    },
    "run": {"skills": CONDITION, "complete": CONDITION, "one-model": CONDITION},
    "chances": {"0.90": 0.051, "0.95": 0.999, "0.98": 1.0},
    "canaries": None,
    "policy": {
        "format": "counterbench.policy/1",
        "name": "standard",
        "description": "sees each skill on at least 85 % of the pairs, shown by 30 pairs or more",
        "complete": True,
        "one_model": True,
        "default": {"pairs": 30, "ccs": 0.85, "sensitivity": 0.8, "specificity": 0.8},
        "skills": {},
        "control": {"pairs": 30, "stability": 0.85, "accuracy": 0.85},
        "outcomes": {"unparsed": 0.02, "refused": 0.02, "failed": 0.0},
    },
    "policy_digest": "85e5adeb541aedf7fa10afe97fe6353f",
    "run_versions": {"counterbench": "0.1.0", "parser": "4"},
    "versions": {"counterbench": "0.1.0", "python": "3.11.7"},
    "time": "2026-04-02T09:36:27+00:00",
    "digest": "a76ea7c43a764a57675b44ddd142a134",
}
IS_OLDER = "a certificate of an older kind (counterbench.certificate/1, of 2026-04-02T09:36:27+00:00)"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A certificate as the version before this wrote it, in the folder of a run of its judge."""
    run = write_run(tmp_path / "older", "planted:oracle", "smoke")
    (run / "certificate-standard.json").write_text(json.dumps(OLDER, indent=2))
    return run / "certificate-standard.json"


def test_an_older_certificate_is_read_and_says_that_it_opens_nothing(older: Path) -> None:
    found = read_certificate(older)
    assert isinstance(found, OlderCertificate)
    assert (found.judge, found.suite, found.verdict) == ("planted:oracle", "laws", "pass")
    assert found.notice.startswith(f"{IS_OLDER}: by skill, not by cell, of no attempt, so it opens nothing")


@pytest.mark.parametrize("with_run", [False, True])
def test_verify_of_an_older_certificate_says_so(older: Path, with_run: bool) -> None:
    result = call("verify", older, *(["--run", older.parent] if with_run else []))
    assert result.exit_code == 1
    assert IS_OLDER in " ".join(result.output.split())
    result = call("verify", older, "--json")
    assert result.exit_code == 1
    assert json.loads(result.output)["problems"][0].startswith(IS_OLDER)


@pytest.mark.slow
def test_a_report_says_that_a_certificate_is_of_an_older_kind(older: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for given in ([], ["--certificate", older]):
        result = call("report", older.parent, "--out", page, *given)
        assert result.exit_code == 0, result.output
        assert IS_OLDER in page.read_text()


def test_a_new_certificate_takes_an_older_ones_place(older: Path) -> None:
    assert call("certify", older.parent).exit_code == 1
    assert isinstance(read_certificate(older), Certificate)


def test_an_older_certificate_lets_no_judge_score_and_what_it_let_is_told(older: Path, tmp_path: Path) -> None:
    images = tmp_path / "images"
    model = "planted:literal"
    assert call("t2i", "generate", "laws", "--generator", model, "--out", images, "--limit", 1).exit_code == 0
    (pictures,) = images.iterdir()
    run = tmp_path / "judged"
    asking = ("t2i", "judge", pictures, "--judge", "planted:oracle", "--out", run)
    refused = call(*asking, "--certificate", older)
    assert refused.exit_code == 1
    assert IS_OLDER in " ".join(refused.output.split())
    assert call(*asking, "--uncertified").exit_code == 0
    shutil.copy(older, run / "certificate.json")  # as the version before kept it
    scored = call("t2i", "score", run, "--json")
    assert scored.exit_code == 0, scored.output
    (found,) = json.loads(scored.output)["runs"]
    assert (found["admitted"], found["certified"]) == (False, False)
    assert any(reason.startswith(IS_OLDER) for reason in found["reasons"])
    assert call("t2i", "score", run).exit_code == 0
