"""The plots of a report, an explicit list of them; `dots` draws several of them."""

from __future__ import annotations

from counterbench.reporting.figures import Plot
from counterbench.reporting.gather import ReportData
from counterbench.reporting.plots.categories import score_plots
from counterbench.reporting.plots.difficulty import difficulties


def all_plots(data: ReportData) -> list[Plot]:
    """Every plot that these runs have data for, in the order of the page."""
    return [*score_plots(data), *difficulties(data)]


__all__ = ["all_plots"]
