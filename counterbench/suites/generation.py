"""Draws a suite into a folder: streaming, with workers, stoppable at any moment and resumable.

A pair's line is written after its pictures, and `suite.json` after everything, so whatever is on disk after a kill is
either used as it is or written again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from counterbench.drawing import png
from counterbench.drawing.styles import FLAT, draw
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.scene.pairs import ROLES, Digests, Pair
from counterbench.suites.folder import (
    CARD_FILE,
    METADATA_FILE,
    PAIRS_FILE,
    PROGRESS_FILE,
    SHARD_FILE,
    SUITE_FILE,
    Folder,
    FolderInfo,
    FolderShard,
    ShardFolder,
    card,
    metadata,
    picture_name,
    versions,
)
from counterbench.suites.shards import Shard, named
from counterbench.suites.sources import selection_digest
from counterbench.suites.suite import Suite
from counterbench.suites.workers import count as worker_count
from counterbench.suites.workers import in_chunks

_CHUNK = 20  # pairs a task: small enough for progress, large enough that handing them over costs little

Lines = tuple[bytes, bytes]  # a pair's lines of pairs.jsonl and metadata.jsonl


class Begun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an unfinished folder is being made of; `.generating.json`. `shard`: "0/4"; empty of the whole."""

    digest: str
    name: str
    versions: dict[str, str]
    shard: str = ""
    format: Literal["counterbench.generation/1"] = "counterbench.generation/1"


def generate(
    suite: Suite,
    out: Path,
    *,
    workers: int | None = None,
    limit: int | None = None,
    shard: Shard | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    on_mended: Callable[[str], None] = lambda damage: None,
) -> FolderInfo:
    """Draw `suite` (or the first `limit` items, families in turn) into the folder `out`; finish one that was begun.

    Of a folder that is complete, pictures that are missing, or not as they were recorded, are drawn anew, and
    `on_mended` is told of each. `shard`: of these pairs only that part, whose info is returned; `merge_folders` joins
    all parts to the folder that is drawn without.
    `workers` processes draw (default: one a core); the result does not depend on it. `on_progress(done, total)` is
    called as pairs are written. Raises InputError if `out` holds something else, BusyError if another process is
    writing there, NoRoomError if a family cannot place what its parameters ask for.
    """
    processes = worker_count(workers)
    whole = suite.positions(limit)
    positions = whole if shard is None else shard.of(whole)
    begun = to_begin(suite, limit, shard)
    with formats.clear_os_errors(out, "writing"):
        done = finished(out, begun)
    if done:
        with formats.clear_os_errors(out, "writing"):
            _mend(suite, done, positions, processes, on_progress, on_mended)
        return done.info
    for part in suite.parts:
        suite.sample(part, 0)  # a suite that cannot be drawn is an error before anything is written
    with claim_folder(out, begun):
        _continue(suite, out, begun, positions, processes, on_progress)
        info = _info(suite, begun, whole, limit)
        pairs_digest = formats.file_digest(out / PAIRS_FILE)
        if shard is None:
            info = msgspec.structs.replace(info, pairs_digest=pairs_digest)
            write_info(out, info)
        else:
            part_of = FolderShard(
                shard=str(shard), counts=_counts(suite, positions), pairs_digest=pairs_digest, whole=info
            )
            formats.write_json(out / SHARD_FILE, part_of)
            info = part_of.info
        (out / PROGRESS_FILE).unlink()
    return info


def to_begin(suite: Suite, limit: int | None, shard: Shard | None = None) -> Begun:
    """What a folder is being made of."""
    return Begun(selection_digest(suite, limit), suite.name, versions(), str(shard or ""))


def claim_folder(out: Path, begun: Begun) -> AbstractContextManager[None]:
    """The folder `out` for one process alone, to write what `begun` says; errors as of `claim` and `finished`."""
    return claim(out, "a suite folder", (SUITE_FILE, SHARD_FILE, PROGRESS_FILE), lambda: finished(out, begun))


