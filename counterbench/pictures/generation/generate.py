"""Has a generator draw prompts into a folder: journaled, stoppable at any moment, and resumable.

Only the journal knows the drawn pictures. The manifest is made from it whenever a run ends, and is absent while a run
is at work: so a manifest that exists is whole and true.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
import PIL

from counterbench._version import __version__
from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress, Runner, refuse_unpriced, run_sync
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import shown
from counterbench.files.formats import claim
from counterbench.judges.base import extras
from counterbench.pictures.generation.samples import GeneratorAdapter, Samples, drawing_outcome
from counterbench.pictures.generators.base import DrawingRequest, Generator, GeneratorExtras
from counterbench.prompts.files import write_prompt_set
from counterbench.prompts.manifest import (
    IMAGES_FILE,
    MANIFEST_FILE,
    MAX_SAMPLES,
    PROMPTS_FILE,
    ImageRow,
    Images,
    ImagesInfo,
    folder_names,
    plain_name,
    prompts_in,
)
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.runs.folder import JOURNAL_FILE, Record, answered, given_name
from counterbench.scene.seeds import check_seed
from counterbench.suites.shards import Shard
from counterbench.text import brief

HOW_PRICED = (
    "--price USD for a picture, or --price IN,OUT for a million tokens in and out, in US dollars (or as price, or "
    "price_in and price_out, in its options or file); --price 0 if it costs nothing"
)

# Fields of `images.json` that make other pictures if they differ; so do the prompts' words.
IDENTIFYING = ("generator", "samples", "seed")


class Generated(msgspec.Struct, frozen=True):
    """The result of a call of `generate_images`."""

    images: Images  # the folder as it is now
    progress: Progress
    pictures: tuple[ImageRow, ...]  # a row for each picture: prompts of the same words share theirs

    def __fspath__(self) -> str:
        return str(self.images.path)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in self.images.counts.items())
        stopped = f"; stopped: {self.progress.stopped}" if self.progress.stopped else ""
        return brief(self, f"{shown(self.images.path)}: {counts} of {self.images.info.prompts}{stopped}")


def generate_images(
    prompts: PromptSet,
    generator: Generator,
    out: Path,
    *,
    samples: int = 4,
    seed: int = 0,
    limit: int | None = None,
    limits: Limits | None = None,
    name: str = "",
    shard: Shard | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Generated:
    """Draw `samples` pictures of each prompt, as far as they are missing, into the folder `out/<name or generator>`.

    `limit`: the number of groups, from the first, at all their levels. A later call may ask for more pictures, also
    with a set that has other checks or further prompts; a prompt whose words have changed is an InputError. Prompts of
    the same words are drawn once, and the rows of all name one file, unless the generator knows its pictures by id.
    `limits` are those of a probe. `shard`: draw only that part of the prompts, into a folder of its own, for `merge`.

    Raises InputError if the folder holds something else or a picture cannot be written, JudgeError if the generator
    cannot be asked at all; drawn pictures are kept.
    """
    declared = extras(generator, GeneratorExtras)
    if not 1 <= samples <= MAX_SAMPLES:
        raise InputError(f"--samples must be from 1 to {MAX_SAMPLES}, not {samples}")
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, not {limit}")
    info = ImagesInfo(
        prompts=prompts.name,
        generator=generator.name,
        checkpoint=declared.checkpoint,
        samples=samples,
        seed=check_seed(seed),
        versions={"counterbench": __version__, "pillow": PIL.__version__} | declared.versions,
        shard=str(shard or ""),
    )
    called = given_name(name) or info.generator
    called = plain_name(called) if called.isascii() else folder_names([called])[called]
    folder = out / f"{called}{shard.ending if shard is not None else ''}"
    limits = limits or Limits()
    budget = limits.budget(shard)
    spent = answered(folder / JOURNAL_FILE).figures
    refuse_unpriced(limits, declared.unpriced, HOW_PRICED, lambda: spent)
    prompts_wanted = partial(_prompts_for, folder, info, prompts, limit)
    with claim(folder, "a folder of generated pictures", (IMAGES_FILE,), prompts_wanted):
        folder_prompts = prompts_wanted()
        if not (folder / IMAGES_FILE).is_file():  # the file of the first call stays
            formats.write_json(folder / IMAGES_FILE, info)
        write_prompt_set(folder / PROMPTS_FILE, folder_prompts)
        wanted = Samples(folder_prompts, folder, info, declared.by_id)
        chosen: Sequence[Prompt] = wanted.drawn(prompts.first(limit))
        if shard is not None:
            chosen = shard.part_of(chosen)
        missing, total = wanted.undrawn(chosen), len(chosen) * samples
        progress = Progress(total=total, done=total - len(missing), figures=spent)
        (folder / MANIFEST_FILE).unlink(missing_ok=True)
        try:
            run_sync(_draw(Runner(limits, progress, on_progress, budget), wanted, missing, generator))
        finally:
            rows = wanted.rows() if shard is None else wanted.rows(chosen)
            formats.write_lines(folder / MANIFEST_FILE, rows)
    images = Images(folder, formats.read_json(folder / IMAGES_FILE, ImagesInfo), tuple(rows), folder_prompts)
    places = {(prompt.group, prompt.level) for prompt in wanted.drawn(folder_prompts.prompts)}
    return Generated(images, progress, tuple(row for row in rows if (row.group, row.level) in places))


def _prompts_for(folder: Path, info: ImagesInfo, prompts: PromptSet, limit: int | None) -> PromptSet:
    """The first `limit` groups of `prompts`, and the groups that `folder` was asked for before.

    InputError if it holds other pictures than those of `info`, or pictures of other prompts or other words.
    """
    if (folder / IMAGES_FILE).is_file():
        kept = formats.read_json(folder / IMAGES_FILE, ImagesInfo)
        for name in (*IDENTIFYING, "shard", "checkpoint"):
            if getattr(kept, name) != getattr(info, name):
                raise InputError(
                    f"{folder}: holds other pictures: their {name} is {getattr(kept, name)!r}, not "
                    f"{getattr(info, name)!r} (they are by {kept.generator!r} for {kept.prompts!r}); choose another "
                    "--out"
                )
    chosen = {prompt.id for prompt in prompts.first(limit)}
    if (folder / PROMPTS_FILE).is_file():
        before, wanted = prompts_in(folder), prompts.by_id
        changed = [old.id for old in before.prompts if old.id not in wanted or old.digest != wanted[old.id].digest]
        if changed:
            raise InputError(
                f"{folder}: holds pictures of other prompts: {changed[0]!r} of {before.name!r} has other words in "
                f"{prompts.name!r}, or is not in it ({len(changed)} such in all); choose another --out"
            )
        chosen |= before.by_id.keys()
    return prompts.holding([prompt for prompt in prompts.prompts if prompt.id in chosen])


async def _draw(runner: Runner, samples: Samples, missing: Sequence[DrawingRequest], generator: Generator) -> None:
    """Have the generator draw the missing pictures, and keep each in the journal and on disk; close the generator."""
    progress = runner.progress

    def keep(record: Record) -> bool:
        """Count a record, new or read from the journal; True if its picture need not be drawn again."""
        earlier = samples.drawings.get(record.identity)
        if earlier is None or record.final or not earlier.final:  # the rule of `last_records`
            samples.drawings[record.identity] = record
        progress.figures.add(record)
        is_settled = samples.is_there(record)
        progress.done += is_settled
        return is_settled

    runner.on_progress(progress)
    try:
        adapter = GeneratorAdapter(generator, samples, {request.id: request for request in missing})
        asker, pending = runner.asker(adapter, drawing_outcome), [samples.pending(request) for request in missing]
        journal = samples.folder / JOURNAL_FILE
        identities = {identity for identity, record in samples.drawings.items() if samples.is_there(record)}
        await runner.ask(asker, pending, journal, keep, identities, calls=len(pending))
    finally:
        await generator.close()
