"""Tables that show the effect of templates on the answers of one judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbench.cli.grid import Table
from counterbench.cli.tables import percent
from counterbench.text import listed

if TYPE_CHECKING:
    from counterbench.scoring.flips import Flips
    from counterbench.scoring.scores import Share


def flip_tables(flips: Flips) -> list[Table]:
    """CCS under every template, and how much of the answers differs between every two."""
    by_template = Table("CCS by template (%)")
    by_template.add_column("template")
    by_template.add_numbers("CCS [95 %]", "pairs")
    for name, worded in flips.templates.items():
        by_template.add_row(name, percent(worded.ccs, interval=True), f"{worded.ccs.of:,}")
    by_two = Table("Questions whose answer differs between two templates: %, and how many", keys=2)
    by_two.add_column("first", "second")
    by_two.add_numbers("differ [95 %]", "of", "right by 1st only", "right by 2nd only")
    for two in flips.pairs:
        counts = (f"{two.share.of:,}", str(two.lost), str(two.gained))
        by_two.add_row(two.first, two.second, _rate(two.share), *counts)
    return [by_template, by_two]


def flip_lines(flips: Flips) -> list[str]:
    """The flip rate, and notes on the tables."""
    rate, names = flips.rate, listed(flips.templates)
    told = f"flip rate: {rate.hits} of {rate.of:,} questions, {_rate(rate)} %, are not answered alike under {names}"
    return [told, *flips.notes]


def _rate(of: Share) -> str:
    if of.value is None or of.low is None or of.high is None:
        return "–"
    return f"{100 * of.value:.1f} [{100 * of.low:.1f}, {100 * of.high:.1f}]"
