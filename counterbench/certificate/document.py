"""What a certificate says: the judge, how it was asked, where, and what it has been shown to see. Data only."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from counterbench.certificate.policies import Policy
from counterbench.drawing.domain import Domain
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


class ControlResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pairs whose truth stays, all together. `accuracy`: right on both, which decides; `stability`: the same twice.

    `evidence` and `against` as for a cell. `skills`, `treatments`: the stability by skill, which must not be shown to
    be below the bound, and by what was done to the second picture. `declined`: further pairs, of treatments about
    which it gives next to no answer; `treatments` has 0 of 0 of these. `silent`: by skill the pairs that got both
    replies, one without an answer.
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
    """What a judge has been shown to see, bound by digests to how that was found. One certificate, one JSON file."""

    format: Literal["counterbench.certificate/2"] = CERTIFICATE_FORMAT
    verdict: Verdict  # "pass" only if every law, the controls, the picture kinds and every condition on the run pass
    admitted: list[str]  # the laws that it opens
    attempt: int | None  # whose pairs the run asked (1, 2, …); None if of no attempt, when it opens nothing
    threshold: float  # what an e-value had to reach at that attempt
    judge: str  # as it was asked for
    kind: str  # the endpoint's: "openai", "pixels", …, "other"
    address: str  # its base URL, if its name holds one
    parameters: dict[str, str]  # those in its name
    dropped: list[str]  # parameters that the server refused
    models: dict[str, int]  # how many replies came under which model id
    wording: str
    wording_digest: str
    votes: int
    scoring: str
    parser: str
    suite: str
    suite_digest: str
    seed: int | None
    domain: Domain | None  # on what pictures it was shown; None where the run does not say
    truth: str
    truth_checked: bool  # the keys were drawn again and are the same; `truth_note`: why they could not be
    truth_note: str
    questions: int  # those with a key, asked or not
    keys_digest: str
    journal_digest: str
    cells: dict[str, CellResult]
    laws: dict[str, LawResult]
    kinds: dict[str, KindResult]  # of a suite of laws, what was shown of each picture kind; all must pass
    prior: dict[str, Share]  # right on pairs of an altered law where the prior's answer is the truth ("agrees"), or not
    skills: dict[str, SkillResult]
    control: ControlResult
    run: dict[str, Condition]
    chances: dict[str, Chance]  # by true CCS
    policy: Policy
    policy_digest: str
    asked_from: str  # when the first reply came, and the last
    asked_until: str
    run_versions: dict[str, str]  # of what asked
    versions: dict[str, str]  # of what wrote the certificate
    time: str
    digest: str = ""  # over everything else

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


def content_digest(certificate: Certificate) -> str:
    """The hex digest over everything in a certificate but its digest: of its JSON with sorted keys.

    Of the JSON as it is read back, so that a whole number in a field for fractions is the same before and after.
    """
    plain = msgspec.to_builtins(msgspec.json.decode(msgspec.json.encode(certificate), type=Certificate))
    del plain["digest"]
    return hashlib.blake2b(msgspec.json.encode(plain, order="sorted"), digest_size=16).hexdigest()
