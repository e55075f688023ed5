"""The job of `swap`: drawn pairs (`evidence.swap`), and the pictures that the old judge has judged.

`Swap.conclude` asks both judges pair by pair, has the new one judge the pictures of the old one's run if such a run was
named (`judged`), and gives a `SwapDocument`. For such a run some pairs are stickers: drawn things on top of its
pictures.

PATH/pictures   the run of the new judge about these pictures
"""

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import msgspec

from counterbench.asking.asker import Limits
from counterbench.bars import OnProgress, unseen
from counterbench.diagnosis.document import DiagnosedFault
from counterbench.errors import InputError
from counterbench.evidence.admission import COMPARISONS
from counterbench.evidence.swap import NEW, OLD, PairSwap
from counterbench.evidence.validation import Target, Validation
from counterbench.judges.base import called
from counterbench.pictures.comparing.shifts import Ranking, ranking
from counterbench.pictures.judging.run import Judging, judged_again, read_t2i_run
from counterbench.prompts.skills import sticker_families
from counterbench.results.judge_changes import ComparedJudges
from counterbench.runs.folder import T2I_FILE, read_run_info
from counterbench.suites.stickers import STICKERS, StickerSuite, drawn_grounds, sticker_suite, with_room
from counterbench.suites.suite import load_suite
from counterbench.text import brief, counted

PICTURES = "pictures"  # the folder of the run about pictures
_STICKER_PAIRS = 300  # the number of sticker pairs of each family, each on a picture drawn at random
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
class Swap(PairSwap):
    """One call of `swap`."""

    @cached_property
    def needed_pairs(self) -> Target:
        """The pairs that are asked about; if `target` is a run about pictures, those that its questions need."""
        if self.judged is None:
            return super().needed_pairs
        first = read_t2i_run(self.judged)[0]
        return Validation(self.new, COMPARISONS if first.protocol.compares else first.prompts).use

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
        self.pictures  # noqa: B018  mistakes in its options come before the first question
        askings, end = self.ask_pairs(budget, limits, on_progress)
        new_ranking, pictures_end = None, None
        if end is None and self.judged is not None and self.pictures is not None:
            budget.max_calls = self.limits.max_calls if self.limits else None  # the usual most is of pairs alone
            picture_job = replace(self.pictures, budget=budget)
            askings.append(picture_job.asking())
            (result,) = askings[-1].run(lambda progress: on_progress(progress.done + progress.failed, progress.total))
            pictures_end = result.end if result.end.stopped or result.end.failed else None
            if pictures_end is None:
                new_ranking = ranking(self.judged, picture_job.path, (self.old_name, called(self.judges[NEW])))
        comparison = self.comparison_so_far()
        if new_ranking is not None and new_ranking.moved:  # the named pictures count, whatever drawn pairs show
            comparison = msgspec.structs.replace(comparison, verdict="changed")
        end, decided = end or pictures_end, comparison.verdict != "undecided"
        return SwapDocument(
            **msgspec.structs.asdict(comparison),
            old=self.old_name,
            new=called(self.judges[NEW]),
            suite=self.source.name,
            delta=self.delta,
            calls=sum(asking.figures.replies for asking in askings),
            run=str(self.path),
            new_faults=self.new_faults() if comparison.verdict == "changed" else [],
            ranking=new_ranking,
            stopped="" if decided and end is None else end.reason if end else "there are no further pairs",
            again="" if end is None else end.again,
        )
