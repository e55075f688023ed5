"""`validate --for ladder`: up to which rung does a judge see?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbench.cli.grid import Table, show
from counterbench.cli.printing import say

if TYPE_CHECKING:
    from counterbench.certificate.climbing import Climbed


def say_ladders(found: Climbed) -> None:
    """A table of the last rungs, and what the judge was shown to see."""
    table = Table("Ladders")
    table.add_column("ladder", "sees")
    table.add_numbers("right there")
    table.add_column("stopped at")
    table.add_numbers("right there")
    for name, of in found.ladders.items():
        passed = [rung for rung in of.rungs if rung.verdict == "pass"]
        lost = [rung for rung in of.rungs if rung.verdict != "pass"]
        table.add_row(
            name, of.seen or "nothing", f"{passed[-1].right} of {passed[-1].pairs}" if passed else "–",
            lost[0].label if lost else "none", f"{lost[0].right} of {lost[0].pairs}" if lost else "–",
        )  # fmt: skip
    show(table)
    for of in found.ladders.values():
        say(f"{found.judge} sees {of.says}")
    if any(of.seen is not None for of in found.ladders.values()):
        say(
            f"shown under the policy {found.policy}, for all ladders together: at each of these rungs CCS exceeds "
            f"{100 * found.bound:g} % (attempt {found.attempt})"
        )
    if found.lost:
        say(f"the climb ended early: {found.lost}")