def finished(out: Path, begun: Begun) -> Folder | None:
    """The folder, if it is complete already; InputError if `out` holds another suite, or another part of it."""
    if (out / SUITE_FILE).is_file() or (out / SHARD_FILE).is_file():
        folder = Folder(out) if (out / SUITE_FILE).is_file() else ShardFolder(out)
        info, shard = folder.info, folder.of.shard if isinstance(folder, ShardFolder) else ""
        if info.digest == begun.digest and shard != begun.shard:
            raise _other_part(out, begun, shard)
        if info.digest == begun.digest and info.versions != begun.versions:
            raise InputError(
                f"{out}: holds {info.name!r}, drawn with versions {info.versions}; these are {begun.versions}; choose "
                "another --out, or delete the folder"
            )
        if info.digest == begun.digest:
            (out / PROGRESS_FILE).unlink(missing_ok=True)  # there if a kill came right after the end
            return folder
        raise InputError(
            f"{out}: holds suite {info.name!r} with digest {info.digest} (seed {info.seed}, {info.pairs} pairs), not "
            f"{begun.name!r} with digest {begun.digest}; choose another --out, or delete the folder"
        )
    if (out / PROGRESS_FILE).is_file():
        there = formats.read_json(out / PROGRESS_FILE, Begun)
        if there.digest != begun.digest or there.versions != begun.versions:
            raise InputError(
                f"{out}: an unfinished generation of {there.name!r} with digest {there.digest} and versions "
                f"{there.versions} is there, not of {begun.name!r} with {begun.digest} and {begun.versions}; "
                "choose another --out, or delete the folder"
            )
        if there.shard != begun.shard:
            raise _other_part(out, begun, there.shard)
    return None


def _other_part(out: Path, begun: Begun, there: str) -> InputError:
    return InputError(
        f"{out}: holds {named(there)} of {begun.name!r}, and this is {named(begun.shard)}; choose another --out"
    )


def _continue(
    suite: Suite,
    out: Path,
    begun: Begun,
    positions: Sequence[int],
    workers: int,
    on_progress: Callable[[int, int], None],
) -> None:
    """Write what is missing but for the file that says that nothing is."""
    formats.write_json(out / PROGRESS_FILE, begun)
    make_places(out, (part.family for part in suite.parts))
    with (out / PAIRS_FILE).open("ab+") as pairs_file, (out / METADATA_FILE).open("ab+") as metadata_file:
        done = _keep_whole_lines(pairs_file, metadata_file, len(positions))
        left = positions[done:]
        drawn = in_chunks(_Draw(suite, out), left, workers=workers, chunk=_CHUNK, total=len(left))
        for pair_line, metadata_line in drawn:
            pairs_file.write(pair_line)
            metadata_file.write(metadata_line)
            done += 1
            if done % _CHUNK == 0:
                pairs_file.flush()
                metadata_file.flush()
            on_progress(done, len(positions))
        for file in (pairs_file, metadata_file):
            file.flush()
            os.fsync(file.fileno())


def make_places(out: Path, families: Iterable[str]) -> None:
    """Make the folders of each family's pictures."""
    for family in families:
        (out / "images" / family).mkdir(parents=True, exist_ok=True)


def write_info(out: Path, info: FolderInfo) -> None:
    """Write what makes a folder complete, its last file last."""
    formats.write_atomically(out / CARD_FILE, card(info).encode())
    formats.write_json(out / SUITE_FILE, info)


def _counts(suite: Suite, positions: Sequence[int]) -> dict[str, int]:
    return dict(Counter(suite.locate(position)[0].family for position in positions))


