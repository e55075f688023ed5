"""Joins what several machines made, each a part by --shard, to what one would have made: the union of all records.

One way for all kinds: by its name a file has lines that are joined, says what a folder is, or is copied.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby
from pathlib import Path

import msgspec

from counterbench.drawing.domain import Domain, together
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import PathLike
from counterbench.files.claim import whole_folder
from counterbench.files.foreign import read_bytes
from counterbench.files.kinds import instead
from counterbench.files.remote import fetched, written
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, RUN_FILE, SIGNED, T2I_FILE, RunInfo
from counterbench.runs.journal import answered
from counterbench.suites.folder import METADATA_FILE, PAIRS_FILE, SHARD_FILE, SUITE_FILE, ShardFolder
from counterbench.suites.generation import write_info
from counterbench.suites.shards import in_order, in_turn, refuse_unlike
from counterbench.t2i.generation.generate import SIGNED as PICTURES_SIGNED
from counterbench.t2i.generation.samples import UNTRIED, Samples
from counterbench.t2i.images.manifest import IMAGES_FILE, MANIFEST_FILE, ImageRow, ImagesInfo, prompts_in
from counterbench.t2i.judging.run import CERTIFICATE_FILE, PROMPTS_FILE, SAMPLES_FILE, T2IInfo
from counterbench.text import brief, counted

PAIRS, PICTURES, RUN, JUDGED = "pairs", "generated pictures", "a run", "a run about generated pictures"
# What shards are of, by a file that is in each.
_KINDS = {SHARD_FILE: PAIRS, SUITE_FILE: PAIRS, IMAGES_FILE: PICTURES, T2I_FILE: JUDGED, RUN_FILE: RUN}
# Files of lines: one of each shard in turn (of keys all of a pair or picture), or one shard's after the other's.
_IN_TURN = (PAIRS_FILE, METADATA_FILE, KEYS_FILE)
_IN_SEQUENCE = (JOURNAL_FILE,)
# Files that are written anew for the whole; all others are copied.
_ANEW = (SHARD_FILE, RUN_FILE, T2I_FILE, IMAGES_FILE, MANIFEST_FILE)
# Fields of `t2i.json` that differ between shards: the place of the pictures on a machine, and the kind of its part.
_OWN = ("images", "domain")


class Merged(msgspec.Struct, frozen=True):
    """The result of `merge`: of which `kind` (see `_KINDS`), of how many `shards`, and how many `records` it holds.

    A record is a pair, a sample of a prompt, or an attempt at a question.
    """

    out: Path
    kind: str
    shards: int
    records: int

    def __repr__(self) -> str:
        return brief(self, f"{self.out}: {counted(self.records, 'record')} of {counted(self.shards, 'shard')}")


class _Group(msgspec.Struct):
    """Of a line of keys, which questions belong together."""

    group: str


def merge(
    shards: PathLike | Sequence[PathLike],
    out: PathLike,
    *,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Merged:
    """Join all shards of a folder of pairs, of pictures or of a run into `out`: what one machine would have made.

    The shards are only read; `on_progress(done, total)` counts files. Raises InputError that names the shard if one is
    missing, there twice, unfinished, or of other work than the first; and if `out` is not empty.
    """
    paths = [fetched(path) for path in dict.fromkeys([shards] if isinstance(shards, str | os.PathLike) else shards)]
    kind = _kind(paths)
    write = {PAIRS: _pairs, PICTURES: _pictures, RUN: _run, JUDGED: _judged}[kind](paths)
    target = written(out)
    with whole_folder(target) as folder:
        records = write(folder, on_progress)
    return Merged(target, kind, len(paths), records)


Progress = Callable[[int, int], None]
# Writes the whole into a folder, and says how many records it has; the shards are known to be whole and alike.
Write = Callable[[Path, Progress], int]


def _pairs(paths: Sequence[Path]) -> Write:
    folders = {path: ShardFolder(path) for path in paths if not (path / SUITE_FILE).is_file()}
    order = in_order({path: folders[path].of.shard if path in folders else "" for path in paths})
    refuse_unlike({path: folders[path].of.whole for path in order}, ("name", "digest", "versions"))
    for path in order:
        folders[path].refuse_edited()
        pictures, pairs = sum(1 for _ in (path / "images").rglob("*.png")), len(folders[path])
        if pictures != 2 * pairs:
            raise InputError(f"{path}: has {pictures} pictures of {pairs} pairs; delete it, and draw it anew")

    def write(folder: Path, on_progress: Progress) -> int:
        _join(order, folder, on_progress)
        whole = folders[order[0]].of.whole
        write_info(folder, msgspec.structs.replace(whole, pairs_digest=formats.file_digest(folder / PAIRS_FILE)))
        return whole.pairs

    return write


def _pictures(paths: Sequence[Path]) -> Write:
    infos = {path: formats.read_json(path / IMAGES_FILE, ImagesInfo) for path in paths}
    order = in_order({path: info.shard for path, info in infos.items()})
    refuse_unlike({path: infos[path] for path in order}, ("prompts", *PICTURES_SIGNED, "checkpoint"))
    for path in order:
        manifest = path / MANIFEST_FILE
        rows = list(formats.read_lines(manifest, ImageRow)) if manifest.is_file() else []
        left = sum(row.message == UNTRIED for row in rows)
        if left or not manifest.is_file():
            why = f"{counted(left, 'picture')} not drawn" if left else f"it has no {MANIFEST_FILE}"
            raise _unfinished(path, infos[path].shard, why)

    def write(folder: Path, on_progress: Progress) -> int:
        _join(order, folder, on_progress)
        info = msgspec.structs.replace(infos[order[0]], shard="")
        formats.write_json(folder / IMAGES_FILE, info)
        rows = Samples(prompts_in(folder), folder, info).rows()
        formats.write_lines(folder / MANIFEST_FILE, rows)
        return len(rows)

    return write


def _run(paths: Sequence[Path]) -> Write:
    order = in_order({path: formats.read_json(path / RUN_FILE, RunInfo).shard for path in paths})
    runs = {}
    for name in sorted({str(file.relative_to(path)) for path in order for file in path.rglob(RUN_FILE)}):
        infos = {}
        for k, path in enumerate(order):
            if not (path / name).is_file():  # of a further wording
                raise _unfinished(path, f"{k}/{len(order)}", f"{name} is not there")
            infos[path] = info = formats.read_json(path / name, RunInfo)
            left = info.queries - len(answered((path / name).parent / JOURNAL_FILE, info).asked)
            if left:
                raise _unfinished(path, info.shard, f"{counted(left, 'question')} of {info.queries} not asked")
        refuse_unlike(infos, ("suite", *SIGNED, "name"))
        runs[name] = msgspec.structs.replace(
            infos[order[0]],
            shard="",
            queries=sum(info.queries for info in infos.values()),
            domain=_together(info.domain for info in infos.values()),
        )

    def write(folder: Path, on_progress: Progress) -> int:
        _join(order, folder, on_progress)
        for name, info in runs.items():
            formats.write_json(folder / name, info)
        return len(_lines(folder / JOURNAL_FILE))

    return write


def _judged(paths: Sequence[Path]) -> Write:
    write_run = _run(paths)
    infos = {path: formats.read_json(path / T2I_FILE, T2IInfo) for path in paths}
    refuse_unlike(infos, [field for field in T2IInfo.__struct_fields__ if field not in _OWN])
    for name in (PROMPTS_FILE, SAMPLES_FILE, CERTIFICATE_FILE):
        _refuse_different([path / name for path in paths])

    def write(folder: Path, on_progress: Progress) -> int:
        records = write_run(folder, on_progress)
        whole = msgspec.structs.replace(infos[paths[0]], domain=_together(info.domain for info in infos.values()))
        formats.write_json(folder / T2I_FILE, whole)
        return records

    return write


def _join(order: Sequence[Path], folder: Path, on_progress: Progress) -> None:
    """Join the files of all shards in a folder, but for those that are written anew."""
    names: dict[str, list[Path]] = {}
    for path in order:
        for file in sorted(path.rglob("*")):
            if file.is_file() and not formats.is_leftover(file) and file.name not in _ANEW:
                names.setdefault(str(file.relative_to(path)), []).append(file)

    def join(name: str) -> None:
        files, target = names[name], folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.name in _IN_TURN:
            target.write_bytes(b"".join(in_turn(map(_groups, files))))
        elif target.name in _IN_SEQUENCE:
            target.write_bytes(b"".join(chain.from_iterable(map(_lines, files))))
        else:
            _refuse_different(files)
            shutil.copyfile(files[0], target)

    with ThreadPoolExecutor() as threads:  # a file system makes one wait
        for done, _ in enumerate(threads.map(join, names), 1):
            on_progress(done, len(names))


def _refuse_different(files: Sequence[Path]) -> None:
    """InputError if what several shards have is not the same in all."""
    for file in files[1:]:
        if formats.file_digest(file) != formats.file_digest(files[0]):
            raise InputError(f"{file}: is another than {files[0]}; make that shard anew by the command of the others")


def _lines(path: Path) -> list[bytes]:
    """The whole lines of a file: a last one without a line end, as a killed writer leaves it, is passed over."""
    return [line + b"\n" for line in read_bytes(path).split(b"\n")[:-1]]


def _groups(path: Path) -> Iterator[bytes]:
    """The lines of a file; of keys, those of a pair or picture together."""
    if path.name != KEYS_FILE:
        return iter(_lines(path))
    decode = msgspec.json.Decoder(_Group).decode
    return (b"".join(lines) for _, lines in groupby(_lines(path), lambda line: decode(line).group))


def _together(domains: Iterable[Domain | None]) -> Domain | None:
    known = [domain for domain in domains if domain is not None]
    return together(known) if known else None


def _unfinished(path: Path, shard: str, why: str) -> InputError:
    return InputError(f"{path}: shard {shard} is not finished: {why}; the same command again goes on with it")


def _kind(paths: Sequence[Path]) -> str:
    """The kind of thing that all of these are shards of; InputError if they are none, or of different kinds."""
    if not paths:
        raise InputError("name the folders of all shards")
    kinds: dict[str, Path] = {}
    for path in paths:
        kind = next((kind for file, kind in _KINDS.items() if (path / file).is_file()), None)
        if kind is None:
            raise InputError(f"{path}: holds no shard of anything{instead(path) if path.exists() else ''}")
        kinds.setdefault(kind, path)
    if len(kinds) > 1:
        (kind, path), (other, there) = list(kinds.items())[:2]
        raise InputError(f"{there}: holds {other}, and {path} {kind}: merge shards of one kind")
    return next(iter(kinds))
