"""Picture kinds of a suite: which of them decide about which cells. The families say it; certificates use it.

A picture kind is a text that says how a picture came to be, such as "missing" (a thing was left out). A cell is a group
of pairs that a certificate counts by itself. A cell that is closed is not certified.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from counterbench.suites.families import family
from counterbench.suites.suite import Suite


@dataclass(frozen=True)
class KindRules:
    """The picture kinds that cells rest on. A cell rests on a kind if pictures of that kind change its truth.

    A kind that the judge was not shown to see closes every cell that rests on it; a `closing` one closes the laws of
    these cells. By default, where no family says more, every cell rests on every kind, and each kind closes the law.
    """

    rests: Mapping[str, Collection[str]] | None = None  # the kinds by cell; None: all
    closing: Collection[str] | None = None  # None: all
    # Kinds that some pair must show, else they are undecided. Kinds that are not needed then do not count.
    needed: Collection[str] = ()
    each_law: Collection[str] = ()  # a cell that rests on one of these is closed unless pairs of its own law show it

    def rests_on(self, cell: str, kind: str) -> bool:
        """True if pictures of a kind change the truth of a cell."""
        return self.rests is None or kind in self.rests.get(cell, ())

    def closes_law(self, kind: str) -> bool:
        """True if a kind that is not shown closes the whole law."""
        return self.closing is None or kind in self.closing


ALL_CLOSE = KindRules()


def kind_rules(suite: Suite) -> KindRules:
    """The rules of a suite's families, joined; families whose pictures have no kinds add nothing."""
    rests: dict[str, Collection[str]] = {}
    closing, needed, each_law = set[str](), set[str](), set[str]()
    for part in suite.parts:
        kind = family(part.family)
        own = kind.rests_on(part.params)
        rests |= own
        if own:
            closing |= {*kind.closing_kinds}
            needed |= {*kind.needed_kinds}
            each_law |= {*kind.kinds_of_each_law}
    return KindRules(rests, closing, needed, each_law)
