"""The one seam between counterbench and whatever answers questions about pictures.

A judge answers batches. The runner owns everything else: retries, limits, budgets, the journal. A fake that keeps this
contract stands wherever a real judge does; `counterbench.testing.check_judge` is the conformance kit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.queries import Query


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What came back for one query: the text as it came, or how it failed, and what was observed on the way.

    `text` and `failure`: exactly one is not None. Numbers are None where the judge does not know them.
    """

    text: str | None = None
    failure: Failed | None = None
    model: str = ""
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.failure is None):
            raise ValueError("a reply has either a text or a failure")


@runtime_checkable
class Judge(Protocol):
    """Answers queries. `name` is the judge as asked for, with its parameters: part of every query's identity."""

    @property
    def name(self) -> str:
        """The judge as asked for: "pixels", "planted:noisy?p=0.1", …"""
        ...

    @property
    def max_batch(self) -> int:
        """How many queries `answer` takes at once (at least 1)."""
        ...

    @property
    def max_in_flight(self) -> int:
        """How many calls of `answer` may run at the same time (at least 1)."""
        ...

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query, in the batch's order. A judge reports failures as replies and need not raise."""
        ...

    async def close(self) -> None:
        """Release what the judge holds."""
        ...
