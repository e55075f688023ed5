"""For people who write judges, generators or protocols: conformance kits, and the planted judges to test metrics with.

A judge of your own is any object with the five members of `counterbench.judges.base.Judge`. In its tests:

    from counterbench.testing import check_judge
    check_judge(lambda: MyJudge())

A generator likewise has those of `counterbench.t2i.generators.base.Generator`, and `check_generator`; a protocol is a
subclass of `counterbench.t2i.protocols.base.Protocol`, and has `check_protocol`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from counterbench.drawing.reading import keepable
from counterbench.errors import InputError
from counterbench.judges.base import Judge, Reply
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import Key, Query, load_template
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

T = TypeVar("T", Query, DrawingRequest)
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
    assert judge.name == make().name, "two judges built alike have different names"
    _check(judge, judge.answer, sample_queries(), _said, "replies", deterministic)


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
    generator = make()
    assert isinstance(generator, Generator), (
        f"{generator!r} lacks members of Generator: name, max_batch, max_in_flight, draw, close"
    )
    _check(generator, generator.draw, list(requests) or sample_requests(), _drawn, "drawings", deterministic)


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
        batches = [items[i : i + size] for i in range(0, len(items), size)]
        results: list[U] = []
        for i in range(0, len(batches), at_once):
            wave = batches[i : i + at_once]
            for batch, of in zip(wave, await asyncio.gather(*map(call, wave)), strict=True):
                assert len(of) == len(batch), f"{len(of)} {units} for a batch of {len(batch)}"
                results += of
        return results

    async def both_ways() -> list[list[U]]:
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
        seen = {compared(item, result) for result in results}
        assert not deterministic or len(seen) == 1, f"{item.id}: other {units} alone and in a batch backwards: {seen}"


def _said(query: Query, reply: object) -> str | None:
    assert isinstance(reply, Reply), f"{query.id}: {reply!r} is not a Reply"
    return reply.text


def _drawn(request: DrawingRequest, drawing: object) -> str:
    """A drawing as text, so that two can be compared."""
    assert isinstance(drawing, Drawing), f"{request.id}: {drawing!r} is not a Drawing"
    if drawing.picture is None:
        return f"failed {drawing.failure.kind}" if drawing.failure is not None else "refused"
    try:
        return keepable(drawing.picture).digest
    except InputError as error:
        raise AssertionError(f"{request.id}: {error}") from None
