"""The job of `watch`: drawn pairs (`evidence.watch`), and the pictures of the watched run, judged again.

A score that moved from a run to a later one has one of two causes: the judge changed, or the model did. So the judge
of today is asked about the earlier pictures, too.

RUN/watch/pictures-…    these replies
"""

import hashlib
import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from counterbench.asking.probe import open_pairs
from counterbench.asking.runner import Progress
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.evidence.looks import WatchDocument
from counterbench.evidence.validation import Validation
from counterbench.evidence.watch import PICTURES, PairWatch
from counterbench.pictures.comparing.shifts import explain_moves
from counterbench.pictures.judging.run import Judging, judged_again, read_t2i_run
from counterbench.results.judge_changes import Moved
from counterbench.runs.folder import T2I_FILE, read_run_info
from counterbench.suites.rounds import Rounds


@dataclass(frozen=True)
class Watch(PairWatch):
    """A call of `watch`: `start` asks the bank; `look` asks once more, with a `later` run about the pictures, too."""

    @cached_property
    def rounds(self) -> Rounds:
        """The pairs of the watched run; for a run about pictures, the pairs that its questions need."""
        if not (self.origin / T2I_FILE).is_file():
            return super().rounds
        target = Validation(self.judge, read_t2i_run(self.origin)[0].prompts).use
        return Rounds(open_pairs(target.suite), target.laws)

    @property
    def cost_in_words(self) -> str:
        """The number of calls that this look takes, in words; InputError in the cases of `look`."""
        about_pictures = (
            f", and about {len(self.picture_job.questions):,} about the pictures" if self.picture_job else ""
        )
        return super().cost_in_words + about_pictures

    def look(self, on_progress: OnProgress = unseen) -> WatchDocument:
        """See `PairWatch.look`; InputError also if `later` is no later run of the same prompts by the same judge."""
        self.picture_job  # noqa: B018  mistakes in it come before the first question
        return super().look(on_progress)

    def explain_models(self, on_progress: OnProgress) -> tuple[list[Moved], Progress | None]:
        """The models of the `later` run, each with the cause of its move; none without such a run, or if it stopped."""
        if self.later is None or self.picture_job is None:
            return [], None
        asking = replace(self.picture_job, budget=self.spending).asking()
        (result,) = asking.run(lambda progress: on_progress(progress.done + progress.failed, progress.total))
        if result.end.stopped or result.end.failed:
            return [], result.end
        return explain_moves(self.origin, self.picture_job.path, Path(self.later)), None

    @cached_property
    def picture_job(self) -> Judging | None:
        """The job that judges the pictures of `run` again; None without a `later` run.

        InputError if the later run was judged by another judge.
        """
        if self.later is None:
            return None
        self.first_replies  # noqa: B018  they come first
        folders = (self.origin, Path(self.later))
        earlier_names, later_names = ({run.model.name for run in read_t2i_run(folder)} for folder in folders)
        if not earlier_names & later_names:
            raise InputError(f"{self.later}: has no model of {self.origin}, which has: {', '.join(earlier_names)}")
        if (judge := read_run_info(Path(self.later)).judge) != self.info.judge:
            raise InputError(
                f"{self.later}: was judged by {judge}, not by {self.info.judge} as {self.origin}; "
                "`counterbench swap OLD NEW --for RUN` compares two judges"
            )
        place = Path(os.path.relpath(self.later, self.origin)).as_posix()  # later runs of one name are not mixed up
        name = f"{PICTURES}-{Path(self.later).resolve().name}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
        return judged_again(self.origin, self.judge_to_open, self.path / name, self.of_judge)
