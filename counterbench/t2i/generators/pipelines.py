"""Loads a text-to-image pipeline, from the hub or a folder, and draws with it. Needs the extra `t2i`."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Sequence
from threading import Event
from typing import Any, NamedTuple

import diffusers
import torch
from diffusers import AutoPipelineForText2Image
from diffusers.utils import logging
from PIL import Image
from transformers.utils import logging as transformers_logging

from counterbench.drawing.reading import encoded
from counterbench.errors import InputError
from counterbench.judges.local.batching import Stopped
from counterbench.judges.local.loading import clear_errors, find_device, fingerprint, free_memory, quiet
from counterbench.judges.local.options import find_folder
from counterbench.t2i.generators.diffusion_options import KIND, DiffusionOptions
from counterbench.t2i.generators.truncation import cut_notes, warnings_heard

__all__ = ["Pipeline", "free_memory", "load"]


class RefusedOptions(ValueError):
    """The pipeline's own check refuses a call before anything is drawn: for its options, since its prompts are texts.

    The class's name is the kind of the failure (`diffusion.REFUSED_OPTIONS`).
    """


class Drawn(NamedTuple):
    """A picture from a pipeline."""

    png: bytes | None  # None: the pipeline's safety checker took it away
    note: str  # on a prompt that was cut


class Pipeline:
    """A loaded pipeline. `label` names it with its fingerprint or revision; `versions` are those of its software.

    `fingerprint` is that of its folder, or empty.
    """

    def __init__(self, pipe: Any, label: str, options: DiffusionOptions, where: str, fingerprint: str = "") -> None:
        self._pipe, self.label, self.fingerprint = pipe, label, fingerprint
        self._call = options.call()
        known = inspect.signature(pipe.__call__).parameters
        for name in self._call:
            if name not in known:
                raise InputError(f"{where}: {type(pipe).__name__} takes no {name}; leave the option out")
        self._can_stop = "callback_on_step_end" in known
        self.versions = {
            "torch": str(torch.__version__),
            "diffusers": str(diffusers.__version__),
            "pipeline": type(pipe).__name__,
            "device": str(pipe.device),
            "dtype": options.dtype,
        }

    def draw(self, texts: Sequence[str], seeds: Sequence[int], stop: Event) -> list[Drawn]:
        """The pictures of these texts. Stopped once `stop` is set."""

        def look(pipe: Any, step: int, timestep: Any, tensors: dict[str, Any]) -> dict[str, Any]:
            if stop.is_set():
                raise Stopped
            return tensors

        call = dict(self._call)
        if "negative_prompt" in call:
            call["negative_prompt"] = [call["negative_prompt"]] * len(texts)
        if self._can_stop:
            call["callback_on_step_end"] = look
        noise = [torch.Generator("cpu").manual_seed(seed) for seed in seeds]
        with torch.inference_mode(), warnings_heard() as warnings:
            try:
                output = self._pipe(prompt=list(texts), generator=noise, output_type="pil", **call)
            except ValueError as error:
                if any(frame.name == "check_inputs" for frame in traceback.extract_tb(error.__traceback__)):
                    raise RefusedOptions(str(error)) from None
                raise
        pictures: list[Image.Image] = output.images
        if len(pictures) != len(texts):
            raise RuntimeError(f"the pipeline drew {len(pictures)} pictures for {len(texts)} prompts")
        hidden = getattr(output, "nsfw_content_detected", None) or [False] * len(texts)
        notes = cut_notes(warnings, len(texts))
        return [
            Drawn(None if taken else encoded(picture.convert("RGB")), note)
            for picture, taken, note in zip(pictures, hidden, notes, strict=True)
        ]


def load(name: str, options: DiffusionOptions) -> Pipeline:
    """The pipeline called `name` on the hub, or in the folder of that name, ready on its device.

    InputError: no such device, or an option that it does not know. JudgeError: it cannot be loaded, or draws no
    pictures from words; the message says what to check.
    """
    where = f"{KIND}:{name}"
    folder = find_folder(name, options.revision, where)
    device = None if options.device == "offload" else find_device(options.device, where)
    given = {key: value for key in ("revision", "variant") if (value := getattr(options, key))}
    with clear_errors(where, "text-to-image pipeline", "device=offload"), quiet(transformers_logging), quiet(logging):
        pipe: Any = AutoPipelineForText2Image.from_pretrained(
            str(folder or name), dtype=getattr(torch, options.dtype), **given
        )
        if device is not None:
            pipe = pipe.to(device)
        else:
            pipe.enable_model_cpu_offload()
    pipe.set_progress_bar_config(disable=True)
    own = fingerprint(folder) if folder is not None else ""
    mark = own or options.revision
    return Pipeline(pipe, f"{name}@{mark}" if mark else name, options, where, own)
