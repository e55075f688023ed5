"""What a certificate says: the judge, how it was asked, where, and what it has been shown to see. Data only."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from counterbench.certificate.policies import Policy
from counterbench.drawing.domain import Domain
from counterbench.runs.usage import Canaries
from counterbench.scoring.flips import Flips
from counterbench.scoring.scores import Share, in_percent
from counterbench.text import brief, counted, html_table, title

CERTIFICATE_FORMAT: Literal["counterbench.certificate/2"] = "counterbench.certificate/2"

Verdict = Literal["pass", "fail", "not-enough-evidence"]
PASS: Verdict = "pass"
FAIL: Verdict = "fail"
NOT_ENOUGH: Verdict = "not-enough-evidence"


_OPEN: tuple[Verdict, ...] = (FAIL, NOT_ENOUGH)  # in the order in which they are told


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One condition on the whole run, and what it shows of it.

    `value`: what was found, `bound`: what it is held against. `reason`: why it does not pass, empty if it does.
    """

    value: float | None
    bound: float
    verdict: Verdict
    reason: str = ""


class CellResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One cell, from its pairs that got both replies.

    `evidence`: the e-value against "its CCS is the bound or less", `against`: against "it is the bound or more" (see
    `stats.betting`). It passes by itself where the first reaches the threshold, and fails where the second does.
    `sensitivity`, `specificity`: right on its yes/no questions whose truth is yes, and no; null where it has none.
    """

    verdict: Verdict
    ccs: Share
    evidence: float
    against: float
    sensitivity: Share | None = None
    specificity: Share | None = None


class LawResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One law (of suites of shapes: one family) with its cells.

    `evidence`: the least of its cells', `adjusted` for all laws of the run: it passes where that reaches the
    threshold. `decided_by`: the cell for which it does not pass; empty if it does.
    """

    verdict: Verdict
    cells: list[str]
    evidence: float
    adjusted: float
    decided_by: str = ""


class KindResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pairs that show a picture kind ("swapped"), of all laws that have not failed, and those right on both.

    `evidence` and `against` as for a cell; `adjusted` for all laws and kinds of the run: it passes where that reaches
    the threshold.
    """

    verdict: Verdict
    right: int
    of: int
    evidence: float
    against: float
    adjusted: float


class SkillResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A summary over the cells that ask for one skill; nothing is decided by it.

    `counted`: pairs without a failed or missing question. `sensitivity`, `specificity`: right on yes/no questions whose
    truth is yes, and no; null where the suite has none. `outcomes`: of its questions.
    """

    pairs: int
    counted: int
    ccs: Share
    sensitivity: Share | None
    specificity: Share | None
    outcomes: dict[str, int]


class ControlResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The pairs whose truth stays, all together. `accuracy`: right on both, which decides; `stability`: the same twice.

    `evidence` and `against` as for a cell. `skills`, `treatments`: the stability by skill, which must not be shown to
    be below the bound, and by what was done to the second picture. `declined`: further pairs, of treatments about
    which it gives next to no answer; `treatments` has 0 of 0 of these. `silent`: by skill the pairs that got both
    replies, one without an answer. (The last four are empty in certificates of earlier versions, and not digested.)
    """

    verdict: Verdict
    pairs: int
    counted: int
    accuracy: Share
    stability: Share
    evidence: float
    against: float
    outcomes: dict[str, int]
    skills: dict[str, Share] = {}
    treatments: dict[str, Share] = {}
    declined: int = 0
    silent: dict[str, int] = {}


class Chance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a judge of a given true CCS in every cell has to expect of `validate`.

    `all_laws`, `most_laws`: how likely it is admitted to all laws, and to 90 % of them at least; `calls`: how many
    questions that takes on average, of one vote each, as long as no law is lost; more where some are.
    """

    all_laws: float
    most_laws: float
    calls: int


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a judge has been shown to see, bound by digests to how that was found. One certificate, one JSON file.

    `verdict` is "pass" only if every law, the controls, the picture kinds and every condition on the `run` pass;
    `admitted` are the laws that it opens. `attempt`: whose pairs the run asked (1, 2, …; null if of none, when it opens
    nothing), and `threshold` what an e-value had to reach at it. `judge` is the judge as asked for, `kind` the
    endpoint's ("openai", "pixels", …, "other"), `address` its base URL if its name holds one, `parameters` those in its
    name; `dropped` are those that the server refused, `models` the ids that it returned, with their counts. `domain`:
    on what pictures it was shown; null of runs of an earlier version. `kinds`: of a suite of laws, what was shown of
    each picture kind; all must pass. `prior`: of questions on pairs of an altered law, the share right where the
    prior's answer is the truth ("agrees"), and where it is not ("differs"). `flips`: how many of its answers hung on
    the wording; null where the policy does not bound that. `truth_checked`: the keys were drawn again and are the same;
    else `truth_note` says why they could not be. `questions`: those with a key, asked or not. `chances`: by true CCS.
    `asked_from`, `asked_until`: times of the first and last reply. `versions`: of what wrote the certificate;
    `run_versions`: of what asked. `digest` is over everything else.
    """

    format: Literal["counterbench.certificate/2"] = CERTIFICATE_FORMAT
    verdict: Verdict
    admitted: list[str]
    attempt: int | None
    threshold: float
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
    domain: Domain | None
    truth: str
    truth_checked: bool
    truth_note: str
    questions: int
    keys_digest: str
    journal_digest: str
    cells: dict[str, CellResult]
    laws: dict[str, LawResult]
    kinds: dict[str, KindResult]
    prior: dict[str, Share]
    skills: dict[str, SkillResult]
    control: ControlResult
    run: dict[str, Condition]
    chances: dict[str, Chance]
    canaries: Canaries | None
    policy: Policy
    policy_digest: str
    asked_from: str
    asked_until: str
    run_versions: dict[str, str]
    versions: dict[str, str]
    time: str
    flips: Flips | None = None
    digest: str = ""

    def weakest(self, law: str) -> str:
        """The cell for which a law does not pass or, if it does, the one with the lowest CCS."""
        found = self.laws[law]
        return found.decided_by or min(found.cells, key=lambda cell: self.cells[cell].ccs.value or 0.0)

    @property
    def kinds_against(self) -> list[str]:
        """The picture kinds that keep every law from being admitted: those that failed, else the undecided ones."""
        by_verdict = {verdict: [name for name, of in self.kinds.items() if of.verdict == verdict] for verdict in _OPEN}
        return next(filter(None, by_verdict.values()), [])

    def __repr__(self) -> str:
        laws = f"{len(self.admitted)} of {counted(len(self.laws), 'law')} admitted"
        return brief(self, f"{self.verdict}: {self.judge} on {self.suite}, policy {self.policy.name}, {laws}")

    def _repr_html_(self) -> str:
        """For a notebook: every law, with the cell that decides it."""
        weakest = {law: self.weakest(law) for law in self.laws}
        return html_table(
            title(self),
            ("law", "verdict", "weakest cell", "right", "CCS"),
            (
                (law, of.verdict, weakest[law], f"{ccs.hits} of {ccs.of}", in_percent(ccs))
                for law, of in self.laws.items()
                for ccs in (self.cells[weakest[law]].ccs,)
            ),
        )


class OlderCertificate(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of a certificate of an earlier kind, which was of skills and of no attempt: it opens nothing."""

    format: Literal["counterbench.certificate/1"]
    verdict: Verdict
    judge: str
    suite: str
    time: str

    @property
    def notice(self) -> str:
        """What it is, and what to do."""
        return (
            f"a certificate of an older kind ({self.format}, of {self.time}): by skill, not by cell, of no attempt, "
            f"so it opens nothing; `counterbench probe {self.suite} --until-certified POLICY` asks for a new one"
        )


def content_digest(certificate: Certificate) -> str:
    """The hex digest over everything in a certificate but its digest: of its JSON with sorted keys.

    Of the JSON as it is read back, so that a whole number in a field for fractions is the same before and after.
    Without what is there where a policy bounds the flips alone: certificates of earlier versions know nothing of it.
    """
    plain = msgspec.to_builtins(msgspec.json.decode(msgspec.json.encode(certificate), type=Certificate))
    del plain["digest"]
    for of, name in ((plain, "flips"), (plain["policy"], "max_flip_rate"), (plain["policy"], "wordings")):
        if of[name] in (None, ()):
            del of[name]
    return hashlib.blake2b(msgspec.json.encode(plain, order="sorted"), digest_size=16).hexdigest()
