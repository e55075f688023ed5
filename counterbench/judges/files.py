"""A judge's TOML file: kind, model and options, for what is too long or too often wanted for a command line.

format = "counterbench.judge/1"
kind = "openai"
model = "qwen/qwen2.5-vl-72b-instruct"

[options]
base_url = "https://openrouter.ai/api/v1"
key_env = "OPENROUTER_API_KEY"
body = { provider = { order = ["together"] } }
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from counterbench import formats
from counterbench.errors import InputError, unknown

FILE_KINDS = ("openai", "transformers")
JUDGE_FORMAT: Literal["counterbench.judge/1"] = "counterbench.judge/1"


class JudgeFile(msgspec.Struct, frozen=True):
    """What a judge's file says."""

    format: Literal["counterbench.judge/1"]
    kind: str
    model: str
    options: dict[str, Any] = {}


def read_judge_file(path: Path) -> JudgeFile:
    """A judge's file; InputError that names the file, the key and the valid keys."""
    found = formats.read_typed_toml(path, JudgeFile, JUDGE_FORMAT)
    if found.kind not in FILE_KINDS:
        raise unknown("kind", found.kind, FILE_KINDS, str(path))
    if not found.model.strip():
        raise InputError(f"{path}: model is empty")
    return found
