"""Options of a pipeline of diffusers: those after `diffusers:ID_OR_PATH?`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.judges.options import read_options

KIND = "diffusers"
# What changes the pictures. Where and how many at a time they are drawn does not.
IDENTITY = ("steps", "guidance", "size", "negative", "dtype", "revision", "variant")

AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]


class DiffusionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a pipeline. What is not given is the pipeline's own default.

    `steps`: of denoising. `guidance`: the scale of classifier-free guidance. `size`: "512x512", width first.
    `negative`: a negative prompt. `dtype`: of the weights, float32 unless given. `device`: "auto" is CUDA, else MPS,
    else the CPU; "offload" keeps on CUDA only what is at work. `batch`: pictures at a time, at most; 1 gives the same
    pixels in every run. `revision`, `variant`: of a checkpoint on the hub.
    """

    steps: AtLeastOne | None = None
    guidance: Annotated[float, msgspec.Meta(ge=0)] | None = None
    size: str = ""
    negative: str = ""
    dtype: Literal["float32", "float16", "bfloat16"] = "float32"
    device: str = "auto"
    batch: AtLeastOne = 1
    revision: str = ""
    variant: str = ""

    def call(self) -> dict[str, Any]:
        """The options as a pipeline is called with them."""
        found: dict[str, Any] = {}
        if self.steps is not None:
            found["num_inference_steps"] = self.steps
        if self.guidance is not None:
            found["guidance_scale"] = self.guidance
        if self.negative:
            found["negative_prompt"] = self.negative
        if self.size:
            width, _, height = self.size.partition("x")
            found |= {"width": int(width), "height": int(height)}
        return found


def read(given: Mapping[str, Any], where: str) -> DiffusionOptions:
    """`given` as options; InputError, at `where`, says what is wrong with them."""
    options = read_options(DiffusionOptions, given, where)
    if options.size and not re.fullmatch(r"[1-9]\d{0,3}x[1-9]\d{0,3}", options.size):
        raise InputError(f"{where}: size is {options.size!r}; give width x height in pixels, such as size=512x512")
    return options
