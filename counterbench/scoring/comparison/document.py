"""What a comparison says: who is better than whom, by how much, and the ranks that leaves. Data only."""

from __future__ import annotations

import msgspec

from counterbench.scoring.scores import Share, Signature, in_percent
from counterbench.stats.intervals import Estimate
from counterbench.text import brief, counted


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges on the `pairs` to which both have both replies; `left_out` are the other pairs of either run.

    `both` … `neither` count those pairs by who is right on both pictures; `ccs_first` and `ccs_second` are of those
    pairs, `difference` (-1 … 1, Newcombe's method 10) is how much larger the first is. `p`: McNemar's exact test;
    `p_holm`: adjusted over all pairs of judges of the group. `better`: the judge that is better at the 5 % level, null
    when tied; `verdict` says it in words. `pairs_needed`, when tied: about how many pairs would tell the two apart with
    80 % power, if the rates seen are the true ones, tested at 5 % divided by the number of pairs of judges (what Holm
    asks of the smallest p); null where no difference was seen.
    """

    first: str
    second: str
    pairs: int
    left_out: int
    both: int
    only_first: int
    only_second: int
    neither: int
    ccs_first: Share
    ccs_second: Share
    difference: Estimate
    p: float | None
    p_holm: float | None
    better: str | None
    verdict: str
    pairs_needed: int | None


class Standing(msgspec.Struct, frozen=True):
    """One judge's CCS on the pairs common to all, and the ranks it may have.

    `rank` = 1 + the number of judges that are better than it; `rank_last` = the number of judges - the number that are
    worse. Better and worse as in `Contrast.better`: judges that the data cannot tell apart share ranks.
    """

    judge: str
    ccs: Share
    rank: int
    rank_last: int


class Group(msgspec.Struct, frozen=True):
    """The comparison over all pairs, or over one category. Standings from the highest CCS down.

    `pairs`: those to which every judge has both replies; `left_out`: the others of any run.
    """

    pairs: int
    left_out: int
    standings: list[Standing]
    contrasts: list[Contrast]


class Costs(msgspec.Struct, frozen=True):
    """What a judge takes for 1,000 pictures, one question each, with its votes and all that was asked again.

    `usd`: US dollars; null where any reply does not say what it cost. Tokens: null where none says.
    """

    usd: float | None
    tokens_in: float | None
    tokens_out: float | None


class Admitted(msgspec.Struct, frozen=True):
    """What a judge's certificate opens: `cells` of the `of` that it was asked, those of whole laws, under a policy."""

    cells: int
    of: int
    policy: str
    certificate: str


class Compared(msgspec.Struct, frozen=True):
    """A run that takes part. `judge`: what it is called here: the name that the user gave it, else the judge; its path
    where two runs have the same.

    `missing` and `failed` count its questions that were not asked or failed; complete when there are none. `admitted`:
    by the certificate of this very run that opens most; null without one that holds.
    """

    judge: str
    run: str
    signature: Signature
    complete: bool
    missing: int
    failed: int
    costs: Costs
    admitted: Admitted | None = None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """`compare --json`. `marked`: what differs between the runs beside their judge; empty unless compared anyway.

    `level`: the level of the verdicts. `unanswered`: runs that were named and are left out of all else, since they have
    both replies to no pair.
    """

    scoring: str
    level: float
    marked: list[str]
    runs: list[Compared]
    unanswered: list[Compared]
    overall: Group
    categories: dict[str, Group]

    @property
    def by_offer(self) -> list[Compared]:
        """The runs, the cheapest that is admitted to anything first, and those that are admitted to nothing last.

        Whose cost is not known comes after those whose is.
        """

        def place(run: Compared) -> tuple[bool, bool, float, int]:
            cells = run.admitted.cells if run.admitted is not None else 0
            return not cells, run.costs.usd is None, run.costs.usd or 0.0, -cells

        return sorted(self.runs, key=place)

    def __repr__(self) -> str:
        ranks = "; ".join(f"{one.rank}. {one.judge} {in_percent(one.ccs)}" for one in self.overall.standings)
        return brief(self, f"of CCS on {counted(self.overall.pairs, 'common pair')}: {ranks}")
