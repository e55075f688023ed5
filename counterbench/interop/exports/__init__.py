"""Pairs in the formats of other people's tools, one file a format; the dictionary below is the whole list of exports.

`rows` says what a pair and a question are as a row, `target` where an export is written; an exporter joins the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from counterbench.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbench.interop.exports.target import Export, Target
    from counterbench.runs.wordings import Wording
    from counterbench.suites.sources import Source

    OnProgress = Callable[[int, int], None]


class Format(NamedTuple):
    """A line on a format, and what to do with an export in it: {out} stands for where it is."""

    summary: str
    then: str


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
}


class Options(NamedTuple):
    """How questions are worded, and how many processes draw (None: one a core); the export does not depend on that."""

    wording: Wording
    workers: int | None = None


class Exporter(Protocol):
    """Writes the pairs of a source into a target.

    Raises InputError for pairs that it cannot write; what was written is then removed. `on_progress(pairs done, all)`.
    """

    def __call__(self, source: Source, target: Target, options: Options, /, on_progress: OnProgress) -> None:
        """Write them."""
        ...


class Exported(NamedTuple):
    """What lies at `out` now; `fresh`: it was not there before."""

    out: str
    export: Export
    fresh: bool


def exporter(name: str) -> Exporter:
    """The function that exports to a format; InputError with the valid names."""
    if name == "hf":
        from counterbench.interop.exports.hf import export as hf

        return hf
    if name == "croissant":
        from counterbench.interop.exports.croissant import export as croissant

        return croissant
    if name == "webdataset":
        from counterbench.interop.exports.webdataset import export as webdataset

        return webdataset
    raise unknown("export format", name, EXPORTS)


def export(
    name: str,
    source: Source,
    out: str,
    options: Options,
    on_progress: OnProgress = lambda done, total: None,
) -> Exported:
    """Write `source` in a format to `out`: a new folder, or any address that fsspec takes (s3://…, gs://…, memory://…).

    The same export again changes nothing. Whatever happens, `out` holds either all of it or nothing that looks whole.
    Raises InputError, with nothing there touched, if `out` holds something else.
    """
    from counterbench.interop.exports.target import Export, opened
    from counterbench.suites.folder import versions
    from counterbench.suites.sources import FolderSource

    write = exporter(name)
    if isinstance(source, FolderSource):
        source.folder.refuse_edited()
    signature = Export(
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
    with opened(out, signature) as target:
        fresh = target.export is None
        if fresh:
            write(source, target, options, on_progress)
        else:
            on_progress(len(source), len(source))
    assert target.export is not None
    return Exported(out, target.export, fresh)
