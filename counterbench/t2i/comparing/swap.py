"""One call of `swap`: is a new judge the old one? Both are asked the same pairs until that is decided."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking, AskOptions
from counterbench.asking.limits import Budget
from counterbench.asking.probe import open_pairs
from counterbench.asking.side_by_side import SideBySide
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.files.addresses import PathLike, written
from counterbench.judges.base import Judge, called
from counterbench.runs.folder import RUN_FILE, default_path
from counterbench.runs.queries import STRUCTURED, Key, PromptTemplate, load_template
from counterbench.scoring.results import RunReplies, read_replies
from counterbench.scoring.swap import Compared, SwapDocument, by_cell, compared, paired
from counterbench.suites.rounds import Rounds
from counterbench.suites.sources import Source, names_folder
from counterbench.suites.suite import is_shipped
from counterbench.t2i.judging.validation import Target, Validation
from counterbench.text import counted

OLD, NEW = "old", "new"  # folders of the two runs
_USUAL = "certify"  # the suite, unless another is named
_MOST_CALLS = 6_000  # of one command, unless --max-calls says otherwise


@dataclass(frozen=True)
class Swap(AskOptions):
    """One call of `swap`; its properties are opened at first use.

    `old_given`: a judge, or the folder of its run, which serves in its place. `target_given`: as of `Validation`; by
    default the suite `certify`, or that of the run. `delta`: the largest difference that does not matter.
    `template_given`: by default `structured`, or that of the run. The others are those of `AskOptions`.
    """

    old_given: Judge | Callable[..., Any] | PathLike
    new_given: Judge | Callable[..., Any] | str
    target_given: str = ""
    _: KW_ONLY
    delta: float = 0.05
    out: PathLike | None = None
    template_given: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.delta < 1:
            raise InputError(f"--delta must be between 0 and 1 (0.05 is 5 points), not {self.delta}")
        if isinstance(self.new_given, str) and (Path(self.new_given) / RUN_FILE).is_file():
            raise InputError(
                f"{self.new_given}: NEW is asked, so it must be a judge and not a run; two runs are set side by side "
                "by counterbench compare RUN RUN"
            )

    @cached_property
    def old_run(self) -> RunReplies | None:
        """The run that stands for the old judge, if it is one; InputError if its replies would mislead."""
        given = self.old_given
        if not isinstance(given, str | os.PathLike) or not (Path(given) / RUN_FILE).is_file():
            return None
        run = read_replies(Path(given))
        if run.info.by_cells:
            raise InputError(
                f"{run.path}: OLD is a run that stopped by its replies (of validate, evaluate or swap): it stopped "
                "while the judge looked good or bad, so its numbers flatter or wrong it; name the judge itself, "
                f"{run.info.judge}, or a run of probe"
            )
        return run

    @cached_property
    def source(self) -> Source:
        """All pairs that may be asked about; InputError if they are not those of the old run."""
        run = self.old_run
        named = self._target.suite if run is None or self.target_given else run.info.suite
        if run is None:
            return open_pairs(named)
        if not (self.target_given or is_shipped(named)):
            raise InputError(f"{run.path}: is on {named!r}, which is no shipped suite; name its pairs: --for SUITE|DIR")
        info = run.info
        there = names_folder(named)
        source = open_pairs(named) if there else open_pairs(named, info.seed, None, info.side, info.style)
        if not source.continues(info.suite_digest, info.queries // info.votes // 2):
            raise InputError(
                f"{run.path}: was not asked the pairs of {source.name!r} as they are here, but {info.suite!r} with "
                f"digest {info.suite_digest}; name the suite or folder that it was asked: --for SUITE|DIR"
            )
        return source

    @cached_property
    def rounds(self) -> Rounds:
        """The pairs in rounds; of a run, those that the old judge answered."""
        run = self.old_run
        among = {p.key.group for p in run.pairs if p.consistent is not None} if run is not None else None
        laws = self._target.laws if run is None or self.target_given else ()
        rounds = Rounds(self.source, laws, among)
        if not rounds.longest:
            where = f" among those that {run.path} answered" if run is not None else ""
            raise InputError(f"{self.source.name}: has no pairs of what --for needs{where}; name another --for")
        return rounds

    @cached_property
    def template(self) -> PromptTemplate:
        """The way to ask both; InputError if the old run was asked in another."""
        run = self.old_run
        template = load_template(self.template_given or (run.info.template if run is not None else STRUCTURED))
        if run is not None and template.digest != run.info.template_digest:
            raise InputError(
                f"{run.path}: was asked by the template {run.info.template!r}, digest {run.info.template_digest}, "
                f"and {template.name!r} is {template.digest}; give its file: --template FILE"
            )
        return template

    @cached_property
    def path(self) -> Path:
        """The folder of both runs."""
        if self.out is not None:
            return written(self.out)
        return default_path(f"swap-{self.source.name}", "--".join(self._names))

    @cached_property
    def judges(self) -> dict[str, Judge]:
        """The judges that are asked, by the folders of their runs."""
        given: dict[str, Any] = (
            {NEW: self.new_given} if self.old_run is not None else {OLD: self.old_given, NEW: self.new_given}
        )
        return {side: self.open_judge(judge, self._keys) for side, judge in given.items()}

    def run(self, on_progress: OnProgress = unseen) -> SwapDocument:
        """Ask until it is decided or a limit is reached; the same call again goes on, and asks nothing twice."""
        limits = self.limits or Limits()
        limits = msgspec.structs.replace(limits, max_calls=limits.max_calls or _MOST_CALLS)
        budget = Budget(limits.max_calls, limits.max_cost)
        votes = self.votes if self.old_run is None else self.old_run.info.votes
        askings = [
            Asking(
                self._together.questions, judge, self.path / side, templates=[self.template],
                adaptive=self._together.share(), budget=budget, votes=votes, limits=limits, name=self.name,
            )
            for side, judge in self.judges.items()
        ]  # fmt: skip
        self._together.run(askings, on_progress)
        found, (old, new) = self.found(), self._names
        stopped, again = self._stopped(askings) if found.verdict == "undecided" else ("", "")
        return SwapDocument(
            **msgspec.structs.asdict(found),
            old=old,
            new=new,
            suite=self.source.name,
            delta=self.delta,
            calls=sum(asking.seen.replies for asking in askings),
            run=str(self.path),
            stopped=stopped,
            again=again,
        )

    def found(self) -> Compared:
        """The verdict on the whole rounds that both have answered so far."""
        old = read_replies(self.path / OLD) if self.old_run is None else self.old_run
        pairs = list(paired(old, read_replies(self.path / NEW)))
        whole = self.rounds.pairs(0, self.rounds.whole(len(pairs)))
        return compared(by_cell(pairs[: len(whole)]), self.delta)

    @cached_property
    def _together(self) -> SideBySide:
        paths = [self.path / side for side in self.judges]
        return SideBySide(self.rounds, paths, lambda: self.found().verdict == "undecided")

    @cached_property
    def _target(self) -> Target:
        return Validation(self.new_given, self.target_given or _USUAL).target

    @property
    def _names(self) -> tuple[str, str]:
        run, judges = self.old_run, self.judges
        old = called(judges[OLD]) if run is None else run.info.name or run.info.judge
        return old, called(judges[NEW], self.name)

    def _keys(self) -> Iterator[Key]:
        return self._together.keys()

    def _stopped(self, askings: Sequence[Asking]) -> tuple[str, str]:
        """The reason why it ended undecided, and advice on how it goes on."""
        for end in (each.end for asking in askings for each in asking.ends):
            if end.stopped or end.failed:
                return end.stopped or f"{counted(end.failed, 'question')} failed", end.again
        return f"both have answered all pairs of {self.source.name} that can be compared", ""
