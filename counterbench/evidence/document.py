"""Defines the certificate, the document on what a judge was shown to see, and reads and writes its file.

A `Certificate` says which judge was asked, how, about which pictures, and with which result on each *law* (a rule of a
small world; in suites of shapes, a family of pairs). `evidence.issue` makes it from a run; admission, cards and reports
read it. The classes before it are its parts, and the functions after it deal with files.

The numbers count *pairs*: two pictures with a question about each, right if both answers are. *CCS* is the share of
right pairs. A *cell* holds pairs with questions of one kind, a *picture kind* those with pictures of one kind, and a
*treatment* is a change of a picture that must not change the answer. The *e-value* of `evidence` says how strongly the
pairs speak against "CCS is the bound or less". *Closed* cells are those of which the certificate claims nothing.
"""

import hashlib
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.drawing.domain import Domain
from counterbench.errors import FormatError, InputError
from counterbench.evidence.policies import Policy
from counterbench.files import formats
from counterbench.files.addresses import copies, shown
from counterbench.results.scores import Share, in_percent
from counterbench.text import brief, counted, html_table, quoted, title

CellVerdict = Literal["pass", "fail", "not-enough-evidence"]
PASS: CellVerdict = "pass"
FAIL: CellVerdict = "fail"
MIN_GAPS = 20  # the fewest gaps of a scorer's controls that give a margin
NOT_ENOUGH: CellVerdict = "not-enough-evidence"
CERTIFICATE_FILE = "certificate.json"  # in the folder of a run about pictures: by which its judge was admitted
_EARLIER_FORMATS = ("counterbench.certificate/1", "counterbench.certificate/2")


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One condition on the whole run, and its verdict."""

    value: float | None  # measured in the run
    bound: float  # the limit that the value is compared with
    verdict: CellVerdict
    reason: str = ""  # why it does not pass; empty if it does


class CellResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of one cell, from its pairs that got both replies.

    It passes by itself if `evidence` reaches the certificate's `threshold`, and fails if `against` does.
    """

    verdict: CellVerdict
    ccs: Share
    evidence: float  # the e-value against "its CCS is the bound or less"
    against: float  # the e-value against "its CCS is the bound or more"


class LawResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of one law (in suites of shapes: one family). It passes if `adjusted` reaches the threshold.

    A law that passes admits the judge to its cells, except `closed` ones: their truth depends on pictures of a kind
    that the judge was not shown to see.
    """

    verdict: CellVerdict
    cells: list[str]
    evidence: float  # the lowest e-value of its cells
    adjusted: float  # the same, adjusted for the number of laws, kinds and treatments of the run
    decided_by: str = ""  # the cell that keeps it from passing; empty if it passes
    shown: list[str] = []  # the picture kinds that its pairs show
    closed: dict[str, str] = {}  # cells that it does not admit to, with the reason


class KindResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of one picture kind ("swapped"), over all laws but failed ones; it passes as a law does.

    If it does not pass, the cells whose truth depends on it are closed (see `suites.kinds`).
    """

    verdict: CellVerdict
    right: int  # pairs with two right answers
    of: int  # pairs that show the kind
    evidence: float  # as for a cell
    against: float
    adjusted: float  # the evidence, adjusted for all laws and kinds of the run


class TreatmentResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of one treatment ("jpeg") of control pairs, whose right answer stays; it passes as a law does.

    If it does not pass, nothing is admitted; but a treatment that the judge declines (it gives almost no answers) is
    undecided and stops nothing: its pairs are `declined`, and none is counted.
    """

    verdict: CellVerdict
    right: int  # pairs with two right answers
    of: int  # pairs that count
    declined: int = 0  # pairs that do not count, since the judge declines the treatment
    bound: float  # that the share of right pairs must be shown to exceed
    evidence: float  # as for a cell
    against: float
    adjusted: float  # the evidence, adjusted for all laws, kinds and treatments of the run

    @property
    def closes(self) -> bool:
        """True if this treatment keeps the certificate from admitting to anything."""
        return self.verdict != PASS and not self.declined


class SkillResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A summary over the cells that ask for one skill, such as counting; nothing is decided by it."""

    pairs: int
    counted: int  # pairs without a failed or missing question
    ccs: Share
    outcomes: dict[str, int]  # questions by outcome


class ControlResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of all control pairs together: pairs whose right answer stays the same."""

    verdict: CellVerdict
    pairs: int
    counted: int  # pairs without a failed or missing question
    accuracy: Share  # right on both questions; this decides
    stability: Share  # the same answer to both questions
    evidence: float  # as for a cell
    against: float
    outcomes: dict[str, int]  # questions by outcome
    skills: dict[str, Share] = {}  # stability by skill; none may be shown to be below the bound


class NumberFindings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The findings on the numbers of a scorer, or the ratings of a rater, beside their order, which decides.

    `margin`: within it are the two numbers of nine in ten control questions of a scorer. Its numbers are hardly ever
    equal, so that its controls are not judged. None of a rater, whose controls are.
    """

    margin: float | None
    ties: Share  # questions about relevant pairs with equal numbers, which is wrong
    at_margin: Share  # relevant pairs whose two orders are right by more than the margin
    gaps: int  # differences of two numbers of control questions, behind the margin
    text_order: Share  # relevant pairs whose pictures both have the larger number for their own prompt (Winoground)

    @property
    def lacks_margin(self) -> bool:
        """True if the controls of a scorer gave too few numbers for a margin."""
        return self.margin is not None and self.gaps < MIN_GAPS


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The laws that a judge was shown to see, with digests of the run that shows it. One certificate, one JSON file."""

    format: Literal["counterbench.certificate/3"] = "counterbench.certificate/3"
    verdict: CellVerdict  # "pass" only if all laws, controls, treatments, picture kinds and conditions on the run pass
    admitted: list[str]  # the laws that it admits to
    attempt: int | None  # that of the run's pairs (1, 2, …); if None, the certificate admits to nothing
    threshold: float  # the e-value needed at that attempt
    judge: str  # its name as given by the user
    models: dict[str, int]  # number of replies by model id
    template: str
    template_digest: str
    repeats: int
    scoring: str
    parser: str
    suite: str
    suite_digest: str
    seed: int | None
    domain: Domain | None  # the pictures that it holds for; None if the run does not say
    truth: str
    truth_checked: bool  # True if the keys were drawn again and are the same
    truth_note: str  # why the keys could not be drawn again
    questions: int  # with a key, asked or not
    keys_digest: str
    journal_digest: str
    cells: dict[str, CellResult]
    laws: dict[str, LawResult]
    kinds: dict[str, KindResult]  # by picture kind, in suites of laws
    treatments: dict[str, TreatmentResult]  # of control pairs, by name; all must pass
    skills: dict[str, SkillResult]
    control: ControlResult
    numbers: NumberFindings | msgspec.UnsetType = msgspec.UNSET  # only of scorers and raters
    run: dict[str, Condition]
    policy: Policy
    asked_from: str  # time of the first reply
    asked_until: str  # time of the last reply
    versions: dict[str, str]  # of the software that wrote the certificate; `run.json` has that which asked
    time: str
    digest: str = ""  # over everything else

    def weakest(self, law: str) -> str:
        """The name of the cell that keeps a law from passing or, if the law passes, of its cell with the lowest CCS."""
        result = self.laws[law]
        return result.decided_by or min(result.cells, key=lambda cell: self.cells[cell].ccs.value or 0.0)

    @property
    def margin(self) -> float | None:
        """The margin of a scorer, which is judged by order alone (see `NumberFindings`); None of other judges."""
        return None if self.numbers is msgspec.UNSET else self.numbers.margin

    @property
    def closed(self) -> dict[str, str]:
        """The cells to which the certificate does not admit although their law passes, with the reasons."""
        return {cell: why for law in self.laws.values() if law.verdict == PASS for cell, why in law.closed.items()}

    def __repr__(self) -> str:
        """The verdict in a line."""
        laws = f"{len(self.admitted)} of {counted(len(self.laws), 'law')} admitted"
        return brief(self, f"{self.verdict}: {self.judge} on {self.suite}, policy {self.policy.name}, {laws}")

    def _repr_html_(self) -> str:
        """For a notebook: every law, with the cell that decides it."""
        weakest = {law: self.weakest(law) for law in self.laws}
        return html_table(
            title(self),
            ("law", "verdict", "weakest cell", "right", "CCS"),
            (
                (law, result.verdict, weakest[law], f"{ccs.hits} of {ccs.of}", in_percent(ccs))
                for law, result in self.laws.items()
                for ccs in (self.cells[weakest[law]].ccs,)
            ),
        )


def content_digest(certificate: Certificate) -> str:
    """The hex digest of a certificate's JSON with sorted keys, without the field `digest`.

    The JSON is read back first, so that a whole number in a field for fractions is the same before and after.
    """
    plain = msgspec.to_builtins(msgspec.json.decode(msgspec.json.encode(certificate), type=Certificate))
    del plain["digest"]
    return hashlib.blake2b(msgspec.json.encode(plain, order="sorted"), digest_size=16).hexdigest()


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file; FormatError if it is none, is damaged, or was written by another version.

    A certificate of an earlier format tested less; the message has the command that makes a new one.
    """
    try:
        return formats.read_json(path, Certificate)
    except FormatError as error:
        if (earlier := _read_earlier(path)) is None:
            raise
        judge, suite = (quoted(str(earlier.get(name, name.upper()))) for name in ("judge", "suite"))
        raise FormatError(
            f"{path}: certificate of an earlier version, whose treatments (painted words, JPEG, …) were not judged one "
            f"by one: make it anew with `counterbench validate {judge} --for {suite} --out RUN`"
        ) from error


