"""The one seam between counterbench and whatever answers questions about pictures.

A judge answers batches. The runner owns everything else: retries, limits, budgets, the journal. A fake that keeps this
contract stands wherever a real judge does; `counterbench.testing.check_judge` is the conformance kit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar, runtime_checkable

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.answers.soft import Token
from counterbench.errors import InputError
from counterbench.runs.queries import Query

T = TypeVar("T", bound=msgspec.Struct)


class Retry(msgspec.Struct, frozen=True):
    """A failure that may pass: the runner asks again.

    `after`: how many seconds the server wants to be left alone, if it says so. `overload`: it has too much to do, so
    that fewer questions at once may help.
    """

    after: float | None = None
    overload: bool = False


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What came back for one query: the text as it came, or how it failed, and what was observed on the way.

    `text` and `failure`: exactly one is not None. Numbers are None where the judge does not know them; `cost` is in
    US dollars. `tokens_reasoning`: those of `tokens_out` that it reasoned with, and mostly hid. `finish` is why the
    reply ended: "stop", "length" (cut off), "content_filter", "refusal" (the server says that the model declined), or
    what the server calls it. `mode` says how a local judge answered ("generate", "choice"). `choices` are the
    log-likelihoods of the candidate answers (choice mode), `logprobs` those of the reply's tokens, both raw.
    `dropped` names the request's parameters that the server refused and that were left out.

    Of a failure: `retry` says that asking again may help; `stop` that no question can be asked at all, and what to
    check; with `only_this`, that this may be true of this question alone, so that the run ends only if it repeats.
    Neither: this question failed, the others go on.
    """

    text: str | None = None
    failure: Failed | None = None
    model: str = ""
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    cost: float | None = None
    mode: str = ""
    choices: dict[str, float] | None = None
    logprobs: tuple[Token, ...] | None = None
    dropped: tuple[str, ...] = ()
    retry: Retry | None = None
    stop: str = ""
    only_this: bool = False

    def __post_init__(self) -> None:
        if (self.text is None) == (self.failure is None):
            raise ValueError("a reply has either a text or a failure")
        if self.failure is None and (self.retry is not None or self.stop):
            raise ValueError("only a failure has `retry` or `stop`")


@runtime_checkable
class Judge(Protocol):
    """Answers queries. `name` is the judge as asked for, with its parameters: part of every query's identity.

    It may have more: see `JudgeExtras`.
    """

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


class JudgeExtras(msgspec.Struct, frozen=True):
    """What a judge may have besides, as attributes; what it lacks is as here.

    `versions`: what runs it ({"torch": "2.6.0"}), for the run's `run.json`. `samples`: the same question may get
    another answer by design. `looks`: it needs the pictures (planted and replayed judges do not). `short_name`: what
    the user calls it. `prices`: which list of prices its costs are reckoned by, if by any. `unpriced`: whose price is
    not known, where a call may cost money (the model and its address): only a server can say what its replies cost.
    `probabilities`: it is asked to say how likely its answers were, in `Reply.choices` or `Reply.logprobs`.
    """

    versions: dict[str, str] = {}
    samples: bool = False
    looks: bool = True
    short_name: str = ""
    prices: str = ""
    unpriced: str = ""
    probabilities: bool = False


def extras(model: object, kind: type[T]) -> T:
    """What a judge (or generator) has of the attributes that `kind` names; InputError if one is of another type."""
    try:
        return msgspec.convert(model, kind, from_attributes=True)
    except msgspec.ValidationError as error:
        raise InputError(f"{type(model).__name__}: {error}") from None


def called(judge: Judge, name: str = "") -> str:
    """What a run of the judge is called in a folder's name: by the user, in its file, or as it was asked for."""
    return name or extras(judge, JudgeExtras).short_name or judge.name
