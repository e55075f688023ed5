"""A diagnosis as tables and lines for people."""

from __future__ import annotations

from collections.abc import Sequence

from counterbench.cli.grid import Table
from counterbench.cli.tables import percent
from counterbench.diagnosis.document import Confusion, Difficulty, Measures
from counterbench.diagnosis.signs import is_count
from counterbench.scoring.scores import Share


def measure_lines(m: Measures) -> list[str]:
    """The measures of a run, a line each."""
    lines = [
        f"flips on relevant pairs {_share(m.flips)}, false flips on irrelevant ones {_share(m.false_flips)}, "
        f"the same answer to both of a relevant pair {_share(m.collapse)}",
        f"says yes to {_share(m.yes.said)} of the yes/no questions, yes is true of {_share(m.yes.true)}",
    ]
    if m.counts:
        lines.append(f"count errors, said − true, by true count: {_errors(m.counts)}")
    wrong = [(n, f"{said} for {true}") for true, row in m.colours.items() for said, n in row.items() if said != true]
    if m.colours:
        often = ", ".join(f"{what} {n}" for n, what in sorted(wrong, reverse=True)[:8]) or "none"
        lines.append(f"colour errors: {often}")
    if m.arrows:
        lines.append(f"arrows: {', '.join(f'{name} {count}' for name, count in m.arrows.items())}")
    for family, lost in m.lost.items():
        lines.append(f"lost in {family}: {', '.join(f'{count} {name}' for name, count in lost.items() if count)}")
    return lines


def phrasing_lines(m: Measures) -> list[str]:
    """Share of right answers by phrasing, a line each; empty if there is one phrasing."""
    if not m.phrasings:
        return []
    values = [right.value for right in m.phrasings.values() if right.value is not None]
    spread = f", {100 * (max(values) - min(values)):.1f} points between them" if len(values) > 1 else ""
    each = [f"  {name}: {percent(right, interval=True).plain} of {right.of}" for name, right in m.phrasings.items()]
    return [f"right by phrasing of the question (% [95 %]){spread}", *each]


def _share(share: Share) -> str:
    return "–" if share.value is None else f"{100 * share.value:.1f} % ({share.hits}/{share.of})"


def _errors(counts: Confusion) -> str:
    """ "3: −1 ×2, +1 ×5; 4: …" of the counts that were wrong; what is no number stands as it is."""
    parts = []
    for true, row in counts.items():
        wrong = {said: n for said, n in row.items() if said != true}
        if wrong:
            told = ", ".join(f"{_difference(said, true)} ×{n}" for said, n in wrong.items())
            parts.append(f"{true}: {told}")
    return "; ".join(parts) or "none"


def _difference(said: str, true: str) -> str:
    return f"{int(said) - int(true):+d}".replace("-", "−") if is_count(said) and is_count(true) else said


def difficulty_table(tables: Sequence[Difficulty]) -> Table:
    """CCS in each bin of each difficulty parameter."""
    table = Table("CCS by difficulty (%)", keys=4)
    table.add_column("family", "parameter")
    table.add_numbers("from", "to", "pairs", "CCS [95 %]")
    for entry in tables:
        for i, b in enumerate(entry.bins):
            names = [entry.family, entry.parameter] if i == 0 else ["", ""]
            ccs = percent(b.ccs, interval=True)
            last = i == len(entry.bins) - 1
            table.add_row(*names, str(b.low), str(b.high), str(b.ccs.of), ccs, end_section=last)
    return table
