"""`diffusers:ID_OR_PATH`: any text-to-image pipeline of diffusers, on this machine, in a worker thread of its own.

Prompts that a pipeline cut are known by its own warnings; a pipeline that cuts in silence is not noticed.
"""

from __future__ import annotations

import ast
import contextlib
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.installation import install_command
from counterbench.judges.local.batching import LocalModel
from counterbench.judges.local.checkpoint_options import find_folder
from counterbench.judges.specs import AtLeastOne, judge_name, read_options
from counterbench.pictures.generators.base import Drawing, DrawingRequest

if TYPE_CHECKING:
    from counterbench.pictures.generators.pipelines import Pipeline

KIND = "diffusers"
# The options that change the pictures; the device and the batch size do not.
IDENTITY = ("steps", "guidance", "size", "negative", "dtype", "revision", "variant")
# The kind of a failure that every picture would have: the pipeline's own check refuses the options.
REFUSED_OPTIONS = "RefusedOptions"
# Begin of the warning of diffusers about a cut prompt, and the tokens that fill up the shorter prompts of a batch.
_CUT = "The following part of your input was truncated"
_FILLING = re.compile(r"</?\|?[a-z_]+\|?>")


class DiffusionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a pipeline; without an option, the pipeline's own default holds."""

    steps: AtLeastOne | None = None  # of denoising
    guidance: Annotated[float, msgspec.Meta(ge=0)] | None = None  # the scale of classifier-free guidance
    size: str = ""  # "512x512", width first
    negative: str = ""  # a negative prompt
    dtype: Literal["float32", "float16", "bfloat16"] = "float32"  # of the weights
    device: str = "auto"  # "auto": CUDA, else MPS, else the CPU; "offload": only the working parts stay on CUDA
    batch: AtLeastOne = 1  # the most pictures at a time; 1 gives the same pixels in every run
    revision: str = ""  # of a checkpoint on the hub
    variant: str = ""  # of a checkpoint on the hub

    @property
    def call(self) -> dict[str, Any]:
        """The keyword arguments with which a pipeline is called."""
        width, _, height = self.size.partition("x")
        arguments = {
            "num_inference_steps": self.steps,
            "guidance_scale": self.guidance,
            "negative_prompt": self.negative or None,
            "width": int(width) if width else None,
            "height": int(height) if height else None,
        }
        return {name: value for name, value in arguments.items() if value is not None}


class DiffusersGenerator(LocalModel):
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

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        """Check the options, then load the pipeline."""
        where = f"{KIND}:{model}"
        chosen = read_options(DiffusionOptions, options or {}, where)
        if chosen.size and not re.fullmatch(r"[1-9]\d{0,3}x[1-9]\d{0,3}", chosen.size):
            raise InputError(f"{where}: size is {chosen.size!r}; give width x height in pixels, such as size=512x512")
        folder = find_folder(model, chosen.revision, where)  # first, because the import below is slow
        self.name = judge_name(KIND, model, chosen, IDENTITY)
        self.max_batch = chosen.batch
        try:
            from counterbench.judges.local.loading import free_memory
            from counterbench.pictures.generators.pipelines import Pipeline
        except ImportError as error:
            raise InputError(
                f"{self.name} needs diffusers, torch and transformers ({error}); this installs them: "
                f"{install_command('t2i')}"
            ) from None
        version = {name: value for name in ("revision", "variant") if (value := getattr(chosen, name))}
        source = folder or model
        pipeline = Pipeline(where, source, chosen.device, chosen.dtype, chosen.call, version)
        self._pipeline: Pipeline | None = pipeline
        self.versions, self.checkpoint = pipeline.versions, pipeline.fingerprint
        mark = pipeline.fingerprint or chosen.revision
        self._label = f"{model}@{mark}" if mark else model
        super().__init__(chosen.batch, free_memory)

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """One drawing for each request, in order. When this is cancelled, the pipeline stops at the next step."""
        return await self.work(self._draw, batch)

    def drop(self) -> None:
        """Let go of the pipeline, so that its memory is freed (see `LocalModel`)."""
        self._pipeline = None

    def _draw(self, batch: Sequence[DrawingRequest], stop: Event) -> list[Drawing]:
        """The drawings of a batch, in the worker's thread, in as many parts as memory allows."""
        pipeline = self._pipeline
        assert pipeline is not None, "draw after close"

        def work(part: Sequence[DrawingRequest]) -> list[Drawing]:
            """The drawings of one part of the batch, with notes on prompts that were cut."""
            with warnings_heard() as warnings:
                drawn = pipeline.draw([request.text for request in part], [request.seed for request in part], stop)
            return [
                Drawing(picture=picture, model=self._label, note=note, cost=0.0)
                if picture is not None
                else Drawing(refusal="the pipeline's safety checker blackened the picture", model=self._label, cost=0.0)
                for picture, note in zip(drawn, cut_notes(warnings, len(part)), strict=True)
            ]

        return [_as_drawing(reply, self.name) for reply in self._batches.run(batch, work, stop)]


