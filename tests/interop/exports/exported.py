"""A small suite to export, and what lies in an export."""

from pathlib import Path
from typing import Any

from counterbench.interop.exports import Export, Options, export
from counterbench.runs.queries import load_template
from counterbench.suites.sources import Source, open_source

PAIRS = 5


def source(limit: int = PAIRS) -> Source:
    return open_source("smoke", limit=limit)


def write_export(format: str, out: object, pairs: Source | None = None, workers: int = 1, **more: Any) -> Export:
    return export(format, pairs or source(), str(out), Options(load_template(), workers), **more)


def files_in(out: Path) -> dict[str, bytes]:
    """Everything in a folder, hidden files too."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
