"""Questions without an answer: how many were asked in each family, and how many ended unparsed, refused or failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from counterbench.answers.outcomes import outcome_name
from counterbench.judges.planted import PLANTED
from counterbench.scoring.results import PairResult

# The fault that each outcome without an answer is a sign of.
LOST: dict[str, str] = {name: PLANTED[name].outcome for name in ("unparsed", "refusing", "failing")}


class Lost(msgspec.Struct, frozen=True):
    """Of one family: `asked` questions, and how many of them came to each outcome of `LOST`."""

    asked: int
    outcomes: Counter[str]


def lost_by_family(pairs: Sequence[PairResult]) -> dict[str, Lost]:
    """By family, in the order of the pairs. A question that was not asked is not counted."""
    asked: Counter[str] = Counter()
    outcomes: dict[str, Counter[str]] = {}
    for pair in pairs:
        family = pair.key.family
        asked[family] += 2 - pair.missing
        found = outcomes.setdefault(family, Counter())
        found["failed"] += pair.failed
        found.update(outcome_name(reply.outcome) for reply in pair.replies if reply is not None and reply.value is None)
    return {family: Lost(asked[family], found) for family, found in outcomes.items()}
