"""CCS and the gap, overall and by category: a row for each category, a dot for each judge."""

from __future__ import annotations

from collections.abc import Callable

from counterbench.reporting.figures import Plot
from counterbench.reporting.gather import JudgeRun, ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.plots.dots import Series, draw_rows
from counterbench.reporting.words import interval, listed, percent
from counterbench.scoring.scores import Score, Share

_OVERALL = "overall"


def score_plots(data: ReportData) -> list[Plot]:
    """CCS, the gap and stability of every judge."""
    intervals = "with 95 % Wilson intervals."
    return [
        *_plot(
            data,
            "ccs",
            "CCS",
            lambda score: score.ccs,
            f"Pairs right on both pictures, {intervals} Further right is better.",
        ),
        *_plot(
            data,
            "gap",
            "Gap",
            lambda score: score.gap,
            f"Pairs right on the original and wrong on the intervened picture, {intervals} Further left is better; a "
            "large gap is a judge that answers from habit and misses the change.",
        ),
        *_plot(
            data,
            "stability",
            "Stability",
            lambda score: score.stability,
            f"Pairs whose change must not matter: the same answer to both pictures, {intervals} A judge that is stable "
            "and not right repeats a mistake.",
        ),
    ]


def _plot(data: ReportData, name: str, title: str, measure: Callable[[Score], Share], caption: str) -> list[Plot]:
    measured = (run.document.categories.items() for run in data.runs)
    there = {name for of in measured for name, score in of if measure(score).of}
    groups = [_OVERALL, *(name for name in data.categories if name in there)]
    shares = [[_share(run, group, measure) for group in groups] for run in data.runs]
    rows = [
        (group, run.label, percent(share.value), interval(share), f"{share.hits} of {share.of}")
        for n, group in enumerate(groups)
        for run, found in zip(data.runs, shares, strict=True)
        if (share := found[n]) is not None and share.of
    ]
    if not rows:
        return []
    overall = [(found[0].value, run.label) for run, found in zip(data.runs, shares, strict=True) if found[0]]
    value, label = max(overall, key=lambda found: found[0] or 0)
    names = [shortened(group) for group in groups]
    series = [
        Series(label=shortened(run.label), number=n, shares=found)
        for n, (run, found) in enumerate(zip(data.runs, shares, strict=True))
    ]
    return [
        Plot(
            name=name,
            section="scores",
            title=f"{title} by category",
            caption=caption,
            alt=f"Dots of the {title if title.isupper() else title.lower()}, overall and by category, for "
            f"{listed([run.label for run in data.runs])}. The largest overall is {percent(value)} %, of {label}.",
            columns=("pairs", "judge", f"{title if title.isupper() else title.lower()} in %", "95 % interval", "count"),
            rows=rows,
            draw=lambda: draw_rows(names, series, to_one=name == "ccs", rule_after=1),
        )
    ]


def _share(run: JudgeRun, group: str, measure: Callable[[Score], Share]) -> Share | None:
    if group == _OVERALL:
        return measure(run.document.overall)
    return measure(run.document.categories[group]) if group in run.document.categories else None
