"""PicWorld's three layers and PW-Score, 0 … 10, from recorded facts (section 3.2.4, Eq. 3–6; figure 11).

The equations and the Judger's prompt differ; the `Layers` of a scoring name the one that it uses:

                          equation                    prompt
S1 with any failure       10 − Σ P (Eq. 3)            9 − Σ P
S2, an important failure  1.0 (Eq. 4)                 as without it
Σ B in S3                 as it is (Eq. 5)            5 at most

In both, P is 5, 3 or 1 by importance, and S1 is 1.0 if a fact of high importance fails: never more, and never less,
although other failures alone may give 0. The equations do not give the values of an award, a bonus or an inconsistency:
the prompt does, for both. The paper's figure 7 has an S1 of 4.0 although a fact of high importance failed: that is
9 − 5, and neither rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from counterbench.t2i.scores.rules import DEFAULT, Scoring

HIGH = 3
MOST = 10.0
FAILED = 1.0  # S1, and S2, where a fact of high importance fails
PENALTY = {3: 5.0, 2: 3.0, 1: 1.0}  # of a failed fact, by its importance
SHARES = (0.25, 0.5, 0.25)  # of S1, S2 and S3 in S (Eq. 6)
_FIRST, _FURTHER = 2.5, 4.0  # of inconsistencies
_FOUNDATION = 5.0


class Layers(Scoring, frozen=True, kw_only=True):
    """One way to count PW-Agent: by the paper's equations, or by the Judger's prompt."""

    by: Literal["equation", "prompt"] = "equation"


# The equations are the default, under both names.
SCORINGS: dict[str, Layers] = {
    DEFAULT: Layers(),
    "equation": Layers(),
    "prompt": Layers(by="prompt"),
}


class State(NamedTuple):
    """A fact of the second layer."""

    importance: int
    confidence: float | None  # of the answer that meets it; None if it fails


def adherence(failed: Sequence[int], how: Layers) -> float:
    """S1 (Eq. 3), from the importance of each failed fact on existence."""
    if HIGH in failed:
        return FAILED
    start = 9.0 if how.by == "prompt" and failed else MOST
    return max(0.0, start - sum(PENALTY[importance] for importance in failed))


def realism(states: Sequence[State], how: Layers) -> float:
    """S2 (Eq. 4), from every fact on state; there must be at least one."""
    if how.by == "equation" and any(of.confidence is None and of.importance == HIGH for of in states):
        return FAILED
    met = sum(of.importance * of.confidence for of in states if of.confidence is not None)
    return MOST * met / sum(of.importance for of in states)


def nuance(foundations: Sequence[float], bonuses: Sequence[float], inconsistencies: int, how: Layers) -> float:
    """S3 (Eq. 5), from the awards and bonuses of met expectations, and the number of inconsistencies."""
    base = min(_FOUNDATION, sum(foundations)) if how.by == "prompt" else sum(foundations)
    penalty = _FIRST + _FURTHER * (inconsistencies - 1) if inconsistencies > 0 else 0.0
    return min(MOST, max(0.0, base + sum(bonuses) - penalty))


def total(layers: Sequence[float]) -> float:
    """S (Eq. 6)."""
    return sum(share * layer for share, layer in zip(SHARES, layers, strict=True))
