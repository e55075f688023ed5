"""The plots of a report, one file a kind; an explicit list of them."""

from __future__ import annotations

from counterbench.report.figures import Plot
from counterbench.report.gather import ReportData
from counterbench.report.plots.arrows import arrows
from counterbench.report.plots.confusion import confusions
from counterbench.report.plots.difficulty import difficulties
from counterbench.report.plots.gap import gap
from counterbench.report.plots.radar import radar
from counterbench.report.plots.stability import stability


def all_plots(data: ReportData) -> list[Plot]:
    """Every plot that these runs have data for, in the order of the page."""
    return [*radar(data), *gap(data), *stability(data), *difficulties(data), *confusions(data), *arrows(data)]


__all__ = ["all_plots"]
