"""The shapes of `score --json`: the scores of one run, its provenance, losses and judge's status. Data only.

`ModelDocument`, below, is the whole: one model's numbers by name, each with an interval, and by part (law, category).
It has the fields of `JudgeStatus`, which says how far the judge is believed: admitted, if it was shown to see at least
some of what the checks (questions about a picture) ask; certified, if the numbers rest on evidence about pictures of
this kind. Its other fields have shapes of their own, which come before it. `pictures.run_scores` makes documents.
"""

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
    statuses: dict[str, int]  # by status ("ok", "missing", …): the number of pictures
    outcomes: dict[str, int]  # by outcome ("answer", "refused", …): the number of checks of pictures that are ok


class Bounds(msgspec.Struct, frozen=True):
    """The bounds of a number, over all that lost checks, refused and blank pictures may hide; null if undefined."""

    worst: float | None  # with credit 0 for all lost checks, so the least possible value; none for PRR and RRR
    # Without the pictures that lost a check; moved to the nearer end if it is outside of `worst` and `best`.
    dropped: float | None
    best: float | None  # with full credit for all lost checks, so the largest possible value


class Leaning(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's answers to checks that were asked as they are and negated, where only one of the two can be yes."""

    pairs: int  # of replies
    both_yes: Estimate  # the share of pairs with two yes, which contradict each other
    both_no: Estimate  # the share of pairs with two no, which contradict each other
    leaning: Estimate  # `both_yes` less `both_no`: above 0 the judge leans to yes


class SoftCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The answers that a scoring by probability rests on."""

    answers: int  # yes/no answers
    with_probabilities: int  # yes/no answers with the judge's probabilities
    neither: float | None  # the mean probability, 0 … 1, of neither yes nor no; null without probabilities


class WrongAtLeast(msgspec.Struct, frozen=True, kw_only=True):
    """The number of wrong answers that a judge's contradictions show at least.

    Without an audit it counts pictures with a wrong answer; in an audit it counts answers.
    """

    count: int
    of: int  # pictures whose answers could contradict one another; in an audit, all answers
    # For pictures with Wilson's 95 % interval; in an audit `low` is the bound for all pictures that could be drawn.
    share: Estimate


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run's audit, which asks further questions whose answers may contradict earlier ones.

    It is about all models of the run together.
    """

    wrong_at_least: WrongAtLeast  # answers, those to the audit's further questions included
    revoked: list[str]  # skills whose admission it ends, or "all"
    finding: str  # the number of wrong answers and what is revoked, in words


class Denials(msgspec.Struct, frozen=True, kw_only=True):
    """The contradictions between checks and their negations ("is it false that …?"), of all models of a run."""

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
    evidence: Evidence = msgspec.field(default_factory=Evidence)  # by law or skill: what shows that the judge sees it
    not_tested: dict[str, float] = {}  # by law or skill that no drawn pair tests: its share of the weight
    reasons: list[str] = []  # the reasons why it is not certified
    domain: Domain | None = None  # of the pictures; null if unknown
    # By law or skill that the judge is not admitted to: the reason. If it is admitted at all, no number is about these.
    left_out: dict[str, str] = {}
    covered: float | None = None  # the share of the checks' weight that was tried, and that numbers are about
    # Pictures for which the judge affirms both the prior's outcome and the asked one; null if no check asks for both.
    wrong_at_least: WrongAtLeast | None = None
    denials: Denials | None = None  # null if no check was asked both ways
    declined: list[str] = []  # treatments (changes, such as JPEG) of drawn pictures that the judge rarely answers about
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
    by_word: Numbers  # the same over all checks, also those that the judge was not shown to see: at its word
    rests_on: dict[str, int]  # by mean: its number of units (groups or prompts); by rate: of those with both sides
    slices: dict[str, dict[str, Numbers]]  # by kind of part (law, category, …) and part: the same columns
    slice_units: dict[str, dict[str, int]]  # by kind of part and part: its number of units
    category_of: dict[str, str] = {}  # by dimension whose checks are all of one category: that category
    counts: dict[str, Counts]  # by level
    bounds: dict[str, Bounds]  # by number that losses can move
    references: dict[str, dict[str, float | None]]  # by planted model, by number: its true value on the same set
    leaning: Leaning | None = None  # to yes, if checks were asked both ways
    soft: SoftCounts | None = None  # of a scoring by probability
    not_shared: NotShared | None = None  # null if all models side by side have the same prompts
    by_people: ByPeople | None = None  # with people's labels

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} {_number(self.columns.get(name))}" for name in self.headline)
        marks = [mark for mark in (stamp(self), "" if self.complete else "incomplete") if mark]
        source = self.provenance
        notes = ", ".join((f"{self.protocol}, {source.scoring} scoring", *marks))
        return brief(self, f"{self.generator} on {source.prompts}: {numbers} ({notes})")

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
