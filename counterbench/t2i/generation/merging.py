"""Joins the shards of a generator's pictures to the folder that one machine would have drawn.

The journals are joined and the manifest is made from them, as whenever a generation ends: until then it is an
unfinished generation like any other.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.files.foreign import inside
from counterbench.runs.folder import JOURNAL_FILE
from counterbench.suites.shards import in_order, lines_of, refuse_unlike
from counterbench.t2i.generation.generate import SIGNED, begin, refuse_other_pictures
from counterbench.t2i.generation.samples import REWRITING_FILE, UNTRIED, Samples
from counterbench.t2i.images.manifest import (
    IMAGES_FILE,
    MANIFEST_FILE,
    ImageRow,
    Images,
    ImagesInfo,
    carried_prompts,
    read_images_info,
    read_manifest,
)
from counterbench.text import counted


def merge_images(
    paths: Sequence[Path], out: Path, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> Images:
    """Join the shards in `paths` into the folder `out`; `on_progress(done, total)` counts shards, only read.

    InputError that names the shard if one is missing, there twice, not drawn to its end, or of another generator or
    other prompts; if `out` holds anything. BusyError if another process is at work there.
    """
    infos = {path: read_images_info(path) for path in paths}
    order = in_order({path: info.shard for path, info in infos.items()})
    refuse_unlike({path: infos[path] for path in order}, ("prompts", *SIGNED, "checkpoint"))
    prompts = {path: carried_prompts(path) for path in order}
    refuse_unlike(prompts, ("digest",))
    rows = {path: _drawn(path, infos[path].shard) for path in order}
    asked, info = prompts[order[0]], msgspec.structs.replace(infos[order[0]], shard="")
    assert isinstance(info, ImagesInfo)

    def journals(name: str) -> Iterator[bytes]:
        return chain.from_iterable(lines_of(path / name) for path in order if (path / name).is_file())

    def refuse_other() -> None:
        refuse_other_pictures(out, info)
        there = (out / JOURNAL_FILE).is_file()  # as a merge that was killed may have left it, and nothing else
        if (out / MANIFEST_FILE).is_file() or (
            there
            and any(one != other for one, other in zip_longest(lines_of(out / JOURNAL_FILE), journals(JOURNAL_FILE)))
        ):
            raise InputError(f"{out}: holds pictures already; choose another --out, or delete it to merge anew")

    with claim(out, "a folder of generated pictures", (IMAGES_FILE,), refuse_other):
        begin(out, info, asked)
        for done, path in enumerate(order, 1):
            for row in rows[path]:
                _copy(path, row, out)
            on_progress(done, len(order))
        for name in (REWRITING_FILE, JOURNAL_FILE):
            if any((path / name).is_file() for path in order):
                with formats.written_whole(out / name) as file:
                    file.writelines(journals(name))
        formats.write_lines(out / MANIFEST_FILE, Samples(asked, out, info).rows())
    return read_manifest(out)


def _drawn(path: Path, shard: str) -> list[ImageRow]:
    """The rows of a shard; InputError if it was stopped before each sample was tried."""
    manifest = path / MANIFEST_FILE
    rows = list(formats.read_lines(manifest, ImageRow)) if manifest.is_file() else []
    left = sum(row.message in UNTRIED for row in rows)
    if left or not manifest.is_file():
        how = f": {counted(left, 'picture')} not drawn yet" if left else ""
        raise InputError(f"{path}: shard {shard} is not finished{how}; the same `t2i generate` again goes on with it")
    return rows


def _copy(path: Path, row: ImageRow, out: Path) -> None:
    if not row.path:
        return
    picture, copied = inside(path, row.path, str(path / MANIFEST_FILE)), out / row.path
    copied.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(picture, copied)
    except FileNotFoundError:
        raise InputError(f"{picture}: is not there; the same `t2i generate` of that shard draws it anew") from None
