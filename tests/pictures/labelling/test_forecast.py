"""The forecast of how many labels certify a judge, and whether it comes true."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import done
from pictures.labelling.people import PlantedRaters, one_question

from counterbench.pictures.labelling.forecast import ToCertify, forecast_labels
from counterbench.pictures.labelling.scored import score_runs
from counterbench.pictures.scores.results import CheckResult


def plan(raters: PlantedRaters) -> ToCertify:
    (planned,) = forecast_labels(raters.run).to_certify
    return planned


def person(errors: int) -> Callable[[CheckResult], str]:
    """One who finds so many of the judge's first answers wrong that are yes, and that are no."""
    left = {"yes": errors, "no": errors}

    def choose(row: CheckResult) -> str:
        judge = str(row.answer)
        left[judge] -= 1
        return judge if left[judge] < 0 else {"yes": "no", "no": "yes"}[judge]

    return choose


@pytest.mark.slow
@pytest.mark.parametrize(("errors", "side"), [(0, 25), (1, 41)])  # of very many questions 26 and 46
def test_the_forecast_labels_certify_and_one_fewer_does_not(tmp_path: Path, errors: int, side: int) -> None:
    raters = PlantedRaters(tmp_path, {"good": 0.5}, one_question(300))
    needed = plan(raters).one_error if errors else plan(raters).at_best
    assert needed is not None
    assert (needed.yes, needed.no) == pytest.approx((side, side), abs=1)
    for labels in (needed.more - 1, needed.more):
        raters.answer(labels, choose=person(errors))
        shown = score_runs([raters.run])[0].documents[0].evidence.labelled["presence"]
        assert shown.admitted is (labels == needed.more)


@pytest.mark.slow
def test_errors_so_far_raise_the_labels_needed_or_rule_certification_out(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 0.5}, one_question(200))
    assert plan(raters).as_so_far == plan(raters).at_best
    raters.answer(60, choose=person(2))
    few = plan(raters)
    assert few.at_best is not None
    assert few.as_so_far is not None
    assert 0 < few.at_best.more < few.as_so_far.more < 140
    raters.answer(60, choose=person(8))
    assert "impossible" in done("label", raters.run, "--plan")
    (many,) = json.loads(done("label", raters.run, "--plan", "--json"))["to_certify"]
    assert many["sensitivity"] < 0.85
    assert many["as_so_far"] is None


@pytest.mark.slow
def test_the_plan_of_few_questions_says_that_labels_cannot_certify(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 0.5}, one_question(5))
    shown = done("label", raters.run, "--plan")
    assert "No further labels can certify the judge" in shown
    assert "impossible" not in shown
