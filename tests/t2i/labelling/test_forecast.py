"""A forecast of labels, and what comes true of it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from commands import call
from t2i.labelling.people import Raters, one_question

from counterbench.t2i.labelling.answers import RaterFile
from counterbench.t2i.labelling.forecast import ToCertify, forecast_labels
from counterbench.t2i.labelling.scored import score_runs
from counterbench.t2i.scores.results import CheckResult


def plan(of: Raters) -> ToCertify:
    (planned,) = forecast_labels(of.run).to_certify
    return planned


def certified(of: Raters) -> bool:
    return score_runs([of.run])[0].documents[0].evidence.labelled["presence"].admitted


def finding_wrong(errors: int) -> Callable[[CheckResult], str]:
    """A person who finds so many of the judge's first answers wrong that are yes, and that are no."""
    left = dict.fromkeys(("yes", "no"), errors)

    def said(row: CheckResult) -> str:
        judge = str(row.answer)
        left[judge] -= 1
        return judge if left[judge] < 0 else {"yes": "no", "no": "yes"}[judge]

    return said


@pytest.mark.parametrize(("errors", "side"), [(0, 25), (1, 43)])  # of very many questions 26 and 46
def test_the_labels_that_certify_at_best_and_with_an_error_in_each_do_and_no_fewer(
    tmp_path: Path, errors: int, side: int
) -> None:
    of = Raters(tmp_path, {"good": 0.5}, one_question(400))
    needed = plan(of).one_error if errors else plan(of).at_best
    assert needed is not None
    assert (needed.yes, needed.no) == pytest.approx((side, side), abs=1)
    assert needed.yes + needed.no <= needed.more < 1.3 * (needed.yes + needed.no)
    of.answer(needed.more - 1, said=finding_wrong(errors))
    assert not certified(of)
    last = of.sample[needed.more - 1].questions[0]
    RaterFile(of.run, "anna").add(last.id, str(of.row(last).answer))
    assert certified(of)


def test_the_errors_so_far_say_what_is_still_to_give_or_that_it_cannot_be(tmp_path: Path) -> None:
    of = Raters(tmp_path, {"good": 0.5}, one_question(300))
    assert plan(of).as_so_far == plan(of).at_best
    of.answer(60, said=finding_wrong(2))
    few = plan(of)
    assert few.at_best is not None
    assert few.as_so_far is not None
    assert 0 < few.at_best.more < few.as_so_far.more < 240
    of.answer(60, said=finding_wrong(8))
    many = plan(of)
    assert many.sensitivity is not None
    assert many.sensitivity < 0.85
    assert many.at_best is not None
    assert many.as_so_far is None
    assert "cannot be" in call("label", of.run, "--plan").output
