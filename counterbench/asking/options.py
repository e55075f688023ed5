"""The options that every run has in common: how a judge is reached, how often it is asked, within which limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from counterbench.asking.asker import Limits
from counterbench.judges.base import Judge
from counterbench.judges.functions import opened
from counterbench.runs.queries import Key


@dataclass(frozen=True, kw_only=True)
class AskOptions:
    """The base of `Probe`, `Session` and `Validation`, which make a run.

    `base_url`, `key_env` and `price` are of an `openai:` judge; `votes`: how often each question is asked; `name`: the
    user's name for the judge.
    """

    base_url: str = ""
    key_env: str = ""
    price: str = ""
    votes: int = 1
    limits: Limits | None = None
    name: str = ""

    def open_judge(self, judge: Judge | Callable[..., Any] | str, keys: Callable[[], Iterable[Key]]) -> Judge:
        """The judge itself, or the one that a name or a function stands for; `keys`: the truth, for planted judges."""
        return opened(judge, keys, base_url=self.base_url, key_env=self.key_env, price=self.price)

    @property
    def of_asking(self) -> dict[str, Any]:
        """The options that `Asking` takes."""
        return {"votes": self.votes, "limits": self.limits, "name": self.name}
