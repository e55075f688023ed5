"""For people who write judges, generators or protocols: conformance kits, and the planted judges to test metrics with.

A judge of your own is any object with the five members of `counterbench.judges.base.Judge`. In its tests:

    from counterbench.testing import check_judge
    check_judge(lambda: MyJudge())

A generator likewise has those of `counterbench.t2i.generators.base.Generator`, and `check_generator`; a protocol is a
subclass of `counterbench.t2i.protocols.base.Protocol`, and has `check_protocol`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from counterbench.drawing.reading import keepable
from counterbench.errors import InputError
from counterbench.judges.base import Judge, Reply
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import Key, Query
from counterbench.runs.templates import load_template
from counterbench.scoring.results import PairResult
from counterbench.scoring.rules import DEFAULT, Judged, scoring
from counterbench.suites.sources import Source, SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.t2i.generators.base import Drawing, DrawingRequest, Generator
from counterbench.t2i.judging.conformance import check_protocol, sample_prompts

__all__ = [
    "PLANTED",
    "PlantedJudge",
    "Rehearsal",
    "check_generator",
    "check_judge",
    "check_protocol",
    "sample_keys",
    "sample_prompts",
    "sample_queries",
    "sample_requests",
]

T = TypeVar("T")
U = TypeVar("U")

_SOURCE = "smoke"


def sample_queries(limit: int = 8) -> list[Query]:
    """Queries as a judge gets them: both pictures of `limit` pairs of the shipped smoke suite, default template."""
    source = SuiteSource(load_suite(_SOURCE), limit)
    template = load_template()
    return [template.dress(query) for query in queries(source)]


def sample_keys(limit: int = 8) -> list[Key]:
    """The keys of `sample_queries`."""
    return list(keys(SuiteSource(load_suite(_SOURCE), limit)))


class Rehearsal:
    """The questions of a source, asked of judges in this process, without files or a journal.

    It serves simulations over many seeds: the results are those of `probe` and `score`. A planted judge, which looks at
    no picture, takes a fraction of a second.
    """

    def __init__(self, source: Source, scoring_name: str = DEFAULT) -> None:
        self.keys = list(keys(source))
        self._queries = list(queries(source))
        self._read = scoring(scoring_name)
        self._known: dict[tuple[object, ...], Judged] = {}  # planted judges say few different things

    def results(self, spec: str) -> list[PairResult]:
        """The results of the planted judge of that name, by pair."""
        return self.results_of(PlantedJudge(spec, self.keys))

    def results_of(self, judge: Judge) -> list[PairResult]:
        """The results of a judge by pair. It is asked in batches, one at a time, and each question once."""
        judged = [
            None if reply.text is None else self._judge(reply.text, reply.finish, key)
            for reply, key in zip(asyncio.run(self._ask(judge)), self.keys, strict=True)
        ]
        return [
            PairResult((self.keys[i], self.keys[i + 1]), judged[i], judged[i + 1], judged[i : i + 2].count(None), 0)
            for i in range(0, len(judged), 2)
        ]

    async def _ask(self, judge: Judge) -> list[Reply]:
        replies: list[Reply] = []
        for start in range(0, len(self._queries), judge.max_batch):
            batch = self._queries[start : start + judge.max_batch]
            replies += await judge.answer(batch)
            for query in batch:
                for picture in query.pictures:
                    picture.forget()
        return replies

    def _judge(self, text: str, finish: str, key: Key) -> Judged:
        said = (text, finish, key.answer_type, key.expected, *key.labels.items())
        if said not in self._known:
            self._known[said] = self._read(text, key, finish)
        return self._known[said]


def check_judge(make: Callable[[], Judge], *, deterministic: bool = True) -> None:
    """Assert that a judge keeps the contract of `counterbench.judges.base.Judge`.

    `make` builds a fresh judge. Checked: its members; one reply for each query, in order; batches of up to `max_batch`
    and concurrent calls up to `max_in_flight` answer as single queries do (if `deterministic`); failures as replies
    rather than exceptions. Raises AssertionError with the reason.
    """
    judge = make()
    assert isinstance(judge, Judge), f"{judge!r} lacks members of Judge: name, max_batch, max_in_flight, answer, close"
    name = _checked_name(judge)
    assert name == make().name, "two judges built alike have different names"
    asked = sample_queries()

    async def answers(queries: Sequence[Query]) -> list[Reply]:
        """The replies to queries in batches, with as many batches at once as the judge allows."""
        sizes = judge.max_batch, judge.max_in_flight
        replies = await _in_batches(judge.answer, queries, *sizes, "{} replies to {} queries")
        for reply in replies:
            assert isinstance(reply, Reply), f"{reply!r} is not a Reply"
        return replies

    async def everything() -> tuple[list[Reply], list[Reply], list[Reply]]:
        try:
            singles = [reply for query in asked for reply in await answers([query])]
            batched, backwards = await answers(asked), await answers(asked[::-1])
            return singles, batched, backwards[::-1]
        finally:
            await judge.close()

    ways = _run(everything(), "it", "failures are replies, and answer and close are async")
    assert judge.name == name, f"the name changed from {name!r} to {judge.name!r}: what a server says goes into replies"
    for query, *replies in zip(asked, *ways, strict=True):
        said = {reply.text for reply in replies}
        assert not deterministic or len(said) == 1, f"{query.id}: answered {said} alone, in a batch and backwards"


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
    """Assert that a generator keeps the contract of `counterbench.t2i.generators.base.Generator`.

    `make` builds a fresh generator; `requests` are drawn (default: `sample_requests`). Checked: its members; one
    drawing for each request, in order; pictures that can be read; the same pixels alone and in batches (if
    `deterministic`); failures as drawings rather than exceptions. Raises AssertionError with the reason.
    """
    wanted, generator = list(requests) or sample_requests(), make()
    assert isinstance(generator, Generator), (
        f"{generator!r} lacks members of Generator: name, max_batch, max_in_flight, draw, close"
    )
    name = _checked_name(generator)

    async def both_ways() -> list[list[Drawing]]:
        try:
            alone = await _in_batches(generator.draw, wanted, 1, 1, "{} drawings for {} requests")
            sizes = generator.max_batch, generator.max_in_flight
            backwards = await _in_batches(generator.draw, wanted[::-1], *sizes, "{} drawings for {} requests")
            return [alone, backwards[::-1]]
        finally:
            await generator.close()

    drawn = _run(both_ways(), "draw", "failures are drawings, and draw is async")
    assert generator.name == name, f"the name changed to {generator.name!r}: what a server says goes into drawings"
    for request, *ways in zip(wanted, *drawn, strict=True):
        seen = {_drawn(request, drawing) for drawing in ways}
        assert not deterministic or len(seen) == 1, f"{request.id}: other pixels alone and in a batch backwards"


def _checked_name(model: Judge | Generator) -> str:
    """The name of a judge or generator; AssertionError unless it and the numbers of its calls can be used."""
    name = model.name
    assert isinstance(name, str), "name must be a text"
    assert name, "name is empty: it is part of every record's identity"
    assert model.max_batch >= 1, f"max_batch is {model.max_batch}"
    assert model.max_in_flight >= 1, f"max_in_flight is {model.max_in_flight}"
    return name


def _run(work: Coroutine[Any, Any, T], what: str, contract: str) -> T:
    """The result of a coroutine; AssertionError with the contract if it raises anything."""
    try:
        return asyncio.run(work)
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{what} raised {error!r}: {contract}") from error


async def _in_batches(
    call: Callable[[Sequence[T]], Awaitable[Sequence[U]]],
    items: Sequence[T],
    size: int,
    at_once: int,
    wrong_number: str,
) -> list[U]:
    """The results of calls on batches of items, so many at once; each call must give one result for each item."""
    batches = [items[i : i + size] for i in range(0, len(items), size)]
    units: list[U] = []
    for i in range(0, len(batches), at_once):
        wave = batches[i : i + at_once]
        for batch, of in zip(wave, await asyncio.gather(*map(call, wave)), strict=True):
            assert len(of) == len(batch), wrong_number.format(len(of), len(batch))
            units += of
    return units


def _drawn(request: DrawingRequest, drawing: object) -> str:
    """A drawing as text, so that two can be compared."""
    assert isinstance(drawing, Drawing), f"{request.id}: {drawing!r} is not a Drawing"
    if drawing.picture is None:
        return f"failed {drawing.failure.kind}" if drawing.failure is not None else "refused"
    try:
        return keepable(drawing.picture).digest
    except InputError as error:
        raise AssertionError(f"{request.id}: {error}") from None
