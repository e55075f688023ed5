"""For people who write judges, generators or protocols: conformance kits, and the planted judges to test metrics with.

A judge of your own is any object with the five members of `counterbench.judges.base.Judge`. In its tests:

    from counterbench.testing import check_judge
    check_judge(lambda: MyJudge())

A generator likewise has those of `counterbench.pictures.generators.base.Generator`, and `check_generator`; a protocol
is a subclass of `counterbench.pictures.protocols.base.Protocol`, and has `check_protocol`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from counterbench.drawing.reading import normalised
from counterbench.errors import InputError
from counterbench.judges.base import Judge, Reply
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.pictures.generators.base import Drawing, DrawingRequest, Generator
from counterbench.pictures.judging.conformance import check_protocol, sample_prompts
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import Key, Query, load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

__all__ = [
    "PLANTED",
    "PlantedJudge",
    "check_generator",
    "check_judge",
    "check_protocol",
    "sample_keys",
    "sample_prompts",
    "sample_queries",
    "sample_requests",
]

T = TypeVar("T", Query, DrawingRequest)
U = TypeVar("U")

_SOURCE = "smoke"


def sample_queries(limit: int = 8) -> list[Query]:
    """Queries as a judge gets them: both pictures of `limit` pairs of the shipped smoke suite, default template."""
    source = SuiteSource(load_suite(_SOURCE), limit)
    template = load_template()
    return [template.dress(query) for query in queries(source)]


def sample_keys(limit: int = 8) -> list[Key]:
    """The truth of the queries of `sample_queries`."""
    return list(keys(SuiteSource(load_suite(_SOURCE), limit)))


def check_judge(make: Callable[[], Judge], *, deterministic: bool = True) -> None:
    """Assert that a judge keeps the contract of `counterbench.judges.base.Judge`.

    `make` builds a fresh judge. Checked: its members; one reply for each query, in order; batches of up to `max_batch`
    and concurrent calls up to `max_in_flight` answer as single queries do (if `deterministic`); failures as replies
    rather than exceptions. Raises AssertionError with the reason.
    """
    judge = make()
    assert isinstance(judge, Judge), f"{judge!r} lacks members of Judge: name, max_batch, max_in_flight, answer, close"
    assert judge.name == make().name, "two judges built alike have different names"
    _check(judge, judge.answer, sample_queries(), _reply_text, "replies", deterministic)


def sample_requests(count: int = 6) -> list[DrawingRequest]:
    """Requests as a generator gets them: two samples of each prompt, each with a seed of its own."""
    texts = ("a red ball on a wooden floor", "a blue box under a lamp, flat illustration", "two kites in the sky")
    return [
        DrawingRequest(
            id=f"group-{i // 2}/l1/{i % 2}",
            group=f"group-{i // 2}",
            level="l1",
            sample=i % 2,
            text=texts[i // 2 % len(texts)],
            seed=1000 + i,
        )
        for i in range(count)
    ]


def check_generator(
    make: Callable[[], Generator], requests: Sequence[DrawingRequest] = (), *, deterministic: bool = True
) -> None:
    """Assert that a generator keeps the contract of `counterbench.pictures.generators.base.Generator`.

    `make` builds a fresh generator; `requests` are drawn (default: `sample_requests`). Checked: its members; one
    drawing for each request, in order; pictures that can be read; the same pixels alone and in batches (if
    `deterministic`); failures as drawings rather than exceptions. Raises AssertionError with the reason.
    """
    generator = make()
    assert isinstance(generator, Generator), (
        f"{generator!r} lacks members of Generator: name, max_batch, max_in_flight, draw, close"
    )
    _check(generator, generator.draw, list(requests) or sample_requests(), _drawing_text, "drawings", deterministic)


def _check(
    model: Judge | Generator,
    call: Callable[[Sequence[T]], Awaitable[Sequence[U]]],
    items: Sequence[T],
    compared: Callable[[T, U], str | None],
    units: str,
    deterministic: bool,
) -> None:
    """Assert that `call` gives one unit for each item, the same alone and in batches backwards, under one name.

    Units are `compared` by a text. A failure is a unit too, so no call may raise anything.
    """
    name = model.name
    assert isinstance(name, str), "name must be a text"
    assert name, "name is empty: it is part of every record's identity"
    assert model.max_batch >= 1, f"max_batch is {model.max_batch}"
    assert model.max_in_flight >= 1, f"max_in_flight is {model.max_in_flight}"

    async def in_batches(items: Sequence[T], size: int, at_once: int) -> list[U]:
        """The units for `items` by calls of `size`, `at_once` of them together."""
        batches = [items[i : i + size] for i in range(0, len(items), size)]
        results: list[U] = []
        for i in range(0, len(batches), at_once):
            wave = batches[i : i + at_once]
            for batch, outputs in zip(wave, await asyncio.gather(*map(call, wave)), strict=True):
                assert len(outputs) == len(batch), f"{len(outputs)} {units} for a batch of {len(batch)}"
                results += outputs
        return results

    async def both_ways() -> list[list[U]]:
        """The units one by one, and those in batches backwards, both in the order of the items."""
        try:
            alone = await in_batches(items, 1, 1)
            return [alone, (await in_batches(items[::-1], model.max_batch, model.max_in_flight))[::-1]]
        finally:
            await model.close()

    try:
        ways = asyncio.run(both_ways())
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"it raised {error!r}: failures are {units}, and its methods are async") from error
    assert model.name == name, f"the name changed from {name!r} to {model.name!r}: what a server says goes into {units}"
    for item, *results in zip(items, *ways, strict=True):
        texts = {compared(item, result) for result in results}
        assert not deterministic or len(texts) == 1, f"{item.id}: other {units} alone and in a batch backwards: {texts}"


def _reply_text(query: Query, reply: object) -> str | None:
    """The text of a reply, so that two can be compared."""
    assert isinstance(reply, Reply), f"{query.id}: {reply!r} is not a Reply"
    return reply.text


def _drawing_text(request: DrawingRequest, drawing: object) -> str:
    """A drawing as a text, so that two can be compared."""
    assert isinstance(drawing, Drawing), f"{request.id}: {drawing!r} is not a Drawing"
    if drawing.picture is None:
        return f"failed {drawing.failure.kind}" if drawing.failure is not None else "refused"
    try:
        return normalised(drawing.picture).digest
    except InputError as error:
        raise AssertionError(f"{request.id}: {error}") from None
