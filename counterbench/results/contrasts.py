"""Contrasts of two runs by one number, and the ranks that follow.

They serve judges (runs on the same pairs) and models (runs about their pictures of the same prompts).

One run is better than another if its p, adjusted by Holm over all tests of the comparison, is at most 5 %.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from counterbench.stats.intervals import Estimate
from counterbench.stats.paired import holm

ALPHA = 0.05


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """The contrast of two runs by one number, such as CCS."""

    column: str = "ccs"  # the name of the number
    first: str
    second: str
    units: int  # pairs, groups or prompts that both have scored
    left_out: int  # the other units of either run
    difference: Estimate  # first less second, paired, with its 95 % interval
    p: float | None  # null where the difference is undefined
    p_holm: float | None = None  # adjusted over all tests of the comparison
    better: str | None = None  # the run that is better at the 5 % level; null for a tie, and where there is no p
    # For a tie: about the number of units that would decide it with 80 % power, if the observed difference is the true
    # one; null where none can be named.
    units_needed: int | None = None

    @property
    def is_decided(self) -> bool:
        """True if the difference is shown at the 5 % level."""
        return self.p_holm is not None and self.p_holm <= ALPHA

    @property
    def winner(self) -> str:
        """The better run, or "tied"; "–" where none is named: there is no p, or nothing supports the judge's word."""
        return self.better or ("–" if self.p is None or self.is_decided else "tied")


C = TypeVar("C", bound=Contrast)


def adjusted(contrasts: Sequence[C]) -> list[C]:
    """The contrasts of one comparison with Holm's p, and with the better run where that decides."""
    decided = []
    for contrast, p_holm in zip(contrasts, holm([contrast.p for contrast in contrasts]), strict=True):
        corrected = msgspec.structs.replace(contrast, p_holm=p_holm)
        better = corrected.first if (corrected.difference.value or 0) > 0 else corrected.second
        decided.append(msgspec.structs.replace(corrected, better=better) if corrected.is_decided else corrected)
    return decided


class Rank(msgspec.Struct, frozen=True, kw_only=True):
    """The possible ranks of a run by one number; runs that are tied share ranks."""

    rank: int  # 1 + the number of runs that are better by this number
    rank_last: int  # the number of runs - the number of runs that are worse

    @property
    def span(self) -> str:
        """The ranks in words: "2", or "1-3"."""
        return str(self.rank) if self.rank == self.rank_last else f"{self.rank}-{self.rank_last}"


def ranks_of(name: str, runs: int, contrasts: Iterable[Contrast]) -> dict[str, int]:
    """The ranks of the run `name` among so many `runs`, as the fields of `Rank`, by the contrasts of one number."""
    decided = [c for c in contrasts if name in (c.first, c.second) and c.better is not None]
    won = sum(contrast.better == name for contrast in decided)
    return {"rank": 1 + len(decided) - won, "rank_last": runs - won}
