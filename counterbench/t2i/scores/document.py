"""Documents about one run, and about two: the shapes of `t2i score --json`. Data only."""

from __future__ import annotations

import msgspec

from counterbench.certificate.resolution import Resolution
from counterbench.drawing.domain import Domain
from counterbench.stats.intervals import Estimate
from counterbench.text import brief, html_table, title


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """The run that a number is of. `style`: how the prompts ask to be drawn ("flat", "photo").
    `certificate` is its digest, `policy` what it was held to; both empty without one. `name`: what the user calls the
    judge, `generator_name`: the generator. `scoring` and `threshold` are filled in by the scoring itself.
    """

    prompts: str
    prompts_digest: str
    generator: str
    generator_name: str = ""
    samples: int
    generator_seed: int | None
    judge: str
    name: str = ""
    wording: str
    wording_digest: str
    prompt_shown: bool
    style: str = ""
    parser: str
    certificate: str
    policy: str = ""
    version: str
    protocol: str = "cf-eval"
    protocol_version: int = 1
    scoring: str = ""
    threshold: float | None = None


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts at one level. `statuses`: of its pictures; `outcomes`: of the checks of those that are ok."""

    groups: int
    groups_scored: int
    pictures: int
    pictures_scored: int
    statuses: dict[str, int]
    outcomes: dict[str, int]


class Bounds(msgspec.Struct, frozen=True):
    """A number if all that is lost were wrong, if its pictures are left out, and if it were right; null if undefined.

    Lost here is also what the model refused or left blank; of a picture that lost some checks the others count.
    `worst` and `best` are the ends of what the number would be with nothing lost, whatever credits from 0 to 1 the lost
    checks had earned; PRR and RRR have none. `dropped` is between: where pictures that were left out cannot be like the
    others, the mean of the others is brought to the nearer end.
    """

    worst: float | None
    dropped: float | None
    best: float | None


class Leaning(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's answers to checks asked as they are and in a frame that denies them; `pairs` of replies.

    Only one of the two can be yes. Shares of the pairs: `both_yes` and `both_no`, which contradict themselves, and
    `leaning`, the one less the other: above 0 the judge leans to yes.
    """

    pairs: int
    both_yes: Estimate
    both_no: Estimate
    leaning: Estimate


class SoftCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Of a scoring by probability: of so many yes/no `answers` those that have been `told` with how sure the judge was.

    `neither`: the mean probability, 0 … 1, of saying neither yes nor no; null where nothing was told.
    """

    answers: int
    told: int
    neither: float | None


class WrongAtLeast(msgspec.Struct, frozen=True, kw_only=True):
    """Pictures about which a judge's answers contradict one another, so one is wrong; `of`: those that can show it.

    `share`: with Wilson's 95 % interval.
    """

    count: int
    of: int
    share: Estimate


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The standing of a run's judge: what it was shown to see, and where.

    `admitted`: its certificate lets it score, be it some laws alone; `certified`: and these pictures are of the very
    domain that it was tested on, and few replies were lost. `reasons`: why it is not certified; empty if it is.
    `domain`: of the pictures; null if nobody says. `left_out`: the laws that the judge is not admitted to, and why:
    where it is admitted at all, no number is about them. `covered`: the share of the checks' weight that the numbers
    are about, `unverified`: the share of that which rests on checks that nothing can be drawn for; null if not known.
    `wrong_at_least`: pictures of which the judge affirms the prior's outcome and the asked one; null if none is asked.
    """

    admitted: bool = False
    certified: bool = False
    reasons: list[str] = []
    domain: Domain | None = None
    left_out: dict[str, str] = {}
    covered: float | None = None
    unverified: float | None = None
    wrong_at_least: WrongAtLeast | None = None


Numbers = dict[str, Estimate]  # by column


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of one run under its protocol. Every number is `{value, low, high}`, null where undefined.

    From `admitted` to `unverified` it says what `Standing` does. `headline`: which of the `columns` are the result,
    `beside`: which stand in the same table. `rests_on`: over how many units (groups or prompts) each column is a mean,
    of a rate those that have both its sides. `slices`: the same columns by dimension, category, law, …, each with its
    `slice_units`. Intervals are over whole laws (`clusters`); where all units are of one law, units.

    `complete` is false while pictures are missing or unreadable, or checks have no reply. `counts`: by level. `bounds`
    has a line for each number that losses can move, `references` the true numbers of planted models on the same set.
    `leaning`: how far the judge says yes to checks asked both ways, where it was asked so. `resolution`: which
    differences may be the judge's, by its certificate. `category_of`: the one
    category that asks a dimension, by dimension; empty unless each has one. `soft`: of a scoring by probability.
    """

    run: str
    protocol: str
    generator: str
    judge: str
    admitted: bool
    certified: bool
    reasons: list[str]
    domain: Domain | None
    left_out: dict[str, str]
    covered: float | None
    unverified: float | None
    wrong_at_least: WrongAtLeast | None = None
    complete: bool
    signature: Signature
    groups: int
    clusters: int
    prompts: int
    pictures: int
    scored: int
    headline: list[str]
    beside: list[str]
    columns: Numbers
    rests_on: dict[str, int]
    slices: dict[str, dict[str, Numbers]]
    slice_units: dict[str, dict[str, int]]
    counts: dict[str, Counts]
    bounds: dict[str, Bounds]
    references: dict[str, dict[str, float | None]]
    leaning: Leaning | None = None
    resolution: Resolution | None = None
    category_of: dict[str, str] = {}
    soft: SoftCounts | None = None

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} {_told(self.columns.get(name))}" for name in self.headline)
        marks = [mark for mark in (stamp(self), "" if self.complete else "incomplete") if mark]
        s = self.signature
        told = ", ".join((f"{self.protocol}, {s.scoring} scoring", *marks))
        return brief(self, f"{self.generator} on {s.prompts}: {numbers} ({told})")

    def _repr_html_(self) -> str:
        """For a notebook: the headline numbers with their intervals."""
        return html_table(
            title(self),
            ("number", "value", "95 % interval"),
            (
                (name, _told(of), "" if of.low is None else f"{_told(of.low)} … {_told(of.high)}")
                for name in (*self.headline, *self.beside)
                if (of := self.columns.get(name)) is not None
            ),
        )


def _told(number: Estimate | float | None) -> str:
    value = number.value if isinstance(number, Estimate) else number
    return "–" if value is None else f"{value:.2f}"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A difference of two runs: how much larger the first's numbers are, paired, law by law.

    Over the `units` that both have scored at all levels that both asked alike; `left_out` are the others. Where these
    levels have no gate and a run has, the names are those of its numbers without ("ungated_s_l2").
    """

    first: str
    second: str
    units: int
    left_out: int
    headline: list[str]
    columns: Numbers


# What stands on numbers that are not certified.
ADMITTED, UNCERTIFIED = "admitted, not certified", "UNCERTIFIED"


def stamp(of: Standing | Document) -> str:
    """The stamp on the numbers of a run; empty on those that are certified."""
    return "" if of.certified else ADMITTED if of.admitted else UNCERTIFIED
