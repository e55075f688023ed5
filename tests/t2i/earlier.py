"""Makes a run about pictures what the version before wrote: bare prompts, a t2i.json of format 1, other digests."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from counterbench.files import formats
from counterbench.t2i.judging.run import read_t2i_run
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet

_PROMPT = ("id", "group", "level", "text", "checks", "discipline", "law", "variant", "setting", "style")
_CHECK = ("id", "dimension", "text", "answer_type", "expected", "weight", "skill", "program")
_SINCE = ("protocol_version", "negated")


def as_run_before(run: Path, prompts: PromptSet, *, domain: bool = True) -> None:
    """`prompts`: the whole set its pictures are of; `domain`: as a version wrote it that kept what they are like."""
    kept = read_t2i_run(run)
    lines = [_prompt(prompt, int) for prompt in kept.prompts.prompts]
    formats.write_lines(run / "prompts.jsonl", lines)
    read_back = [_prompt(prompt, float) for prompt in kept.prompts.prompts]
    seen = sorted((row.id, row.status, row.picture_digest) for row in kept.samples)
    info: dict[str, Any] = msgspec.to_builtins(kept.info)
    info = {name: value for name, value in info.items() if name not in _SINCE and (domain or name != "domain")}
    info |= {
        "format": "counterbench.t2i/1",
        "prompts_digest": prompts.digest,
        "images_digest": _digest((prompts.digest, seen)),
        "kept_digest": _digest((read_back, kept.samples)),
    }
    asked = formats.read_json(run / "run.json", dict[str, Any])
    formats.write_json(run / "run.json", asked | {"suite_digest": info["images_digest"]})
    files = [formats.file_digest(run / name) for name in ("keys.jsonl", "journal.jsonl")]
    signed = (info | {"replies_digest": "", "uncertified": False}, files)
    formats.write_json(run / "t2i.json", info | {"replies_digest": _digest(signed)})


def _prompt(prompt: Prompt, weight: type[float]) -> dict[str, object]:
    checks = [{name: getattr(check, name) for name in _CHECK} for check in prompt.checks]
    for check in checks:
        check["weight"] = weight(check["weight"])
    return {name: getattr(prompt, name) for name in _PROMPT} | {"checks": checks}


def _digest(thing: object) -> str:
    return hashlib.blake2b(msgspec.json.encode(thing), digest_size=16).hexdigest()
