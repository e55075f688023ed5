"""Numbers with intervals from columns and formulas: of the whole, and of every slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from counterbench.stats.clusters import PSEUDO_PAIRED, Means, Series, Weighted
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.pictures import Column
from counterbench.t2i.scores.scores import Formula, Part, Scores, Unit


class Measured(msgspec.Struct, frozen=True):
    """The numbers of a part."""

    columns: dict[str, Estimate]
    rests_on: dict[str, int]  # the number of units of each mean
    clusters: int  # the number of clusters of these units


def measure(part: Part, formulas: Mapping[str, Formula]) -> Measured:
    """Every column and formula of a part, with 95 % intervals over whole clusters (see `stats.clusters.Means`)."""
    clusters = clusters_of(part.units)
    over, of = Means(clusters), measures(part, formulas)
    columns = {
        name: over.estimate(_columns(part, each), each.compute, (each.low, each.high), each.limits)
        for name, each in of.items()
    }
    return Measured(columns, {name: _rests_on(part, each) for name, each in of.items()}, len(set(clusters)))


def differences(
    parts: tuple[Part, Part], formulas: tuple[Mapping[str, Formula], Mapping[str, Formula]]
) -> dict[str, Estimate]:
    """Differences, first less second, with 95 % intervals, of two parts with the same units."""
    over, by_name = Means(clusters_of(parts[0].units)), {}
    first, second = (measures(part, of) for part, of in zip(parts, formulas, strict=True))
    for name in (name for name in first if name in second):
        both = _less(first[name], second[name])
        columns = [*_columns(parts[0], first[name]), *_columns(parts[1], second[name])]
        by_name[name] = over.estimate(columns, both.compute, (both.low, both.high), both.limits, PSEUDO_PAIRED)
    return by_name


def _less(one: Formula, other: Formula) -> Formula:
    """The difference of two numbers, which is least where the first is least and the second is largest."""
    split = len(one.of)
    return Formula(
        (*one.of, *other.of),
        lambda *means: one.compute(*means[:split]) - other.compute(*means[split:]),
        low=(*one.low, *other.high),
        high=(*one.high, *other.low),
        limits=(one.limits[0] - other.limits[1], one.limits[1] - other.limits[0]),
    )


def measures(part: Part, formulas: Mapping[str, Formula]) -> dict[str, Formula]:
    """Every number of a part as a formula: a column becomes its own mean, in the range of its values."""
    by_name = {}
    for name, column in part.columns.items():
        if not name.startswith("_"):
            known = [value for value in column if value is not None]
            least, most = part.ranges.get(name, (0.0, 1.0))
            ends = min(least, *known, most), max(least, *known, most)
            by_name[name] = Formula((name,), lambda mean: mean, low=ends[:1], high=ends[1:], limits=ends)
    return by_name | {name: of for name, of in formulas.items() if {*of.of} <= part.columns.keys()}


def series(part: Part, formulas: Mapping[str, Formula], weighted: Weighted) -> dict[str, Series]:
    """Every measure of a part under these weights of clusters, one for each unit."""
    of = measures(part, formulas).items()
    return {name: each.compute(*map(weighted.mean, _columns(part, each))) for name, each in of}


def means(scores: Scores) -> dict[str, float | None]:
    """The numbers of the whole, without intervals."""
    return {name: of.value for name, of in measure(scores.whole, scores.formulas).columns.items()}


def clusters_of(units: Sequence[Unit]) -> list[str]:
    """The cluster of each unit, which is resampled as a whole; the units themselves if all are of one cluster."""
    clusters = [unit.cluster for unit in units]
    return clusters if len(set(clusters)) > 1 else [unit.name for unit in units]


def _columns(part: Part, formula: Formula) -> list[Column]:
    """The columns of a formula, for the units that count."""
    columns = [part.columns[name] for name in formula.of]
    if not formula.paired:
        return columns
    whole = [None not in unit for unit in zip(*columns, strict=True)]
    return [[value if has else None for value, has in zip(column, whole, strict=True)] for column in columns]


def _rests_on(part: Part, formula: Formula) -> int:
    """The number of units that a number is a mean over: those with a value in any of its columns."""
    return sum(any(value is not None for value in unit) for unit in zip(*_columns(part, formula), strict=True))
