"""Columns and formulas to numbers with intervals: of the whole, and of every slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from counterbench.stats.bootstrap import DRAWS, SEED, Resample, Series, Weighted
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.pictures import Column
from counterbench.t2i.scores.scores import Formula, Part, Scores, Unit


class Measured(msgspec.Struct, frozen=True):
    """The numbers of a part. `rests_on`: over how many units each is a mean; `clusters`: of how many these are."""

    columns: dict[str, Estimate]
    rests_on: dict[str, int]
    clusters: int


def measure(part: Part, formulas: Mapping[str, Formula], draws: int = DRAWS, seed: int = SEED) -> Measured:
    """Every column and formula of a part, with 95 % intervals: percentile bootstrap over whole clusters."""
    resample = resampled(part.units, draws, seed)
    found = resample.estimates(series(part, formulas, resample))
    return Measured(found, rests_on(part, formulas), resample.clusters)


def series(part: Part, formulas: Mapping[str, Formula], resample: Weighted) -> dict[str, Series]:
    """Every measure of a part under the resample's draws, or other weights of clusters; it has one for each unit."""
    found = {name: resample.mean(column) for name, column in part.columns.items() if not name.startswith("_")}
    for name, formula in _computable(part, formulas).items():
        found[name] = formula.compute(*map(resample.mean, _columns(part, formula)))
    return found


def rests_on(part: Part, formulas: Mapping[str, Formula]) -> dict[str, int]:
    """Over how many units each number is a mean; a formula rests on those that any of its columns is a mean over."""
    found = {name: _count(column) for name, column in part.columns.items() if not name.startswith("_")}
    for name, formula in _computable(part, formulas).items():
        units = zip(*_columns(part, formula), strict=True)
        found[name] = sum(any(value is not None for value in unit) for unit in units)
    return found


def means(scores: Scores) -> dict[str, float | None]:
    """The numbers of the whole, without intervals."""
    found = measure(scores.whole, scores.formulas, draws=1).columns
    return {name: estimate.value for name, estimate in found.items()}


def resampled(units: Sequence[Unit], draws: int = DRAWS, seed: int = SEED) -> Resample:
    """Draws of whole clusters."""
    return Resample(clusters_of(units), draws, seed)


def clusters_of(units: Sequence[Unit]) -> list[str]:
    """What is drawn as a whole, of each unit; units where all are of one cluster, which cannot be drawn from."""
    clusters = [unit.cluster for unit in units]
    return clusters if len(set(clusters)) > 1 else [unit.name for unit in units]


def _computable(part: Part, formulas: Mapping[str, Formula]) -> dict[str, Formula]:
    return {name: formula for name, formula in formulas.items() if {*formula.of} <= part.columns.keys()}


def _columns(part: Part, formula: Formula) -> list[Column]:
    """The columns of a formula, of the units that count."""
    columns = [part.columns[name] for name in formula.of]
    if not formula.paired:
        return columns
    whole = [None not in unit for unit in zip(*columns, strict=True)]
    return [[value if has else None for value, has in zip(column, whole, strict=True)] for column in columns]


def _count(column: Sequence[float | None]) -> int:
    return sum(value is not None for value in column)
