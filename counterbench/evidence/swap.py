"""Does a new judge answer pairs as an old one does? Both are asked the same pairs until it is decided.

A pair is two drawn scenes with one question; a judge is right about a pair if both of its answers are. The CCS is the
share of pairs that it has right. OLD may be a run of `probe` in place of a judge. The command `swap` is
`pictures.comparing.swap.Swap`, which also has the new judge answer about pictures that the old one has judged.

PATH/old, PATH/new   the runs about pairs
"""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.asking.job import Job
from counterbench.asking.limits import Budget
from counterbench.asking.probe import open_pairs
from counterbench.asking.runner import Progress
from counterbench.asking.side_by_side import JointQuestions
from counterbench.bars import OnProgress
from counterbench.diagnosis.diagnose import diagnose
from counterbench.diagnosis.document import DiagnosedFault
from counterbench.errors import InputError, errors_at
from counterbench.evidence.options import SwapOptions
from counterbench.evidence.validation import Target, Validation
from counterbench.files.addresses import PathLike, written
from counterbench.judges import KINDS, is_spec
from counterbench.judges.base import Judge, called
from counterbench.results.judge_changes import ComparedJudges, by_cell, compared, paired
from counterbench.results.results import RunReplies, read_replies
from counterbench.runs.folder import RUN_FILE, T2I_FILE, default_path
from counterbench.runs.queries import STRUCTURED, PromptTemplate, load_template
from counterbench.suites.rounds import Rounds
from counterbench.suites.sources import Source, names_folder
from counterbench.suites.stickers import StickerSuite

OLD, NEW = "old", "new"  # folders of the runs
_DEFAULT_SUITE = "certify"  # the pairs, unless others are named
_MIN_GROWTH = 0.05  # a fault whose cost in CCS grew by this much is reported as a new one


