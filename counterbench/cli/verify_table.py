"""The findings of `verify` as a table for people."""

from __future__ import annotations

from counterbench.cli.grid import Table, cell
from counterbench.verification.checks import CHECKS
from counterbench.verification.verify import VerifyReport


def verify_table(report: VerifyReport) -> Table:
    """A row for each family: its pairs, and how many of them each check found wrong."""
    unchecked = [check for check in CHECKS if check in report.unchecked]
    without = f", not checked: {', '.join(unchecked)}" if unchecked else ""
    table = Table(f"verify {report.source} ({report.digest}){without}")
    table.add_column("family")
    table.add_numbers("pairs")
    table.add_column("wrong")
    for name, wrong in report.table().items():
        counts = ", ".join(f"{check} {count}" for check, count in wrong.items() if count)
        found = cell(counts, "red") if counts else cell("none", "green")
        table.add_row(name or "(folder)", str(report.pairs[name]), found)
    return table
