"""Results of `validate --for ladder`: up to which rung does a judge see?

A ladder is a dial of difficulty. Its rungs are families of pairs, the easiest first, each at one value of the dial.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbench.cli.grid import Table, show
from counterbench.cli.printing import say, say_all
from counterbench.suites.families.ladders import LADDERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbench.evidence.ladders import LadderResults
    from counterbench.results.comparison import SeenUpTo
    from counterbench.stats.intervals import Estimate


MORE = "count, touching: higher is better; all others: lower is better; –: not reached"


def say_ladders(result: LadderResults, alpha: float) -> None:
    """Print a table of the last rungs, and what the judge was shown to see.

    `alpha`: the chance of an error that the policy allows, 0 … 1.
    """
    headers = ["ladder", "sees"], ["right at it"], ["stops at"], ["right at stop", "75 % right at"]
    table = Table("Ladders", *headers)
    for name, ladder in result.ladders.items():
        passed = [rung for rung in ladder.rungs if rung.verdict == "pass"]
        not_passed = [rung for rung in ladder.rungs if rung.verdict != "pass"]
        table.add_row(
            LADDERS[name].titled, str(ladder.granted or "nothing"),
            f"{passed[-1].right} of {passed[-1].of}" if passed else "–",
            str(ladder.next or "none"), f"{not_passed[0].right} of {not_passed[0].of}" if not_passed else "–",
            threshold_text(ladder.threshold),
        )  # fmt: skip
    show(table, MORE)
    say_all(f"sees {ladder.says}" for ladder in result.ladders.values())
    if any(ladder.granted is not None for ladder in result.ladders.values()):
        together = " for all ladders together" if len(result.ladders) > 1 else ""
        say(
            f"shown under the policy {result.policy}, with {100 - 100 * alpha:g} %{together}, on pictures of "
            f"{result.side} px: at each of these rungs CCS exceeds {100 * result.bound:g} % (attempt {result.attempt})"
        )
    if result.lost:
        say(f"the ladders ended early: {result.lost}")


def threshold_text(threshold: Estimate) -> str:
    """A threshold (the value on the dial at which 75 % are right) with its interval: "7.3 [6.2, 8.3]"; or "–"."""
    if threshold.value is None:
        return "–"
    low, high = ("…" if end is None else f"{end:.3g}" for end in (threshold.low, threshold.high))
    return f"{threshold.value:.3g} [{low}, {high}]"


def ladders_table(by_judge: Mapping[str, Mapping[str, SeenUpTo]]) -> Table:
    """A table of the ends of the ladders: a row for each ladder that any judge has, a column for each judge."""
    table = Table("Ladders: the last rung that was shown; 75 % right at [95 %]", ["ladder", *by_judge])
    for name in LADDERS:
        ends = [ladders.get(name) for ladders in by_judge.values()]
        if any(ends):
            cells = (f"{end.granted or 'nothing'}; {threshold_text(end.threshold)}" if end else "–" for end in ends)
            table.add_row(LADDERS[name].titled, *cells)
    return table
