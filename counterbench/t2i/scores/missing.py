"""Missing data: what was lost on the way to a score, counted, and how far it could move the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from counterbench.t2i.scores.columns import LEVELS, Gate, Scores
from counterbench.t2i.scores.completions import Ends, of_means, rate_ends
from counterbench.t2i.scores.document import Bounds, Counts
from counterbench.t2i.scores.results import JUDGE_OUTCOMES, PICTURE_STATUSES, CheckResult, GroupResult
from counterbench.t2i.scores.rules import MissingData, Scoring


def counts(groups: Sequence[GroupResult], scores: Scores, level: str) -> Counts:
    """What there is at one level."""
    pictures = [picture for group in groups for picture in group.pictures[level].values()]
    statuses = Counter(picture.status for picture in pictures)
    return Counts(
        groups=len(groups),
        groups_scored=sum(mean is not None for mean in scores.level(level)),
        pictures=len(pictures),
        pictures_scored=scores.scored(level),
        statuses={status: statuses[status] for status in PICTURE_STATUSES},
        outcomes=outcomes(row for picture in pictures for row in picture.checks),
    )


def outcomes(rows: Iterable[CheckResult]) -> dict[str, int]:
    """What came of the checks of pictures that are ok. An answer without a credit is counted as unparsed."""
    found = Counter(
        "unparsed" if row.outcome == "answer" and row.credit is None else row.outcome
        for row in rows
        if row.picture == "ok"
    )
    return {outcome: found[outcome] for outcome in JUDGE_OUTCOMES}


def complete(of: Counts) -> bool:
    """Whether nothing at this level could still be had by drawing or asking again."""
    return not any((of.statuses["missing"], of.statuses["unreadable"], of.outcomes["failed"], of.outcomes["unasked"]))


def bounds(
    groups: Sequence[GroupResult], levels: Sequence[str], how: Scoring, threshold: float | None
) -> tuple[dict[str, Bounds], dict[str, Bounds]]:
    """Worst, dropped and best for every gated number and every ungated one; without a gate, for every level twice."""
    ways: tuple[MissingData, ...] = ("zero", "out", "one")
    scores = [Scores(groups, msgspec.structs.replace(how, missing_data=way)) for way in ways]
    plain = [{level: _mean(each.level(level)) for level in levels} for each in scores]
    if threshold is None:
        found = {level: _held(*(way[level] for way in plain)) for level in levels}
        return found, found
    gates = [Gate(each, threshold) for each in scores]
    gated = [
        way | {level: _mean(gate.apply(each, level)) for level in LEVELS[1:]}
        for way, gate, each in zip(plain, gates, scores, strict=True)
    ]
    zero, _, one = scores
    return _bounds(gated, how.rates, rate_ends(zero, one, threshold)), _bounds(plain, how.rates)


def _bounds(
    ways: Sequence[dict[str, float | None]], formula: str, ends: dict[str, Ends] | None = None
) -> dict[str, Bounds]:
    """From the means of the three ways, and the rates' `ends`; without those the levels are free of one another."""
    zero, out, one = ways
    found = {f"s_{level}": _held(zero[level], out[level], one[level]) for level in LEVELS}
    for rate, below, above in (("prr", *LEVELS[:2]), ("rrr", *LEVELS[1:])):
        low, high = (
            ends[rate]
            if ends
            else (
                _rate(rate, zero[above], one[below], formula),
                _rate(rate, one[above], zero[below], formula),
            )
        )
        found[rate] = _held(low, _rate(rate, out[above], out[below], formula), high)
    return found


def _held(worst: float | None, dropped: float | None, best: float | None) -> Bounds:
    """The three in order: the mean of what is left may lie where nothing could bring the whole."""
    if dropped is not None and best is not None:
        dropped = min(dropped, best)
    if dropped is not None and worst is not None:
        dropped = max(dropped, worst)
    return Bounds(worst, dropped, best)


def _rate(rate: str, above: float | None, below: float | None, formula: str) -> float | None:
    import numpy as np

    if above is None or below is None:
        return None
    found = float(of_means(rate, np.array([above]), np.array([below]), formula)[0])
    return found if np.isfinite(found) else None


def _mean(column: Sequence[float | None]) -> float | None:
    known = [value for value in column if value is not None]
    return sum(known) / len(known) if known else None
