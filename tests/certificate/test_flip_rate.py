"""A policy may bound how many answers hang on the wording: shown, shown not to be, or not enough evidence."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from planted_runs import edit_info, read_journal, reword, rewrite, write_run

from counterbench.certificate import certify, differences, problems, read_certificate, write_certificate
from counterbench.certificate.document import Certificate
from counterbench.certificate.policies import Policy, laxer, load_policy
from counterbench.runs.folder import wording_path
from counterbench.runs.wordings import load_wording


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    """Standard, and at most 10 % of the answers may hang on the wording."""
    file = tmp_path / "steady.toml"
    text = (Path(__file__).parents[2] / "probes/policies/exploratory.toml").read_text()
    file.write_text(text.replace('name = "exploratory"', 'name = "steady"\nmax_flip_rate = 0.1'))
    return load_policy(str(file))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "run", "planted:oracle", "certify", 240)


@pytest.fixture
def run(asked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(asked, tmp_path / "run"))


def test_without_a_bound_nothing_is_asked_for_and_no_certificate_changes(run: Path, policy: Policy) -> None:
    standard = load_policy()
    before = certify(run, standard)
    reword(run, 200)
    after = certify(run, standard)
    assert "flip-rate" not in after.run
    assert after.flips is None
    assert after.verdict == before.verdict
    assert not problems(after)
    # As they were before a policy could bound it, and name wordings: certificates name them.
    assert standard.digest == "2cb71fbf76a9ad94f3beec8b94c8a3ff"
    assert policy.digest == "cf3cc6c96e672b70190d868a25230b08"
    assert policy.digest != msgspec.structs.replace(policy, max_flip_rate=None).digest


def test_a_wording_that_asks_in_the_same_words_is_no_evidence(run: Path, policy: Policy) -> None:
    reword(run, 0)
    rewrite(wording_path(run, "strict"), read_journal(run))
    condition = certify(run, policy).run["flip-rate"]
    assert condition.verdict == "not-enough-evidence"
    assert "answers to other words are needed" in condition.reason


def test_a_run_under_one_wording_lacks_evidence_and_says_what_is_needed(run: Path, policy: Policy) -> None:
    found = certify(run, policy).run["flip-rate"]
    assert (found.verdict, found.value) == ("not-enough-evidence", None)
    assert "the same `counterbench probe` with --wordings" in found.reason


@pytest.mark.parametrize(("flipped", "verdict"), [(0, "pass"), (20, "pass"), (40, "not-enough-evidence"), (90, "fail")])
def test_the_ends_of_the_interval_decide(flipped: int, verdict: str, run: Path, policy: Policy) -> None:
    reword(run, flipped)
    certificate = certify(run, policy)
    found = certificate.run["flip-rate"]
    assert (found.verdict, found.value) == (verdict, flipped / 480)
    assert (verdict == "pass") == (found.reason == "")
    if verdict != "pass":
        assert certificate.admitted == []
        assert f"{flipped} of 480 answers are not the same under default, strict" in found.reason


def test_it_is_derived_again_from_the_run_and_notices_what_was_changed(
    run: Path, policy: Policy, tmp_path: Path
) -> None:
    reword(run, 3)
    write_certificate(tmp_path / "c.json", certify(run, policy))
    certificate = read_certificate(tmp_path / "c.json")
    assert isinstance(certificate, Certificate)
    assert not problems(certificate)
    assert not differences(certificate, run)
    reword(run, 4)
    assert any(line.startswith("flips.rate") for line in differences(certificate, run))


@pytest.fixture
def named(policy: Policy) -> Policy:
    """As that, and the wordings are default and strict."""
    return msgspec.structs.replace(policy, wordings=("default", "strict"))


def test_it_lacks_evidence_until_each_named_wording_was_asked_by_its_digest(run: Path, named: Policy) -> None:
    needed = "under strict (as shipped) are needed: the same `counterbench probe` with --wordings default,strict"
    assert needed in certify(run, named).run["flip-rate"].reason
    reword(run, 0, "answer-line", load_wording("answer-line").digest)
    assert needed in certify(run, named).run["flip-rate"].reason
    reword(run, 0, "strict", "of a file that only calls itself so")
    assert needed in certify(run, named).run["flip-rate"].reason
    reword(run, 0, "strict", load_wording("strict").digest)
    assert certify(run, named).run["flip-rate"].verdict == "pass"


@pytest.mark.parametrize(("strict", "other", "verdict"), [(20, 240, "pass"), (90, 0, "fail")])
def test_the_rate_is_over_the_named_wordings_whatever_else_was_asked(
    strict: int, other: int, verdict: str, run: Path, named: Policy
) -> None:
    reword(run, strict, "strict", load_wording("strict").digest)
    reword(run, other, "answer-line", load_wording("answer-line").digest)
    certificate = certify(run, named)
    assert certificate.flips is not None
    assert set(certificate.flips.wordings) == {"default", "strict"}
    found = certificate.run["flip-rate"]
    assert (found.verdict, found.value) == (verdict, strict / 480)


def test_it_lacks_evidence_while_questions_are_not_asked_under_each(run: Path, named: Policy) -> None:
    reword(run, 0, "strict", load_wording("strict").digest)
    strict = wording_path(run, "strict")
    rewrite(strict, list(read_journal(strict))[:240])
    found = certify(run, named).run["flip-rate"]
    assert found.verdict == "not-enough-evidence"
    assert found.reason.startswith("240 questions have no reply under every wording yet")


def test_what_its_answers_are_compared_with_is_of_the_same_model_and_no_older(run: Path, policy: Policy) -> None:
    reword(run, 0)
    further = wording_path(run, "strict")
    for path, model, time in ((run, "a", "2026-05-02T00:00:00Z"), (further, "b", "2026-01-01T00:00:00Z")):
        rewrite(path, [msgspec.structs.replace(r, model=model, time=time) for r in read_journal(path)])
    certificate = certify(run, policy)
    assert (certificate.run["one-model"].verdict, list(certificate.models)) == ("fail", ["a", "b"])
    assert certificate.asked_from.startswith("2026-01-01")
    assert not problems(certificate)


def test_a_run_under_a_wording_that_is_not_named_is_held_against_those_that_are(run: Path, named: Policy) -> None:
    """Otherwise a certificate would say of its own wording nothing at all."""
    edit_info(run, wording="mine", wording_digest="of a file")
    assert certify(run, named).run["flip-rate"].reason.endswith("--wordings mine.toml,default,strict")
    for name in named.wordings:
        reword(run, 90, name, load_wording(name).digest)
    found = certify(run, named).run["flip-rate"]
    assert found.verdict == "fail"
    assert "90 of 480 answers are not the same under mine, default, strict" in found.reason


def test_a_certificate_under_named_wordings_holds_and_is_derived_again(
    run: Path, named: Policy, tmp_path: Path
) -> None:
    reword(run, 3, "strict", load_wording("strict").digest)
    write_certificate(tmp_path / "c.json", certify(run, named))
    certificate = read_certificate(tmp_path / "c.json")
    assert isinstance(certificate, Certificate)
    assert not problems(certificate)
    assert not differences(certificate, run)
    shutil.rmtree(wording_path(run, "strict"))
    assert any(line.startswith("run.flip-rate") for line in differences(certificate, run))


def test_a_certificate_whose_policy_names_no_shipped_wording_does_not_hold(run: Path, named: Policy) -> None:
    found = certify(run, msgspec.structs.replace(named, wordings=("default", "newest")))
    assert problems(found)[0].startswith("policy, wordings: unknown shipped wording 'newest'")
    assert len(problems(found)) == 1


def test_a_policy_is_laxer_without_a_wording_that_another_names(policy: Policy, named: Policy) -> None:
    more = msgspec.structs.replace(named, wordings=("default", "strict", "bare"))
    assert laxer(more, named) == laxer(named, policy) == []
    assert laxer(policy, named) == ["not under the wordings default, strict"]
    assert laxer(named, more) == ["not under the wordings bare"]


def test_a_policy_that_bounds_less_is_laxer(policy: Policy) -> None:
    loose, none = (msgspec.structs.replace(policy, max_flip_rate=most) for most in (0.2, None))
    assert laxer(policy, loose) == laxer(loose, none) == laxer(policy, policy) == []
    assert laxer(loose, policy) == ["flip rate up to 0.2, not 0.1"]
    assert laxer(none, policy) == ["any flip rate, not 0.1"]
