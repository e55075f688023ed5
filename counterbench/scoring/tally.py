"""The counts behind the scores of a group of pairs; pairs are counted one by one, and groups add up."""

from __future__ import annotations

import msgspec

from counterbench.answers.outcomes import OUTCOME_NAMES, outcome_name
from counterbench.scoring.results import PairResult


class Tally(msgspec.Struct):
    """Counts of pairs; all from `answered` to `stable` count pairs with two replies only."""

    pairs: int = 0
    replied: int = 0  # with two replies
    answered: int = 0  # with two answers
    consistent: int = 0  # right on both
    lost: int = 0  # right on the original only
    right_original: int = 0
    right_intervened: int = 0
    irrelevant: int = 0
    stable: int = 0  # irrelevant pairs with the same answer twice
    missing: int = 0  # questions
    outcomes: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(OUTCOME_NAMES, 0))  # questions
    truths: set[str] = msgspec.field(default_factory=set)  # "computed", "published"

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
        """Add the counts of another tally."""
        for name in self.__struct_fields__:
            if name not in ("outcomes", "truths"):
                setattr(self, name, getattr(self, name) + getattr(other, name))
        for outcome, count in other.outcomes.items():
            self.outcomes[outcome] += count
        self.truths |= other.truths
