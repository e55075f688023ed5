"""Certificates of scorers, judged by the order of two numbers, and of raters: what decides, what stands beside."""

from pathlib import Path

import msgspec
import pytest
from judges.compared import LAWS, compared_run
from planted_runs import edit_info, write_cells_run

import counterbench as cb
from counterbench.evidence.admission import admission_to_compare, admission_to_rank, barred, is_of_ratings
from counterbench.evidence.document import Certificate, read_certificate, write_certificate
from counterbench.evidence.issue import WayOfAsking, certify, differences
from counterbench.evidence.policies import load_policy
from counterbench.evidence.sequential import UntilDecided
from counterbench.runs.queries import load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compared_run(tmp_path_factory.mktemp("noisy") / "run", "scorer:planted:oracle?sd=0.15")


def test_a_scorer_is_admitted_by_order_and_its_controls_give_a_margin(noisy: Path) -> None:
    found = certify(noisy, load_policy())
    assert (found.verdict, found.admitted, barred(found)) == ("pass", ["presence"], [])
    assert (found.control.pairs, found.treatments) == (0, {})  # nothing is said of what was not judged
    assert found.numbers is not msgspec.UNSET
    # Nine in ten differences of two numbers with a deviation of .15 each: 1.645 · .15 · √2.
    assert found.margin == pytest.approx(0.349, abs=0.05)
    assert found.numbers.ties.hits == 0
    assert found.numbers.text_order.value == pytest.approx(1, abs=0.05)
    way = WayOfAsking(found.judge, found.template_digest)
    assert admission_to_compare(found, way).admitted
    assert not admission_to_compare(found, way._replace(judge=f"{found.judge}&margin=0.1")).admitted
    assert differences(found, noisy) == []


def test_a_certificate_without_numbers_has_no_such_field(noisy: Path, tmp_path: Path) -> None:
    scorer = certify(noisy, load_policy())
    write_certificate(tmp_path / "c.json", scorer)
    assert read_certificate(tmp_path / "c.json") == scorer
    plain = certify(write_cells_run(tmp_path / "run", "planted:oracle", LAWS, suite="pairwise"), load_policy())
    assert plain.margin is None
    assert "numbers" not in msgspec.to_builtins(plain)
    assert plain.control.pairs > 0


def test_a_scorer_is_asked_no_more_once_its_order_is_shown(noisy: Path) -> None:
    """Though its controls are never equal: for a judge that can say equal the same replies end everything."""
    assert UntilDecided(SuiteSource(load_suite("pairwise")), load_policy(), noisy, LAWS).next_batch() is None


def test_the_same_replies_of_a_judge_that_can_say_equal_are_wrong_on_controls(tmp_path: Path) -> None:
    run = compared_run(tmp_path / "run", "scorer:planted:oracle?sd=0.15")
    edit_info(run, judge="planted:oracle")
    found = certify(run, load_policy())
    assert (found.control.verdict, found.admitted) == ("fail", [])


@pytest.mark.parametrize("judge", ["scorer:planted:oracle?sd=1", "scorer:planted:blind", "scorer:planted:lazy?p=1"])
def test_what_orders_no_better_is_not_admitted(judge: str, tmp_path: Path) -> None:
    found = certify(compared_run(tmp_path / "run", judge), load_policy())
    assert found.admitted == []
    if "lazy" in judge:
        assert found.numbers is not msgspec.UNSET
        assert found.numbers.ties.value == 1
        assert found.numbers.text_order.value == 0
        assert found.cells["presence/yes-no"].ccs.value == 0


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    run = compared_run(tmp_path_factory.mktemp("rated") / "run", "rater:planted:oracle")
    return certify(run, load_policy())


def test_a_rater_must_pass_its_controls_too(rated: Certificate, tmp_path: Path) -> None:
    assert (rated.verdict, rated.margin, rated.control.verdict) == ("pass", None, "pass")
    assert is_of_ratings(rated)
    assert rated.numbers is not msgspec.UNSET
    assert (rated.numbers.ties.hits, rated.numbers.text_order.value) == (0, 1)
    lazy = certify(compared_run(tmp_path / "run", "rater:planted:fickle?p=1"), load_policy())
    assert (lazy.cells["presence/yes-no"].verdict, lazy.admitted) == ("pass", [])


def test_a_rater_is_admitted_to_rank_as_it_was_tested(rated: Certificate) -> None:
    way = WayOfAsking("planted:oracle", load_template("shown-prompt").digest, prompt_shown=True)
    assert admission_to_rank(rated, way).admitted
    other = {"judge": "planted:noisy", "template_digest": load_template("strict").digest, "repeats": 3}
    for name, value in other.items():
        assert not admission_to_rank(rated, way._replace(**{name: value})).admitted


@pytest.mark.slow
@pytest.mark.parametrize(("judge", "admitted"), [("oracle?sd=0.25", 10), ("bag-of-words", 0)])
def test_planted_scorers_are_validated_as_any_judge(judge: str, admitted: int, tmp_path: Path) -> None:
    found = cb.validate(f"scorer:planted:{judge}", "pairwise", out=tmp_path / "run")
    certificate = found.certificate
    assert certificate is not None
    way = WayOfAsking(certificate.judge, certificate.template_digest, models=certificate.models)
    assert admission_to_compare(certificate, way).admitted == bool(admitted)
    assert certificate.numbers is not msgspec.UNSET
    if admitted:
        assert len(certificate.admitted) == admitted
        assert certificate.margin == pytest.approx(1.645 * 0.25 * 2**0.5, abs=0.08)
