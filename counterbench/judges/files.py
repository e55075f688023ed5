"""A judge's TOML file: kind, model and options that are too long for a command line or used often.

format = "counterbench.judge/1"
kind = "openai"
model = "qwen/qwen2.5-vl-72b-instruct"
name = "qwen 72b"

[options]
base_url = "https://openrouter.ai/api/v1"
key_env = "OPENROUTER_API_KEY"
body = { provider = { order = ["together"] } }
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.files import formats
from counterbench.runs.names import given_name

FILE_KINDS = ("openai", "transformers")
JUDGE_FORMAT: Literal["counterbench.judge/1"] = "counterbench.judge/1"


class ModelFile(msgspec.Struct, frozen=True):
    """The content of a judge's file, or of a generator's."""

    format: str
    kind: str
    model: str
    options: dict[str, Any] = {}


M = TypeVar("M", bound=ModelFile)


class JudgeFile(ModelFile, frozen=True):
    """A judge's file. `name`: the user's name for the judge, in tables and folders."""

    name: str = ""


def read_judge_file(path: Path) -> JudgeFile:
    """A judge's file; InputError that names the file, the key and the valid keys."""
    file = read_model_file(path, JUDGE_FORMAT, FILE_KINDS, JudgeFile)
    try:
        given_name(file.name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return file


def read_model_file(path: Path, format: str, kinds: Sequence[str], shape: type[M]) -> M:
    """A file of that format and shape about a model of one of these kinds; InputError as above."""
    file = formats.read_typed_toml(path, shape, format)
    if file.kind not in kinds:
        raise unknown("kind", file.kind, kinds, str(path))
    if not file.model.strip():
        raise InputError(f"{path}: model is empty")
    return file
