"""A small suite to export, and what lies in an export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from counterbench.interop.exports import Exported, Options, export
from counterbench.runs.wordings import load_wording
from counterbench.suites.sources import Source, open_source

PAIRS = 5


def source(limit: int = PAIRS) -> Source:
    return open_source("smoke", limit=limit)


def write(format: str, out: object, of: Source | None = None, workers: int = 1, **more: Any) -> Exported:
    return export(format, of or source(), str(out), Options(load_wording(), workers), **more)


def files(out: Path) -> dict[str, bytes]:
    """Everything in a folder, hidden files too."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
