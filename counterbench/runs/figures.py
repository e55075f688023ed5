"""Sums over the attempts of a run so far, from which a forecast is made: replies, tokens, money, seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from counterbench.runs.journal import Record

Number = TypeVar("Number", int, float)


class Figures(msgspec.Struct, kw_only=True):
    """Sums over attempts, those that failed included; tokens and cost are None while no attempt gives them."""

    replies: int = 0  # attempts that got a reply
    priced: int = 0  # replies whose cost is known
    outcomes: dict[str, int] = {}  # replies by outcome, as read at the time: "answer", "unparsed", "refused"
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None  # part of tokens_out
    cost: float | None = None  # US dollars
    seconds: float = 0.0  # the sum of all attempts, also of those made at the same time

    def add(self, record: Record) -> None:
        """Count an attempt at a question."""
        if record.final:
            self.replies += 1
            self.priced += record.cost is not None
            self.outcomes[record.outcome] = self.outcomes.get(record.outcome, 0) + 1
        self.spend(record)

    def spend(self, record: Record) -> None:
        """Count the tokens, cost and time of an attempt that is not about a question of the run."""
        self.tokens_in = _sum(self.tokens_in, record.tokens_in)
        self.tokens_out = _sum(self.tokens_out, record.tokens_out)
        self.tokens_reasoning = _sum(self.tokens_reasoning, record.tokens_reasoning)
        self.cost = _sum(self.cost, record.cost)
        self.seconds += record.seconds or 0.0

    def plus(self, other: Figures) -> Figures:
        """These replies, with the tokens, cost and time of both."""
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
