"""A generator as the runner's `Asker` sees it: a judge whose reply to a query says what became of a picture.

So retries, limits, budgets and the journal are those of every run. A picture is on disk before its reply is given, and
so before its record is written: what a journal calls drawn is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Answer, Failed, Outcome, Refused
from counterbench.answers.reading import DECLINED
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.runs.queries import Query
from counterbench.t2i.generators.base import Drawing, DrawingRequest, Generator
from counterbench.t2i.images.manifest import Status
from counterbench.t2i.images.pictures import keepable

_MESSAGE = 500


class Drawn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a sample: the text of a record in a journal of pictures. The fields are those of `ImageRow`."""

    status: Status
    path: str = ""
    picture_digest: str = ""
    width: int = 0
    height: int = 0
    revised: str = ""
    message: str = ""


class Desk:
    """Takes queries by id, has the generator draw what they stand for, and keeps the pictures under `folder`.

    `requests` and `paths` (relative, without a suffix) are by the queries' ids.
    """

    def __init__(
        self, generator: Generator, folder: Path, requests: Mapping[str, DrawingRequest], paths: Mapping[str, str]
    ) -> None:
        self.name = generator.name
        self.max_batch = generator.max_batch
        self.max_in_flight = generator.max_in_flight
        self._generator, self._folder, self._requests, self._paths = generator, folder, requests, paths

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query. InputError if a picture cannot be written."""
        drawings = await self._generator.draw([self._requests[query.id] for query in batch])
        if not isinstance(drawings, Sequence) or len(drawings) != len(batch):
            count = len(drawings) if isinstance(drawings, Sequence) else type(drawings).__name__
            return [Reply(failure=Failed("wrong-number", f"{count} drawings for {len(batch)} requests"))] * len(batch)
        return await asyncio.gather(
            *(asyncio.to_thread(self._reply, query.id, drawing) for query, drawing in zip(batch, drawings, strict=True))
        )

    async def close(self) -> None:
        """Close the generator."""
        await self._generator.close()

    def _reply(self, id: str, drawing: object) -> Reply:
        if not isinstance(drawing, Drawing):
            return Reply(failure=Failed("malformed", f"the generator returned {type(drawing).__name__}, not Drawing"))
        observed = Reply(
            text="",
            model=drawing.model,
            cost=drawing.cost,
            tokens_in=drawing.tokens_in,
            tokens_out=drawing.tokens_out,
            dropped=drawing.dropped,
        )
        if drawing.failure is not None:
            return msgspec.structs.replace(
                observed, text=None, failure=drawing.failure, retry=drawing.retry, stop=drawing.stop
            )
        if drawing.picture is None:
            drawn = Drawn(status="refused", message=(drawing.refusal or "")[:_MESSAGE], revised=drawing.revised)
            return msgspec.structs.replace(observed, text=_text(drawn), finish=DECLINED)
        drawn = self._keep(id, drawing.picture, drawing.revised)
        if drawing.note:
            drawn = msgspec.structs.replace(drawn, message="; ".join(filter(None, (drawn.message, drawing.note))))
        return msgspec.structs.replace(observed, text=_text(drawn))

    def _keep(self, id: str, data: bytes, revised: str) -> Drawn:
        """Write a picture; what cannot be read is kept as it came."""
        try:
            kept = keepable(data)
        except InputError as error:
            path = f"{self._paths[id]}.unreadable"
            self._write(path, data)
            return Drawn(status="unreadable", path=path, message=str(error), revised=revised)
        path = f"{self._paths[id]}.png"
        self._write(path, kept.png)
        return Drawn(
            status="blank" if kept.blank else "ok",
            path=path,
            picture_digest=kept.digest,
            width=kept.width,
            height=kept.height,
            revised=revised,
            message="one flat colour" if kept.blank else "",
        )

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / name
        with formats.clear_os_errors(path, "writing"):
            path.parent.mkdir(parents=True, exist_ok=True)
            formats.write_atomically(path, data)


def outcome(text: str, answer_type: str, finish: str) -> Outcome:
    """How a reply of the desk counts in the journal: drawn, or refused."""
    return Refused(text) if finish == DECLINED else Answer(text)


def _text(drawn: Drawn) -> str:
    return formats.encode(drawn).decode()
