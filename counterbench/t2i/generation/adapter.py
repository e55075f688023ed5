"""A generator as an `Asker` sees it: a judge whose reply to a query tells the state of a picture.

So retries, limits, budgets and the journal are those of every run. A picture is on disk before its reply is given, and
so before its record is written: each picture that a journal calls drawn is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Answer, Failed, Outcome, Refused
from counterbench.answers.parsing import DECLINED
from counterbench.drawing.reading import changes, keepable
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.runs.journal import Record
from counterbench.runs.queries import Query
from counterbench.t2i.generators.base import Drawing, DrawingRequest, Generator
from counterbench.t2i.images.manifest import Status

_MESSAGE = 500


class PictureRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reply about a sample in a journal of pictures, as JSON. The fields are those of `ImageRow`."""

    status: Status
    path: str = ""
    picture_digest: str = ""
    width: int = 0
    height: int = 0
    revised: str = ""
    message: str = ""

    @property
    def text(self) -> str:
        """The record as a reply's text."""
        return formats.encode(self).decode()


def picture_record(record: Record) -> PictureRecord:
    """The picture record in a journal's record; FormatError if its reply is none."""
    return formats.decode((record.reply or "").encode(), PictureRecord, f"the record of {record.id}")


class GeneratorAdapter:
    """An adapter that takes queries by id, has the generator draw their requests, and keeps the pictures.

    `requests` are by the queries' ids; `place` gives the path of a request's picture in `folder`, without suffix.
    """

    def __init__(
        self,
        generator: Generator,
        folder: Path,
        requests: Mapping[str, DrawingRequest],
        place: Callable[[DrawingRequest], str],
    ) -> None:
        self.name = generator.name
        self.max_batch = generator.max_batch
        self.max_in_flight = generator.max_in_flight
        self._generator, self._folder, self._requests, self._place = generator, folder, requests, place

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
        if drawing.failure is not None:
            return Reply(**drawing.shared)
        if drawing.picture is None:
            message = (drawing.refusal or "")[:_MESSAGE]
            declined = PictureRecord(status="refused", message=message, revised=drawing.revised)
            return Reply(text=declined.text, finish=DECLINED, **drawing.shared)
        return Reply(text=self._keep(self._requests[id], drawing.picture, drawing).text, **drawing.shared)

    def _keep(self, request: DrawingRequest, data: bytes, drawing: Drawing) -> PictureRecord:
        """Write a picture. Data that are no picture are not kept: they may be anything that the server could reach."""
        try:
            kept = keepable(data)
        except InputError as error:
            said = _joined(str(error), drawing.note)
            return PictureRecord(status="unreadable", revised=drawing.revised, message=said)
        self._write(path := f"{self._place(request)}.png", kept.png)
        # The pixels of a WebP file are kept as they are.
        converted = [f"converted: {change}" for change in changes(data) if change != "WebP"]
        return PictureRecord(
            status="blank" if kept.blank else "ok",
            path=path,
            picture_digest=kept.digest,
            width=kept.width,
            height=kept.height,
            revised=drawing.revised,
            message=_joined("one flat colour" if kept.blank else "", *converted, drawing.note),
        )

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / name
        with formats.clear_os_errors(path, "writing"):
            path.parent.mkdir(parents=True, exist_ok=True)
            formats.write_atomically(path, data)


def drawing_outcome(query: Query, reply: Reply) -> Outcome:
    """The outcome of a reply of the adapter in the journal: drawn, or refused."""
    text = reply.text or ""
    return Refused(text) if reply.finish == DECLINED else Answer(text)


def _joined(*messages: str) -> str:
    return "; ".join(filter(None, messages))
