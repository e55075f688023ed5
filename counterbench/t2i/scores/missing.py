"""Missing data: what was lost on the way to a score, counted, and how far it could move the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from counterbench.t2i.scores.columns import LEVELS, Gate, Scores
from counterbench.t2i.scores.document import Bounds, Counts
from counterbench.t2i.scores.results import JUDGE_OUTCOMES, PICTURE_STATUSES, GroupResult
from counterbench.t2i.scores.rules import MissingData, Scoring
from counterbench.t2i.scores.table import rates


def counts(groups: Sequence[GroupResult], scores: Scores, level: str) -> Counts:
    """What there is at one level. An answer without a credit is counted as unparsed."""
    pictures = [picture for group in groups for picture in group.pictures[level].values()]
    statuses = Counter(picture.status for picture in pictures)
    outcomes = Counter(
        "unparsed" if row.outcome == "answer" and row.credit is None else row.outcome
        for picture in pictures
        if picture.status == "ok"
        for row in picture.checks
    )
    return Counts(
        groups=len(groups),
        groups_scored=sum(mean is not None for mean in scores.level(level)),
        pictures=len(pictures),
        pictures_scored=scores.scored(level),
        statuses={status: statuses[status] for status in PICTURE_STATUSES},
        outcomes={outcome: outcomes[outcome] for outcome in JUDGE_OUTCOMES},
    )


def complete(of: Counts) -> bool:
    """Whether nothing at this level could still be had by drawing or asking again."""
    return not any((of.statuses["missing"], of.statuses["unreadable"], of.outcomes["failed"], of.outcomes["unasked"]))


def bounds(
    groups: Sequence[GroupResult], levels: Sequence[str], how: Scoring, threshold: float | None
) -> tuple[dict[str, Bounds], dict[str, Bounds]]:
    """Worst, dropped and best for every gated number and every ungated one; without a gate, for every level twice."""
    gated: list[dict[str, float | None]] = []
    ungated: list[dict[str, float | None]] = []
    ways: tuple[MissingData, ...] = ("zero", "out", "one")
    for missing_data in ways:
        scores = Scores(groups, msgspec.structs.replace(how, missing_data=missing_data))
        plain = {level: _mean(scores.level(level)) for level in levels}
        ungated.append(plain)
        gate = None if threshold is None else Gate(scores, threshold)
        gated.append(
            {lv: _mean(gate.apply(scores, lv)) if gate and lv != LEVELS[0] else mean for lv, mean in plain.items()}
        )
    with_rates = threshold is not None
    return _bounds(gated, how.rates, with_rates), _bounds(ungated, how.rates, with_rates)


def _bounds(means: Sequence[dict[str, float | None]], formula: str, with_rates: bool) -> dict[str, Bounds]:
    """From the means of the three ways; a rate's worst has its numerator worst and its denominator best."""
    import numpy as np

    found = {f"s_{level}" if with_rates else level: Bounds(*(way[level] for way in means)) for level in means[0]}
    if with_rates:
        first, second, third = (np.array([way[level] for way in means], dtype=float) for level in LEVELS)
        for name, series in (
            ("prr", rates(first[::-1], second, third, formula)["prr"]),
            ("rrr", rates(first, second[::-1], third, formula)["rrr"]),
        ):
            found[name] = Bounds(*(float(value) if np.isfinite(value) else None for value in series))
    return found


def _mean(column: Sequence[float | None]) -> float | None:
    known = [value for value in column if value is not None]
    return sum(known) / len(known) if known else None
