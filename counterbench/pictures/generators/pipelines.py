"""Loads a text-to-image pipeline, from the hub or a folder, and draws with it. Needs the extra `t2i`."""

import inspect
import traceback
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any

import diffusers
import torch
from diffusers import AutoPipelineForText2Image
from diffusers.utils import logging
from PIL import Image
from transformers.utils import logging as transformers_logging

from counterbench.drawing.reading import encoded
from counterbench.errors import InputError
from counterbench.judges.local.batching import Stopped
from counterbench.judges.local.loading import clear_errors, find_device, fingerprint, quiet


class RefusedOptions(ValueError):
    """The pipeline's own check refuses a call before anything is drawn: for its options, since its prompts are texts.

    The class's name is the kind of the failure (`diffusion.REFUSED_OPTIONS`).
    """


class Pipeline:
    """The pipeline in a folder, or of that name on the hub (a `version` of it), ready on its device.

    `call`: the arguments of each call. `fingerprint` is that of its folder, or empty; `versions` are those of its
    software. InputError, at `where`: no such device, or an argument that it does not know. JudgeError: it cannot be
    loaded, or draws no pictures from words; the message says what to check.
    """

    def __init__(
        self, where: str, source: Path | str, device: str, dtype: str, call: dict[str, Any], version: dict[str, str]
    ) -> None:
        """Load the pipeline onto its device; InputError for an argument that it does not take."""
        placed = None if device == "offload" else find_device(device, where)
        what = "text-to-image pipeline"
        with clear_errors(where, what, "device=offload"), quiet(transformers_logging), quiet(logging):
            pipe: Any = AutoPipelineForText2Image.from_pretrained(str(source), dtype=getattr(torch, dtype), **version)
            if placed is not None:
                pipe = pipe.to(placed)
            else:
                pipe.enable_model_cpu_offload()
        pipe.set_progress_bar_config(disable=True)
        self.fingerprint = fingerprint(source) if isinstance(source, Path) else ""
        self._pipe, self._call = pipe, call
        taken_arguments = inspect.signature(pipe.__call__).parameters
        for name in call:
            if name not in taken_arguments:
                raise InputError(f"{where}: {type(pipe).__name__} takes no {name}; leave the option out")
        self._can_stop = "callback_on_step_end" in taken_arguments
        self.versions = {
            "torch": str(torch.__version__),
            "diffusers": str(diffusers.__version__),
            "pipeline": type(pipe).__name__,
            "device": str(pipe.device),
            "dtype": dtype,
        }

    def draw(self, texts: Sequence[str], seeds: Sequence[int], stop: Event) -> list[bytes | None]:
        """The pictures of these texts as PNG files; None for one that the safety checker took away.

        Raises `Stopped` at the next step once `stop` is set.
        """

        def check_stop(pipe: Any, step: int, timestep: Any, tensors: dict[str, Any]) -> dict[str, Any]:
            """Stop at the next step of denoising once `stop` is set; the tensors go on as they are."""
            if stop.is_set():
                raise Stopped
            return tensors

        call = {**self._call}
        if "negative_prompt" in call:
            call["negative_prompt"] = [call["negative_prompt"]] * len(texts)
        if self._can_stop:
            call["callback_on_step_end"] = check_stop
        noise = [torch.Generator("cpu").manual_seed(seed) for seed in seeds]
        with torch.inference_mode():
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
        return [
            None if taken else encoded(picture.convert("RGB")) for picture, taken in zip(pictures, hidden, strict=True)
        ]
