"""Joins the shards of a generator's pictures to the folder that one machine would have drawn.

The journals are joined and the manifest is made from them, as whenever a generation ends: until then it is an
unfinished generation like any other. Of a shard's own manifest it counts only that it is there: the run has ended.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.runs.folder import JOURNAL_FILE
from counterbench.runs.journal import last_records
from counterbench.suites.shards import in_order, lines_of, refuse_unlike
from counterbench.t2i.generation.adapter import picture_record
from counterbench.t2i.generation.generate import SIGNED, begin, refuse_other_pictures
from counterbench.t2i.generation.samples import UNTRIED, Samples
from counterbench.t2i.images.manifest import (
    IMAGES_FILE,
    MANIFEST_FILE,
    Images,
    prompts_in,
    read_images_info,
    read_manifest,
)
from counterbench.t2i.prompts.prompt_set import PromptSet
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
    prompts = {path: prompts_in(path) for path in order}
    refuse_unlike(prompts, ("digest",))
    asked, info = prompts[order[0]], msgspec.structs.replace(infos[order[0]], shard="")
    samples = Samples(asked, out, info, shards=order)
    _refuse_unfinished(order, samples, asked)

    def journals() -> Iterator[bytes]:
        return chain.from_iterable(lines_of(path / JOURNAL_FILE) for path in order if (path / JOURNAL_FILE).is_file())

    def refuse_other() -> None:
        refuse_other_pictures(out, info)
        there = (out / JOURNAL_FILE).is_file()  # as a merge that was killed may have left it, and nothing else
        if (out / MANIFEST_FILE).is_file() or (
            there and any(one != other for one, other in zip_longest(lines_of(out / JOURNAL_FILE), journals()))
        ):
            raise InputError(f"{out}: holds pictures already; choose another --out, or delete it to merge anew")

    with claim(out, "a folder of generated pictures", (IMAGES_FILE,), refuse_other):
        begin(out, info, asked)
        for done, path in enumerate(order, 1):
            _copy_pictures(path, out)
            on_progress(done, len(order))
        with formats.written_whole(out / JOURNAL_FILE) as file:
            file.writelines(journals())
        formats.write_lines(out / MANIFEST_FILE, samples.rows())
    return read_manifest(out)


def _refuse_unfinished(order: Sequence[Path], samples: Samples, asked: PromptSet) -> None:
    """InputError if a shard was stopped, or its journals lack a sample of its share."""
    left = Counter[Path]()
    for place, prompt in enumerate(samples.drawn(asked.prompts)):
        left[order[place % len(order)]] += sum(row.message == UNTRIED for row in samples.rows([prompt]))
    for k, path in enumerate(order):
        if left[path] or not (path / MANIFEST_FILE).is_file():
            how = f": {counted(left[path], 'picture')} not drawn yet" if left[path] else ""
            raise InputError(
                f"{path}: shard {k}/{len(order)} is not finished{how}; the same `t2i generate` again goes on with it"
            )


def _copy_pictures(path: Path, out: Path) -> None:
    journal = path / JOURNAL_FILE
    for record in last_records(journal).values() if journal.is_file() else ():
        name = picture_record(record).path if record.final else ""
        if name:
            picture, copied = path / name, out / name
            copied.parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(picture, copied)
            except FileNotFoundError:
                raise InputError(
                    f"{picture}: is not there; the same `t2i generate` of that shard draws it anew"
                ) from None
