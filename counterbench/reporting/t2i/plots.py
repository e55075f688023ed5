"""The plots about models: their numbers beside those of planted ones, and one number by part."""

from collections.abc import Mapping, Sequence

from counterbench.reporting.frame import Plot, Series, dot_plot
from counterbench.reporting.t2i.gather import ModelData
from counterbench.stats.intervals import Estimate
from counterbench.t2i.words import SIGNED, heading, main_number, with_interval

# The fewest and the most parts of a plot, and the kinds of parts that are worth a plot.
_FEW, _MOST = 2, 20
_KINDS = ("category", "dimension", "subcategory", "discipline")
_INTERVALS = "With 95 % intervals where there is enough to draw from."


def model_plots(data: ModelData) -> list[Plot]:
    """Every plot that these runs have data for."""
    by_part = [plot for kind in _KINDS if kind in data.kinds for plot in _by_part(data, kind)]
    return [*_numbers(data), *by_part]


def _numbers(data: ModelData) -> list[Plot]:
    names = [name for name in data.columns if name in data.documents[0].headline and name not in SIGNED]
    series = [Series(run.label, [run.document.columns.get(n) for n in names]) for run in data.runs]
    for label, line in data.references.items():
        shares = [Estimate(line.get(name), None, None) for name in names]
        series.append(Series(f"{label} (planted)", shares, hollow=True))
    references = " Hollow: the true numbers of planted models on the same prompts." if data.references else ""
    rows = {heading(name): (heading(name),) for name in names}
    return _plot("numbers", "result", "Every number", f"{_INTERVALS}{references}", rows, series, ("number",))


def _by_part(data: ModelData, kind: str) -> list[Plot]:
    number = main_number(data.documents[0])
    parts = list(dict.fromkeys(name for of in data.documents for name in of.slices.get(kind, ())))
    if not _FEW <= len(parts) <= _MOST:
        return []
    title = f"{heading(number)[:1].upper()}{heading(number)[1:]} by {kind}"
    caption = f"Further right is better. {_INTERVALS}"
    by_run = [(run.label, run.document.slices.get(kind, {})) for run in data.runs]
    series = [Series(label, [of.get(part, {}).get(number) for part in parts]) for label, of in by_run]
    return _plot(f"by-{kind}", "parts", title, caption, {part: (part,) for part in parts}, series, (kind,))


def _plot(
    name: str,
    section: str,
    title: str,
    caption: str,
    rows: Mapping[str, tuple[str, ...]],
    series: Sequence[Series],
    of: tuple[str, ...],
) -> list[Plot]:
    columns = (*of, "model", "value [95 %]")
    return dot_plot(
        name, section, title, caption, rows, series, columns, lambda number: (with_interval(number),), in_percent=False
    )
