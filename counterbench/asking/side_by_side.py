"""Judges that are asked the same pairs side by side: the next pairs follow once all have answered those before.

A round has one pair of each cell (`suites.rounds`). Between two batches of rounds the caller looks at the replies so
far, and decides if more are needed.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from counterbench.asking.asking import Asking
from counterbench.asking.runner import Progress, run_sync
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.runs.folder import KEYS_FILE, read_keys
from counterbench.runs.pair_queries import PairQuestions
from counterbench.runs.queries import Key
from counterbench.suites.rounds import Rounds

BATCH = 20  # pairs between two looks at the replies; never less than one round


class JointQuestions:
    """The questions (see `AdaptiveQuestions`) of runs in the folders `paths`, of one judge each.

    `goes_on` is called whenever all judges have answered everything so far; while it is true further rounds follow, if
    there are any: as many as make `batch` pairs, at least one. Runs that were broken off begin with the pairs that any
    of them has.
    """

    by_cells, min_remaining, status = True, 0, ""

    def __init__(self, rounds: Rounds, paths: Sequence[Path], goes_on: Callable[[], bool], batch: int = BATCH) -> None:
        self._rounds, self._goes_on = rounds, goes_on
        self._step = max(1, batch // rounds.longest)
        self._last = self._rounds_so_far(paths) or self._step  # the number of rounds that are asked, or asked now
        self.questions = PairQuestions(rounds.pairs(0, self._last))  # that are asked now

    def _rounds_so_far(self, paths: Sequence[Path]) -> int:
        """The least number of rounds, from the first, that have all pairs of the runs so far; 0 if these have none.

        InputError if the pairs of the runs are not those of rounds.
        """
        asked_ids = {key.group for path in paths if (path / KEYS_FILE).is_file() for key in read_keys(path)}
        last, furthest = self._rounds.whole(len(asked_ids)), self._rounds.whole(2 * len(asked_ids)) + 1
        while asked_ids and not asked_ids <= {pair.id for pair in self._rounds.pairs(0, last)}:
            if last > furthest:
                raise InputError(
                    f"{paths[0].parent}: its pairs are not those that are asked now; choose another folder"
                )
            last += 1
        return last

    def keys(self) -> Iterator[Key]:
        """The truth of the questions that are asked now, for planted judges."""
        return self.questions.keys()

    def run(self, askings: Sequence[Asking], on_progress: OnProgress = unseen) -> Progress | None:
        """Ask until no more pairs follow, or one of the runs is stopped or fails: then return its progress."""
        for asking in askings:
            asking.check()
        run_sync(self._ask(askings, on_progress))
        ends = (part.end for asking in askings for part in asking.ends)
        return next((end for end in ends if end.stopped or end.failed), None)

    async def next_batch(self) -> PairQuestions | None:
        """The next questions, the same for all judges, once the slowest has answered the last."""
        try:
            if await self._barrier.wait() == 0:
                first, self._last = self._last, self._last + self._step * self._goes_on()
                self.questions = PairQuestions(self._rounds.pairs(first, self._last))
            await self._barrier.wait()  # until one judge's task, above, has made the next questions for all
        except asyncio.BrokenBarrierError:
            return None
        return self.questions if len(self.questions) else None

    async def _ask(self, askings: Sequence[Asking], on_progress: OnProgress) -> None:
        """Ask all runs at once; a judge that ends frees the others from waiting for it."""
        self._barrier = asyncio.Barrier(len(askings))
        states: dict[Asking, Progress] = {}

        async def ask(asking: Asking) -> None:
            """Ask one run, and free the other judges from waiting for it once it ends."""

            def report(progress: Progress) -> None:
                """Report the progress of all runs together."""
                states[asking] = progress
                on_progress(sum(p.done + p.failed for p in states.values()), sum(p.total for p in states.values()))

            try:
                await asking.ask(report)
            finally:
                await self._barrier.abort()  # no other judge waits for this one

        for ended in await asyncio.gather(*map(ask, askings), return_exceptions=True):
            if isinstance(ended, BaseException):
                raise ended
