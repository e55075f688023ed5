"""The samples wanted from a generator, and the state of each by the journal."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from counterbench.asking.asker import PendingQuery
from counterbench.runs.folder import JOURNAL_FILE
from counterbench.runs.journal import Record, identity_of, last_records
from counterbench.runs.queries import Query
from counterbench.scene.seeds import Stream
from counterbench.t2i.generation.adapter import PictureRecord, picture_record
from counterbench.t2i.generators.base import DrawingRequest
from counterbench.t2i.images.manifest import ImageRow, ImagesInfo, folder_names, sample_id
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet

# The message of a row about a sample that nobody has asked for.
UNTRIED = "not drawn yet"


def seed_of(prompt: Prompt, sample: int, seed: int) -> int:
    """The seed of one picture, 0 … 2³¹ − 1: a pure function of the prompt's words, the sample and the run's seed."""
    return Stream("t2i", seed, prompt.digest, sample).below(1 << 31)


class Samples:
    """The samples of a folder of pictures: `info.samples` of each of the `prompts` that it was asked for.

    `drawings` are the journal's records that count, by identity; the asker adds to them. Prompts that are drawn alike
    (`Prompt.drawn_as`) share the pictures of one of them, except with `by_id` (see `GeneratorExtras`).
    """

    def __init__(self, prompts: PromptSet, folder: Path, info: ImagesInfo, by_id: bool = False) -> None:
        self.folder, self.info = folder, info
        self._prompts = prompts.prompts
        groups, levels = folder_names(prompts.groups), folder_names(prompts.levels)
        self._places = {(p.group, p.level): f"{groups[p.group]}/{levels[p.level]}" for p in prompts.prompts}
        self.drawings = last_records(folder / JOURNAL_FILE) if (folder / JOURNAL_FILE).exists() else {}
        self._drawn_for = {prompt.id: prompt for prompt in self._prompts} if by_id else self._shared()

    def _shared(self) -> dict[str, Prompt]:
        """The prompt that is drawn for each, by id: of prompts drawn alike the first with a record, else the first."""
        started = {record.id.rpartition("/")[0] for record in self.drawings.values()}
        alike: dict[tuple[str, int, str], Prompt] = {}
        for prompt in sorted(self._prompts, key=lambda prompt: prompt.id not in started):
            alike.setdefault(prompt.drawn_as, prompt)
        return {p.id: alike[p.drawn_as] for p in self._prompts}

    def drawn(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """The prompts that are drawn for these, each once."""
        return list({of.id: of for of in (self._drawn_for[prompt.id] for prompt in prompts)}.values())

    def requests(self, prompt: Prompt) -> list[DrawingRequest]:
        """The samples of a prompt, as they are asked for."""
        prompt = self._drawn_for[prompt.id]
        return [
            DrawingRequest(
                id=sample_id(prompt.group, prompt.level, k),
                group=prompt.group,
                level=prompt.level,
                sample=k,
                text=prompt.text,
                seed=seed_of(prompt, k, self.info.seed),
            )
            for k in range(self.info.samples)
        ]

    def is_there(self, record: Record | None) -> bool:
        """True if a sample need not be drawn: its record is final, and its picture is still in its place.

        An unreadable picture is drawn again, or read again from its source.
        """
        if record is None or not record.final:
            return False
        picture = picture_record(record)
        return picture.status != "unreadable" and self._has_file(picture)

    def _has_file(self, found: PictureRecord) -> bool:
        return not found.path or (self.folder / found.path).is_file()

    def settled(self, prompt: Prompt) -> int:
        """The number of samples of a prompt that are done."""
        return sum(self.is_there(self.record(request)) for request in self.requests(prompt))

    def record(self, request: DrawingRequest) -> Record | None:
        """The record that counts for a sample, if there is one."""
        return self.drawings.get(pending_drawing(self.info.generator, request).identity)

    def place(self, request: DrawingRequest) -> str:
        """The path of a sample's picture, relative to the folder and without a suffix."""
        return f"{self._places[request.group, request.level]}/{request.sample}"

    def missing(self, prompts: Sequence[Prompt]) -> list[DrawingRequest]:
        """The samples of these prompts that are still to be drawn."""
        requests = [request for prompt in self.drawn(prompts) for request in self.requests(prompt)]
        missing = [request for request in requests if not self.is_there(self.record(request))]
        return sorted(missing, key=lambda request: self.record(request) is not None)  # failed ones come last

    @property
    def settled_drawings(self) -> set[str]:
        """The identities of samples that need not be drawn."""
        return {identity for identity, record in self.drawings.items() if self.is_there(record)}

    def rows(self, prompts: Sequence[Prompt] | None = None) -> list[ImageRow]:
        """The manifest's rows, or those of some prompts: each prompt has its own, even if another is drawn for it."""
        of = self._prompts if prompts is None else prompts
        return [self._row(prompt, k) for prompt in of for k in range(self.info.samples)]

    def pictures(self) -> list[str]:
        """The ids of the samples that are drawn; the other rows show one of these."""
        every = self.drawn(self._prompts)
        return [sample_id(prompt.group, prompt.level, k) for prompt in every for k in range(self.info.samples)]

    def _row(self, prompt: Prompt, k: int) -> ImageRow:
        row = ImageRow(
            id=sample_id(prompt.group, prompt.level, k),
            group=prompt.group,
            level=prompt.level,
            sample=k,
            prompt=prompt.text,
            prompt_digest=prompt.digest,
            seed=seed_of(prompt, k, self.info.seed),
            status="missing",
        )
        record = self.record(self.requests(prompt)[k])
        if record is None:
            return msgspec.structs.replace(row, message=UNTRIED)
        if not record.final:
            return msgspec.structs.replace(row, message=_failure(record))
        picture = picture_record(record)
        if not self._has_file(picture):
            return msgspec.structs.replace(row, message=f"the file {picture.path} is gone")
        return msgspec.structs.replace(row, **msgspec.to_builtins(picture), model=record.model, cost=record.cost)


def pending_drawing(generator: str, request: DrawingRequest) -> PendingQuery:
    """A request as a query to the adapter. Its identity: the generator, the sample, the words and the seed."""
    parts = msgspec.json.encode([request.text, request.seed])
    digest = hashlib.blake2b(parts, digest_size=16).hexdigest()
    query = Query(
        id=request.id, group=request.group, role=request.level, pictures=(), text=request.text, answer_type="picture"
    )
    return PendingQuery(query, identity_of(generator, "", request.id, digest, 0), digest)


def _failure(record: Record) -> str:
    return f"{record.failure.kind}: {record.failure.message}" if record.failure is not None else ""