def _as_drawing(drawing: Drawing | Failed, name: str) -> Drawing:
    """A drawing as it is; a failure as a drawing, which ends the run if every further picture would fail too."""
    if isinstance(drawing, Drawing):
        return drawing
    if drawing.kind == REFUSED_OPTIONS:
        why = f"{name}: the pipeline does not take the options: {drawing.message}; check size, steps and the others"
        return Drawing(failure=drawing, stop=why)
    # After such an error a CUDA device does nothing more in this process.
    broken = "CUDA error" in drawing.message
    return Drawing(
        failure=drawing, stop="the CUDA device reports an error; run the same command again" if broken else ""
    )


@contextlib.contextmanager
def warnings_heard() -> Iterator[list[str]]:
    """A list that gets diffusers' warnings about cut prompts instead of printing them; other warnings are printed."""
    heard: list[str] = []
    logger = logging.getLogger("diffusers")
    usual_handlers, level = logger.handlers, logger.level

    class Ear(logging.Handler):
        """The handler that keeps warnings about cut prompts in `heard`."""

        def emit(self, record: logging.LogRecord) -> None:
            """Keep a warning about a cut prompt; hand every other record to the handlers there were."""
            message = record.getMessage()
            if message.startswith(_CUT):
                heard.append(message)
            elif record.levelno >= level:
                for handler in usual_handlers:
                    handler.handle(record)

    logger.handlers = [Ear()]
    logger.setLevel(min(level, logging.WARNING))
    try:
        yield heard
    finally:
        logger.handlers = usual_handlers
        logger.setLevel(level)


def cut_notes(warnings: Sequence[str], count: int) -> list[str]:
    """A note for each of `count` prompts, on the words that an encoder did not read; empty if it read all.

    `warnings` are those of diffusers: "… because CLIP can only handle sequences up to 77 tokens: ['what', 'was cut']".
    In a batch each prompt has its text there; a prompt that was not cut has the tokens that filled it up.
    """
    notes: list[dict[str, None]] = [{} for _ in range(count)]  # as sets in order: two encoders may cut alike
    for warning in warnings:
        limit, _, cut_texts = warning.removeprefix(_CUT).strip().partition(" tokens: ")
        try:
            texts = ast.literal_eval(cut_texts)
        except (ValueError, SyntaxError):
            texts = []
        if not isinstance(texts, list) or len(texts) != count:  # a prompt was cut, but nobody knows which
            texts = [cut_texts] * count
        for note, text in zip(notes, texts, strict=True):
            if unread := _FILLING.sub("", str(text)).strip(" !"):
                note[f"prompt cut {' '.join(limit.split())} tokens; not read: {unread}"] = None
    return ["; ".join(note) for note in notes]
