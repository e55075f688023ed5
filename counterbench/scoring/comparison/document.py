"""The comparison as data: the better judge of every two, the difference, and the possible ranks."""

from __future__ import annotations

import msgspec

from counterbench.scoring.scores import Share, Signature, in_percent
from counterbench.stats.intervals import Estimate
from counterbench.text import brief, counted


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges, compared on the pairs to which both have both replies."""

    first: str
    second: str
    pairs: int  # pairs to which both have both replies; all counts below are of these
    left_out: int  # the other pairs of either run
    both: int  # both judges are right on both pictures
    only_first: int
    only_second: int
    neither: int
    ccs_first: Share
    ccs_second: Share
    difference: Estimate  # CCS of the first minus that of the second (-1 … 1, Newcombe's method 10)
    p: float | None  # of McNemar's exact test
    p_holm: float | None  # adjusted over all pairs of judges of the group
    better: str | None  # the judge that is better at the 5 % level; null when tied
    verdict: str  # the same in words
    # When tied, about the number of pairs that would show a difference with 80 % power, if the measured rates are the
    # true ones, at the level 5 % ÷ the number of pairs of judges (Holm, smallest p); null without a difference.
    pairs_needed: int | None


class Standing(msgspec.Struct, frozen=True):
    """One judge's CCS on the pairs common to all, and the ranks it may have.

    `rank` = 1 + the number of better judges; `rank_last` = the number of judges - the number of worse ones. Better and
    worse are those of `Contrast.better`: judges without a clear difference share ranks.
    """

    judge: str
    ccs: Share
    rank: int
    rank_last: int


class Group(msgspec.Struct, frozen=True):
    """The comparison over all pairs, or over one category. Standings from the highest CCS down."""

    pairs: int  # to which every judge has both replies
    left_out: int  # the other pairs of any run
    standings: list[Standing]
    contrasts: list[Contrast]


class Costs(msgspec.Struct, frozen=True):
    """The costs of a judge for 1,000 pictures with one question each, votes and repeated requests included."""

    usd: float | None  # US dollars; null if the cost of any reply is unknown
    tokens_in: float | None  # null if no reply gives it
    tokens_out: float | None


class Admitted(msgspec.Struct, frozen=True):
    """The cells that a judge's certificate opens."""

    cells: int  # of admitted laws
    of: int  # that were asked
    policy: str
    certificate: str


class Compared(msgspec.Struct, frozen=True):
    """A run that is compared."""

    judge: str  # the user's name for it, else the judge; its path if two runs have the same name
    run: str
    signature: Signature
    complete: bool  # True if no question is missing or failed
    missing: int  # questions that were not asked
    failed: int
    costs: Costs
    admitted: Admitted | None = None  # by the certificate of this run that opens most; null without a valid one


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The document of `compare --json`."""

    scoring: str
    level: float  # of the verdicts
    marked: list[str]  # differences between the runs besides their judge; empty unless compared anyway
    runs: list[Compared]
    unanswered: list[Compared]  # runs without a pair with both replies; they are left out everywhere else
    overall: Group
    categories: dict[str, Group]

    @property
    def by_offer(self) -> list[Compared]:
        """The runs by cost, the cheapest first; those that are admitted to nothing come last.

        Runs with unknown cost come after those with known cost.
        """

        def place(run: Compared) -> tuple[bool, bool, float, int]:
            cells = run.admitted.cells if run.admitted is not None else 0
            return not cells, run.costs.usd is None, run.costs.usd or 0.0, -cells

        return sorted(self.runs, key=place)

    def __repr__(self) -> str:
        ranks = "; ".join(f"{one.rank}. {one.judge} {in_percent(one.ccs)}" for one in self.overall.standings)
        return brief(self, f"of CCS on {counted(self.overall.pairs, 'common pair')}: {ranks}")
