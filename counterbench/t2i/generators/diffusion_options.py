"""Options of a pipeline of diffusers, as they stand after `diffusers:ID_OR_PATH?`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.judges.options import read_options

KIND = "diffusers"
# The options that change the pictures; the device and the batch size do not.
IDENTITY = ("steps", "guidance", "size", "negative", "dtype", "revision", "variant")

AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]


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

    def call(self) -> dict[str, Any]:
        """The options as a pipeline is called with them."""
        arguments: dict[str, Any] = {}
        if self.steps is not None:
            arguments["num_inference_steps"] = self.steps
        if self.guidance is not None:
            arguments["guidance_scale"] = self.guidance
        if self.negative:
            arguments["negative_prompt"] = self.negative
        if self.size:
            width, _, height = self.size.partition("x")
            arguments |= {"width": int(width), "height": int(height)}
        return arguments


def read(given: Mapping[str, Any], where: str) -> DiffusionOptions:
    """`given` as options; InputError, at `where`, if they are not valid."""
    options = read_options(DiffusionOptions, given, where)
    if options.size and not re.fullmatch(r"[1-9]\d{0,3}x[1-9]\d{0,3}", options.size):
        raise InputError(f"{where}: size is {options.size!r}; give width x height in pixels, such as size=512x512")
    return options