def _info(suite: Suite, begun: Begun, positions: Sequence[int], limit: int | None) -> FolderInfo:
    """What `suite.json` is to say of these pairs, but for the digest of their lines."""
    return FolderInfo(
        name=suite.name,
        description=suite.description,
        digest=begun.digest,
        seed=suite.seed,
        limit=limit if limit is not None and limit < len(suite) else None,
        pairs=len(positions),
        counts=_counts(suite, positions),
        definition=suite.definition,
        versions=begun.versions,
    )


def _mend(
    suite: Suite,
    folder: Folder,
    positions: Sequence[int],
    workers: int,
    on_progress: Callable[[int, int], None],
    on_mended: Callable[[str], None],
) -> None:
    """Draw the pictures of a complete folder anew that are not there, or not as they were recorded."""
    folder.refuse_edited()
    items = zip(positions, folder, strict=True)
    mended = in_chunks(_Mend(suite, folder), items, workers=workers, chunk=_CHUNK, total=len(folder))
    for done, damages in enumerate(mended, 1):
        for damage in damages:
            on_mended(damage)
        on_progress(done, len(positions))


def _keep_whole_lines(pairs_file: BinaryIO, metadata_file: BinaryIO, most: int) -> int:
    """How many pairs an earlier run finished. Both files are cut after that many lines."""
    ends = []
    for file in (pairs_file, metadata_file):
        file.seek(0)
        ends.append([0])
        while (line := file.readline()).endswith(b"\n"):
            ends[-1].append(ends[-1][-1] + len(line))
    done = min(len(ends[0]), len(ends[1]), most + 1) - 1
    for file, end in zip((pairs_file, metadata_file), ends, strict=True):
        file.truncate(end[done])
    return done


def draw_pair(pair: Pair, side: int | None = None, style: str = FLAT) -> tuple[Pair, bytes, bytes]:
    """The pair with its pixel digests, and both pictures as PNG; `side` and `style` are those of `draw`."""
    scenes = pair.scenes
    images = [draw(scene, side, style, scenes[0]) for scene in scenes]
    (original, original_pixels), (intervened, intervened_pixels) = map(png.encode_and_digest, images)
    digests = Digests(scenes[0].digest, scenes[1].digest, original_pixels, intervened_pixels)
    return msgspec.structs.replace(pair, digests=digests), original, intervened


@dataclass(frozen=True)
class _Draw:
    """The workers' task: draw pairs and write their pictures; their lines, for the one process that writes those."""

    suite: Suite
    out: Path

    def __call__(self, positions: list[int]) -> list[Lines]:
        lines = []
        for position in positions:
            pair, *pictures = draw_pair(self.suite[position], self.suite.side, self.suite.style)
            for role, data in zip(ROLES, pictures, strict=True):
                with (self.out / picture_name(pair, role)).open("wb", buffering=0) as file:
                    file.write(data)
            lines.append((formats.encode(pair) + b"\n", formats.encode(metadata(pair)) + b"\n"))
        return lines


@dataclass(frozen=True)
class _Mend:
    """The workers' task: of recorded pairs, draw the pictures anew that are damaged."""

    suite: Suite
    folder: Folder

    def __call__(self, items: list[tuple[int, Pair]]) -> list[list[str]]:
        return [self._mended(position, recorded) for position, recorded in items]

    def _mended(self, position: int, recorded: Pair) -> list[str]:
        """What was wrong with a pair's pictures, which now are there."""
        damages = [picture.damage for picture in self.folder.pictures(recorded)]
        if any(damages):
            pair, *pictures = draw_pair(self.suite[position], self.suite.side, self.suite.style)
            if pair != recorded:
                raise InputError(
                    f"{self.folder.path / PAIRS_FILE}: {recorded.id!r} is not as the suite draws it; choose another "
                    "--out, or delete the folder"
                )
            for role, data in zip(ROLES, pictures, strict=True):
                path = self.folder.picture(pair, role)
                path.parent.mkdir(parents=True, exist_ok=True)
                formats.write_atomically(path, data)
        return list(filter(None, damages))
