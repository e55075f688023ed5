"""The result of `watch`: a judge today beside its own first replies, over all looks so far; data alone."""

from itertools import pairwise
from operator import sub
from typing import Literal, TypeAlias

import msgspec

from counterbench.results.judge_changes import CellDifference, Moved
from counterbench.stats.differences import Differences
from counterbench.text import brief, counted

WATCH_FILE = "watch.json"
WatchVerdict: TypeAlias = Literal["unchanged", "changed"]
ChangedThing: TypeAlias = Literal["judge", "model", ""]


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence after one look."""

    at: str  # the time, UTC
    so_far: Differences  # over all pairs compared so far: 1 if a pair is right, else 0; today less at first


class Fresh(msgspec.Struct, frozen=True, kw_only=True):
    """The result on pairs beyond the bank, which have no first reply."""

    pairs: int
    right: int  # pairs with both answers right
    bound: float  # the share of right pairs that the certificate's policy demands
    verdict: Literal["above", "below", "undecided"]


class WatchDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of a judge today with its own first replies, over all looks: the result of `watch`."""

    format: Literal["counterbench.watch/1"] = "counterbench.watch/1"
    verdict: WatchVerdict
    what: ChangedThing  # the thing that changed
    judge: str
    suite: str
    overall: CellDifference  # today less at first, over all cells
    cells: dict[str, CellDifference]  # by name
    bank: int  # the number of its pairs
    fresh: Fresh | None  # once the bank is used up
    looks: list[Look]
    since: str | None  # the time of the look with which a change over all cells begins; null if none is shown
    change: float | None  # the difference since then
    models: list[Moved]  # of RUN and a later run
    calls: int  # replies, over all looks, without the bank
    run: str  # the folder of the bank and the looks
    stopped: str  # the reason why the last look stopped early; empty if it is complete
    again: str  # advice on how to go on; empty if there is none

    @property
    def compared_nothing(self) -> bool:
        """True if the last look found the bank used up, and there are no fresh pairs in its place."""
        last = [look.so_far.pairs for look in self.looks[-2:]]
        return self.fresh is None and len(last) == 2 and last[0] == last[1] == self.bank

    def __repr__(self) -> str:
        so_far = f"{self.verdict} after {counted(len(self.looks), 'look')}, {self.overall.pairs} of {self.bank} pairs"
        return brief(self, f"{self.judge}: {so_far}{f' (the {self.what})' if self.what else ''}")


def new_at_each_look(looks: list[Look]) -> list[Differences]:
    """For each look the differences of the pairs that it added."""
    before = [Differences(), *(look.so_far for look in looks)]
    return [Differences(*map(sub, after, earlier)) for earlier, after in pairwise(before)]
