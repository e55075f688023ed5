"""The names of numbers in tables, pages and comparisons, and the way to write each number.

Numbers of pairs are those of judges (CCS, gap, …); numbers of pictures are those of text-to-image models. A number of
pictures that has no name here is shown under its column's name.
"""

from typing import NamedTuple

from counterbench.stats.intervals import Estimate

NONE = "–"  # in the place of a number that is undefined


class Notation(NamedTuple):
    """The way to write a number."""

    parts: int = 1  # the number is multiplied by this: 100 for percent
    decimals: int = 2
    signed: bool = False  # a "+" stands before positive numbers

    def plain(self, value: float | None) -> str:
        """A number's value without its interval, with a true minus sign; a dash if it is undefined."""
        if value is None:
            return NONE
        return format(self.parts * value, f"{'+' if self.signed else ''}.{self.decimals}f").replace("-", "−")

    def interval(self, number: Estimate) -> str:
        """The ends of a number's interval in brackets; empty if the number has none."""
        if number.low is None or number.high is None:
            return ""
        return f"[{self.plain(number.low)}, {self.plain(number.high)}]"

    def whole(self, number: Estimate) -> str:
        """A number's value, and the ends of its interval if it has one."""
        return f"{self.plain(number.value)} {self.interval(number)}".rstrip()


FRACTION, CHANGE = Notation(), Notation(signed=True)
PERCENT, POINTS = Notation(100, 1), Notation(100, 1, signed=True)
plain, with_interval = FRACTION.plain, FRACTION.whole


class Measure(NamedTuple):
    """A number over pairs that tables show, such as CCS, with the headers of its columns."""

    key: str  # the field of `Score`
    header: str  # of its column on the command line; empty: in no table there
    title: str  # of its column on a page
    is_banded: bool = True  # it is shown in the colours of the paper's Table 2 (`scores.band`)


# The numbers of pairs, each a share, in the order of their columns.
MEASURES = (
    Measure("acc_original", "acc orig", "original"),
    Measure("acc_intervened", "acc int", "intervened"),
    Measure("ccs", "CCS", "CCS"),
    Measure("ccs_answered", "", "CCS answered"),
    Measure("gap", "gap", "gap", is_banded=False),
    Measure("stability", "stability", "stability"),
)
LEGEND = (
    "CCS: the share of pairs on which a judge is right about both pictures; failed calls are left out",
    "acc orig, acc int: the share of original, and of intervened (changed), pictures that it answers rightly",
    "gap: the share of pairs right on the original picture and wrong on the intervened one",
    "stability: of controls (pairs whose right answer stays the same), the share answered alike on both pictures",
)
# The names of numbers of pictures that are not shown under their column's name.
_NAMES = {
    "prr": "PRR",
    "rrr": "RRR",
    "share_gated": "gated away",
    "counterfactual": "altered",
    **{f"{share}_l{level}": f"{share} at L{level}" for share in ("prior", "neither", "missing") for level in (1, 2, 3)},
    **{f"s_l{level}": f"S_L{level}" for level in (1, 2, 3)},
    **{name: name.upper() for name in ("s1", "s2", "s3", "s")},
}
_DIFFERENCES = ("change",)  # numbers that are differences


def heading(column: str) -> str:
    """The name of a number of pictures in tables: "S_L2" of "s_l2", "prior at L2" of "prior_l2"."""
    column = column.removeprefix("ungated_")
    if column in _NAMES:
        return _NAMES[column]
    return column.removeprefix("s_") if column.startswith("s_") else column.replace("_", " ")


def notation_of(column: str, notation: Notation = FRACTION) -> Notation:
    """The way to write a number of pictures; `notation`: that of numbers that are no differences."""
    return CHANGE if column in _DIFFERENCES else notation