@dataclass(frozen=True)
class PairSwap(SwapOptions, Job):
    """Two judges on the same pairs; `template` is by default `structured`, or that of the run."""

    def __post_init__(self) -> None:
        """InputError if the margin is out of range, or OLD or NEW is not what it must be."""
        if not 0 < self.delta < 1:
            raise InputError(f"--delta must be between 0 and 1 (0.05 is 5 points), not {self.delta}")
        if _is_run(self.new):
            raise InputError(
                f"{self.new}: NEW must be a judge, which is asked, and not a run; to compare two runs: "
                "counterbench compare RUN RUN"
            )
        if isinstance(self.old, str | os.PathLike) and not _is_run(self.old) and not is_spec(os.fspath(self.old)):
            raise InputError(
                f"{self.old}: no run lies there, and no judge has that name; OLD is a run of probe, "
                f"or one of: {', '.join(KINDS)}"
            )
        if _is_run(self.old) and (Path(self.old) / T2I_FILE).is_file():
            raise InputError(
                f"{self.old}: is a run about pictures, which --for takes; give its judge, or a run of probe, as OLD, "
                f"with --for {self.old}"
            )

    @cached_property
    def old_run(self) -> RunReplies | None:
        """The run that is given in place of the old judge; None if a judge is given.

        InputError if the run stopped as soon as its replies were decisive: its scores are biased.
        """
        if not _is_run(self.old):
            return None
        run = read_replies(Path(self.old))
        if run.info.by_cells:
            raise InputError(
                f"{run.path}: OLD is a run that stopped by its replies (of validate, evaluate or swap), so its scores "
                f"are biased (optional stopping); name the judge itself, {run.info.judge}, or a run of probe"
            )
        return run

    @cached_property
    def source(self) -> Source:
        """All pairs that may be asked about; InputError if they are not those of the old run."""
        if self.old_run is None:
            return open_pairs(self.needed_pairs.suite)
        path, info = self.old_run.path, self.old_run.info
        suite_name = self.needed_pairs.suite if self.target else info.suite
        suite_options = () if names_folder(suite_name) else (info.seed, None, info.side, info.style)
        with errors_at(f"{path}: was asked about {info.suite!r}; name its pairs with --for SUITE|DIR"):
            source = open_pairs(suite_name, *suite_options)
            if not source.continues(info.suite_digest, info.queries // info.repeats // 2):
                raise InputError(f"{suite_name!r} has other pairs now (another seed, size, file or version)")
        return source

    @cached_property
    def rounds(self) -> Rounds:
        """The pairs in rounds of one of each cell (a kind of pairs); if OLD is a run, only those that it answered."""
        run = self.old_run
        answered = {pair.key.group for pair in run.pairs if pair.consistent is not None} if run is not None else None
        laws = self.needed_pairs.laws if run is None or self.target else ()
        rounds = Rounds(self.source, laws, answered, self.stickers)
        if not rounds.longest:
            reason = (
                "OLD answered no pair of the cells that are needed"
                if run
                else "it has no pair whose answer must change"
            )
            raise InputError(f"{self.source.name}: {reason}; name another with --for")
        return rounds

    @cached_property
    def stickers(self) -> StickerSuite | None:
        """Further pairs, drawn on top of pictures; here none."""
        return None

    @cached_property
    def asked_by(self) -> PromptTemplate:
        """The template in which both judges are asked; InputError if the old run was asked in another."""
        info = self.old_run.info if self.old_run is not None else None
        template = load_template(self.template or (info.template if info is not None else STRUCTURED))
        if info is not None and template.digest != info.template_digest:
            raise InputError(
                f"OLD was asked with template {info.template!r}, not {template.name!r}; leave --template out, or give "
                "the file of OLD's template"
            )
        return template

    @cached_property
    def path(self) -> Path:
        """The folder PATH of both runs."""
        if self.out is not None:
            return written(self.out)
        return default_path(f"swap-{self.source.name}", f"{self.old_name}--{called(self.judges[NEW])}")

    @cached_property
    def judges(self) -> dict[str, Judge]:
        """The judges that are asked, by `OLD` and `NEW`; without the old one if its run is given."""
        by_side: dict[str, Any] = {OLD: self.old, NEW: self.new}
        sides = [NEW] if self.old_run is not None else [OLD, NEW]
        return {side: self.open_judge(by_side[side], lambda: self._joint.keys()) for side in sides}

    def ask_pairs(
        self, budget: Budget, limits: Limits, on_progress: OnProgress
    ) -> tuple[list[Asking], Progress | None]:
        """Ask both judges until it is decided: gives their runs, and the state of one that stopped or failed."""
        repeats = self.old_run.info.repeats if self.old_run is not None else self.repeats
        askings = [
            self.asking_about(
                self._joint.questions, judge, self.path / side, templates=[self.asked_by], adaptive=self._joint,
                budget=budget, repeats=repeats, limits=limits,
            )
            for side, judge in self.judges.items()
        ]  # fmt: skip
        return askings, self._joint.run(askings, on_progress)

    def comparison_so_far(self) -> ComparedJudges:
        """The comparison on the whole rounds that both judges have answered so far."""
        old_replies = self.old_run or read_replies(self.path / OLD)
        pairs = list(paired(old_replies, read_replies(self.path / NEW)))
        counted_pairs = self.rounds.pairs(0, self.rounds.whole(len(pairs)))
        return compared(by_cell(pairs[: len(counted_pairs)]), self.delta)

    def new_faults(self) -> list[DiagnosedFault]:
        """The faults of the new judge that the old one lacks, or has clearly less of."""
        old_path = self.path / OLD if self.old_run is None else self.old_run.path
        before, after = diagnose([old_path, self.path / NEW]).runs
        effects = {fault.name: fault.effect for fault in before.faults}
        return [new for new in after.faults if new.name not in effects or new.effect - effects[new.name] >= _MIN_GROWTH]

    @cached_property
    def _joint(self) -> JointQuestions:
        """The questions to both judges, round by round, until the verdict is decided."""
        paths = [self.path / side for side in self.judges]
        return JointQuestions(self.rounds, paths, lambda: self.comparison_so_far().verdict == "undecided")

    @cached_property
    def needed_pairs(self) -> Target:
        """The pairs that are asked about: those of the suite or prompts `target`, by default of `certify`."""
        return Validation(self.new, self.target or _DEFAULT_SUITE).use

    @property
    def old_name(self) -> str:
        """The old judge's name, from the judge itself or from its run."""
        run = self.old_run
        return called(self.judges[OLD]) if run is None else run.info.name or run.info.judge


def _is_run(value: object) -> TypeGuard[PathLike]:
    """True if a value is the path of a run's folder."""
    return isinstance(value, str | os.PathLike) and (Path(value) / RUN_FILE).is_file()
