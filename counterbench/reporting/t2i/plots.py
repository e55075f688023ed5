"""The plots of models: their numbers beside those of planted ones, one number by part, and the gate's thresholds."""

from __future__ import annotations

from counterbench.reporting.figures import Plot
from counterbench.reporting.labels import shortened
from counterbench.reporting.plots.dots import Series, draw_rows
from counterbench.reporting.t2i.gather import THRESHOLDS, ModelData
from counterbench.reporting.words import listed
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.document import Document
from counterbench.t2i.words import SIGNED, heading, plain, with_interval

# The fewest and the most parts of a plot, and the kinds of parts that are worth a plot.
_FEW, _MOST = 2, 20
_KINDS = ("category", "dimension", "subcategory", "discipline")


def model_plots(data: ModelData) -> list[Plot]:
    """Every plot that these runs have data for."""
    by_part = (_parts(data, kind) for kind in _KINDS if kind in data.kinds)
    plots = [_numbers(data), *by_part, _sweep(data)]
    return [plot for plot in plots if plot is not None]


def main_number(document: Document) -> str:
    """The number that stands for a run where there is room for one: the mean, or S at the last level."""
    levels = [name for name in document.headline if name.startswith("s_")]
    return "score" if "score" in document.columns else (levels or document.headline)[-1]


def _numbers(data: ModelData) -> Plot | None:
    names = [name for name in data.columns if name in data.documents[0].headline and name not in SIGNED]
    shown = [(run.label, run.document.columns) for run in data.runs]
    if not names:
        return None
    series = [
        Series(label=shortened(label), number=n, shares=[of.get(name) for name in names])
        for n, (label, of) in enumerate(shown)
    ]
    for n, (label, line) in enumerate(data.references.items(), len(series)):
        shares = [Estimate(line.get(name), None, None) for name in names]
        series.append(Series(label=f"{label} (planted)", number=n, hollow=True, shares=shares))
    rows = [
        (heading(name), one.label, with_interval(share))
        for place, name in enumerate(names)
        for one in series
        if (share := one.shares[place]) is not None
    ]
    beside = " Hollow: the true numbers of planted models on the same prompts." if data.references else ""
    return Plot(
        name="numbers",
        section="result",
        title="Every number",
        caption=f"With 95 % intervals where there is enough to draw from.{beside}",
        alt=f"Dots of {listed([heading(name) for name in names])} for {listed([one.label for one in series])}.",
        columns=("number", "model", "value [95 %]"),
        rows=rows,
        draw=lambda: draw_rows([heading(name) for name in names], series, percent=False),
    )


def _parts(data: ModelData, kind: str) -> Plot | None:
    number = main_number(data.documents[0])
    names = list(dict.fromkeys(name for of in data.documents for name in of.slices.get(kind, ())))
    by_run = [[of.slices.get(kind, {}).get(name, {}).get(number) for name in names] for of in data.documents]
    if not _FEW <= len(names) <= _MOST or not any(share for shares in by_run for share in shares):
        return None
    series = [
        Series(label=shortened(run.label), number=n, shares=shares)
        for n, (run, shares) in enumerate(zip(data.runs, by_run, strict=True))
    ]
    rows = [
        (name, run.label, with_interval(share))
        for place, name in enumerate(names)
        for run, shares in zip(data.runs, by_run, strict=True)
        if (share := shares[place]) is not None
    ]
    return Plot(
        name=f"by-{kind}",
        section="parts",
        title=f"{_capital(heading(number))} by {kind}",
        caption="Further right is better. With 95 % intervals where there is enough to draw from.",
        alt=f"Dots of {heading(number)} by {kind} for {listed([run.label for run in data.runs])}.",
        columns=(kind, "model", f"{heading(number)} [95 %]"),
        rows=rows,
        draw=lambda: draw_rows([shortened(name) for name in names], series, percent=False),
    )


def _sweep(data: ModelData) -> Plot | None:
    """PRR and RRR at every threshold of the gate."""
    gated = [(n, run) for n, run in enumerate(data.runs) if THRESHOLDS in run.document.slices]
    shown = [(n, run.label, run.document.slices[THRESHOLDS]) for n, run in gated]
    if not shown:
        return None
    rates = [name for name in data.documents[0].headline if not name.startswith("s_")]
    places = [(rate, at) for rate in rates for at in dict.fromkeys(at for _, _, parts in shown for at in parts)]
    series = [
        Series(label=shortened(label), number=n, shares=[parts.get(at, {}).get(rate) for rate, at in places])
        for n, label, parts in shown
    ]
    rows = [
        (at, label, *(plain(part[name].value) for name in rates))
        for _, label, parts in shown
        for at, part in parts.items()
    ]
    return Plot(
        name="gate",
        section="gate",
        title="The gate at other thresholds",
        caption="L2 and L3 of a group count only where its S_L1 is at least the threshold. A number that moves with it "
        "says more of L1 than of the law that was altered.",
        alt=f"Dots of {listed([heading(name) for name in rates])} by threshold for "
        f"{listed([label for _, label, _ in shown])}.",
        columns=("threshold", "model", *map(heading, rates)),
        rows=rows,
        draw=lambda: draw_rows([f"{heading(rate)} at {at}" for rate, at in places], series, percent=False),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
