"""Joins the shards of a run about generated pictures."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.drawing.domain import together
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.runs.folder import RUN_FILE, T2I_FILE, RunInfo
from counterbench.runs.merging import MergedRun, claimed, join, shards_of
from counterbench.suites.shards import refuse_unlike
from counterbench.t2i.judging.run import (
    CERTIFICATE_FILE,
    PROMPTS_FILE,
    SAMPLES_FILE,
    T2IInfo,
    read_t2i_run,
)

# The fields of `t2i.json` that may differ: where a machine found the pictures, and what those of its part are like.
_OWN = ("images", "domain")


def merge_judged(
    paths: Sequence[Path], out: Path, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> MergedRun:
    """Join the shards in `paths` into the run `out`; see `merge_runs`. Their certificates must be the same, too."""
    order = shards_of(paths)
    infos = {path: formats.read_json(path / T2I_FILE, T2IInfo) for path in order}
    refuse_unlike(infos, [field for field in T2IInfo.__struct_fields__ if field not in _OWN])
    _refuse_other_certificate(order)
    first = next(iter(order))
    read_t2i_run(first)  # all keep the same prompts and samples; these are whole
    with claimed(out):
        merged = join(order, out, on_progress)
        for file in (PROMPTS_FILE, SAMPLES_FILE, CERTIFICATE_FILE):
            if (first / file).is_file():
                shutil.copyfile(first / file, out / file)
        domain = together([info.domain for info in infos.values()])
        formats.write_json(out / T2I_FILE, msgspec.structs.replace(infos[first], domain=domain))
        formats.write_json(out / RUN_FILE, merged.info)
    return merged


def _refuse_other_certificate(order: Mapping[Path, RunInfo]) -> None:
    shown = {path: formats.file_digest(path / CERTIFICATE_FILE) for path in order}
    first = next(iter(shown))
    for path, digest in shown.items():
        if digest != shown[first]:
            raise InputError(
                f"{path}: its judge was shown by another certificate than in {first}; the same `t2i judge` with that "
                "--certificate asks nothing anew"
            )
