"""The gate: every reason for which a judge may not score, in words, and none for a judge that may."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from t2i.drawn import prompt_set
from t2i.lawful import altered, certificate, of_laws

from counterbench.certificate import Certificate
from counterbench.certificate.document import content_digest
from counterbench.certificate.policies import load_policy
from counterbench.runs.wordings import load_wording
from counterbench.t2i.judging.gate import losses, needed_skills, objections, openings, unverified

SKILLS = needed_skills(of_laws())
WORDING = load_wording().digest


def why(
    found: Certificate | None,
    skills: Sequence[str] = SKILLS,
    *,
    judge: str = "planted:oracle",
    wording: str = WORDING,
    votes: int = 1,
    models: Sequence[str] = (),
    prompt_shown: bool = False,
) -> list[str]:
    return objections(
        found, skills, judge=judge, wording_digest=wording, votes=votes, prompt_shown=prompt_shown, models=models
    )


def test_a_judge_that_was_shown_to_see_may_score() -> None:
    assert certificate().verdict == "pass"
    assert why(certificate()) == []
    assert why(certificate(), models=["planted:oracle"]) == []


@pytest.mark.parametrize(
    ("lost", "found"),
    [
        ({}, []),
        ({"unparsed": 2, "refused": 2}, []),  # exactly what the policy allows
        ({"unparsed": 3}, ["3 of 100 questions unparsed, at most 2 % may be (policy standard)"]),
        ({"refused": 3}, ["3 of 100 questions refused, at most 2 % may be (policy standard)"]),
        ({"failed": 1, "unasked": 2}, ["of 100 questions 2 unasked, 1 failed: the same `t2i judge` asks them"]),
    ],
)
def test_what_a_policy_bounds_of_replies_it_bounds_here_too(lost: dict[str, int], found: list[str]) -> None:
    every = {"answer": 100 - sum(lost.values()), "unparsed": 0, "refused": 0, "failed": 0, "unasked": 0} | lost
    assert losses(every, certificate()) == losses(every, None) == found


def test_the_bound_is_that_of_the_certificate_s_policy() -> None:
    strict = altered(certificate(), policy=load_policy("strict"))
    every = {"answer": 98, "unparsed": 2, "refused": 0, "failed": 0, "unasked": 0}
    assert losses(every, strict) == ["2 of 100 questions unparsed, at most 1 % may be (policy strict)"]
    assert losses(dict.fromkeys(every, 0), strict) == []  # nothing was asked: no picture is there


def test_what_a_certificate_opens() -> None:
    assert openings(certificate()) == {"laws": [], "laws-described": [], "laws-photo": []}
    lax = openings(certificate("exploratory"))["laws"]
    assert lax[0].startswith("its policy 'exploratory' asks for less than 'standard'")


def test_no_certificate() -> None:
    assert why(None) == ["there is no certificate; the checks need: integrity, obeys-everything, place"]


def test_another_judge_wording_or_number_of_votes_and_another_model() -> None:
    assert why(certificate(), judge="planted:oracle?p=0") == [
        "judge: certified was 'planted:oracle', used is 'planted:oracle?p=0'"
    ]
    assert why(certificate(), wording="f" * 32) == [f"wording digest: certified was {WORDING!r}, used is {'f' * 32!r}"]
    assert why(certificate(), votes=3) == ["votes: certified was 1, used is 3"]
    assert why(certificate(), models=["planted:oracle", "another"]) == [
        "model id: certified was 'planted:oracle', the server returned 'another'"
    ]


def test_a_changed_certificate_does_not_hold_together() -> None:
    changed = msgspec.structs.replace(certificate(), judge="planted:noisy")
    reasons = why(changed, judge="planted:noisy")
    assert len(reasons) == 1
    assert reasons[0].startswith("the certificate does not hold together: digest: it is ")
    assert reasons[0].endswith("the certificate was changed")


def test_an_answer_read_by_another_parser() -> None:
    assert why(altered(certificate(), parser="0"))[0].startswith("parser: issued with parser 0; this version ")


def without(found: Certificate, *skills: str) -> Certificate:
    return altered(found, skills={name: skill for name, skill in found.skills.items() if name not in skills})


def test_a_skill_that_was_not_tested_or_not_passed() -> None:
    assert why(without(certificate(), "place")) == ["skills not covered by the certificate: place"]
    failed = {
        name: msgspec.structs.replace(skill, verdict="fail" if name == "place" else "not-enough-evidence")
        for name, skill in certificate().skills.items()
    }
    assert why(altered(certificate(), skills=failed)) == [
        "skills not covered by the certificate: integrity, obeys-everything, place"
    ]
    assert why(without(certificate(), "lit"), SKILLS) == []


def test_a_run_that_failed_as_a_whole_covers_nothing() -> None:
    condition = msgspec.structs.replace(certificate().run["complete"], verdict="fail")
    broken = altered(certificate(), run=certificate().run | {"complete": condition})
    assert why(broken) == ["the certificate's run does not pass as a whole (complete), so no skill is covered"]
    control = msgspec.structs.replace(certificate().control, verdict="not-enough-evidence")
    assert why(altered(broken, control=control)) == [
        "the certificate's run does not pass as a whole (complete, controls), so no skill is covered"
    ]


def test_truth_that_was_not_drawn_again() -> None:
    note = "suite 'mine' as the run has it is not one that this version ships"
    assert why(altered(certificate(), truth_checked=False, truth_note=note)) == [
        f"the certificate's truth was not drawn again: {note}"
    ]


def test_every_reason_is_told_at_once() -> None:
    reasons = why(altered(without(certificate(), "place"), truth_checked=False), judge="other", votes=3)
    assert len(reasons) == 4


@pytest.mark.parametrize("judge", ["planted:prior-bound", "planted:yes-bias", "planted:constant", "planted:blind"])
def test_a_judge_with_a_fault_is_not_let_through_by_its_own_certificate(judge: str) -> None:
    found = certificate(judge=judge)
    assert found.verdict != "pass"
    assert any("not covered" in reason or "as a whole" in reason for reason in why(found, judge=judge))


# ---- checks that nothing can be drawn for


def test_what_cannot_be_drawn_needs_no_certificate_and_counts_as_unverified() -> None:
    written = prompt_set()
    assert needed_skills(written) == ()
    assert why(None, needed_skills(written)) == []
    assert unverified(check for prompt in written.prompts for check in prompt.checks) == 1


def test_the_unverified_share_is_of_the_weight() -> None:
    checks = of_laws().prompts[0].checks
    assert unverified(checks) == 0
    bare = [msgspec.structs.replace(c, program=None) if c.id == "assessment" else c for c in checks]
    assert unverified(bare) == pytest.approx(15 / 26)
    assert unverified([]) == 0


def test_the_skills_that_are_needed_are_those_of_checks_with_a_program() -> None:
    assert SKILLS == ("integrity", "obeys-everything", "place")
    assert set(needed_skills(of_laws("falling", "wind"))) > set(SKILLS)


def test_no_certificate_covers_a_judge_that_is_shown_the_prompts() -> None:
    (reason,) = why(certificate(), prompt_shown=True)
    assert "the judge is shown the prompts" in reason


def test_a_policy_that_asks_for_less_than_standard_opens_no_gate() -> None:
    found = certificate()
    lax = msgspec.structs.replace(
        found.policy, name="mine", default=msgspec.structs.replace(found.policy.default, ccs=0.1, pairs=1)
    )
    changed = msgspec.structs.replace(found, policy=lax, policy_digest=lax.digest)
    changed = msgspec.structs.replace(changed, digest=content_digest(changed))
    assert why(changed) == ["its policy 'mine' asks for less than 'standard': integrity: pairs 1, not 30 (and 5 more)"]
    strict = load_policy("strict")
    stricter = msgspec.structs.replace(found, policy=strict, policy_digest=strict.digest)
    assert why(msgspec.structs.replace(stricter, digest=content_digest(stricter))) == []
