"""Options of a local model: `transformers:ID_OR_PATH?mode=choice&batch=16`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.judges.specs import AtLeastOne, read_options
from counterbench.scene.seeds import Seed

# The options that change the replies. The device and the batch only change the speed.
IDENTITY = ("mode", "dtype", "max_tokens", "temperature", "seed", "revision", "trust_remote_code", "max_pictures")


class LocalOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a local model."""

    # "generate" lets the model write; "choice" compares the likelihoods of an answer type's candidates, and lets the
    # model write if these cannot be listed.
    mode: Literal["generate", "choice"] = "generate"
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"  # "auto": the checkpoint's own
    device: str = "auto"  # "auto": CUDA, else MPS, else the CPU
    device_map: str = ""  # "auto", "balanced", …: spreads a large model over devices, in place of `device`
    batch: AtLeastOne = 8  # the most questions at a time
    max_tokens: AtLeastOne = 64  # of a reply
    # 0: the likeliest token each time; above 0: samples, one question at a time, from `seed`.
    temperature: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0.0
    seed: Seed = 0
    max_pictures: AtLeastOne = 2  # with a question; with 1, two come on one sheet
    trust_remote_code: bool = False  # runs Python code of the checkpoint
    revision: str = ""  # of a checkpoint on the hub


def local_options(values: Mapping[str, Any], where: str) -> LocalOptions:
    """The options of a local model, from texts or typed values; InputError, at `where`, names the fault."""
    options = read_options(LocalOptions, values, where)
    if options.device_map and options.device != "auto":
        raise InputError(f"{where}: device and device_map exclude each other; give one of them")
    return options


def find_folder(name: str, revision: str, where: str) -> Path | None:
    """The folder of a saved model that `name` means; None if it may be a name on the hub.

    InputError, at `where`: it can only be a folder and is none, or a revision is given for a folder.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        if revision:
            raise InputError(f"{where}: a folder has no revisions; leave out revision={revision}")
        return path
    if path.exists():
        raise InputError(f"{where}: is a file; name the folder that the model was saved in")
    if name.startswith((".", "/", "~")) or name.count("/") > 1 or "\\" in name:
        raise InputError(f"{where}: there is no such folder; check the path, or give a name on the hub (OWNER/NAME)")
    return None
