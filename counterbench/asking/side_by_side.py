"""Judges that are asked the same pairs side by side: the next pairs follow once all have answered those before."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from counterbench.asking.asking import Asking
from counterbench.asking.runner import Progress, run_sync
from counterbench.bars import OnProgress, unseen
from counterbench.runs.folder import KEYS_FILE, read_keys
from counterbench.runs.pair_queries import PairQuestions, keys
from counterbench.runs.queries import Key
from counterbench.suites.rounds import Rounds

_BATCH = 20  # pairs between two looks; at least one round


class SideBySide:
    """Runs in the folders `paths`, of one judge each, on the same pairs in rounds.

    `goes_on` is called whenever all judges have answered all pairs so far; while it is true further rounds follow, if
    there are any. Runs that were broken off begin with the pairs that any of them has.
    """

    def __init__(self, rounds: Rounds, paths: Sequence[Path], goes_on: Callable[[], bool]) -> None:
        self._rounds, self._goes_on, self._judges = rounds, goes_on, len(paths)
        self._step = max(1, _BATCH // rounds.longest)
        known = [sum(1 for _ in read_keys(path)) // 2 for path in paths if (path / KEYS_FILE).is_file()]
        # The rounds that are asked now: all so far, later the latest.
        self.first, self.last = 0, rounds.whole(max(known, default=0)) or self._step

    def keys(self) -> Iterator[Key]:
        """The truth of what is asked now, for planted judges."""
        return keys(self._rounds.pairs(self.first, self.last))

    @property
    def questions(self) -> PairQuestions:
        """What is asked now."""
        return PairQuestions(self._rounds.pairs(self.first, self.last))

    def share(self) -> "Share":
        """The questions of one of the judges."""
        return Share(self)

    def run(self, askings: Sequence[Asking], on_progress: OnProgress = unseen) -> None:
        """Ask until no more pairs follow, or one of the runs is stopped; each asking has a `share` of its own."""
        for asking in askings:
            asking.check()
        run_sync(self._ask(askings, on_progress))

    async def _ask(self, askings: Sequence[Asking], on_progress: OnProgress) -> None:
        self.barrier = asyncio.Barrier(len(askings))
        states: dict[Asking, Progress] = {}

        async def ask(asking: Asking) -> None:
            def report(progress: Progress) -> None:
                states[asking] = progress
                on_progress(sum(p.done + p.failed for p in states.values()), sum(p.total for p in states.values()))

            try:
                await asking.ask(report)
            finally:
                await self.barrier.abort()  # the others wait for nobody

        for ended in await asyncio.gather(*map(ask, askings), return_exceptions=True):
            if isinstance(ended, BaseException):
                raise ended

    def follow(self, last: int) -> None:
        """Go on to further rounds, unless the judge that came first has, or it is decided."""
        if last == self.last and self._goes_on():
            self.first, self.last = last, last + self._step


class Share:
    """The questions of one judge (see `AdaptiveQuestions`)."""

    by_cells = True
    min_remaining = 0
    status = ""

    def __init__(self, together: SideBySide) -> None:
        self._together, self._last = together, together.last

    async def next_batch(self) -> PairQuestions | None:
        """The next questions, once the other judges have answered too."""
        together, last = self._together, self._last
        try:
            await together.barrier.wait()
        except asyncio.BrokenBarrierError:
            return None
        together.follow(last)
        self._last = together.last
        questions = together.questions
        return questions if together.last > last and len(questions) else None
