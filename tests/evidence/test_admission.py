"""The gate: law by law, every reason for which a judge may not score, in words, and none for a judge that may."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from pictures.drawn import prompt_set
from pictures.lawful import altered, basic, certificate, of_laws
from sweeping import swept

from counterbench.drawing.domain import Domain
from counterbench.evidence.admission import NOTHING_TESTED, Admission, admission_of, barred, losses, untested
from counterbench.evidence.document import FAIL, Certificate
from counterbench.evidence.issue import WayOfAsking
from counterbench.evidence.policies import load_policy
from counterbench.evidence.prompt_checks import needed_cells, scored_prompts, undrawn_share
from counterbench.evidence.shown import evidence_of
from counterbench.prompts.files import load_prompts
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.runs.queries import load_template
from counterbench.suites.suite import suite_for

THREE = ("falling", "wind", "frost")
TEMPLATE = load_template().digest


def two_of_three() -> Certificate:
    """Of a judge that gets one check of `wind` wrong, always."""
    return certificate(laws=THREE, inverted=("wind/assessment",))


def enter(found: Certificate | None, prompts: PromptSet | None = None, **used: Any) -> Admission:
    way = WayOfAsking("planted:oracle", TEMPLATE)
    changed = {name: used.pop(name) for name in way._fields if name in used}
    return admission_of(found, prompts or of_laws(), way._replace(**changed), **used)


def why(found: Certificate | None, prompts: PromptSet | None = None, **used: Any) -> list[str]:
    return enter(found, prompts, **used).objections


# ---- law by law


def test_a_judge_that_was_shown_to_see_may_score() -> None:
    evidence = evidence_of(certificate(), ["falling"])
    assert enter(certificate()) == Admission(
        objections=[], laws=["falling"], left_out={}, covered=1, evidence=evidence, not_tested={},
        tested=frozenset({*certificate().cells, *certificate().skills}),
    )  # fmt: skip
    assert why(certificate(), models=["planted:oracle"]) == []


def test_a_judge_is_admitted_to_the_laws_that_it_sees_and_to_no_other() -> None:
    prompts = of_laws(*THREE)
    found = enter(two_of_three(), prompts)
    assert (found.admitted, found.laws) == (True, ["falling", "frost"])
    assert found.left_out == {"wind": "wind/assessment: fail"}
    groups = {law: sum(levels["l1"].law == law for levels in prompts.groups.values()) for law in THREE}
    assert found.covered == pytest.approx(1 - groups["wind"] / sum(groups.values()))
    assert {prompt.law for prompt in scored_prompts(prompts, found.counts).prompts} == {"falling", "frost"}
    assert {law: law_evidence.admitted for law, law_evidence in found.evidence.drawn.items()} == {
        law: law != "wind" for law in sorted(THREE)
    }


def test_a_law_with_an_unasked_cell_is_left_out() -> None:
    part = enter(certificate(), of_laws("falling", "wind"))
    assert part.left_out == {"wind": "not asked"}
    assert part.not_tested == {"wind": pytest.approx(1 - part.covered)}
    laws = certificate().laws
    part = msgspec.structs.replace(laws["falling"], cells=[c for c in laws["falling"].cells if "moved" not in c])
    without_moved = altered(certificate(), laws={"falling": part})
    assert enter(without_moved).left_out == {"falling": "falling/moved was not asked"}


@pytest.mark.slow
def test_a_judge_admitted_to_no_law_may_not_score() -> None:
    found = enter(two_of_three(), of_laws("wind"))
    assert (found.admitted, found.laws, found.covered) == (False, [], 0)
    assert found.objections == ["none of the laws that the checks ask about is admitted: wind (wind/assessment: fail)"]
    assert why(certificate(), of_laws("wind", "frost")) == [
        "none of the laws that the checks ask about is admitted: frost (not asked), wind (not asked)"
    ]
    assert why(basic()) == ["none of the laws that the checks ask about is admitted: falling (not asked)"]


def test_prompts_that_cannot_be_drawn_need_evidence_by_skill() -> None:
    found = enter(basic(), prompt_set())
    assert found.evidence == evidence_of(basic())
    assert {"colour", "count", "left-right"} <= set(found.evidence.drawn)
    assert [skill_evidence for skill_evidence in found.evidence.drawn.values() if not skill_evidence.admitted] == []
    skills = {check.skill or "unnamed" for prompt in prompt_set().prompts for check in prompt.checks}
    assert set(found.not_tested) == skills - set(found.evidence.drawn)
    other = enter(basic(), prompt_set(), judge="planted:blind")  # of another judge it is no evidence
    assert (other.evidence.drawn, set(other.not_tested)) == ({}, skills)


def test_a_judge_with_a_fault_is_not_admitted_by_its_certificate() -> None:
    found = certificate(judge="planted:yes-bias")
    assert found.verdict != "pass"
    reasons = why(found, judge="planted:yes-bias")
    assert any("none of the laws" in reason or "as a whole" in reason for reason in reasons), reasons


# ---- what a certificate lacks, of itself or for this use


def test_a_judge_without_a_certificate_is_not_admitted() -> None:
    assert why(None) == ["there is no certificate"]


def test_a_certificate_of_another_judge_template_repeats_or_model_is_refused() -> None:
    assert why(certificate(), judge="planted:oracle?p=0") == [
        "judge: the certificate has 'planted:oracle', this use has 'planted:oracle?p=0'"
    ]
    assert why(certificate(), template_digest="f" * 32) == [
        f"template digest: the certificate has {TEMPLATE!r}, this use has {'f' * 32!r}"
    ]
    assert why(certificate(), repeats=3) == ["repeats: the certificate has 1, this use has 3"]
    assert why(certificate(), models=["planted:oracle", "another"]) == [
        "model id: the certificate has 'planted:oracle', the server returned 'another'"
    ]


def test_a_certificate_expires_by_the_age_of_its_first_reply() -> None:
    days = certificate().policy.days
    now = datetime.now(UTC)
    within, beyond = ((now - timedelta(days=d)).isoformat() for d in (days, days + 1))
    assert why(altered(certificate(), asked_from=within)) == []
    assert why(altered(certificate(), asked_from=beyond)) == [
        f"the certificate is too old: its judge was asked from {beyond[:10]} on, {days + 1} days ago; policy "
        f"'standard' lets replies count for {days}: ask it again, into another --out"
    ]


def test_a_certificate_of_chosen_pairs_or_unchecked_truth_admits_nothing() -> None:
    assert why(altered(certificate(), attempt=None)) == ["the certificate is of no attempt: somebody chose its pairs"]
    note = "suite 'mine' as the run has it is not one that this version ships"
    assert why(altered(certificate(), attempt=None, truth_checked=False, truth_note=note)) == [
        f"the certificate's truth was not computed again: {note}"
    ]


def test_a_run_that_failed_as_a_whole_admits_nothing() -> None:
    reasons = why(certificate(models=2))
    assert reasons[0] == (
        "the certificate admits to nothing: its run does not pass as a whole (the server answered as planted:oracle, "
        "m0: the model changed within the run)"
    )


def test_no_certificate_covers_a_judge_that_is_shown_the_prompts() -> None:
    (reason,) = why(certificate(), prompt_shown=True)
    assert "the judge is shown the prompts" in reason


@pytest.mark.slow
def test_a_policy_laxer_than_standard_admits_nothing() -> None:
    def under(**changes: object) -> Certificate:
        return certificate(msgspec.structs.replace(load_policy("standard"), **changes))

    assert why(under(name="mine", ccs=0.8, control=0.8)) == [
        "its policy 'mine' asks for less than 'standard': ccs 0.8, not 0.85 (and 1 more)"
    ]
    assert why(under(name="mine", days=999)) == [
        f"its policy 'mine' asks for less than 'standard': days up to 999, not {certificate().policy.days}"
    ]
    assert why(under(name="mine", days=30)) == []
    (reason,) = why(certificate("exploratory"))
    assert reason.startswith("its policy 'exploratory' asks for less than 'standard': ")


# ---- checks that nothing can be drawn for


@pytest.mark.slow
def test_undrawable_prompts_are_not_tested_and_need_a_certificate_of_skills() -> None:
    attributes = load_prompts("attributes")
    found = enter(basic(), attributes)
    assert (found.objections, found.laws, found.left_out, found.covered) == ([NOTHING_TESTED], [], {}, 0)
    assert (found.admitted, found.nothing_tested) == (False, True)
    assert found.not_tested == {"concepts": 1}
    other = "the certificate is of the suite 'laws', not of certify, whose pairs test skills"
    assert why(certificate(), attributes) == [other]
    blind = basic(inverted=("presence/yes-no",))
    assert why(blind, attributes) == ["presence is not passed (fail)"]
    no_controls = msgspec.structs.replace(basic().control, verdict="fail")
    whole = "the certificate admits to nothing: its run does not pass as a whole (controls: 240 of 240 right)"
    assert whole in why(altered(basic(), control=no_controls, admitted=[]), attributes)
    assert "presence" not in "\n".join(why(altered(basic(), control=no_controls, admitted=[]), attributes))
    assert enter(basic(inverted=("counting/yes-no",)), attributes).nothing_tested  # which nothing asks about here


def test_a_failed_skill_is_left_out_and_the_others_are_scored() -> None:
    checks = (Check(id="many", text="How many cats are there?", skill="count"), Check(id="cat", text="Is there a cat?"))
    prompts = PromptSet("mine", ("image",), [Prompt.at("a", "image", "Two cats.", checks=checks)])
    found = enter(basic(inverted=("counting/yes-no",)), prompts)
    assert (found.objections, found.left_out, found.covered) == ([], {"count": "counting: fail"}, 0.5)
    assert [c.id for p in scored_prompts(prompts, found.counts).prompts for c in p.checks] == ["cat"]
    counted = prompts.holding([msgspec.structs.replace(prompts.prompts[0], checks=checks[:1])])
    (nothing,) = why(basic(inverted=("counting/yes-no",)), counted)
    assert nothing == "it passed the drawn test for nothing that the checks ask"
    reason = "people's labels show that it is wrong too often"
    assert why(basic(), counted, revoked={"count": reason}) == [f"nothing is left that it may score: count ({reason})"]
    assert why(basic(), prompts, repeats=3) == ["repeats: the certificate has 1, this use has 3"]


@pytest.mark.slow
def test_rules_need_pairs_of_symbols_and_not_of_laws() -> None:
    names = ("falling-in-symbols", "frost-in-symbols")
    whole = load_prompts("rules")
    rules = whole.holding([prompt for prompt in whole.prompts if prompt.law in names])
    assert suite_for(needed_cells(rules.prompts)) == "rules"
    assert undrawn_share(rules) == 0
    assert enter(certificate(laws=names, suite="rules"), rules).laws == [*names]
    (reason,) = why(certificate(laws=("falling", "frost")), rules)
    assert reason.startswith("none of the laws that the checks ask about is admitted: falling-in-symbols (not asked)")


def test_the_undrawn_share_is_a_share_of_the_weight() -> None:
    prompts = of_laws()
    assert undrawn_share(prompts) == 0
    assert undrawn_share(prompt_set()) == 1
    assert undrawn_share(half(prompts)) == pytest.approx(15 / 26)


def half(prompts: PromptSet) -> PromptSet:
    """The same without a program for the assessment point."""

    def bare(check: Check) -> Check:
        return msgspec.structs.replace(check, program=None, skill="charm") if check.id == "assessment" else check

    return prompts.holding([msgspec.structs.replace(p, checks=tuple(map(bare, p.checks))) for p in prompts.prompts])


def test_the_needed_cells_are_those_of_checks_with_a_program() -> None:
    every = [f"falling/{check}" for check in ("assessment", "integrity", "moved", "presence", "unaffected")]
    assert needed_cells(of_laws().prompts) == {"falling": every}
    assert needed_cells(half(of_laws()).prompts) == {"falling": every}  # which contrast is in too
    assert list(needed_cells(of_laws("wind", "falling").prompts)) == ["falling", "wind"]
    assert needed_cells(prompt_set().prompts) == {}


# ---- where it was shown


def test_only_pictures_like_those_tested_are_certified() -> None:
    shown, prompts = certificate(), of_laws()
    tested = shown.domain
    assert tested is not None
    assert untested(shown, prompts, tested) == []
    photo = Domain(renderer="openai:m", style="photo", size="1024x1024", file_format="jpeg")
    assert untested(shown, prompts, photo) == [
        f"renderer: tested on {tested.renderer}, these pictures are openai:m; style: tested on flat, these pictures "
        "are photo; size: tested on 512x512, these pictures are 1024x1024; file format: tested on png, these pictures "
        "are jpeg"
    ]
    for change in ({"renderer": "imported:flat"}, {"size": "1024x1024"}, {"file_format": "jpeg"}, {"style": "photo"}):
        assert len(untested(shown, prompts, msgspec.structs.replace(tested, **change))) == 1


def test_checks_that_cannot_be_drawn_are_never_certified() -> None:
    shown = certificate()
    assert untested(shown, prompt_set(), shown.domain) == [
        "the checks cannot be drawn, so no pair shows that the judge sees what they ask"
    ]
    (reason,) = untested(shown, half(of_laws()), shown.domain)
    assert reason.startswith("checks of 57.7 % of the weight cannot be drawn, so no pair shows")


# ---- lost replies


@swept(
    ("lost", "found"),
    [
        ({}, []),
        ({"unparsed": 2, "refused": 2}, []),  # exactly what the policy allows
        ({"unparsed": 3}, ["3 of 100 questions unparsed, at most 2 % are allowed (policy standard)"]),
        ({"refused": 3}, ["3 of 100 questions refused, at most 2 % are allowed (policy standard)"]),
        ({"failed": 1, "unasked": 2}, ["of 100 questions 2 unasked, 1 failed: the same `t2i judge` asks them"]),
    ],
)
def test_a_policys_bounds_on_lost_replies_hold_for_scoring_too(lost: dict[str, int], found: list[str]) -> None:
    every = {"answer": 100 - sum(lost.values()), "unparsed": 0, "refused": 0, "failed": 0, "unasked": 0} | lost
    assert losses(every, certificate()) == losses(every, None) == found


def test_a_run_that_is_too_short_is_undecided_and_not_failed() -> None:
    reasons = why(certificate("strict"))
    assert reasons[0].startswith("the certificate admits to nothing: its run has too few pairs (")


def test_a_judge_that_failed_in_all_laws_is_told_that_and_not_that_controls_are_few() -> None:
    short = certificate("strict")
    failed = {name: msgspec.structs.replace(law, verdict=FAIL) for name, law in short.laws.items()}
    reasons = barred(msgspec.structs.replace(short, laws=failed))
    assert reasons[-1] == "the judge failed in the one law asked"
    assert "the judge failed" not in barred(msgspec.structs.replace(short, laws={}))[-1]
