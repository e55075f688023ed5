"""The counts that the numbers of a group of pairs are made of; pairs are counted one by one, and groups add up."""

from __future__ import annotations

import msgspec

from counterbench.answers.outcomes import OUTCOME_NAMES, outcome_name
from counterbench.scoring.results import PairResult


class Tally(msgspec.Struct):
    """Pairs, and of these: `replied` to twice, `answered` twice; `consistent`: right on both; `lost`: right on the
    original alone. `irrelevant`: such pairs replied to twice, `stable`: those with one answer twice. All rest on the
    pairs replied to twice. `outcomes`, `missing`: of questions. `truths`: where the truth is from.
    """

    pairs: int = 0
    replied: int = 0
    answered: int = 0
    consistent: int = 0
    lost: int = 0
    right_original: int = 0
    right_intervened: int = 0
    irrelevant: int = 0
    stable: int = 0
    missing: int = 0
    outcomes: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(OUTCOME_NAMES, 0))
    truths: set[str] = msgspec.field(default_factory=set)

    def add(self, pair: PairResult) -> None:
        """Count a pair."""
        original, intervened, key = pair.original, pair.intervened, pair.keys[0]
        self.pairs += 1
        self.missing += pair.missing
        self.outcomes["failed"] += pair.failed
        self.truths.add(key.truth)
        for reply in (original, intervened):
            if reply is not None:
                self.outcomes[outcome_name(reply.outcome)] += 1
        if original is None or intervened is None:
            return
        self.replied += 1
        self.right_original += original.right
        self.right_intervened += intervened.right
        self.answered += original.value is not None and intervened.value is not None
        self.consistent += original.right and intervened.right
        self.lost += original.right and not intervened.right
        if not key.relevant:
            self.irrelevant += 1
            self.stable += original.value is not None and original.value == intervened.value

    def add_all(self, other: Tally) -> None:
        """Count what another has counted."""
        for name in self.__struct_fields__:
            if name not in ("outcomes", "truths"):
                setattr(self, name, getattr(self, name) + getattr(other, name))
        for outcome, count in other.outcomes.items():
            self.outcomes[outcome] += count
        self.truths |= other.truths
