"""Options of an `inspect:` judge, on the command line or in its TOML file. Keys come from the provider's own variable.

The options have the names and defaults of those that an imported log of inspect puts into a judge's name.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.judges.openai.server_options import CallOptions
from counterbench.judges.specs import AtLeastOne, read_options

KIND = "inspect"
# The parameters that are sent to a model, if they are given; they and the address can change the replies.
PARAMETERS = (
    "temperature", "max_tokens", "top_p", "top_k", "seed", "reasoning_effort", "reasoning_tokens", "effort",
    "verbosity",
)  # fmt: skip
IDENTITY = ("base_url", *PARAMETERS, "max_pictures")
_BATCH = (
    "batch is no option of a judge: inspect ignores it for some providers, keeps the ids of batches in memory only, "
    "so that a resumed run would pay twice, and waits without end after one that could not be made; --concurrency "
    "asks many questions at once"
)


class InspectOptions(CallOptions, frozen=True, kw_only=True):
    """The options of an `inspect:` judge. A parameter that is None is not sent: the provider's default holds."""

    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    max_tokens: AtLeastOne = 4096
    top_p: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    top_k: AtLeastOne | None = None
    seed: int | None = None  # repeat k has the seed `seed + k`
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    reasoning_tokens: Annotated[int, msgspec.Meta(ge=0)] | None = None
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    verbosity: Literal["low", "medium", "high"] | None = None
    max_pictures: AtLeastOne = 2  # with a question; with 1, two come on one sheet


def inspect_options(values: Mapping[str, Any], where: str) -> InspectOptions:
    """The options of an `inspect:` judge, from texts or typed values; InputError, at `where`, names the fault."""
    if "batch" in values:
        raise InputError(f"{where}: {_BATCH}")
    return read_options(InspectOptions, values, where)
