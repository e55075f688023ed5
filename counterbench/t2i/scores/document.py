"""What CF-Eval says of one run, and of two: the shapes of `t2i score --json`. Data only."""

from __future__ import annotations

import msgspec

from counterbench.drawing.domain import Domain
from counterbench.stats.intervals import Estimate


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """What a number is a number of. `style`: how the prompts ask to be drawn ("flat", "photo").
    `certificate` is its digest, `policy` what it was held to; both empty without one. `name`: what the user calls the
    judge, `generator_name`: the generator. `scoring`, `threshold` and `draws` are filled in by the scoring itself.
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
    scoring: str = ""
    threshold: float | None = None
    draws: int | None = None


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """E[S] at the three levels and the two rates made of them, as fractions; null for a set without these levels."""

    s_l1: Estimate | None = None
    s_l2: Estimate | None = None
    s_l3: Estimate | None = None
    prr: Estimate | None = None
    rrr: Estimate | None = None


class Gated(Rates, frozen=True, kw_only=True):
    """Rates in which L2 and L3 count as 0 where S_L1 is below the threshold; `ungated` has them as they are."""

    ungated: Rates


class Habit(msgspec.Struct, frozen=True, kw_only=True):
    """What became of habit, as shares of the `pictures` whose contrast checks and assessment points have an answer.

    `reverted`: the habitual outcome affirmed and the asked one denied. `both`: both affirmed, which no picture can be,
    so it is the judge who says yes too readily. `asked`: the asked outcome alone. The rest show neither.
    """

    pictures: int
    reverted: Estimate
    both: Estimate
    asked: Estimate


class Part(Rates, frozen=True, kw_only=True):
    """The numbers of some groups; the rates are gated.

    `levels` are plain means of S, never gated, at every level that the set has. `change`, for a set of two levels: the
    second less the first, within the same groups. `assessment_point`: the same with S made of the assessment point
    alone, gated by the weighted S_L1 all the same. Intervals draw whole laws; where all groups are of one law,
    groups.
    """

    groups: int
    clusters: int
    levels: dict[str, Estimate]
    change: Estimate | None
    share_gated: Estimate | None
    ungated: Rates | None
    assessment_levels: dict[str, Estimate]
    assessment_point: Gated | None
    habit: dict[str, Habit]


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """What there is at one level. `statuses`: of its pictures; `outcomes`: of the checks of those that are ok."""

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
    checks had earned: of PRR and RRR both sides of the line are then of the same pictures, and gated the S_L1 that
    opens a gate reaches the threshold. `best` is null where a denominator may come near 0. `dropped` is between: where
    pictures that were left out cannot be like the others, the mean of the others is brought to the nearer end.
    """

    worst: float | None
    dropped: float | None
    best: float | None


class Swept(Rates, frozen=True, kw_only=True):
    """The gated rates at another threshold of the gate."""

    threshold: float
    share_gated: Estimate


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """The true numbers of a planted model on the same prompt set: what a habit alone would score.

    `reversion`: by level, the share of pictures that show habit's outcome and not the asked one.
    """

    s_l1: float | None
    s_l2: float | None
    s_l3: float | None
    prr: float | None
    rrr: float | None
    reversion: dict[str, float] = {}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What the judge of a run was shown to see, and where.

    `admitted`: its certificate lets it score, be it some laws alone; `certified`: and these pictures are of the very
    domain that it was tested on, and few replies were lost. `reasons`: why it is not certified; empty if it is.
    `domain`: of the pictures; null if nobody says. `left_out`: the laws that the judge is not admitted to, and why:
    where it is admitted at all, no number is about them. `covered`: the share of the checks' weight that the numbers
    are about, `unverified`: the share of that which rests on checks that nothing can be drawn for; null if not known.
    """

    admitted: bool = False
    certified: bool = False
    reasons: list[str] = []
    domain: Domain | None = None
    left_out: dict[str, str] = {}
    covered: float | None = None
    unverified: float | None = None


class Document(Part, frozen=True, kw_only=True):
    """The scores of one run. Every number is `{value, low, high}`, a fraction, null where undefined.

    From `admitted` to `unverified` it says what `Standing` does.
    `complete` is false while pictures are missing or unreadable, or checks have no reply. `bounds` has a line for each
    of the gated numbers (or, without gate, for each level), `ungated_bounds` for each of the ungated ones.
    """

    run: str
    generator: str
    admitted: bool
    certified: bool
    reasons: list[str]
    domain: Domain | None
    left_out: dict[str, str]
    covered: float | None
    unverified: float | None
    complete: bool
    signature: Signature
    counts: dict[str, Counts]
    bounds: dict[str, Bounds]
    ungated_bounds: dict[str, Bounds]
    sweep: list[Swept]
    references: dict[str, Reference]
    disciplines: dict[str, Part]
    laws: dict[str, Part]
    variants: dict[str, Part]


class Difference(Rates, frozen=True, kw_only=True):
    """How much larger the first model's numbers are, gated, under the same draws of laws.

    Over the `groups` that both have scored at every level; `left_out` are the others. `levels` as in `Part`.
    """

    first: str
    second: str
    groups: int
    left_out: int
    levels: dict[str, Estimate]
    ungated: Rates | None


# What stands on numbers that are not certified.
ADMITTED, UNCERTIFIED = "admitted, not certified", "UNCERTIFIED"


def stamp(of: Standing | Document) -> str:
    """What stands on the numbers of a run; empty on those that are certified."""
    return "" if of.certified else ADMITTED if of.admitted else UNCERTIFIED
