"""Pairs in the formats of other people's tools, one file a format; the dictionary below is the whole list of exports.

`rows` turns pairs and questions into rows, `target` writes the files; an exporter joins the two.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from counterbench.errors import unknown

if TYPE_CHECKING:
    from counterbench.interop.exports.target import Export, Target
    from counterbench.runs.wordings import Wording
    from counterbench.suites.sources import Source

OnProgress = Callable[[int, int], None]


class Format(NamedTuple):
    """The description of a format."""

    summary: str
    then: str  # the next step for the user; {out} stands for the export's address


EXPORTS: dict[str, Format] = {
    "hf": Format(
        "Parquet with the pictures in it and a card, for Hugging Face's datasets",
        'in Python: datasets.load_dataset("{out}", "pairs", split="test")',
    ),
    "croissant": Format(
        "the same with croissant.json, a description in JSON-LD, for mlcroissant",
        'in Python: mlcroissant.Dataset("{out}/croissant.json").records("pairs")',
    ),
    "webdataset": Format(
        "tar files of pictures and JSON, for webdataset and other streams",
        'in Python: datasets.load_dataset("webdataset", data_files="{out}/*.tar", split="train", streaming=True)',
    ),
    "lmms-eval": Format(
        "a task of lmms-eval, counted by our rules",
        'python -m lmms_eval --model MODEL --include_path {out} --tasks "counterbench_*"',
    ),
}


class Options(NamedTuple):
    """The options of an export."""

    wording: Wording
    workers: int | None = None  # processes that draw (None: one for each core); they do not change the export


class Exported(NamedTuple):
    """The export that lies at `out` now."""

    out: str
    export: Export
    fresh: bool  # it was not there before


def exporter(name: str) -> Callable[[Source, Target, Options, OnProgress], None]:
    """The function that writes the pairs of a source into a target; InputError with the valid names."""
    if name not in EXPORTS:
        raise unknown("export format", name, EXPORTS)
    module = importlib.import_module(f"counterbench.interop.exports.{name.replace('-', '_')}")
    write: Callable[[Source, Target, Options, OnProgress], None] = module.export
    return write


def export(
    name: str,
    source: Source,
    out: str,
    options: Options,
    on_progress: OnProgress = lambda done, total: None,
) -> Exported:
    """Write `source` in a format to `out`: a new folder, or any address that fsspec takes (s3://…, gs://…, memory://…).

    The same export again changes nothing. `export.json` is written last: files that a killed process left without it
    are written anew. Raises InputError, with nothing there touched, if `out` holds something else.
    """
    from counterbench.interop.exports import target as targets
    from counterbench.suites.folder import versions
    from counterbench.suites.sources import FolderSource

    write = exporter(name)
    if isinstance(source, FolderSource):
        source.folder.refuse_edited()
    signature = targets.Export(
        export=name,
        suite=source.name,
        suite_digest=source.digest,
        seed=source.seed,
        style=source.style,
        wording=options.wording.name,
        wording_digest=options.wording.digest,
        pairs=len(source),
        versions=versions(),
    )
    target = targets.Target(out)
    if already := targets.existing(target, signature):
        on_progress(len(source), len(source))
        return Exported(out, already, fresh=False)
    done = targets.written(target, signature, lambda: write(source, target, options, on_progress))
    return Exported(out, done, fresh=True)
