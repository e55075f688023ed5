"""One call of `swap`: does a new judge answer as an old one does? Both are asked the same pairs until it is decided.

A pair is two drawn scenes with one question; a judge is right about a pair if both of its answers are. The CCS is the
share of pairs that it has right. The path: `Swap.conclude` asks both judges pair by pair (`_joint`), has the new one
judge the pictures of the old one's run if such a run was named (`judged`), and gives a `SwapDocument`. For such a run
some pairs are stickers: drawn things on top of its pictures. OLD may be a run of `probe` in place of a judge.

PATH/old, PATH/new   the runs about pairs
PATH/pictures        the run of the new judge about the pictures that the old one has judged
"""

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from counterbench.asking.asker import Limits
from counterbench.asking.job import Job
from counterbench.asking.probe import open_pairs
from counterbench.asking.side_by_side import JointQuestions
from counterbench.bars import OnProgress, unseen
from counterbench.diagnosis.diagnose import diagnose
from counterbench.diagnosis.document import DiagnosedFault
from counterbench.errors import InputError, errors_at
from counterbench.evidence.admission import COMPARISONS
from counterbench.evidence.validation import Target, Validation
from counterbench.files.addresses import PathLike, written
from counterbench.judges import KINDS, is_spec
from counterbench.judges.base import Judge, called
from counterbench.pictures.comparing.shifts import Ranking, ranking
from counterbench.pictures.judging.run import Judging, judged_again, read_t2i_run
from counterbench.pictures.options import SwapOptions
from counterbench.prompts.prompt_set import PromptSet
from counterbench.prompts.skills import sticker_families
from counterbench.results.results import RunReplies, read_replies
from counterbench.results.swap import ComparedJudges, by_cell, compared, paired
from counterbench.runs.folder import RUN_FILE, T2I_FILE, default_path, read_run_info
from counterbench.runs.queries import STRUCTURED, PromptTemplate, load_template
from counterbench.suites.rounds import Rounds
from counterbench.suites.sources import Source, names_folder
from counterbench.suites.stickers import STICKERS, StickerSuite, drawn_grounds, sticker_suite, with_room
from counterbench.suites.suite import load_suite
from counterbench.text import brief, counted

OLD, NEW, PICTURES = "old", "new", "pictures"  # folders of the runs
_DEFAULT_SUITE = "certify"  # the pairs, unless others are named
_STICKER_PAIRS = 300  # the number of sticker pairs of each family, each on a picture drawn at random
_MIN_GROWTH = 0.05  # a fault whose cost in CCS grew by this much is reported as a new one
_MAX_CALLS = 6_000  # of one command, unless --max-calls says otherwise


class SwapDocument(ComparedJudges, frozen=True, kw_only=True):
    """The comparison of a new judge with an old one on the same pairs: the result of `swap`."""

    old: str
    new: str
    suite: str
    delta: float
    calls: int  # replies of the judges that were asked, over all commands so far
    run: str  # the folder with a run of each of them
    new_faults: list[DiagnosedFault]  # if the verdict is "changed": those that the old judge lacks or has less of
    # On the pictures of the old judge's run, once the new one has judged them; a score that moved is a change.
    ranking: Ranking | None = None
    stopped: str  # the reason why it is undecided, or has no ranking; empty if it is complete
    again: str  # advice on how it goes on; empty if it cannot

    def __repr__(self) -> str:
        return brief(self, f"{self.new} for {self.old}: {self.verdict} after {counted(self.overall.pairs, 'pair')}")


