"""The one interface between counterbench and generators, which draw pictures from words.

A generator draws batches. The runner owns everything else: retries, limits, budgets, the journal, files and digests. A
fake that keeps this contract stands wherever a real generator does; `testing.check_generator` is the kit.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from counterbench.judges.base import Model, Returned


class DrawingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to a generator for one picture of a prompt."""

    id: str  # "<group>/<level>/<sample>"
    group: str
    level: str
    sample: int
    text: str  # the words for the generator
    # 0 … 2³¹ − 1. It depends only on the prompt, the sample and the run's seed: a generator that draws by it gives the
    # same picture in any batch and on any number of devices.
    seed: int


class Drawing(Returned, frozen=True, kw_only=True):
    """The reply to one request: exactly one of `picture`, `refusal` and `failure` is not None."""

    picture: bytes | None = None  # the file as it came (PNG, JPEG or WebP)
    refusal: str | None = None  # the generator's words, or another sign that it declined
    revised: str = ""  # the prompt as the generator says that it changed it
    note: str = ""  # on a picture that is there: the prompt was cut, and where

    def __post_init__(self) -> None:
        """ValueError unless exactly one of picture, refusal and failure is given."""
        if [self.picture, self.refusal, self.failure].count(None) != 2:
            raise ValueError("a drawing has either a picture, a refusal or a failure")
        super().__post_init__()


@runtime_checkable
class Generator(Model, Protocol):
    """A model that draws pictures; for optional attributes see `GeneratorExtras`."""

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """One drawing for each request, in order. A generator reports failures as drawings and need not raise."""
        ...

    async def close(self) -> None:
        """Release the generator's resources."""
        ...


class GeneratorExtras(msgspec.Struct, frozen=True):
    """Optional attributes of a generator, with their defaults (`judges.base.extras` reads them)."""

    versions: dict[str, str] = {}  # of the software that runs it ({"torch": "2.6.0"}), for `images.json`
    checkpoint: str = ""  # the fingerprint of its files, if it is a folder on this machine
    by_id: bool = False  # it finds pictures by the prompts' ids and not by their words, so each prompt has its own
    prices: str = ""  # as in `JudgeExtras`
    unpriced: str = ""  # as in `JudgeExtras`