def _read_earlier(path: Path) -> dict[str, object] | None:
    """The content of a file, as a dict, if it is a certificate of an earlier format; else None."""
    try:
        plain = msgspec.json.decode(path.read_bytes())
    except (ValueError, OSError):
        return None
    is_earlier = isinstance(plain, dict) and plain.get("format") in _EARLIER_FORMATS
    return plain if is_earlier else None


def write_certificate(path: Path, certificate: Certificate) -> None:
    """Write a certificate, over an older one if there is one; InputError if another file or a folder is there."""
    refuse_taken(path)
    with formats.clear_os_errors(path, "writing"):
        path.parent.mkdir(parents=True, exist_ok=True)
        formats.write_json(path, certificate)


def kept_in(run: Path, policy: str) -> Path:
    """The path in a run's folder for its certificate under a policy; `report` looks for it there."""
    return run / f"certificate-{policy}.json"


def keep_certificate(run: Path, certificate: Certificate, out: Path | None = None) -> str:
    """Write a run's certificate into its folder `run` and, if given, to the file `out`.

    Returns a note if only `out` could be written, else "". InputError if nothing could.
    """
    if out is not None:
        write_certificate(out, certificate)
    elif str(run) in copies:
        raise InputError(f"{shown(run)}: its certificate cannot be written there; name a file with --out")
    try:
        write_certificate(kept_in(run, certificate.policy.name), certificate)
    except InputError as error:
        if out is None:
            raise
        return f"`report` will not show it, the run's folder could not keep it: {error}"
    return ""


def refuse_taken(path: Path) -> None:
    """Raise InputError unless a certificate can be written to `path`."""
    if path.suffix != ".json":
        raise InputError(f"{path}: a certificate's file ends in .json")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; --out takes the certificate's file")
    formats.refuse_taken(path, "certificate", b'"counterbench.certificate/')