@dataclass(frozen=True)
class Swap(SwapOptions, Job):
    """One call of `swap`; `template` is by default `structured`, or that of the run."""

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
            return open_pairs(self._target.suite)
        path, info = self.old_run.path, self.old_run.info
        suite_name = self._target.suite if self.target else info.suite
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
        laws = self._target.laws if run is None or self.target else ()
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
        """The sticker pairs: drawn things on top of the pictures of the old judge's run about pictures (`judged`).

        None without such a run, if OLD is itself a run and cannot be asked, or if no picture has room.
        """
        if self.pictures is None or self.old_run is not None or self.pictures.questions.protocol.compares:
            return None
        questions = self.pictures.questions
        folders = [generator.images for generator in questions.generators]
        files = [images.file(row) for images in folders for row in images.rows if row.status == "ok"]
        try:
            files, _ = with_room(files, self.path)
        except InputError:
            return None
        suite = sticker_suite(load_suite(STICKERS), sticker_families(questions.drawn.prompts), _STICKER_PAIRS, True)
        return replace(suite, grounds=tuple(drawn_grounds(files, len(suite), suite.seed)))

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
    def judged(self) -> Path | None:
        """The folder of the old judge's run about pictures; None without one. InputError if it is another judge's."""
        path = Path(self.target or os.devnull)
        if not (path / T2I_FILE).is_file():
            return None
        judge = self.judges[OLD].name if self.old_run is None else self.old_run.info.judge
        if read_run_info(path).judge != judge:
            raise InputError(
                f"{path}: was judged by {read_run_info(path).judge}, not by {judge}; name the judge of that run as OLD"
            )
        return path

    @cached_property
    def pictures(self) -> Judging | None:
        """The call that asks the new judge about the pictures of `judged`; None without that run.

        InputError if it cannot be asked as the old one was.
        """
        if self.judged is None:
            return None
        return judged_again(self.judged, self.new, self.path / PICTURES, self.of_judge, self.template)

    @cached_property
    def path(self) -> Path:
        """The folder PATH of both runs."""
        if self.out is not None:
            return written(self.out)
        return default_path(f"swap-{self.source.name}", f"{self._old_name}--{called(self.judges[NEW])}")

    @cached_property
    def judges(self) -> dict[str, Judge]:
        """The judges that are asked, by `OLD` and `NEW`; without the old one if its run is given."""
        by_side: dict[str, Any] = {OLD: self.old, NEW: self.new}
        sides = [NEW] if self.old_run is not None else [OLD, NEW]
        return {side: self.open_judge(by_side[side], lambda: self._joint.keys()) for side in sides}

    @property
    def cost_in_words(self) -> str:
        """The most calls that this command may make, in words."""
        max_calls = (self.limits.max_calls if self.limits else None) or _MAX_CALLS
        pictures = f", and {len(self.pictures.questions):,} about the pictures" if self.pictures is not None else ""
        return f"takes: at most {max_calls:,} calls about pairs, fewer if it is decided before{pictures}"

    def conclude(self, on_progress: OnProgress = unseen) -> SwapDocument:
        """Ask both judges until it is decided or a limit is reached; gives the result so far.

        The same call again goes on, and asks nothing twice.
        """
        limits = self.limits or Limits()
        limits = msgspec.structs.replace(limits, max_calls=limits.max_calls or _MAX_CALLS)
        budget = limits.budget()
        repeats = self.old_run.info.repeats if self.old_run is not None else self.repeats
        askings = [
            self.asking_about(
                self._joint.questions, judge, self.path / side, templates=[self.asked_by], adaptive=self._joint,
                budget=budget, repeats=repeats, limits=limits,
            )
            for side, judge in self.judges.items()
        ]  # fmt: skip
        self.pictures  # noqa: B018  mistakes in its options come before the first question
        end = self._joint.run(askings, on_progress)
        new_ranking, pictures_end = None, None
        if end is None and self.judged is not None and self.pictures is not None:
            budget.max_calls = self.limits.max_calls if self.limits else None  # the usual most is of pairs alone
            picture_job = replace(self.pictures, budget=budget)
            askings.append(picture_job.asking())
            (result,) = askings[-1].run(lambda progress: on_progress(progress.done + progress.failed, progress.total))
            pictures_end = result.end if result.end.stopped or result.end.failed else None
            if pictures_end is None:
                new_ranking = ranking(self.judged, picture_job.path, (self._old_name, called(self.judges[NEW])))
        comparison = self.comparison_so_far()
        if new_ranking is not None and new_ranking.moved:  # the named pictures count, whatever drawn pairs show
            comparison = msgspec.structs.replace(comparison, verdict="changed")
        end, decided = end or pictures_end, comparison.verdict != "undecided"
        return SwapDocument(
            **msgspec.structs.asdict(comparison),
            old=self._old_name,
            new=called(self.judges[NEW]),
            suite=self.source.name,
            delta=self.delta,
            calls=sum(asking.figures.replies for asking in askings),
            run=str(self.path),
            new_faults=self._new_faults() if comparison.verdict == "changed" else [],
            ranking=new_ranking,
            stopped="" if decided and end is None else end.reason if end else "there are no further pairs",
            again="" if end is None else end.again,
        )

    def comparison_so_far(self) -> ComparedJudges:
        """The comparison on the whole rounds that both judges have answered so far."""
        old_replies = self.old_run or read_replies(self.path / OLD)
        pairs = list(paired(old_replies, read_replies(self.path / NEW)))
        counted_pairs = self.rounds.pairs(0, self.rounds.whole(len(pairs)))
        return compared(by_cell(pairs[: len(counted_pairs)]), self.delta)

    def _new_faults(self) -> list[DiagnosedFault]:
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
    def _target(self) -> Target:
        """The pairs that are asked about: those of the suite `target`, by default `certify`.

        If `target` is a run about pictures, they are the pairs that its questions need.
        """
        of_run: PromptSet | str | None = None
        if self.judged is not None:
            first = read_t2i_run(self.judged)[0]
            of_run = COMPARISONS if first.protocol.compares else first.prompts
        return Validation(self.new, of_run or self.target or _DEFAULT_SUITE).use

    @property
    def _old_name(self) -> str:
        """The old judge's name, from the judge itself or from its run."""
        run = self.old_run
        return called(self.judges[OLD]) if run is None else run.info.name or run.info.judge


def _is_run(value: object) -> TypeGuard[PathLike]:
    """True if a value is the path of a run's folder."""
    return isinstance(value, str | os.PathLike) and (Path(value) / RUN_FILE).is_file()
