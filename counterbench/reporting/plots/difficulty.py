"""CCS against each difficulty parameter, in bins with intervals."""

from __future__ import annotations

import re

from counterbench.reporting.figures import Plot
from counterbench.reporting.gather import ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.plots.dots import Series, draw_rows
from counterbench.reporting.words import interval, listed, percent
from counterbench.scoring.scores import Share

# A family's name that can be an id; an imported family may have any name.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# Words for the parameters; other parameters are shown by their names.
UNITS = {"offset": "offset (px)", "size": "size of shapes (px)", "covered": "covered (%)"}


def difficulties(data: ReportData) -> list[Plot]:
    """One plot a family, a row for each bin of each parameter that varies in it."""
    families: dict[str, dict[tuple[str, str], dict[int, Share]]] = {}
    for n, run in enumerate(data.runs):
        for difficulty in run.diagnosis.measures.difficulty:
            for bin in difficulty.bins if len(difficulty.bins) > 1 else ():
                row = (difficulty.parameter, str(bin.low) if bin.low == bin.high else f"{bin.low} to {bin.high}")
                families.setdefault(difficulty.family, {}).setdefault(row, {})[n] = bin.ccs
    return [_plot(data, n, family, rows) for n, (family, rows) in enumerate(families.items(), 1)]


def _plot(data: ReportData, number: int, family: str, found: dict[tuple[str, str], dict[int, Share]]) -> Plot:
    series = [
        Series(label=shortened(run.label), number=n, shares=[of.get(n) for of in found.values()])
        for n, run in enumerate(data.runs)
    ]
    rows = [
        (parameter, data.runs[n].label, bin, percent(ccs.value), interval(ccs), f"{ccs.hits} of {ccs.of}")
        for (parameter, bin), of in found.items()
        for n, ccs in of.items()
    ]
    names = [f"{UNITS.get(parameter) or shortened(parameter)} {bin}" for parameter, bin in found]
    return Plot(
        name=f"difficulty-{family if _PLAIN.fullmatch(family) else number}",
        section="difficulty",
        title=f"Difficulty: {family}",
        caption="CCS of relevant pairs in bins of each parameter, with 95 % Wilson intervals.",
        alt=f"CCS of the family {family} against {listed(list(dict.fromkeys(p for p, _ in found)))}. "
        "The numbers are in the table below it.",
        columns=("parameter", "judge", "bin", "CCS in %", "95 % interval", "count"),
        rows=rows,
        draw=lambda: draw_rows(names, series),
    )
