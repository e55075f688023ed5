"""One judge under several wordings: reads the options, and shows the effect of wordings on answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from counterbench.cli.grid import Table
from counterbench.cli.tables import percent
from counterbench.errors import InputError

if TYPE_CHECKING:
    from counterbench.runs.wordings import Wording
    from counterbench.scoring.flips import Flips
    from counterbench.scoring.scores import Share


def wordings_named(wording: str, wordings: str) -> list[Wording]:
    """The wordings of --wording or --wordings, the run's own first; InputError for both options, or equal wordings."""
    from counterbench.runs.wordings import DEFAULT, load_wording

    if not wordings:
        return [load_wording(wording)]
    if wording != DEFAULT:
        raise InputError(f"--wordings names them all: put {wording} first there, and leave out --wording")
    found = [load_wording(name.strip()) for name in wordings.split(",")]
    if len(found) < 2:
        raise InputError(f"--wordings {wordings}: names one wording: --wording is for one, --wordings a,b for several")
    for i, one in enumerate(found):
        if same := next((w for w in found[:i] if w.name == one.name or w.digest == one.digest), None):
            raise InputError(f"--wordings {wordings}: {same.name!r} and {one.name!r} ask alike or are called alike")
    return found


def flip_tables(flips: Flips) -> list[Table]:
    """CCS under every wording, and how much of the answers differs between every two."""
    by_wording = Table("CCS by wording (%)")
    by_wording.add_column("wording")
    by_wording.add_numbers("CCS [95 %]", "pairs")
    for name, worded in flips.wordings.items():
        by_wording.add_row(name, percent(worded.ccs, interval=True), f"{worded.ccs.of:,}")
    by_two = Table("Questions whose answer differs between two wordings: %, and how many", keys=2)
    by_two.add_column("first", "second")
    by_two.add_numbers("differ [95 %]", "of", "right by 1st only", "right by 2nd only")
    for two in flips.pairs:
        counts = (f"{two.share.of:,}", str(two.lost), str(two.gained))
        by_two.add_row(two.first, two.second, _rate(two.share), *counts)
    return [by_wording, by_two]


def flip_lines(flips: Flips) -> list[str]:
    """The flip rate, and notes on the tables."""
    rate, names = flips.rate, _listed(list(flips.wordings))
    told = f"flip rate: {rate.hits} of {rate.of:,} questions, {_rate(rate)} %, are not answered alike under {names}"
    return [told, *flips.notes]


def _rate(of: Share) -> str:
    if of.value is None or of.low is None or of.high is None:
        return "–"
    return f"{100 * of.value:.1f} [{100 * of.low:.1f}, {100 * of.high:.1f}]"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
