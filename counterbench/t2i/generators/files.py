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
from typing import Literal

from counterbench.judges.files import ModelFile, read_model_file

FILE_KINDS = ("openai", "diffusers")
GENERATOR_FORMAT: Literal["counterbench.generator/1"] = "counterbench.generator/1"


def read_generator_file(path: Path) -> ModelFile:
    """A generator's file; InputError that names the file, the key and the valid keys."""
    return read_model_file(path, GENERATOR_FORMAT, FILE_KINDS, ModelFile)
