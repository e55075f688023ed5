"""Joins the shards of a folder of pairs to the folder that one machine would have drawn: the same lines and pixels.

Until it is complete it is an unfinished folder like any other: merging again, or `generate`, finishes it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.scene.pairs import ROLES
from counterbench.suites.folder import (
    METADATA_FILE,
    PAIRS_FILE,
    PROGRESS_FILE,
    SUITE_FILE,
    FolderInfo,
    ShardFolder,
    is_partial,
    picture_name,
)
from counterbench.suites.generation import Begun, claim_folder, finished, make_places, write_info
from counterbench.suites.shards import in_order, in_turn, lines_of, refuse_unlike

_AT_ONCE = 256  # pictures that are handed to the threads at a time


def merge_folders(
    paths: Sequence[Path], out: Path, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> FolderInfo:
    """Join the shards in `paths` into `out`; `on_progress(done, total)` is told of pairs. The shards are only read.

    Pictures are copied as they are; `verify` and `probe` hold them to their digests.

    InputError that names the shard if one is missing, there twice, not finished, lacks a picture, or is of another
    suite or of other versions, or its `pairs.jsonl` was changed; if `out` holds something else or is complete already.
    BusyError if another process is at work there.
    """
    for path in paths:
        if is_partial(path):
            raise InputError(f"{path}: this shard is not finished: the same `generate --shard` again goes on with it")
    shards = {path: ShardFolder(path) for path in paths if not (path / SUITE_FILE).is_file()}
    order = in_order({path: shards[path].of.shard if path in shards else "" for path in paths})
    folders = [shards[path] for path in order]
    refuse_unlike({folder.path: folder.of.whole for folder in folders}, ("name", "digest", "versions"))
    for folder in folders:
        folder.refuse_edited()
    whole = folders[0].of.whole
    begun = Begun(whole.digest, whole.name, whole.versions)
    with formats.clear_os_errors(out, "writing"):
        if finished(out, begun):
            raise InputError(f"{out}: is complete already; choose another --out, or delete it to merge anew")
    with claim_folder(out, begun):
        formats.write_json(out / PROGRESS_FILE, begun)
        make_places(out, whole.counts)
        _copy_pictures(folders, out, whole.pairs, on_progress)
        for name in (PAIRS_FILE, METADATA_FILE):
            with formats.written_whole(out / name) as file:
                file.writelines(in_turn(lines_of(folder.path / name) for folder in folders))
        info = msgspec.structs.replace(whole, pairs_digest=formats.file_digest(out / PAIRS_FILE))
        write_info(out, info)
        (out / PROGRESS_FILE).unlink()
    return info


def _copy_pictures(
    folders: Sequence[ShardFolder], out: Path, pairs: int, on_progress: Callable[[int, int], None]
) -> None:
    """Copies, and no links: who changes a picture here changes no shard. Threads, as a file system makes one wait."""

    def files() -> Iterator[tuple[Path, str, str]]:
        for folder in folders:
            for pair in folder:
                for role in ROLES:
                    yield folder.picture(pair, role), picture_name(pair, role), folder.of.shard

    def copy(each: tuple[Path, str, str]) -> None:
        picture, name, shard = each
        try:
            shutil.copyfile(picture, out / name)
        except FileNotFoundError:
            raise InputError(
                f"{picture}: is not there; the same `generate --shard {shard}` again draws it anew"
            ) from None

    todo, done = files(), 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        while chunk := list(islice(todo, _AT_ONCE)):
            list(threads.map(copy, chunk))
            done += len(chunk)
            on_progress(done // len(ROLES), pairs)
