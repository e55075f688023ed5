"""What a certificate says: the judge, how it was asked, and what it has been shown to see, by skill. Data only."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from counterbench.certificate.policies import Policy
from counterbench.runs.usage import Canaries
from counterbench.scoring.scores import Share
from counterbench.text import brief, counted

CERTIFICATE_FORMAT: Literal["counterbench.certificate/1"] = "counterbench.certificate/1"

Verdict = Literal["pass", "fail", "not-enough-evidence"]


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One condition of the policy, and what the run shows of it.

    `value`: what was found; a share with its 95 % interval `low` … `high`, or a count or share without one (null).
    `bound`: what it is held against. `needed`: how many pairs in all (of yes/no pairs, for sensitivity and
    specificity) would show it at the rate that was found; null where it is shown or no number would do. `reason`:
    why it does not pass, empty if it does.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    bound: float
    verdict: Verdict
    needed: int | None = None
    reason: str = ""


class SkillResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One skill, from its relevant pairs. `counted`: pairs without a failed or missing question.

    `sensitivity`, `specificity`: right on yes/no questions whose truth is yes, and no; null where the suite has none.
    `outcomes`: of its questions.
    """

    verdict: Verdict
    pairs: int
    counted: int
    ccs: Share
    sensitivity: Share | None
    specificity: Share | None
    outcomes: dict[str, int]
    conditions: dict[str, Condition]


class ControlResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pairs whose truth stays, of all skills. `stability`: the same answer twice; `accuracy`: right on both."""

    verdict: Verdict
    pairs: int
    counted: int
    stability: Share
    accuracy: Share
    outcomes: dict[str, int]
    conditions: dict[str, Condition]


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a judge has been shown to see, bound by digests to how that was found. One certificate, one JSON file.

    `verdict` is "pass" only if every skill, the controls and every condition on the whole `run` pass. `judge` is the
    judge as asked for, `kind` the endpoint's ("openai", "pixels", …, "other"), `address` its base URL if its name holds
    one, `parameters` those in its name; `dropped` are those that the server refused, `models` the ids that it
    returned, with their counts. `truth_checked`: the keys were drawn again and are the same; else `truth_note` says
    why they could not be. `chances`: how likely a judge of such a true CCS passes this policy on these pairs.
    `versions`: of what wrote the certificate; `run_versions`: of what asked. `digest` is over everything else.
    """

    format: Literal["counterbench.certificate/1"] = CERTIFICATE_FORMAT
    verdict: Verdict
    judge: str
    kind: str
    address: str
    parameters: dict[str, str]
    dropped: list[str]
    models: dict[str, int]
    wording: str
    wording_digest: str
    votes: int
    scoring: str
    parser: str
    suite: str
    suite_digest: str
    seed: int | None
    truth: str
    truth_checked: bool
    truth_note: str
    questions: int
    keys_digest: str
    journal_digest: str
    skills: dict[str, SkillResult]
    control: ControlResult
    run: dict[str, Condition]
    chances: dict[str, float]
    canaries: Canaries | None
    policy: Policy
    policy_digest: str
    run_versions: dict[str, str]
    versions: dict[str, str]
    time: str
    digest: str = ""

    def __repr__(self) -> str:
        passed = sum(skill.verdict == "pass" for skill in self.skills.values())
        skills = f"{passed} of {counted(len(self.skills), 'skill')} pass"
        return brief(self, f"{self.verdict}: {self.judge} on {self.suite}, policy {self.policy.name}, {skills}")

    def covers(self, skill: str) -> bool:
        """Whether this skill was shown: it passes, and so do the controls and the conditions on the whole run."""
        whole = [self.control.verdict, *(condition.verdict for condition in self.run.values())]
        return skill in self.skills and all(verdict == "pass" for verdict in [self.skills[skill].verdict, *whole])


def content_digest(certificate: Certificate) -> str:
    """The hex digest over everything in a certificate but its digest: of its JSON with sorted keys.

    Of the JSON as it is read back, so that a whole number in a field for fractions is the same before and after.
    """
    plain = msgspec.to_builtins(msgspec.json.decode(msgspec.json.encode(certificate), type=Certificate))
    del plain["digest"]
    return hashlib.blake2b(msgspec.json.encode(plain, order="sorted"), digest_size=16).hexdigest()
