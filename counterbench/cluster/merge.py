"""Joins the shards of several machines (--shard) to the folder that one machine would make: the union of all records.

All kinds of shards are joined in one way: by its name, a file has lines to join, is written anew, or is copied.
"""

import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import msgspec

from counterbench.bars import OnProgress, unseen
from counterbench.drawing.domain import together
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import PathLike, fetched, written
from counterbench.files.foreign import read_bytes
from counterbench.files.formats import instead, whole_folder
from counterbench.pictures.generation.generate import IDENTIFYING as PICTURES_IDENTIFYING
from counterbench.pictures.generation.samples import UNTRIED, Samples
from counterbench.pictures.judging.run import T2IInfo
from counterbench.prompts.manifest import IMAGES_FILE, MANIFEST_FILE, ImageRow, ImagesInfo, prompts_in
from counterbench.runs.folder import IDENTIFYING, JOURNAL_FILE, KEYS_FILE, RUN_FILE, T2I_FILE, RunInfo, answered
from counterbench.suites.folder import METADATA_FILE, PAIRS_FILE, SUITE_FILE, Folder, FolderInfo
from counterbench.suites.generation import write_info
from counterbench.suites.shards import in_order, in_turn, refuse_unlike
from counterbench.text import brief, counted

PAIRS, PICTURES, RUN, JUDGED = "pairs", "generated pictures", "a run", "a run about generated pictures"
# The kind of a shard, by a file that each has.
_KINDS = {SUITE_FILE: PAIRS, IMAGES_FILE: PICTURES, T2I_FILE: JUDGED, RUN_FILE: RUN}
# The files that describe a shard, written anew for the whole: the type of each, and the fields that all must share.
_DESCRIBED: dict[str, tuple[type[Any], Collection[str]]] = {
    SUITE_FILE: (FolderInfo, ("name", "digest", "versions")),
    IMAGES_FILE: (ImagesInfo, ("prompts", *PICTURES_IDENTIFYING, "checkpoint")),
    RUN_FILE: (RunInfo, ("suite", *IDENTIFYING, "name")),
    # The pictures lie elsewhere on each machine, and each shard knows the kind of its own pictures.
    T2I_FILE: (T2IInfo, [field for field in T2IInfo.__struct_fields__ if field != "models"]),
}
# Files of lines that are joined in turns (one line of each shard; the keys of a pair or picture together).
_IN_TURN = (PAIRS_FILE, METADATA_FILE, KEYS_FILE)


class Merged(msgspec.Struct, frozen=True):
    """The result of `merge`: its `kind` (see `_KINDS`), and the numbers of its `shards` and `records`.

    A record is a pair, a sample of a prompt, or an attempt at a question.
    """

    out: Path
    kind: str
    shards: int
    records: int

    def __repr__(self) -> str:
        return brief(self, f"{self.out}: {counted(self.records, 'record')} of {counted(self.shards, 'shard')}")


def merge(shards: PathLike | Sequence[PathLike], out: PathLike, *, on_progress: OnProgress = unseen) -> Merged:
    """Join all shards of a folder of pairs, of pictures or of a run into `out`, the folder that one machine would make.

    The shards are only read; `on_progress(done, total)` counts files. Raises InputError that names the shard if one is
    missing, given twice, unfinished, or of other work than the first; and if `out` holds something else.
    """
    paths = [fetched(path) for path in dict.fromkeys([shards] if isinstance(shards, str | os.PathLike) else shards)]
    if not paths:
        raise InputError("name the folders of all shards")
    described = {path: _kind_and_shard(path) for path in paths}
    kind = described[paths[0]][0]
    for path, (other, _) in described.items():
        if other != kind:
            raise InputError(f"{path}: holds {other}, and {paths[0]} {kind}: merge shards of one kind")
    order = in_order({path: shard for path, (_, shard) in described.items()})
    files = {str(file.relative_to(path)) for path in order for file in path.rglob("*.json")}
    infos = {name: _finished_infos(name, order) for name in sorted(files) if Path(name).name in _DESCRIBED}
    target = written(out)
    mark = next(file for file, value in _KINDS.items() if value == kind)
    with whole_folder(target, mark) as folder:
        _join_files(order, folder, on_progress)
        records = sum(_write_description(folder / name, of_shards) for name, of_shards in infos.items())
    return Merged(target, kind, len(paths), records)


def _kind_and_shard(path: Path) -> tuple[str, str]:
    """The kind of a folder's work, and the shard that it is, empty for a whole; InputError if it holds none."""
    for file, kind in _KINDS.items():
        if (path / file).is_file():
            info = {T2I_FILE: RUN_FILE}.get(file, file)
            return kind, formats.read_json(path / info, _DESCRIBED[info][0]).shard
    raise InputError(f"{path}: holds no shard of anything{instead(path) if path.exists() else ''}")


