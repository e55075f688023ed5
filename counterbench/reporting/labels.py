"""A short name for each run on a page: its judge, and the difference to another run of the same judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from counterbench.reporting.words import named, visible
from counterbench.runs.folder import RunInfo
from counterbench.runs.names import MOST, short_names

_LONGEST = MOST


def run_labels(runs: Sequence[tuple[Path, RunInfo]]) -> list[str]:
    """One label a run, all different: the judge, then its wording, folder and place, each only where needed."""
    labels = [named(name) for name in short_names([info for _, info in runs])]
    additions = (
        [named(info.wording) for _, info in runs],
        [visible(path.resolve().name) for path, _ in runs],
        [f"run {n}" for n in range(1, len(runs) + 1)],
    )
    for added in additions:
        variants: defaultdict[str, set[str]] = defaultdict(set)
        for label, addition in zip(labels, added, strict=True):
            variants[label].add(addition)
        pairs = zip(labels, added, strict=True)
        labels = [f"{label} · {addition}" if len(variants[label]) > 1 else label for label, addition in pairs]
    return labels


def shortened(label: str, longest: int = _LONGEST) -> str:
    """A label that fits beside a plot: cut in the middle, since names of models often differ at the end."""
    text = visible(" ".join(label.split()))
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[: longest - 1 - half]}…{text[-half:]}"
