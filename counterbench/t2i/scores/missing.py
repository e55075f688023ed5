"""What was lost on the way to a score: counted, and how far it could move the numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from counterbench.t2i.scores.columns import LEVELS, Gate, Scores
from counterbench.t2i.scores.document import Bounds, Counts
from counterbench.t2i.scores.results import JUDGE_OUTCOMES, PICTURE_STATUSES, GroupResult
from counterbench.t2i.scores.rules import Losses, Scoring


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
    ways: tuple[Losses, ...] = ("zero", "out", "one")
    for losses in ways:
        scores = Scores(groups, msgspec.structs.replace(how, losses=losses))
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
    worst, dropped, best = means
    found = {f"s_{lv}" if with_rates else lv: Bounds(worst[lv], dropped[lv], best[lv]) for lv in worst}
    if with_rates:
        for name, below, above in (("prr", *LEVELS[:2]), ("rrr", *LEVELS[1:])):
            found[name] = Bounds(
                _rate(name, worst[above], best[below], formula),
                _rate(name, dropped[above], dropped[below], formula),
                _rate(name, best[above], worst[below], formula),
            )
    return found


def _rate(name: str, above: float | None, below: float | None, formula: str) -> float | None:
    """PRR or RRR of two numbers; None where undefined."""
    if above is None or below is None or below <= 0:
        return None
    if formula == "readme":
        return above / below * (above if name == "rrr" else 1)
    return above / math.sqrt(below)


def _mean(column: Sequence[float | None]) -> float | None:
    known = [value for value in column if value is not None]
    return sum(known) / len(known) if known else None
