"""The conformance kit for generators: an object that keeps this contract can stand in for a real generator."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from counterbench.drawing.reading import keepable
from counterbench.errors import InputError
from counterbench.t2i.generators.base import Drawing, DrawingRequest, Generator

_TEXTS = ("a red ball on a wooden floor", "a blue box under a lamp, flat illustration", "two kites in the sky")


def sample_requests(count: int = 6) -> list[DrawingRequest]:
    """Requests as a generator gets them: two samples of each prompt, each with a seed of its own."""
    return [
        DrawingRequest(
            id=f"group-{i // 2}/l1/{i % 2}",
            group=f"group-{i // 2}",
            level="l1",
            sample=i % 2,
            text=_TEXTS[i // 2 % len(_TEXTS)],
            seed=1000 + i,
        )
        for i in range(count)
    ]


def check_generator(
    make: Callable[[], Generator], requests: Sequence[DrawingRequest] = (), *, deterministic: bool = True
) -> None:
    """Assert that a generator keeps the contract of `counterbench.t2i.generators.base.Generator`.

    `make` builds a fresh generator; `requests` are drawn (default: `sample_requests`). Checked: its members; one
    drawing for each request, in order; pictures that can be read; the same pixels alone and in batches (if
    `deterministic`); an empty batch; failures as drawings rather than exceptions. Raises AssertionError with the
    reason.
    """
    wanted, generator = list(requests) or sample_requests(), make()
    assert isinstance(generator, Generator), (
        f"{generator!r} lacks members of Generator: name, max_batch, max_in_flight, draw, close"
    )
    assert generator.name, "name is empty: it is part of every picture's identity"
    assert generator.max_batch >= 1, f"max_batch is {generator.max_batch}"
    assert generator.max_in_flight >= 1, f"max_in_flight is {generator.max_in_flight}"
    name = generator.name
    alone, batched = asyncio.run(_both_ways(generator, wanted))
    assert generator.name == name, f"the name changed to {generator.name!r}: what a server says goes into drawings"
    ways = [[_outcome(*each) for each in zip(wanted, way, strict=True)] for way in (alone, batched)]
    for request, *seen in zip(wanted, *ways, strict=True):
        assert not deterministic or len(set(seen)) == 1, f"{request.id}: other pixels alone and in a batch backwards"


async def _both_ways(generator: Generator, wanted: Sequence[DrawingRequest]) -> list[list[Drawing]]:
    """The generator's drawings of each request alone, and of all in batches backwards."""

    async def draw(requests: Sequence[DrawingRequest]) -> list[Drawing]:
        try:
            drawings = await generator.draw(requests)
        except Exception as error:
            raise AssertionError(f"draw raised {error!r}: failures are drawings, and draw is async") from error
        assert isinstance(drawings, Sequence), f"draw returned {drawings!r}, not a list of drawings"
        assert len(drawings) == len(requests), f"{len(drawings)} drawings for {len(requests)} requests"
        return list(drawings)

    async def in_batches(requests: Sequence[DrawingRequest], size: int, at_once: int) -> list[Drawing]:
        batches = [requests[i : i + size] for i in range(0, len(requests), size)]
        return [
            drawing
            for i in range(0, len(batches), at_once)
            for drawings in await asyncio.gather(*map(draw, batches[i : i + at_once]))
            for drawing in drawings
        ]

    try:
        await draw([])
        alone = await in_batches(wanted, 1, 1)
        return [alone, (await in_batches(wanted[::-1], generator.max_batch, generator.max_in_flight))[::-1]]
    finally:
        await generator.close()


def _outcome(request: DrawingRequest, found: object) -> str:
    """A drawing as text, so that two can be compared."""
    assert isinstance(found, Drawing), f"{request.id}: {found!r} is not a Drawing"
    if found.failure is not None:
        return f"failed {found.failure.kind}"
    if found.picture is None:
        return "refused"
    try:
        return keepable(found.picture).digest
    except InputError as error:
        raise AssertionError(f"{request.id}: {error}") from None
