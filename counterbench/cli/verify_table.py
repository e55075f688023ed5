"""What `verify` found, as a table for people."""

from __future__ import annotations

from counterbench.cli.grid import Cell, Table, cell
from counterbench.verification.checks import CHECKS
from counterbench.verification.verify import VerifyReport


def verify_table(report: VerifyReport) -> Table:
    """By family: pairs, and how many of them each check found wrong."""
    table = Table(f"verify {report.source} ({report.digest})")
    table.add_column("family")
    table.add_column("pairs", justify="right")
    for check in CHECKS:
        table.add_column(check, justify="right")
    for name, wrong in report.table().items():
        cells = [_cell(wrong[check], check in report.unchecked) for check in CHECKS]
        table.add_row(name or "(folder)", str(report.pairs[name]), *cells)
    return table


def _cell(wrong: int, unchecked: bool) -> Cell:
    """How many pairs a check found wrong: a dot for none, a dash if it was not made."""
    if wrong:
        return cell(str(wrong), "red")
    return cell("–", "yellow") if unchecked else cell("·", "green")
