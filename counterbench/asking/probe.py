"""The questions of `probe`: about pairs of a suite or folder, to a judge by name or as an object."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from counterbench.asking.asking import Asking
from counterbench.asking.job import Job
from counterbench.asking.limits import Forecast
from counterbench.asking.options import ProbeOptions
from counterbench.drawing.styles import FLAT
from counterbench.files import catalog
from counterbench.files.addresses import PathLike, address_of, fetched, resume, written
from counterbench.judges.base import called
from counterbench.runs.folder import default_path
from counterbench.runs.pair_queries import PairQuestions
from counterbench.runs.queries import load_templates
from counterbench.suites.shards import read_shard
from counterbench.suites.sources import Source, SuiteSource, open_source, source_of_attempt
from counterbench.suites.suite import Suite, load_suite


@dataclass(frozen=True)
class Probe(ProbeOptions, Job):
    """One call of `probe`. If its source and judge are given by name, it can be sent to another machine."""

    @cached_property
    def pairs(self) -> Source:
        """All the pairs, of every shard; InputError if there is no such source."""
        return source_of_attempt(
            open_pairs(self.source, self.seed, self.limit, self.size, self.style), self.attempt, self.limit
        )

    def plan(self) -> Forecast:
        """The forecast of all questions that are left to ask."""
        return self.asking().plan()

    def askings(self) -> Iterator[Asking]:
        """The one run of this job."""
        yield self.asking()

    def asking(self) -> Asking:
        """The run of this job: opens the judge and fetches an earlier run, but asks nothing."""
        pairs, part = self.pairs, read_shard(self.shard)
        every = PairQuestions(pairs)
        judge = self.open_judge(self.judge, every.keys)
        path = written(self.out) if self.out is not None else self._default_folder(called(judge, self.name))
        resume(path, self.resume_from, self.upload)
        return self.asking_about(
            every if part is None else PairQuestions(pairs.sharded(part)),
            judge,
            path,
            templates=load_templates(self.template),
            upload=self.upload,
        )

    def _default_folder(self, judge: str) -> Path:
        """The default folder of the run, named by the suite and the judge (its name in folders).

        It also has what was changed, such as a size; of a loaded suite, also a seed other than the shipped suite's.
        """
        suite, seed = (self.pairs.suite if isinstance(self.pairs, SuiteSource) else None), self.seed
        if isinstance(self.source, Suite) and seed is None and self.source.name in catalog.names("scenes"):
            seed = self.source.seed if self.source.seed != load_suite(self.source.name).seed else None
        return default_path(
            self.pairs.name,
            judge,
            style=suite.style if suite is not None else FLAT,
            shard=read_shard(self.shard),
            seed=seed,
            limit=self.limit,
            size=suite.side if suite is not None else None,
            attempt=self.attempt,
        )


def open_pairs(
    source: Suite | PathLike,
    seed: int | None = None,
    limit: int | None = None,
    size: int | None = None,
    style: str = FLAT,
) -> Source:
    """The pairs of a suite, a shipped suite's name, a file, a folder or an address; InputError if there are none."""
    if isinstance(source, Suite):
        drawn = source if seed is None else source.reseeded(seed)
        drawn = drawn.sized(size)
        return SuiteSource(drawn if style == FLAT else drawn.styled(style), limit)
    if address_of(source):
        source = str(fetched(source))
    elif not isinstance(source, str):  # a path is never a shipped suite's name
        path = Path(source)
        source = str(path) if path.is_absolute() else f"./{path}"
    return open_source(source, seed, limit, size, style)
