"""The one seam between counterbench and whatever draws pictures from words.

A generator draws batches. The runner owns everything else: retries, limits, budgets, the journal, files and digests. A
fake that keeps this contract stands wherever a real generator does; `conformance.check_generator` is the kit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Retry


class DrawingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One picture that is wanted. `id` is "<group>/<level>/<sample>"; `text` is what the generator is told.

    `seed` (0 … 2³¹ − 1) depends on the prompt, the sample and the run's seed, and on nothing else: a generator that
    draws by it gives the same picture in any batch and on any number of devices.
    """

    id: str
    group: str
    level: str
    sample: int
    text: str
    seed: int


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """The reply to one request: a picture's file as it came (PNG, JPEG or WebP), a refusal, or a failure.

    Exactly one of `picture`, `refusal` (the generator's words, or what shows that it declined) and `failure` is not
    None. `revised` is the prompt as the generator says that it changed it. `cost` is in US dollars. `dropped` names
    the request's parameters that a server refused and that were left out. `note` is to be known of a picture that is
    there: that the prompt was cut, and where.

    Of a failure: `retry` says that asking again may help; `stop` that nothing can be drawn at all, and what to check;
    with `only_this`, that this may be true of this picture alone, so that the run ends only if it repeats. Neither:
    this picture failed, the others go on.
    """

    picture: bytes | None = None
    refusal: str | None = None
    failure: Failed | None = None
    model: str = ""
    revised: str = ""
    cost: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    dropped: tuple[str, ...] = ()
    note: str = ""
    retry: Retry | None = None
    stop: str = ""
    only_this: bool = False

    def __post_init__(self) -> None:
        if [self.picture, self.refusal, self.failure].count(None) != 2:
            raise ValueError("a drawing has either a picture, a refusal or a failure")
        if self.failure is None and (self.retry is not None or self.stop):
            raise ValueError("only a failure has `retry` or `stop`")


@runtime_checkable
class Generator(Protocol):
    """Draws pictures. `name` is the generator as asked for, with its parameters: part of every picture's identity.

    It may have more: see `GeneratorExtras`.
    """

    @property
    def name(self) -> str:
        """The generator as asked for: "planted:turkey", "diffusers:./checkpoint?steps=20", …"""
        ...

    @property
    def max_batch(self) -> int:
        """The number of requests that `draw` takes at once (at least 1)."""
        ...

    @property
    def max_in_flight(self) -> int:
        """The number of calls of `draw` that may run at the same time (at least 1)."""
        ...

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """One drawing for each request, in order. A generator reports failures as drawings and need not raise."""
        ...

    async def close(self) -> None:
        """Release what the generator holds."""
        ...


class GeneratorExtras(msgspec.Struct, frozen=True):
    """Attributes that a generator may have besides; what it lacks is as here (`judges.base.extras` reads them).

    `versions`: what runs it ({"torch": "2.6.0"}), for `images.json`. `checkpoint`: the fingerprint of its files, where
    it is a folder on this machine. `samples`: how many samples of a prompt it has at most, if it has no more to give.
    `by_id`: its pictures are of prompts by their ids and not by their words, so that each prompt has its own.
    `notes`: what a user is to know before anything is drawn. `prices`, `unpriced`: as a judge's.
    """

    versions: dict[str, str] = {}
    checkpoint: str = ""
    samples: int | None = None
    by_id: bool = False
    notes: list[str] = []
    prices: str = ""
    unpriced: str = ""
