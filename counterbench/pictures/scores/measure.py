"""Numbers with intervals from columns and formulas (see `scores.scores`), and the counts of what was lost.

A column has a value for each unit (a group of prompts, or a prompt); its number is the mean. A formula makes a further
number from means, such as a ratio. `measure` gives all numbers of a part of the units with intervals, `differences`
those of two models, `counts` the numbers of pictures and checks. A cluster is the units that are resampled as a whole.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from counterbench.pictures.scores.document import Counts, SoftCounts
from counterbench.pictures.scores.results import JUDGE_OUTCOMES, LAW, PICTURE_STATUSES, WORDS, CheckResult, GroupResult
from counterbench.pictures.scores.rules import Column, PictureScores
from counterbench.pictures.scores.scores import Formula, ScorePart, Scores, Unit
from counterbench.stats.clusters import FEWEST, PSEUDO_PAIRED, Inference, Means, counting_as
from counterbench.stats.intervals import Estimate

# The least and the largest value of a number; None if nothing bounds it, or it is not defined.
Ends: TypeAlias = tuple[float | None, float | None]


class Measured(msgspec.Struct, frozen=True):
    """The numbers of a `ScorePart`, with what they rest on."""

    columns: dict[str, Estimate]  # by the name of the column or formula
    rests_on: dict[str, int]  # the number of units of each mean: those with a value in any of its columns
    clusters: int  # the number of clusters of these units, less where their sizes are unequal (`counting_as`)


def measure(part: ScorePart, formulas: Mapping[str, Formula]) -> Measured:
    """Every column and formula of a part, with 95 % intervals over whole clusters (see `stats.clusters.Means`)."""
    clusters = clusters_of(part.units)
    estimator, by_name = Means(clusters, copies=_are_words(clusters)), measures(part, formulas)
    columns = {
        name: estimator.infer(
            _columns(part, formula), formula.compute, (formula.low, formula.high), formula.limits, fewest=FEWEST
        ).interval()
        for name, formula in by_name.items()
    }
    values = {name: zip(*_columns(part, formula), strict=True) for name, formula in by_name.items()}  # of each unit
    rests_on = {name: sum(any(value is not None for value in unit) for unit in units) for name, units in values.items()}
    return Measured(columns, rests_on, int(counting_as(Counter(clusters).values())))


def differences(
    parts: tuple[ScorePart, ScorePart],
    formulas: tuple[Mapping[str, Formula], Mapping[str, Formula]],
    names: Sequence[str],
) -> dict[str, Inference]:
    """The difference, first less second, of two parts with the same units, by the name of the number.

    `formulas`: those of each part. `names`: the numbers to compare; one that a part lacks is left out.
    """
    clusters, by_name = clusters_of(parts[0].units), {}
    estimator = Means(clusters, copies=_are_words(clusters))
    first, second = (measures(part, part_formulas) for part, part_formulas in zip(parts, formulas, strict=True))
    for name in (name for name in names if name in first and name in second):
        difference = _less(first[name], second[name])
        columns = [*_columns(parts[0], first[name]), *_columns(parts[1], second[name])]
        by_name[name] = estimator.infer(
            columns, difference.compute, (difference.low, difference.high), difference.limits, PSEUDO_PAIRED
        )
    return by_name


def _less(first: Formula, second: Formula) -> Formula:
    """The formula of a difference of two numbers; it is least where the first is least and the second largest."""
    split = len(first.columns)
    return Formula(
        (*first.columns, *second.columns),
        lambda *means: first.compute(*means[:split]) - second.compute(*means[split:]),
        low=(*first.low, *second.high),
        high=(*first.high, *second.low),
        limits=(first.limits[0] - second.limits[1], first.limits[1] - second.limits[0]),
    )


def measures(part: ScorePart, formulas: Mapping[str, Formula]) -> dict[str, Formula]:
    """Every number of a part as a formula, by name.

    A column's formula is its mean, with the range of its values as limits. A column whose name begins with "_" is no
    number itself. A formula is left out if the part lacks one of its columns.
    """
    by_name = {}
    for name, column in part.columns.items():
        if not name.startswith("_"):
            values = [value for value in column if value is not None]
            least, most = part.ranges.get(name, (0.0, 1.0))
            ends = min(least, *values, most), max(least, *values, most)  # values may lie outside of the range
            by_name[name] = Formula((name,), lambda mean: mean, low=ends[:1], high=ends[1:], limits=ends)
    return by_name | {name: formula for name, formula in formulas.items() if {*formula.columns} <= part.columns.keys()}


def means(scores: Scores) -> dict[str, float | None]:
    """The value of each number over all units, by name, without intervals."""
    return {name: number.value for name, number in measure(scores.whole, scores.formulas).columns.items()}


def clusters_of(units: Sequence[Unit]) -> list[str]:
    """The name of each unit's cluster, which is resampled as a whole; each unit's own name if all are of one law."""
    clusters = [unit.cluster for unit in units]
    of_one_law = len(set(clusters)) == 1 and clusters[0].startswith(LAW)
    return [unit.name for unit in units] if of_one_law else clusters


def _are_words(clusters: Sequence[str]) -> bool:
    """True if clusters are prompts of the same words, which are copies, and not laws."""
    return any(name.startswith(WORDS) for name in clusters)


def _columns(part: ScorePart, formula: Formula) -> list[Column]:
    """The columns that a formula is computed from.

    For a paired formula the values of a unit are None in all columns if they are None in one.
    """
    columns = [part.columns[name] for name in formula.columns]
    if not formula.paired:
        return columns
    complete = [None not in unit for unit in zip(*columns, strict=True)]
    return [[value if has_all else None for value, has_all in zip(column, complete, strict=True)] for column in columns]


def counts(groups: Sequence[GroupResult], scores: PictureScores, level: str) -> Counts:
    """The numbers of groups, pictures and outcomes at one level, scored and in all."""
    pictures = [picture for group in groups for picture in group.pictures[level].values()]
    statuses = Counter(picture.status for picture in pictures)
    return Counts(
        groups=sum(bool(group.pictures[level]) for group in groups),
        groups_scored=sum(mean is not None for mean in scores.level(level)),
        pictures=len(pictures),
        pictures_scored=scores.scored(level),
        statuses={status: statuses[status] for status in PICTURE_STATUSES},
        outcomes=outcomes(row for picture in pictures for row in picture.checks),
    )


def outcomes(rows: Iterable[CheckResult]) -> dict[str, int]:
    """The number of checks by outcome, of pictures that are ok. An answer without a credit is counted as unparsed."""
    by_outcome = Counter(
        "unparsed" if row.outcome == "answer" and row.credit is None else row.outcome
        for row in rows
        if row.picture == "ok"
    )
    return {outcome: by_outcome[outcome] for outcome in JUDGE_OUTCOMES}


def is_complete(level: Counts) -> bool:
    """True if nothing at this level could still be had by drawing or asking again."""
    pictures, checks = level.statuses, level.outcomes
    return not any((pictures["missing"], pictures["unreadable"], checks["failed"], checks["unasked"]))


def soft_counts(rows: Sequence[CheckResult]) -> SoftCounts:
    """The number of yes/no answers, of those with a probability, and the mean probability of neither yes nor no."""
    answered = [row for row in rows if row.yes_no and row.answer is not None]
    residuals = [row.residual for row in answered if row.p_yes is not None and row.residual is not None]
    neither = sum(residuals) / len(residuals) if residuals else None
    return SoftCounts(answers=len(answered), with_probabilities=len(residuals), neither=neither)
