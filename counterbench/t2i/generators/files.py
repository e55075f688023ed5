"""A generator's TOML file: kind, model and options.

format = "counterbench.generator/1"
kind = "openai"
model = "gpt-image-1"

[options]
size = "1024x1024"
quality = "low"
price = 0.011
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from counterbench import formats
from counterbench.errors import InputError, unknown

FILE_KINDS = ("openai", "diffusers")
GENERATOR_FORMAT: Literal["counterbench.generator/1"] = "counterbench.generator/1"


class GeneratorFile(msgspec.Struct, frozen=True):
    """What a generator's file says."""

    format: Literal["counterbench.generator/1"]
    kind: str
    model: str
    options: dict[str, Any] = {}


def read_generator_file(path: Path) -> GeneratorFile:
    """A generator's file; InputError that names the file, the key and the valid keys."""
    found = formats.read_typed_toml(path, GeneratorFile, GENERATOR_FORMAT)
    if found.kind not in FILE_KINDS:
        raise unknown("kind", found.kind, FILE_KINDS, str(path))
    if not found.model.strip():
        raise InputError(f"{path}: model is empty")
    return found
