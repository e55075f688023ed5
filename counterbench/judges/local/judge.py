"""The judge `transformers:ID_OR_PATH`: a local model behind the interface that all judges share."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

from counterbench.answers import answer_type
from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.installation import install_command
from counterbench.judges.base import Reply
from counterbench.judges.local.batching import MicroBatches
from counterbench.judges.local.options import IDENTITY, read
from counterbench.judges.local.prompts import Prepared
from counterbench.judges.options import judge_name
from counterbench.runs.queries import Query

if TYPE_CHECKING:
    from counterbench.judges.local.loading import Checkpoint

KIND = "transformers"


class TransformersJudge:
    """A vision-language model run by transformers in a worker thread of its own.

    `model`: a name on the hub or a folder; `options`: see `Options`. The model is loaded when the judge is built.
    InputError: an option, path or device is not valid, or the extra `local` is not installed; JudgeError: the model
    cannot be loaded or cannot be a judge.
    """

    max_in_flight = 1

    def __init__(self, model: str, options: Mapping[str, Any], short_name: str = "") -> None:
        self.short_name = short_name  # the user's name for it
        self._options = read(options, f"{KIND}:{model}")
        self.name = judge_name(KIND, model, self._options, IDENTITY)
        self.probabilities = self._options.mode == "choice"
        # A few micro-batches at once, so that questions of like length can be put together.
        self.max_batch = 4 * self._options.batch
        try:
            from counterbench.judges.local.loading import free_memory, load
        except ImportError as error:
            raise InputError(
                f"{self.name} needs torch and transformers 5 or newer ({error}); this installs them: "
                f"{install_command('local')}"
            ) from None
        self._free = free_memory
        self._checkpoint: Checkpoint | None = load(model, self._options)
        self.versions: dict[str, str] = dict(self._checkpoint.versions)
        self._batches = MicroBatches(self._options.batch, free_memory)
        self._rows = MicroBatches(self._options.batch, free_memory)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="counterbench-local")

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query, in order. When this is cancelled, the model stops at the next token."""
        stop = Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, self._answer, list(batch), stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    async def close(self) -> None:
        """Wait for the worker to stop, drop the model and give its memory back."""
        await asyncio.to_thread(self._worker.shutdown)
        self._checkpoint = None
        self._free()

    def _answer(self, batch: Sequence[Query], stop: Event) -> list[Reply]:
        checkpoint = self._checkpoint
        assert checkpoint is not None, "answer after close"
        asked = [
            Prepared(place, query, checkpoint.prompts.text(query), tuple(picture.image() for picture in query.pictures))
            for place, query in enumerate(batch)
        ]
        asked.sort(key=lambda a: a.size)
        chosen = [a for a in asked if self._alphabet(a)]
        written = [a for a in asked if not self._alphabet(a)]
        replies = self._choose(checkpoint, chosen, stop) + self._write(checkpoint, written, stop)
        replies.sort(key=lambda placed: placed[0])
        return [_as_reply(reply) for _, reply in replies]

    def _alphabet(self, asked: Prepared) -> tuple[str, ...] | None:
        """The candidates to choose from; None if the model must write."""
        return answer_type(asked.query.answer_type).alphabet if self._options.mode == "choice" else None

    def _choose(self, checkpoint: Checkpoint, asked: list[Prepared], stop: Event) -> list[tuple[int, Reply | Failed]]:
        """The replies in choice mode, one question at a time: its candidates are the batch."""
        from counterbench.judges.local.choice import choose

        def work(part: Sequence[Prepared]) -> list[Reply]:
            return [choose(checkpoint, a, self._alphabet(a) or (), self._rows, stop) for a in part]

        return _placed(asked, MicroBatches(1, self._free).run(asked, work, stop))

    def _write(self, checkpoint: Checkpoint, asked: list[Prepared], stop: Event) -> list[tuple[int, Reply | Failed]]:
        """Written replies, in micro-batches of questions with equally many pictures; one at a time when sampling."""
        from counterbench.judges.local.generate import generate

        def work(part: Sequence[Prepared]) -> list[Reply]:
            return generate(checkpoint, part, self._options, stop)

        batches = MicroBatches(1, self._free) if self._options.temperature > 0 else self._batches
        done: list[tuple[int, Reply | Failed]] = []
        for _, alike in itertools.groupby(asked, key=lambda a: len(a.images)):
            part = list(alike)
            done += _placed(part, batches.run(part, work, stop))
        return done


def _placed(asked: Sequence[Prepared], replies: Sequence[Reply | Failed]) -> list[tuple[int, Reply | Failed]]:
    return [(a.place, reply) for a, reply in zip(asked, replies, strict=True)]


def _as_reply(reply: Reply | Failed) -> Reply:
    if isinstance(reply, Reply):
        return reply
    # After such an error a CUDA device answers nothing more in this process.
    broken = "CUDA error" in reply.message
    return Reply(failure=reply, stop="the CUDA device reports an error; run the same command again" if broken else "")
