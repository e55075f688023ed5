"""What the pairs of a run show of each skill, of the controls and of the whole run, held against a policy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from counterbench.certificate.conditions import FAIL, NOT_ENOUGH, PASS, at_most, enough, shown, together
from counterbench.certificate.document import Condition, ControlResult, SkillResult, Verdict
from counterbench.certificate.policies import Conditions, ControlConditions, Policy
from counterbench.scoring.results import PairResult
from counterbench.scoring.scores import Share, score, share


class Findings(msgspec.Struct, frozen=True):
    """Skills by name, the controls, and the conditions on the whole run."""

    skills: dict[str, SkillResult]
    control: ControlResult
    run: dict[str, Condition]

    @property
    def verdict(self) -> Verdict:
        """Pass only if everything passes."""
        parts: list[SkillResult | ControlResult | Condition] = [*self.skills.values(), self.control, *self.run.values()]
        return together(part.verdict for part in parts)


def findings(pairs: Sequence[PairResult], policy: Policy, models: Sequence[str] = ()) -> Findings:
    """What these pairs show under this policy. `models`: the ids under which replies came.

    InputError if the policy has conditions for a skill that no pair tests.
    """
    by_skill: dict[str, list[PairResult]] = defaultdict(list)
    for pair in pairs:
        if pair.key.relevant:
            by_skill[pair.key.skill].append(pair)
    conditions = policy.for_skills(sorted(by_skill))
    return Findings(
        skills={name: _skill(by_skill[name], conditions[name]) for name in conditions},
        control=_control([pair for pair in pairs if not pair.key.relevant], policy.control),
        run=_whole(pairs, len(by_skill), policy, models),
    )


def _skill(pairs: Sequence[PairResult], asked: Conditions) -> SkillResult:
    numbers = score(pairs)
    conditions = {"pairs": enough(numbers.ccs.of, asked.pairs), "ccs": shown(numbers.ccs, asked.ccs)}
    sensitivity, specificity = right_where(pairs, "yes"), right_where(pairs, "no")
    if sensitivity is not None:
        conditions["sensitivity"] = shown(sensitivity, asked.sensitivity)
    if specificity is not None:
        conditions["specificity"] = shown(specificity, asked.specificity)
    return SkillResult(
        verdict=together(condition.verdict for condition in conditions.values()),
        pairs=numbers.pairs,
        counted=numbers.ccs.of,
        ccs=numbers.ccs,
        sensitivity=sensitivity,
        specificity=specificity,
        outcomes=numbers.outcomes,
        conditions=conditions,
    )


def right_where(pairs: Sequence[PairResult], truth: str) -> Share | None:
    """The share right of the yes/no questions with this truth that got a reply; None if the pairs have no such one.

    With truth "yes" it is the sensitivity, with "no" the specificity; a reply without an answer is not right.
    """
    asked = [
        reply
        for pair in pairs
        for key, reply in zip(pair.keys, pair.replies, strict=True)
        if key.answer_type == "yes-no" and key.expected == truth
    ]
    replied = [reply for reply in asked if reply is not None]
    return share(sum(reply.right for reply in replied), len(replied)) if asked else None


def _control(pairs: Sequence[PairResult], asked: ControlConditions) -> ControlResult:
    numbers = score(pairs)
    conditions = {
        "pairs": enough(numbers.ccs.of, asked.pairs),
        "stability": shown(numbers.stability, asked.stability),
        "accuracy": shown(numbers.ccs, asked.accuracy),
    }
    return ControlResult(
        verdict=together(condition.verdict for condition in conditions.values()),
        pairs=numbers.pairs,
        counted=numbers.ccs.of,
        stability=numbers.stability,
        accuracy=numbers.ccs,
        outcomes=numbers.outcomes,
        conditions=conditions,
    )


def _whole(pairs: Sequence[PairResult], skills: int, policy: Policy, models: Sequence[str]) -> dict[str, Condition]:
    questions = 2 * len(pairs)
    outcomes = score(pairs).outcomes
    missing, failed = sum(pair.missing for pair in pairs), outcomes["failed"]
    found = {
        "skills": enough(skills, 1)
        if skills
        else Condition(value=0, bound=1, verdict=NOT_ENOUGH, reason="the run has no pair that tests a skill"),
        "complete": _complete(questions, missing, failed),
        "unparsed": at_most("unparsed", outcomes["unparsed"], questions, policy.outcomes.unparsed),
        "refused": at_most("refused", outcomes["refused"], questions, policy.outcomes.refused),
        "failed": at_most("failed", failed, questions, policy.outcomes.failed),
    }
    if policy.one_model:
        several = len(models) > 1
        reason = f"the server answered as {', '.join(models)}: the model changed within the run" if several else ""
        found["one-model"] = Condition(value=len(models), bound=1, verdict=FAIL if several else PASS, reason=reason)
    return found


def _complete(questions: int, missing: int, failed: int) -> Condition:
    done = (questions - missing - failed) / questions if questions else None
    if questions and not missing and not failed:
        return Condition(value=done, bound=1, verdict=PASS)
    reason = f"not asked: {missing}, failed: {failed}; the same `counterbench probe` command asks them"
    return Condition(value=done, bound=1, verdict=NOT_ENOUGH, reason=reason)
