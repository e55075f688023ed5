"""What pairs show: tables by hand, and planted judges, of which only those without a fault may ever pass."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec
import pytest
from planted_runs import keys_of, records, results

from counterbench.answers.outcomes import Answer, Refused, Unparsed
from counterbench.certificate import Findings, findings
from counterbench.certificate.findings import right_where
from counterbench.certificate.policies import Override, load_policy
from counterbench.errors import InputError
from counterbench.runs.queries import Key
from counterbench.scoring.results import PairResult, pair_results
from counterbench.scoring.rules import Judged

POLICIES = ("exploratory", "standard", "strict")
# At their default doses each of these must be found out, under every policy.
FAULTY = ("constant", "blind", "random", "sticky", "yes-bias", "no-bias", "failing", "refusing", "unparsed")


def pair(i: int, skill: str, truths: str, said: Sequence[str | None], relevant: bool = True) -> PairResult:
    """A yes/no pair; said: "y", "n", "u" (unparsed), "r" (refused), "f" (failed) or None (not asked)."""
    keys = []
    for role, truth in zip(("original", "intervened"), truths, strict=True):
        keys.append(
            Key(
                id=f"p{i}/{role}",
                group=f"p{i}",
                role=role,
                expected={"y": "yes", "n": "no"}[truth],
                answer_type="yes-no",
                relevant=relevant,
                family="f",
                category="c",
                skill=skill,
                form="yes-no",
                truth="computed",
            )
        )
    outcomes = {"y": Answer("yes"), "n": Answer("no"), "u": Unparsed("hm"), "r": Refused("no")}
    judged = [
        None if word in (None, "f") else Judged(outcomes[word], word == truth)
        for word, truth in zip(said, truths, strict=True)
    ]
    return PairResult((keys[0], keys[1]), *judged, list(said).count("f"), list(said).count(None))


def test_a_table_by_hand() -> None:
    rows = [
        ("yn", "yn"),
        ("ny", "ny"),
        ("yn", "yy"),
        ("yn", "nn"),
        ("ny", "uy"),
        ("ny", "nr"),
        ("yn", "yf"),
        ("ny", ["n", None]),
    ]
    pairs = [pair(i, "left", truths, said) for i, (truths, said) in enumerate(rows)]
    pairs += [
        pair(10, "still", "yy", "yy", False),
        pair(11, "still", "nn", "yy", False),
        pair(12, "left", "nn", "ny", False),
    ]
    found = findings(pairs, load_policy("exploratory"))
    assert list(found.skills) == ["left"]
    left = found.skills["left"]
    assert (left.pairs, left.counted, left.ccs.hits, left.ccs.of) == (8, 6, 2, 6)
    assert left.sensitivity is not None
    assert left.specificity is not None
    assert (left.sensitivity.hits, left.sensitivity.of) == (5, 7)  # the last one's yes was not asked
    assert (left.specificity.hits, left.specificity.of) == (5, 7)  # one said yes, one unparsed; one failed is left out
    assert left.outcomes == {"answer": 12, "unparsed": 1, "refused": 1, "failed": 1}
    control = found.control
    assert (control.pairs, control.stability.hits, control.accuracy.hits, control.accuracy.of) == (3, 2, 1, 3)
    assert found.run["complete"].verdict == "not-enough-evidence"
    assert "not asked: 1, failed: 1" in found.run["complete"].reason
    assert (found.run["unparsed"].value, found.run["failed"].verdict) == (1 / 22, "fail")


def test_open_questions_have_no_sensitivity() -> None:
    found = findings(results("planted:oracle", "counterbench-550"), load_policy())
    has = {name for name, skill in found.skills.items() if skill.sensitivity is not None}
    assert has == {"left-right", "above-below", "inside"}
    for name, skill in found.skills.items():
        assert (skill.specificity is None) is (name not in has)
        assert ("specificity" in skill.conditions) is (name in has)
    assert right_where([], "yes") is None


def test_more_than_one_model_fails_unless_the_policy_allows_it() -> None:
    pairs = results("planted:oracle", "counterbench-550")
    assert findings(pairs, load_policy(), ["a"]).verdict == "pass"
    changed = findings(pairs, load_policy(), ["a", "b"])
    assert changed.verdict == "fail"
    assert "a, b: the model changed within the run" in changed.run["one-model"].reason
    lenient = msgspec.structs.replace(load_policy(), one_model=False)
    assert findings(pairs, lenient, ["a", "b"]).verdict == "pass"


def test_conditions_for_a_skill_that_is_not_there_are_refused() -> None:
    policy = msgspec.structs.replace(load_policy(), skills={"coulour": Override(ccs=0.5)})
    with pytest.raises(InputError, match=r"unknown skill 'coulour' \(did you mean 'colour'"):
        findings(results("planted:oracle", "counterbench-550"), policy)


def test_overrides_count() -> None:
    pairs = results("planted:arrow-blind", "counterbench-550")
    assert findings(pairs, load_policy()).verdict == "fail"
    policy = msgspec.structs.replace(load_policy(), skills={"arrow-target": Override(ccs=0.0)})
    assert findings(pairs, policy).verdict == "pass"


def test_controls_or_skills_alone_are_not_enough() -> None:
    pairs = results("planted:oracle", "counterbench-550")
    for some, missing in ((True, "control"), (False, "skills")):
        found = findings([p for p in pairs if p.key.relevant is some], load_policy())
        assert found.verdict == "not-enough-evidence"
        lacking = found.control if missing == "control" else found.run["skills"]
        assert lacking.verdict == "not-enough-evidence"
    assert findings([], load_policy()).verdict == "not-enough-evidence"


@pytest.mark.parametrize("judge", FAULTY)
def test_a_judge_with_a_fault_fails(judge: str) -> None:
    assert findings(results(f"planted:{judge}", "counterbench-550"), load_policy("exploratory")).verdict == "fail"


# ---- planted judges on the suite that certificates are made on


@functools.cache
def on_certify(judge: str) -> list[PairResult]:
    return results(f"planted:{judge}", "certify")


@pytest.mark.slow
def test_the_oracle_passes_every_policy_on_certify() -> None:
    for policy in POLICIES:
        assert findings(on_certify("oracle"), load_policy(policy)).verdict == "pass"


@pytest.mark.slow
@pytest.mark.parametrize("judge", FAULTY)
def test_a_judge_with_a_fault_fails_every_policy_on_certify(judge: str) -> None:
    for policy in POLICIES:
        assert findings(on_certify(judge), load_policy(policy)).verdict == "fail"


def test_a_constant_judge_is_perfectly_stable_and_fails_the_controls() -> None:
    control = findings(results("planted:constant", "counterbench-550"), load_policy("exploratory")).control
    assert control.stability.value == 1.0
    assert control.conditions["stability"].verdict == "pass"
    assert control.verdict == "fail"


@pytest.mark.slow
@pytest.mark.parametrize(("bias", "side"), [("yes-bias", "specificity"), ("no-bias", "sensitivity")])
def test_a_leaning_that_open_answers_hide_is_stopped_by_one_side(bias: str, side: str) -> None:
    """At a dose of 0.18 nearly every CCS is shown to be 0.85 (half of the pairs are open, and right)."""
    found = findings(on_certify(f"{bias}?p=0.18"), load_policy("standard"))
    stopped = [s for s in found.skills.values() if s.conditions["ccs"].verdict == "pass" and s.verdict != "pass"]
    assert stopped
    for skill in stopped:
        other = "sensitivity" if side == "specificity" else "specificity"
        assert skill.conditions[side].verdict != "pass"
        assert skill.conditions[other].verdict == "pass"


def test_strict_on_550_says_how_many_pairs_are_needed() -> None:
    found: Findings = findings(results("planted:oracle", "counterbench-550"), load_policy("strict"))
    assert found.verdict == "not-enough-evidence"
    for skill in found.skills.values():
        assert skill.verdict == "not-enough-evidence"
        assert skill.conditions["pairs"].needed == 200
        assert skill.conditions["ccs"].needed == (73 if skill.ccs.of < 73 else None)


def test_one_question_that_failed_or_is_missing_keeps_a_perfect_judge_from_passing() -> None:
    known = keys_of("counterbench-550")
    said = records("planted:oracle", known)
    assert findings(pair_results(known, said[1:], "default"), load_policy()).verdict == "not-enough-evidence"
    failed = [r for r in records("planted:failing?p=1", known) if r.id == said[0].id]
    assert findings(pair_results(known, [*failed, *said[1:]], "default"), load_policy()).verdict == "fail"
