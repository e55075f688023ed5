"""What the tests of asking share: a source without pictures, and a judge that says what a function makes of a query."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits, PendingQuery
from counterbench.asking.doctor import Checkup
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.judges.base import Reply, Retry
from counterbench.runs.folder import Record, read_journal
from counterbench.runs.queries import Query
from counterbench.scene.pairs import Pair

YES = Reply(text="yes")
FAILURE = Reply(failure=Failed("http-400", "this question failed"))
AGAIN = Reply(failure=Failed("http-500", "it may pass"), retry=Retry())
BUSY = Reply(failure=Failed("http-429", "too many"), retry=Retry(overload=True))
GONE = Reply(failure=Failed("http-401", "wrong key"), stop="check the key: MY_KEY")
# What a server says of one question, or of a model that cannot be asked: the first reply alone does not tell.
REFUSED = Reply(failure=Failed("http-400", "not this one"), stop="check the model", only_this=True)
QUICK = Limits(backoff=0.002)


def held_off(seconds: float) -> Reply:
    return Reply(failure=Failed("http-429", "later"), retry=Retry(after=seconds, overload=True))


def record(id: str = "q", reply: str | None = "yes", failure: str | Failed = "", **more: Any) -> Record:
    """A record of a query: the reply, or a failure (its kind); everything else is as told, or nothing."""
    failed = Failed(failure) if isinstance(failure, str) and failure else failure or None
    given: dict[str, Any] = {"identity": f"identity of {id}", "asked": "", "parser": "1", "time": "2026-01-01T00:00"}
    given["outcome"] = "failed" if failed else "answer"
    return Record(**given | more, id=id, reply=None if failed else reply, failure=failed)


class Paper:
    """A source of pairs without pictures: as quick as it gets."""

    seed: int | None = None
    style = ""
    shard = None

    def __init__(
        self,
        pairs: int,
        name: str = "paper",
        question: str = "Is shape {} left of the other?",
        answer_type: str = "yes-no",
        truths: tuple[str, str] = ("yes", "no"),
    ) -> None:
        self.name, self.digest = name, f"digest of {pairs} {answer_type} {name}"
        self.pairs = [
            Pair(
                id=f"p{i}",
                index=i,
                family="spatial",
                category="spatial",
                skill="left-right",
                stratum="",
                form="yes-no" if answer_type == "yes-no" else "open",
                question=question.format(i),
                answer_type=answer_type,
                original_answer=truths[0],
                intervened_answer=truths[1],
                relevant=True,
                truth="published",
                intervention="swap",
                difficulty={},
            )
            for i in range(pairs)
        ]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    @property
    def domain(self) -> Domain:
        return Domain(renderer="imported", style="", size="", file_format="")

    def continues(self, digest: str, pairs: int) -> bool:
        return False

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        return ()

    @property
    def ids(self) -> list[str]:
        """The ids of its queries, in order."""
        return [f"{pair.id}/{role}" for pair in self for role in ("original", "intervened")]


class Scripted:
    """A judge that answers what `say` makes of a query's id and of how often it has been asked; it may raise.

    `seconds` is how long a query takes. Kept: the `batches` asked, when each `began`, and the `peak` of calls at once.
    """

    def __init__(
        self,
        say: Callable[[str, int], Any] = lambda id, times: YES,
        *,
        name: str = "scripted",
        max_batch: int = 1,
        max_in_flight: int = 1,
        seconds: Callable[[str], float] = lambda id: 0.0,
    ) -> None:
        self.say, self.name, self.max_batch, self.max_in_flight = say, name, max_batch, max_in_flight
        self.seconds = seconds
        self.times: Counter[str] = Counter()
        self.batches: list[list[str]] = []
        self.began: list[float] = []
        self.running = self.peak = self.closed = 0

    @property
    def asked_ids(self) -> list[str]:
        return [id for batch in self.batches for id in batch]

    async def answer(self, batch: Sequence[Query]) -> Any:
        ids = [query.id for query in batch]
        self.batches.append(ids)
        self.began.append(time.monotonic())
        self.times.update(ids)
        self.running += 1
        self.peak = max(self.peak, self.running)
        try:
            await asyncio.sleep(max(map(self.seconds, ids)))
            return [self.say(id, self.times[id]) for id in ids]
        finally:
            self.running -= 1

    async def close(self) -> None:
        self.closed += 1


class BrokenJudge(Scripted):
    """A judge whose `answer` returns, or raises, what a function does."""

    def __init__(self, does: Callable[[Sequence[Query]], Any], **options: Any) -> None:
        super().__init__(**options)
        self.does = does

    async def answer(self, batch: Sequence[Query]) -> Any:
        self.batches.append([query.id for query in batch])
        return self.does(batch)


def raising(error: BaseException) -> Callable[..., Any]:
    def does(*_: Any, **__: Any) -> Any:
        raise error

    return does


def held_by_name(found: Checkup) -> dict[str, bool | None]:
    """Whether each check of the doctor holds."""
    return {finding.name: finding.holds for finding in found.findings}


def message_of(found: Checkup, name: str) -> str:
    return next(finding.message for finding in found.findings if finding.name == name)


def pending(count: int) -> list[PendingQuery]:
    return [due(f"q{i}") for i in range(count)]


def due(name: str) -> PendingQuery:
    query = Query(id=name, group=name, role="original", pictures=(), text="Is it red?", answer_type="yes-no")
    return PendingQuery(query, f"identity of {name}", "digest")


def records(out: Path) -> list[Record]:
    return list(read_journal(out / "journal.jsonl"))


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, also in folders in it."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
