"""The samples wanted from a generator, the state of each by the journal, and the generator as an `Asker` sees it.

To the asker it is a judge whose reply to a query tells the state of a picture. So retries, limits, budgets and the
journal are those of every run. A picture is on disk before its reply is given, and so before its record is written:
each picture that a journal calls drawn is there.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Answer, Failed, Outcome, Refused
from counterbench.answers.parsing import DECLINED
from counterbench.asking.asker import PendingQuery
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.pictures.generators.base import Drawing, DrawingRequest, Generator
from counterbench.prompts.manifest import (
    ImageRow,
    ImagesInfo,
    ImageStatus,
    folder_names,
    kept_fields,
    missing_row,
    sample_id,
)
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.runs.folder import JOURNAL_FILE, Record, identity_of, last_records
from counterbench.runs.queries import Query
from counterbench.scene.seeds import Stream

# The message of a row about a sample that nobody has asked for.
UNTRIED = "not drawn yet"
_MESSAGE = 500  # characters of a refusal that are kept


def seed_of(prompt: Prompt, sample: int, seed: int) -> int:
    """The seed of one picture, 0 … 2³¹ − 1: a pure function of the prompt's words, the sample and the run's seed."""
    return Stream("t2i", seed, prompt.digest, sample).below(1 << 31)


class PictureRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reply about a sample in a journal of pictures, as JSON. The fields are those of `ImageRow`."""

    status: ImageStatus
    path: str = ""
    picture_digest: str = ""
    width: int = 0
    height: int = 0
    revised: str = ""
    message: str = ""


def _picture_in(record: Record) -> PictureRecord:
    """The picture that a record of the journal tells about; FormatError if it tells about none."""
    return formats.decode((record.reply or "").encode(), PictureRecord, f"the record of {record.id}")


class Samples:
    """The samples of a folder of pictures: `info.samples` of each of the `prompts` that it was asked for.

    `drawings` are the journal's records that count, by identity; the asker adds to them. Prompts that are drawn alike
    (`Prompt.drawn_as`) share the pictures of one of them, except with `by_id`: if the generator finds
    pictures by the prompts' ids and not by their words.
    """

    def __init__(self, prompts: PromptSet, folder: Path, info: ImagesInfo, by_id: bool = False) -> None:
        """Read the journal, and find the place of each prompt's pictures in the folder."""
        self.folder, self.info = folder, info
        self._prompts = prompts.prompts
        groups, levels = folder_names(prompts.groups), folder_names(prompts.levels)
        self._places = {(p.group, p.level): f"{groups[p.group]}/{levels[p.level]}" for p in prompts.prompts}
        self.drawings = last_records(folder / JOURNAL_FILE) if (folder / JOURNAL_FILE).exists() else {}
        self._drawn_for = {prompt.id: prompt for prompt in self._prompts} if by_id else self._shared_prompts()

    def _shared_prompts(self) -> dict[str, Prompt]:
        """By id, the prompt whose pictures a prompt has: of those drawn alike the first with a record, or the first."""
        started = {record.id.rpartition("/")[0] for record in self.drawings.values()}
        first_of: dict[tuple[str, int, str], Prompt] = {}
        for prompt in sorted(self._prompts, key=lambda prompt: prompt.id not in started):
            first_of.setdefault(prompt.drawn_as, prompt)
        return {p.id: first_of[p.drawn_as] for p in self._prompts}

    def drawn(self, prompts: Iterable[Prompt]) -> list[Prompt]:
        """The prompts whose pictures stand for those of `prompts`, each once: prompts drawn alike share one."""
        return list({drawn.id: drawn for drawn in (self._drawn_for[prompt.id] for prompt in prompts)}.values())

    def undrawn(self, prompts: Sequence[Prompt]) -> list[DrawingRequest]:
        """The requests for samples that have no picture yet; those that failed before come last."""
        requests = [self._request(prompt, k) for prompt in prompts for k in range(self.info.samples)]
        undrawn = [request for request in requests if not self.is_there(self._record(request))]
        return sorted(undrawn, key=lambda request: self._record(request) is not None)

    def is_there(self, record: Record | None) -> bool:
        """True if a sample need not be drawn: its record is final, and its picture is still in its place.

        An unreadable picture is drawn again, or read again from its source.
        """
        if record is None or not record.final:
            return False
        picture = _picture_in(record)
        return picture.status != "unreadable" and self._has_file(picture)

    def rows(self, prompts: Sequence[Prompt] | None = None) -> list[ImageRow]:
        """The rows of the manifest about these prompts, by default all; prompts drawn alike have a row each."""
        wanted = self._prompts if prompts is None else prompts
        return [self._row(prompt, k) for prompt in wanted for k in range(self.info.samples)]

    def pending(self, request: DrawingRequest) -> PendingQuery:
        """A request as a query to the generator. Its identity: the generator, the sample, the words and the seed."""
        parts = msgspec.json.encode([request.text, request.seed])
        digest = hashlib.blake2b(parts, digest_size=16).hexdigest()
        query = Query(
            id=request.id, group=request.group, role=request.level, pictures=(), text=request.text,
            answer_type="picture",
        )  # fmt: skip
        return PendingQuery(query, identity_of(self.info.generator, "", request.id, digest, 0), digest)

    def keep(self, request: DrawingRequest, drawing: Drawing) -> PictureRecord:
        """Write a picture to its place; give its record for the journal."""
        name = f"{self._places[request.group, request.level]}/{request.sample}.png"
        fields = kept_fields(drawing.picture or b"", name, "converted", self.folder)
        if "path" in fields:
            fields["message"] = "; ".join(filter(None, (fields["message"], drawing.note)))
        return PictureRecord(**fields, revised=drawing.revised)

    def _request(self, prompt: Prompt, k: int) -> DrawingRequest:
        """The request to the generator for sample `k` of a prompt."""
        return DrawingRequest(
            id=sample_id(prompt.group, prompt.level, k),
            group=prompt.group,
            level=prompt.level,
            sample=k,
            text=prompt.text,
            seed=seed_of(prompt, k, self.info.seed),
        )

    def _record(self, request: DrawingRequest) -> Record | None:
        """The record that counts for a sample, if there is one."""
        return self.drawings.get(self.pending(request).identity)

    def _has_file(self, picture: PictureRecord) -> bool:
        """True unless the file of a picture is gone; a record without a file needs none."""
        return not picture.path or (self.folder / picture.path).is_file()

    def _row(self, prompt: Prompt, k: int) -> ImageRow:
        """The row of the manifest about sample `k` of a prompt: its picture, or why it has none."""
        row = missing_row(prompt, k, seed_of(prompt, k, self.info.seed), UNTRIED)
        record = self._record(self._request(self._drawn_for[prompt.id], k))
        if record is None:
            return row
        if record.failure is not None:
            return msgspec.structs.replace(row, message=f"{record.failure.kind}: {record.failure.message}")
        picture = _picture_in(record)
        if not self._has_file(picture):
            return msgspec.structs.replace(row, message=f"the file {picture.path} is gone")
        return msgspec.structs.replace(row, **msgspec.structs.asdict(picture), model=record.model, cost=record.cost)


