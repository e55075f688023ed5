"""The one interface between counterbench and judges, which answer questions about pictures.

A judge answers batches. The runner owns everything else: retries, limits, budgets, the journal. A fake that keeps this
contract can replace a real judge everywhere; `counterbench.testing.check_judge` is the conformance kit.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from counterbench.answers.outcomes import Failed, is_error_text
from counterbench.answers.parsing import DECLINED, FILTERED
from counterbench.answers.soft import Token
from counterbench.errors import InputError
from counterbench.runs.queries import Query

T = TypeVar("T", bound=msgspec.Struct)

_MAX_MESSAGE = 500  # characters of an error's message that are kept


class Retry(msgspec.Struct, frozen=True):
    """A failure that may pass: the runner asks again.

    `after`: the seconds to wait, if the server says so. `overload`: True if the server is overloaded, so that fewer
    questions at once may help. `most`: the most retries that may help, if fewer than the runner would make.
    """

    after: float | None = None
    overload: bool = False
    most: int | None = None


class Returned(msgspec.Struct, frozen=True, kw_only=True):
    """The part that a judge's reply and a generator's drawing share. Numbers are None if nobody knows them.

    An item is one query to a judge, or one picture to draw for a generator. After a failure with neither `retry` nor
    `stop`, this item has failed and the others go on.
    """

    failure: Failed | None = None
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None  # in US dollars
    dropped: tuple[str, ...] = ()  # parameters of the request that the server refused and that were left out
    retry: Retry | None = None  # after a failure: asking again may help
    stop: str = ""  # after a failure: nothing can be asked at all; the text is advice for the user
    # With `stop`: it may concern this item only, so the run ends only if it repeats; with `retry` too (an empty answer
    # that was paid), it ends after a few.
    only_this: bool = False

    def __post_init__(self) -> None:
        if self.failure is None and (self.retry is not None or self.stop):
            raise ValueError("only a failure has `retry` or `stop`")

    @property
    def shared(self) -> dict[str, Any]:
        """The values of these fields by name, to make a reply from a drawing, or a drawing from a reply."""
        return {name: getattr(self, name) for name in Returned.__struct_fields__}


class Reply(Returned, frozen=True, kw_only=True):
    """The reply to one query: its text or its failure, and usage."""

    text: str | None = None  # as it came; exactly one of `text` and `failure` is not None
    # The reason for the end: "stop", "length" (cut off), "content_filter", "refusal" (the server says that the model
    # declined), or the server's own word.
    finish: str = ""
    tokens_reasoning: int | None = None  # the part of `tokens_out` for reasoning, which is mostly hidden
    mode: str = ""  # of a local judge: "generate" or "choice" (see `LocalOptions`); empty for others
    choices: dict[str, float] | None = None  # raw log-likelihoods of the candidate answers (choice mode)
    logprobs: tuple[Token, ...] | None = None  # raw log-likelihoods of the reply's tokens

    def __post_init__(self) -> None:
        if (self.text is None) == (self.failure is None):
            raise ValueError("a reply has either a text or a failure")
        super().__post_init__()


def raised(error: BaseException) -> Failed:
    """The failure for an exception that somebody's code raised, in a form that a journal can keep."""
    return Failed(type(error).__name__, str(error)[:_MAX_MESSAGE].encode("utf-8", "backslashreplace").decode())


def without_error_text(reply: Reply) -> Reply:
    """The reply, or a failure that may pass if its text is that of a server's error."""
    if reply.text is None or reply.finish in (FILTERED, DECLINED) or not is_error_text(reply.text):
        return reply
    failure = Failed("error-text", reply.text.strip()[:_MAX_MESSAGE])
    return msgspec.structs.replace(reply, text=None, failure=failure, retry=Retry())


class Model(Protocol):
    """The members that judges and generators share."""

    @property
    def name(self) -> str:
        """The model as the user named it, with its parameters ("planted:noisy?p=0.1").

        It is part of the identity of each item in a journal.
        """
        ...

    @property
    def max_batch(self) -> int:
        """The number of items that one call takes (at least 1)."""
        ...

    @property
    def max_in_flight(self) -> int:
        """The number of calls that may run at the same time (at least 1)."""
        ...


@runtime_checkable
class Judge(Model, Protocol):
    """An object that answers queries; for optional attributes see `JudgeExtras`."""

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query, in the batch's order. A judge reports failures as replies and need not raise."""
        ...

    async def close(self) -> None:
        """Release the judge's resources."""
        ...


class JudgeWithoutPictures:
    """The base of judges that reply to one query after the other, from keys or records, and hold nothing open."""

    max_batch = 64
    max_in_flight = 1
    max_pictures = 2
    needs_images = False

    def reply(self, query: Query) -> Reply:
        """The reply to one query."""
        raise NotImplementedError

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query."""
        return [self.reply(query) for query in batch]

    async def close(self) -> None:
        """Nothing to release."""


class JudgeExtras(msgspec.Struct, frozen=True):
    """Further attributes that a judge may have, with their defaults."""

    versions: dict[str, str] = {}  # of the software that runs it ({"torch": "2.6.0"}), for the run's `run.json`
    samples: bool = False  # True if the same question may get another answer by design
    max_pictures: int = 1  # the most pictures that it takes with a question; more come to it on one sheet
    only_compares: bool = False  # True if it answers which of two pictures is better, and nothing else
    # True if it has a method `recall(query, reply)`, to which a resumed run gives the texts of its replies: so a judge
    # that answers from parts (ratings, numbers) asks for no part anew.
    recalls: bool = False
    needs_images: bool = True  # True if it needs the pictures (planted and replayed judges do not)
    short_name: str = ""  # the user's name for it
    replies_from: str = ""  # of a judge that repeats replies: the time of the earliest
    members: dict[str, str] = {}  # of a panel: the digest of the journal of each member's run, by its path
    prices: str = ""  # the list of prices for its costs, if any
    # The model and its address, if a call may cost money and no price is known: only the server can give the cost.
    unpriced: str = ""


def extras(judge: object, kind: type[T]) -> T:
    """The optional attributes of a judge (or generator), with defaults for those that it lacks.

    `kind`: the struct of these attributes (`JudgeExtras`). InputError if an attribute has another type.
    """
    try:
        return msgspec.convert(judge, kind, from_attributes=True)
    except msgspec.ValidationError as error:
        raise InputError(f"{type(judge).__name__}: {error}") from None


def called(judge: Judge, name: str = "") -> str:
    """The judge's name for a run's folder: `name`, given by the user, else from its file, else the judge's own name."""
    return name or extras(judge, JudgeExtras).short_name or judge.name
