"""What the questions of a run took so far: the figures that a forecast is made of, and how their replies were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from counterbench.runs.journal import Record

Number = TypeVar("Number", int, float)


class Figures(msgspec.Struct, kw_only=True):
    """Sums over attempts, those that failed included.

    `replies`: attempts that got a reply, `priced` those of them whose cost is known. `outcomes`: how replies were read
    then ("answer", "unparsed", "refused"). `tokens_in`, `tokens_out`, `tokens_reasoning` (of those out), `cost` (US
    dollars): None while no attempt says. `seconds`: of each attempt, also of those that were made at the same time.
    """

    replies: int = 0
    priced: int = 0
    outcomes: dict[str, int] = {}
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    cost: float | None = None
    seconds: float = 0.0

    def add(self, record: Record) -> None:
        """Count an attempt at a question."""
        if record.final:
            self.replies += 1
            self.priced += record.cost is not None
            self.outcomes[record.outcome] = self.outcomes.get(record.outcome, 0) + 1
        self.spend(record)

    def spend(self, record: Record) -> None:
        """Count what an attempt took, and not what came of it: it was no question of the run."""
        self.tokens_in = _sum(self.tokens_in, record.tokens_in)
        self.tokens_out = _sum(self.tokens_out, record.tokens_out)
        self.tokens_reasoning = _sum(self.tokens_reasoning, record.tokens_reasoning)
        self.cost = _sum(self.cost, record.cost)
        self.seconds += record.seconds or 0.0

    def plus(self, other: Figures) -> Figures:
        """These replies, at the expense of both."""
        return msgspec.structs.replace(
            self,
            outcomes=dict(self.outcomes),
            tokens_in=_sum(self.tokens_in, other.tokens_in),
            tokens_out=_sum(self.tokens_out, other.tokens_out),
            tokens_reasoning=_sum(self.tokens_reasoning, other.tokens_reasoning),
            cost=_sum(self.cost, other.cost),
            seconds=self.seconds + other.seconds,
        )


def _sum(so_far: Number | None, more: Number | None) -> Number | None:
    return so_far if more is None else more if so_far is None else so_far + more
