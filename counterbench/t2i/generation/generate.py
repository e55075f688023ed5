"""Has a generator draw a prompt set into a folder: journaled, stoppable at any moment, and resumable.

The journal alone says what was drawn. The manifest is made from it whenever a run ends, and is not there while one is
at work: so a manifest that is there is whole and true.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import msgspec
import PIL

from counterbench._version import __version__
from counterbench.asking.asker import Asker, Due, Limits, Read
from counterbench.asking.flight import Flight
from counterbench.asking.probe import to_the_end
from counterbench.asking.runner import Progress
from counterbench.errors import InputError, JudgeError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.judges.base import Judge, extras
from counterbench.runs.folder import JOURNAL_FILE
from counterbench.runs.journal import Journal, Record
from counterbench.t2i.generation.desk import Desk, outcome
from counterbench.t2i.generation.samples import REWRITING_FILE, Samples, drawing_due
from counterbench.t2i.generators import rewriting
from counterbench.t2i.generators.base import Generator, GeneratorExtras
from counterbench.t2i.images.manifest import IMAGES_FILE, MANIFEST_FILE, Images, ImagesInfo, plain_name, read_manifest
from counterbench.t2i.prompts.prompt_set import PromptSet


class Generated(msgspec.Struct, frozen=True):
    """What a call of `generate_images` came to: the folder as it is now, and how far the run is."""

    images: Images
    progress: Progress


def generate_images(
    prompts: PromptSet,
    generator: Generator,
    out: Path,
    *,
    samples: int = 4,
    seed: int = 0,
    limit: int | None = None,
    limits: Limits | None = None,
    rewriter: Judge | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Generated:
    """Draw `samples` pictures of each prompt into `out/<generator>`, or what that folder still lacks.

    `limit`: the first so many groups, at all their levels; a later call may ask for more. `limits` are those of a
    probe. `rewriter` rewrites every prompt once before anything is drawn; its calls and cost count too.

    Raises InputError if the folder holds something else or a picture cannot be written, BusyError if another process
    is at work there, JudgeError if the generator (or rewriter) cannot be asked at all; what was drawn is kept.
    """
    if samples < 1:
        raise InputError(f"--samples must be at least 1, not {samples}")
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, not {limit}")
    more = extras(generator, GeneratorExtras)
    info = ImagesInfo(
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        generator=generator.name,
        checkpoint=more.checkpoint,
        rewriter=rewriter.name if rewriter is not None else "",
        samples=samples,
        seed=seed,
        groups=min(limit or len(prompts.groups), len(prompts.groups)),
        versions={"counterbench": __version__, "pillow": PIL.__version__} | more.versions,
    )
    folder = out / plain_name(generator.name + (f"--after-{rewriter.name}" if rewriter is not None else ""))
    with claim(folder, "a folder of generated pictures", (IMAGES_FILE,), lambda: _refuse_other_run(folder, info)):
        there = _begin(folder, info)
        run = _Run(Samples(prompts, folder, info), generator, rewriter, limits or Limits(), on_progress)
        (folder / MANIFEST_FILE).unlink(missing_ok=True)
        try:
            to_the_end(run.run())
        finally:
            formats.write_lines(folder / MANIFEST_FILE, run.samples.rows(there.groups))
    return Generated(read_manifest(folder), run.progress)


def _refuse_other_run(folder: Path, info: ImagesInfo) -> None:
    if (folder / IMAGES_FILE).is_file():
        there = formats.read_json(folder / IMAGES_FILE, ImagesInfo)
        for name in ("prompts_digest", "generator", "rewriter", "samples", "seed"):
            if getattr(there, name) != getattr(info, name):
                raise InputError(
                    f"{folder}: holds other pictures: their {name.replace('_', ' ')} is {getattr(there, name)!r}, not "
                    f"{getattr(info, name)!r} (they are by {there.label!r} for {there.prompts!r}); choose another --out"
                )
        if there.checkpoint != info.checkpoint:
            raise InputError(
                f"{folder}: the files of {info.generator!r} have changed since these pictures were drawn (their "
                f"fingerprint was {there.checkpoint or 'not kept'}, and is {info.checkpoint or 'none'} now), so the "
                "rest would be by another model; put the files back, or choose another --out"
            )


def _begin(folder: Path, info: ImagesInfo) -> ImagesInfo:
    """Write `images.json`, or add to it: what it says now. Groups that were asked for once stay asked for."""
    if (folder / IMAGES_FILE).is_file():
        there = formats.read_json(folder / IMAGES_FILE, ImagesInfo)
        if there.groups >= info.groups:
            return there
        info = msgspec.structs.replace(there, groups=info.groups)
    formats.write_json(folder / IMAGES_FILE, info)
    return info


class _Run:
    """One call of `generate_images` at work."""

    def __init__(
        self,
        samples: Samples,
        generator: Generator,
        rewriter: Judge | None,
        limits: Limits,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self.samples, self.generator, self.rewriter = samples, generator, rewriter
        self.limits, self.on_progress = limits, on_progress
        chosen = samples.prompts(samples.info.groups)
        self.progress = Progress(total=len(chosen) * samples.info.samples, done=sum(map(samples.settled, chosen)))

    async def run(self) -> None:
        """Rewrite what is to be rewritten, then draw what is to be drawn."""
        samples, groups = self.samples, self.samples.info.groups
        self.on_progress(self.progress)
        try:
            if self.rewriter is not None:
                dues = samples.unwritten(groups)
                judge = rewriting.Rewriter(self.rewriter)
                await self._ask(judge, rewriting.outcome, REWRITING_FILE, dues, self._keep_rewriting)
            if not self.progress.stopped:
                requests = {request.id: request for request in samples.missing(groups)}
                paths = {id: samples.place(request) for id, request in requests.items()}
                dues = [drawing_due(self.generator.name, request) for request in requests.values()]
                desk = Desk(self.generator, samples.folder, requests, paths)
                await self._ask(desk, outcome, JOURNAL_FILE, dues, self._keep_drawing)
        finally:
            if self.rewriter is not None:
                await self.rewriter.close()
            await self.generator.close()

    def _keep_rewriting(self, record: Record) -> bool:
        self.samples.rewritings[record.identity] = record
        if record.outcome == "refused":
            self.progress.done += self.samples.info.samples
        return record.final

    def _keep_drawing(self, record: Record) -> bool:
        before = self.samples.drawings.get(record.identity)
        if before is None or record.final or not before.final:  # as the journal is read
            self.samples.drawings[record.identity] = record
        settled = self.samples.is_there(record)
        self.progress.done += settled
        return settled

    async def _ask(
        self, judge: Judge, read: Read, journal: str, dues: Sequence[Due], keep: Callable[[Record], bool]
    ) -> None:
        """Put queries to a judge within what is left of the limits. JudgeError if it cannot be asked at all.

        `keep` says whether a record settles its query; where none does, it counts as failed.
        """
        limits = self._left()
        if not dues or limits is None:
            return
        before = msgspec.structs.replace(self.progress)
        failing: set[str] = set()

        def told() -> None:
            progress, budget = self.progress, asker.budget
            progress.calls, progress.cost = before.calls + budget.calls, before.cost + budget.cost
            progress.failed = before.failed + len(failing)
            progress.paused, progress.stopped = asker.pace.paused, asker.stopped

        def keep_all(records: list[Record]) -> None:
            file.append(records)
            for record in records:
                self.progress.retried += record.attempts > 1
                (failing.discard if keep(record) else failing.add)(record.identity)
            told()
            self.on_progress(self.progress)

        with Journal(self.samples.folder / journal) as file:
            asker = Asker(judge, limits, keep_all, read)
            flight = Flight(asker)
            waiting = iter(dues)
            try:
                while not asker.stopped and (batch := list(islice(waiting, max(1, judge.max_batch)))):
                    await flight.launch(batch)
                await flight.land()
            finally:
                await flight.abandon()
                told()
        if asker.fatal:
            raise JudgeError(asker.stopped)

    def _left(self) -> Limits | None:
        """The limits less what was spent before; None, and the run is stopped, if nothing is left."""
        limits, progress = self.limits, self.progress
        for name, spent in (("max_calls", progress.calls), ("max_cost", progress.cost)):
            most = getattr(limits, name)
            if most is not None and spent:
                if most <= spent:
                    progress.stopped = (
                        f"--{name.replace('_', '-')} {most} reached: all of it went into rewriting prompts"
                    )
                    return None
                limits = msgspec.structs.replace(limits, **{name: most - spent})
        return limits
