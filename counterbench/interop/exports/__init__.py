"""Pairs, and scores of runs, in the formats of other people's tools, one file a format.

EXPORTS and RUN_EXPORTS are the whole list of them. `rows` turns pairs and questions into rows, and an exporter writes
them into a folder. `export.json` describes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError, unknown
from counterbench.files import addresses, formats
from counterbench.files.addresses import address_of, shown
from counterbench.files.formats import whole_folder

if TYPE_CHECKING:
    from counterbench.runs.queries import PromptTemplate
    from counterbench.suites.sources import Source

EXPORT_FILE = "export.json"


class ExportFormat(NamedTuple):
    """The description of a format."""

    summary: str
    then: str  # the next step for the user; {out} stands for the export's address


EXPORTS: dict[str, ExportFormat] = {
    "hf": ExportFormat(
        "Parquet with the pictures in it and a card, for Hugging Face's datasets",
        'in Python: datasets.load_dataset("{out}", "pairs", split="test")',
    ),
    "croissant": ExportFormat(
        "the same with croissant.json, a description in JSON-LD, for mlcroissant",
        'in Python: mlcroissant.Dataset("{out}/croissant.json").records("pairs")',
    ),
    "webdataset": ExportFormat(
        "tar files of pictures and JSON, for webdataset and other streams",
        'in Python: datasets.load_dataset("webdataset", data_files="{out}/*.tar", split="train", streaming=True)',
    ),
    "lmms-eval": ExportFormat(
        "a task of lmms-eval, counted by our rules",
        'python -m lmms_eval --model MODEL --include_path {out} --tasks "counterbench_*"',
    ),
}
# The formats of a run's scores.
RUN_EXPORTS: dict[str, ExportFormat] = {
    "every-eval-ever": ExportFormat(
        "a judge's scores in the EvalEval coalition's schema of evaluation results; takes a run",
        "before you share {out}, name your organisation in it: source_organization_name",
    ),
}


class Options(NamedTuple):
    """The options of an export."""

    template: PromptTemplate  # the words around a question
    workers: int | None = None  # processes that draw (None: one for each core); they do not change the export


class WrittenExport(msgspec.Struct, frozen=True):
    """The length in bytes and the digest (hex) of one file of an export."""

    bytes: int
    sha256: str


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `export.json`: the source and the files of an export."""

    format: Literal["counterbench.export/1"] = "counterbench.export/1"
    export: str  # the format's name
    suite: str
    suite_digest: str
    seed: int | None
    style: str
    template: str
    template_digest: str
    pairs: int
    versions: dict[str, str]
    files: dict[str, WrittenExport]  # by their names within the export


def exporter(name: str) -> Callable[[Source, Path, Options, OnProgress], None]:
    """The function that writes the pairs of a source into a folder in the format `name`.

    InputError with the valid names if there is no such format.
    """
    if name not in EXPORTS:
        raise unknown("export format", name, [*EXPORTS, *RUN_EXPORTS])
    write: Callable[[Source, Path, Options, OnProgress], None] = _module(name).export
    return write


def _module(name: str) -> ModuleType:
    """The module that writes a format."""
    return importlib.import_module(f"counterbench.interop.exports.{name.replace('-', '_')}")


def export(name: str, source: Source, out: str, options: Options, on_progress: OnProgress = unseen) -> Export:
    """Write `source` in a format to `out`: a new folder, or any address that fsspec takes (s3://…, gs://…, memory://…).

    An export is first written whole on this machine; at an address `export.json` is the last file to arrive. Raises
    InputError, with nothing there touched, if `out` holds something else.
    """
    from counterbench.suites.sources import FolderSource

    write = exporter(name)
    if isinstance(source, FolderSource):
        source.folder.refuse_edited()
    about = {
        "suite": source.name,
        "suite_digest": source.digest,
        "seed": source.seed,
        "style": source.style,
        "template": options.template.name,
        "template_digest": options.template.digest,
        "pairs": len(source),
    }
    return _write(name, out, about, lambda folder: write(source, folder, options, on_progress))


def export_run(name: str, run: Path, out: str) -> Export:
    """Write the scores of the run in `run` to `out`, as `export` writes pairs.

    InputError, with nothing written, if it is no run about pairs, or is not finished.
    """
    from counterbench.results.results import read_replies
    from counterbench.results.scores import score_results

    results = read_replies(run)
    scores = score_results(results)
    if not scores.complete:
        raise InputError(f"{run}: is not finished: {scores.unfinished}; the same command resumes it")
    same = ("suite", "suite_digest", "seed", "style", "template", "template_digest")
    about = {name: getattr(scores.provenance, name) for name in same} | {"pairs": scores.overall.pairs}
    return _write(name, out, about, lambda folder: _module(name).export(results, scores, folder))


def _write(name: str, out: str, about: Mapping[str, Any], write: Callable[[Path], object]) -> Export:
    """Have `write` fill the folder `out`, and describe it; `about`: the fields of `Export` on the source."""
    from counterbench.suites.folder import versions

    with _folder(out) as folder:
        write(folder)
        files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
        described = {name: described_file(path) for name, path in files.items()}
        done = Export(export=name, versions=versions(), files=described, **about)
        formats.write_json(folder / EXPORT_FILE, done)
    return done


def described_file(path: Path) -> WrittenExport:
    """The length and the digest of a file of an export, for `export.json` and for `croissant.json`."""
    with path.open("rb") as file:
        return WrittenExport(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


@contextlib.contextmanager
def _folder(out: str) -> Iterator[Path]:
    """A folder to write into, which becomes `out` at the end of the block, or is uploaded there.

    InputError if `out` holds something else than this same export, which is left as it is.
    """
    address = address_of(out)
    if not address or address.startswith("file:"):
        with whole_folder(Path(addresses.opened(out)[1] if address else out), EXPORT_FILE) as folder:
            yield folder
        return
    system, path = addresses.opened(out)
    end = f"{path}/{EXPORT_FILE}"
    with addresses.clear_errors(out, "reading"):
        # None: nothing is there; b"": files without an export's description.
        existing = (system.cat_file(end) if system.exists(end) else b"") if system.find(path) else None
    refusal = InputError(f"{shown(out)}: is not empty; choose another --out")
    if existing == b"":
        raise refusal
    with formats.clear_os_errors(Path(out), "writing"), tempfile.TemporaryDirectory(prefix="counterbench-") as name:
        yield Path(name)
        if existing == (Path(name) / EXPORT_FILE).read_bytes():
            return
        if existing is not None:
            raise refusal
        addresses.upload(Path(name), address, last=EXPORT_FILE)