class GeneratorAdapter:
    """A generator with the members of a judge: it draws the request of each query (by its id) and keeps the picture."""

    def __init__(self, generator: Generator, samples: Samples, requests: Mapping[str, DrawingRequest]) -> None:
        self.name = generator.name
        self.max_batch = generator.max_batch
        self.max_in_flight = generator.max_in_flight
        self._generator, self._samples, self._requests = generator, samples, requests

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query. InputError if a picture cannot be written."""
        requests = [self._requests[query.id] for query in batch]
        drawings = await self._generator.draw(requests)
        if not isinstance(drawings, Sequence) or len(drawings) != len(batch):
            count = len(drawings) if isinstance(drawings, Sequence) else type(drawings).__name__
            return [Reply(failure=Failed("wrong-number", f"{count} drawings for {len(batch)} requests"))] * len(batch)
        return await asyncio.gather(
            *(asyncio.to_thread(self._reply, *pair) for pair in zip(requests, drawings, strict=True))
        )

    async def close(self) -> None:
        """Close the generator."""
        await self._generator.close()

    def _reply(self, request: DrawingRequest, drawing: object) -> Reply:
        """The reply about one request, from its drawing; a picture is written first."""
        if not isinstance(drawing, Drawing):
            return Reply(failure=Failed("malformed", f"the generator returned {type(drawing).__name__}, not Drawing"))
        if drawing.failure is not None:
            return Reply(**drawing.shared)
        if drawing.refusal is None:
            record, finish = self._samples.keep(request, drawing), ""
        else:
            message = drawing.refusal[:_MESSAGE]
            record, finish = PictureRecord(status="refused", message=message, revised=drawing.revised), DECLINED
        return Reply(text=formats.encode(record).decode(), finish=finish, **drawing.shared)


def drawing_outcome(query: Query, reply: Reply) -> Outcome:
    """The outcome of a reply of the adapter in the journal: drawn, or refused."""
    text = reply.text or ""
    return Refused(text) if reply.finish == DECLINED else Answer(text)
