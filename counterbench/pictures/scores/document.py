"""The shapes of `score --json`: the scores of one run, its provenance, losses and judge's status. Data only."""

import msgspec

from counterbench.drawing.domain import Domain
from counterbench.evidence.shown import Evidence
from counterbench.evidence.verdict import NOT_SUPPORTED, Verdict
from counterbench.results.scores import CommonProvenance
from counterbench.stats.intervals import Estimate
from counterbench.text import brief, html_table, title


class ModelProvenance(CommonProvenance, frozen=True, kw_only=True):
    """The provenance of a number about generated pictures; `scoring` is set by the scoring itself."""

    prompts: str
    prompts_digest: str
    generator: str
    generator_name: str = ""  # the user's name for the generator
    samples: int
    generator_seed: int | None
    prompt_shown: bool
    certificate: str  # its digest; empty without one
    policy: str = ""  # of the certificate
    protocol: str = "cf-eval"
    protocol_version: int = 1
    threshold: float | None = None  # set by the scoring itself


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of groups, pictures and checks at one level, scored or lost."""

    groups: int
    groups_scored: int
    pictures: int
    pictures_scored: int
    statuses: dict[str, int]  # of the pictures
    outcomes: dict[str, int]  # of the checks of pictures that are ok


class Bounds(msgspec.Struct, frozen=True):
    """The bounds of a number for lost checks, refused and blank pictures; null if undefined."""

    worst: float | None  # with credit 0 for all lost checks, the least value with nothing lost; none for PRR and RRR
    # Without the pictures that lost a check; moved to the nearer end if it is outside of `worst` and `best`.
    dropped: float | None
    best: float | None  # with full credit for all lost checks, the largest value with nothing lost


class Leaning(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's answers to checks asked as they are and in a frame that denies them: only one of the two can be yes."""

    pairs: int  # of replies
    both_yes: Estimate  # the share of pairs with two yes, which contradict each other
    both_no: Estimate  # the share of pairs with two no, which contradict each other
    leaning: Estimate  # `both_yes` less `both_no`: above 0 the judge leans to yes


class SoftCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The basis of a scoring by probability."""

    answers: int  # yes/no answers
    with_probabilities: int  # yes/no answers with the judge's probabilities
    neither: float | None  # the mean probability, 0 … 1, of neither yes nor no; null without probabilities


class WrongAtLeast(msgspec.Struct, frozen=True, kw_only=True):
    """Contradictions of a judge: so many pictures have a wrong answer or, in an audit, so many answers are wrong."""

    count: int
    of: int  # pictures whose answers could contradict one another; answers of an audit
    share: Estimate  # pictures: with Wilson's 95 % interval; answers: `low` is of all that could have been drawn


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run's audit, which asks further questions whose answers may contradict earlier ones.

    It is about all models of the run together.
    """

    wrong_at_least: WrongAtLeast  # answers, those to the audit's further questions included
    revoked: list[str]  # skills whose admission it ends, or "all"
    finding: str  # both in words


class Denials(msgspec.Struct, frozen=True, kw_only=True):
    """Checks that were asked as they are and negated, of all models of a run together."""

    contradicted: int  # checks whose two answers cannot both be right
    of: int  # checks that were asked both ways
    # True if the judge was shown to answer negated questions about drawn pictures, so that contradictions count against
    # it; False if it was shown not to; null if that was not tested.
    counts: bool | None
    revoked: list[str]  # skills whose admission it ends, or "all"

    @property
    def ends_admission(self) -> bool:
        """True if the judge answers negated questions about drawings, and contradicts itself about these pictures."""
        return bool(self.counts and self.revoked)

    @property
    def finding(self) -> str:
        """The contradictions, and what follows, in words; empty if there are none."""
        if not self.contradicted:
            return ""
        count = f"{self.contradicted} of {self.of} questions"
        sentence = f"the judge contradicted itself on {count}, asked as they are and negated"
        if self.counts is False:
            return f"{sentence}; it cannot answer such about drawings either, so this does not count against it"
        if self.counts is None and self.revoked:
            return (
                f"{sentence}; whether it can answer negated questions is untested (counterbench t2i audit RUN tests it)"
            )
        return sentence


class JudgeStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The status of a run's judge: the verdict on its numbers, its admission, and the certification of its numbers."""

    verdict: Verdict = NOT_SUPPORTED
    because: str = ""  # the reason for the verdict
    admitted: bool = False  # its certificate lets it score at least some laws
    certified: bool = False  # also, the evidence is of pictures of this kind, and few replies were lost
    evidence: Evidence = msgspec.field(default_factory=Evidence)  # that the judge sees, by law or skill
    not_tested: dict[str, float] = {}  # the laws or skills that no pair is about, with their share of the weight
    reasons: list[str] = []  # why it is not certified
    domain: Domain | None = None  # of the pictures; null if unknown
    # The laws that the judge is not admitted to, with the reasons. If it is admitted at all, no number is about them.
    left_out: dict[str, str] = {}
    covered: float | None = None  # the share of the checks' weight that was tried, and that numbers are about
    # Pictures for which the judge affirms both the prior's outcome and the asked one; null if no check asks for both.
    wrong_at_least: WrongAtLeast | None = None
    denials: Denials | None = None  # null if no check was asked both ways
    declined: list[str] = []  # treatments of drawn pictures about which the judge answers almost nothing
    audit: Audited | None = None  # null if the run, with the replies that it has now, was not audited


class NotShared(msgspec.Struct, frozen=True, kw_only=True):
    """The prompts that some compared model lacks. If the models share any prompt, numbers are about those alone.

    A model lacks a prompt if it has no sample of it. A generated picture that never came, or is refused or blank, is a
    sample; a user's file that is missing or unreadable is none.
    """

    shared: int  # prompts that all models have
    lacking: dict[str, list[str]]  # the ids of the others, each with the models that lack it


class Corrected(Estimate, frozen=True, kw_only=True):
    """A number corrected by people's labels; its interval holds even if one looks at it after every label."""

    judged: float | None  # the same number by the judge's guesses alone
    judge_weight: float | None  # the trust in these guesses, 0 … 1, as the labels show it; null for PRR and RRR
    labelled: int  # units that it rests on
    of: int  # all units


class ByPeople(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of one model corrected by people's labels (see `labelling.labelled_scores`)."""

    columns: dict[str, Corrected]
    groups: int  # groups with a label that the main number uses
    labels: int
    # True if these numbers stand for the model: it, and every other model of its run, has enough labelled groups.
    headline: bool
    notes: list[str]  # on labels that are not used, and on numbers that are not to be had


Numbers = dict[str, Estimate]  # by column


class ModelDocument(JudgeStatus, frozen=True, kw_only=True):
    """The scores of one run under its protocol. Every number is `{value, low, high}`, null where undefined."""

    run: str
    protocol: str
    generator: str
    judge: str
    complete: bool  # false while pictures are missing or unreadable, or checks have no reply
    provenance: ModelProvenance
    groups: int
    clusters: int  # laws, over which intervals are, fewer if their sizes are unequal; units, if all are of one law
    prompts: int
    pictures: int
    scored: int
    headline: list[str]  # the columns that are the result
    secondary: list[str]  # further columns of the same table
    columns: Numbers
    by_word: Numbers  # the same over all checks, tried or not
    rests_on: dict[str, int]  # the number of units (groups or prompts) of each mean; for a rate, with both its sides
    slices: dict[str, dict[str, Numbers]]  # the same columns by dimension, category, law, …
    slice_units: dict[str, dict[str, int]]
    counts: dict[str, Counts]  # by level
    bounds: dict[str, Bounds]  # of each number that losses can move
    references: dict[str, dict[str, float | None]]  # the true numbers of planted models on the same set
    leaning: Leaning | None = None  # to yes, if checks were asked both ways
    soft: SoftCounts | None = None  # of a scoring by probability
    not_shared: NotShared | None = None  # null if all models side by side have the same prompts
    by_people: ByPeople | None = None  # with people's labels

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} {_number(self.columns.get(name))}" for name in self.headline)
        marks = [mark for mark in (stamp(self), "" if self.complete else "incomplete") if mark]
        s = self.provenance
        notes = ", ".join((f"{self.protocol}, {s.scoring} scoring", *marks))
        return brief(self, f"{self.generator} on {s.prompts}: {numbers} ({notes})")

    def _repr_html_(self) -> str:
        """An HTML table for notebooks: the headline numbers with their intervals."""
        return html_table(
            title(self),
            ("number", "value", "95 % interval"),
            (
                (name, _number(cell), "" if cell.low is None else f"{_number(cell.low)} … {_number(cell.high)}")
                for name in (*self.headline, *self.secondary)
                if (cell := self.columns.get(name)) is not None
            ),
        )


def _number(number: Estimate | float | None) -> str:
    """A value with two decimals, or a dash if there is none."""
    value = number.value if isinstance(number, Estimate) else number
    return "–" if value is None else f"{value:.2f}"


def stamp(status: JudgeStatus) -> str:
    """A note on the numbers of a run; empty on those that are certified."""
    if status.admitted:
        by_stickers = any(finding.admitted for finding in status.evidence.stickers.values())
        uncertified = "stickers alone on these pictures" if by_stickers else "no evidence on these pictures"
        return "" if status.certified else uncertified
    findings = [*status.evidence.drawn, *status.evidence.stickers, *(status.audit.revoked if status.audit else ())]
    return "not admitted" if findings else "not tested"
