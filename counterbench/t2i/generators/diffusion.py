"""`diffusers:ID_OR_PATH`: any text-to-image pipeline of diffusers, on this machine, in a worker thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.installation import install_command
from counterbench.judges.local.batching import MicroBatches
from counterbench.judges.local.options import find_folder
from counterbench.judges.options import judge_name
from counterbench.t2i.generators.base import Drawing, DrawingRequest
from counterbench.t2i.generators.diffusion_options import IDENTITY, KIND, read

if TYPE_CHECKING:
    from counterbench.t2i.generators.pipelines import Pipeline

# The kind of a failure that every picture would have: the pipeline's own check refuses the options.
REFUSED_OPTIONS = "RefusedOptions"


class DiffusersGenerator:
    """A text-to-image pipeline run by diffusers.

    `model`: a name on the hub or a folder; `options`: see `DiffusionOptions`. It is loaded when the generator is
    built. Each picture's noise comes from a random generator of its own, on the CPU, seeded by its request: so it does
    not depend on its batch or on the number and kind of devices. (A device, or a batch of another size, may still round
    a channel of a pixel to the next step.)

    `checkpoint` is the fingerprint of a pipeline's folder (empty for one from the hub). If the pipeline warns that it
    cut a prompt, the drawing's note says so.

    InputError: an option, path or device is not valid, or the extra `t2i` is not installed; JudgeError: the pipeline
    cannot be loaded, or draws no pictures from words.
    """

    max_in_flight = 1

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        where = f"{KIND}:{model}"
        self._options = read(options or {}, where)
        find_folder(model, self._options.revision, where)  # first, because the import below is slow
        self.name = judge_name(KIND, model, self._options, IDENTITY)
        self.max_batch = self._options.batch
        try:
            from counterbench.t2i.generators.pipelines import free_memory, load
        except ImportError as error:
            raise InputError(
                f"{self.name} needs diffusers, torch and transformers ({error}); this installs them: "
                f"{install_command('t2i')}"
            ) from None
        self._pipeline: Pipeline | None = load(model, self._options)
        self.versions: dict[str, str] = dict(self._pipeline.versions)
        self.checkpoint = self._pipeline.fingerprint
        self._batches = MicroBatches(self._options.batch, free_memory)
        self._free = free_memory
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="counterbench-diffusers")

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """One drawing for each request, in order. When this is cancelled, the pipeline stops at the next step."""
        stop = Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, self._draw, list(batch), stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    async def close(self) -> None:
        """Wait for the worker to stop, drop the pipeline and give its memory back."""
        await asyncio.to_thread(self._worker.shutdown)
        self._pipeline = None
        self._free()

    def _draw(self, batch: Sequence[DrawingRequest], stop: Event) -> list[Drawing]:
        pipeline = self._pipeline
        assert pipeline is not None, "draw after close"

        def work(part: Sequence[DrawingRequest]) -> list[Drawing]:
            texts, seeds = [request.text for request in part], [request.seed for request in part]
            return [
                Drawing(refusal="the pipeline's safety checker blackened the picture", model=pipeline.label, cost=0.0)
                if drawn.png is None
                else Drawing(picture=drawn.png, model=pipeline.label, note=drawn.note, cost=0.0)
                for drawn in pipeline.draw(texts, seeds, stop)
            ]

        return [_as_drawing(each, self.name) for each in self._batches.run(batch, work, stop)]


def _as_drawing(found: Drawing | Failed, name: str) -> Drawing:
    if isinstance(found, Drawing):
        return found
    if found.kind == REFUSED_OPTIONS:
        why = f"{name}: the pipeline does not take the options: {found.message}; check size, steps and the others"
        return Drawing(failure=found, stop=why)
    # After such an error a CUDA device does nothing more in this process.
    broken = "CUDA error" in found.message
    return Drawing(failure=found, stop="the CUDA device reports an error; run the same command again" if broken else "")