def _finished_infos(name: str, order: Sequence[Path]) -> list[Any]:
    """The description `name` of each shard; InputError if a shard is unfinished or of other work than the first.

    `order`: the folders of all shards, in the order of their numbers.
    """
    kind, fields = _DESCRIBED[Path(name).name]
    infos = {}
    for k, path in enumerate(order):
        exists = (path / name).is_file()  # that of a further template may not be
        infos[path] = formats.read_json(path / name, kind) if exists else None
        if unfinished := _unfinished_work(path / name, infos[path]) if exists else f"{name} is not there":
            raise InputError(
                f"{path}: shard {k}/{len(order)} is not finished: {unfinished}; run its command again to resume"
            )
    refuse_unlike(infos, fields)
    return [*infos.values()]


def _unfinished_work(file: Path, info: Any) -> str:
    """The part of a shard's work that is not done, in words; InputError if its files were changed."""
    match info:
        case FolderInfo():
            Folder(file.parent, part=True).refuse_edited()
        case ImagesInfo():
            manifest = file.with_name(MANIFEST_FILE)
            if not manifest.is_file():
                return f"it has no {MANIFEST_FILE}"
            open_count = sum(row.message == UNTRIED for row in formats.read_lines(manifest, ImageRow))
            return f"{counted(open_count, 'picture')} not drawn" if open_count else ""
        case RunInfo():
            open_count = info.queries - len(answered(file.with_name(JOURNAL_FILE), info).identity_by_repeat)
            return f"{counted(open_count, 'question')} of {info.queries} not asked" if open_count else ""
    return ""


def _write_description(file: Path, infos: Sequence[Any]) -> int:
    """Write the description of the whole from those of its shards, `infos`; returns the number of its records.

    For T2I_FILE that is 0, since the records of such a run are counted with its RUN_FILE.
    """
    folder, first = file.parent, infos[0]
    match first:
        case FolderInfo():
            families = [family["name"] for family in (first.definition or {})["families"]]
            counts = {name: n for name in families if (n := sum(info.counts.get(name, 0) for info in infos))}
            pairs: int = sum(info.pairs for info in infos)
            digest = formats.file_digest(folder / PAIRS_FILE)
            merged = {"shard": "", "pairs": pairs, "counts": counts, "pairs_digest": digest}
            write_info(folder, msgspec.structs.replace(first, **merged))
            return pairs
        case ImagesInfo():
            info = msgspec.structs.replace(first, shard="")
            formats.write_json(file, info)
            rows = Samples(prompts_in(folder), folder, info).rows()
            formats.write_lines(folder / MANIFEST_FILE, rows)
            return len(rows)
    if isinstance(first, T2IInfo):
        of_models = zip(*(info.models for info in infos), strict=True)
        models = [msgspec.structs.replace(part[0], domain=together([m.domain for m in part])) for part in of_models]
        fields: dict[str, Any] = {"models": tuple(models)}
    else:
        domains = [info.domain for info in infos if info.domain is not None]
        queries = sum(info.queries for info in infos)
        fields = {"shard": "", "queries": queries, "domain": together(domains) if domains else None}
    formats.write_json(file, msgspec.structs.replace(first, **fields))
    return len(_complete_lines(folder / JOURNAL_FILE)) if isinstance(first, RunInfo) else 0


def _join_files(order: Sequence[Path], folder: Path, on_progress: OnProgress) -> None:
    """Join the files of all shards in a folder, except those that are written anew."""
    names: dict[str, list[Path]] = {}
    for path in order:
        for file in sorted(path.rglob("*")):
            if file.is_file() and not formats.is_leftover(file) and file.name not in (*_DESCRIBED, MANIFEST_FILE):
                names.setdefault(str(file.relative_to(path)), []).append(file)

    def join(name: str) -> None:
        """Write one file of the whole from the files of that name in the shards."""
        files, target = names[name], folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.name in _IN_TURN:
            target.write_bytes(b"".join(in_turn(map(_line_groups, files))))
        elif target.name == JOURNAL_FILE:
            target.write_bytes(b"".join(chain.from_iterable(map(_complete_lines, files))))
        else:
            # A picture is of one shard, or of several that have the same prompt; any other file is of all.
            for other in files if target.suffix == ".png" else [path / name for path in order]:
                if formats.file_digest(other) != formats.file_digest(files[0]):
                    raise InputError(
                        f"{other}: differs from {files[0]}; make that shard again with the command of the others"
                    )
            shutil.copyfile(files[0], target)

    with ThreadPoolExecutor() as threads:  # a file system makes one wait
        for done, _ in enumerate(threads.map(join, names), 1):
            on_progress(done, len(names))


def _complete_lines(path: Path) -> list[bytes]:
    """The complete lines of a file: a last one without a line end, left by a killed writer, is skipped."""
    return [line + b"\n" for line in read_bytes(path).split(b"\n")[:-1]]


def _line_groups(path: Path) -> Iterator[bytes]:
    """The lines of a file; in a file of keys the lines of one pair or picture are joined to one."""
    if path.name != KEYS_FILE:
        return iter(_complete_lines(path))
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    return (b"".join(lines) for _, lines in groupby(_complete_lines(path), lambda line: decode(line)["group"]))
