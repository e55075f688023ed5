"""Asks cell by cell until each is decided: chooses the next pairs from the replies so far.

Evidence by betting holds at any stop, so a clear cell is decided by a few pairs and an unclear one gets more.
The next pairs depend on the replies alone, not on their times: a run that was killed and resumed asks the same pairs
as a run without a break.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.evidence.cells import CountsOfKinds, PairCount, add_counts, law_of
from counterbench.evidence.findings import counts, shown_kinds, without_declined
from counterbench.evidence.interim import InterimLook
from counterbench.evidence.policies import Policy
from counterbench.evidence.treatments import TREATMENTS, treatment_of_cell
from counterbench.judges.specs import is_by_order
from counterbench.results.results import PairResult, load_results, pair_results
from counterbench.results.rules import DEFAULT
from counterbench.results.scores import score
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, Record, read_keys, read_run_info
from counterbench.runs.pair_queries import PairQuestions, keys
from counterbench.runs.queries import Key, cell_of
from counterbench.scene.pairs import ROLES
from counterbench.suites.kinds import kind_rules
from counterbench.suites.sources import CellSource, Source, SuiteSource, attempt_of, cells_of, in_turn

T = TypeVar("T")


class UntilDecided:
    """The questions of the run in `out`, until every cell of a source's suite is decided under a policy.

    `source`: the pairs to ask now; at first those that the run has keys for already, or the first of every cell.
    `laws`: the only laws to ask about (empty: all). `answerable`: by cell, the number of first pairs to ask, decided or
    not; None to ask until each cell is decided. InputError if the suite's seed is of no attempt, a law is unknown, the
    source is not a suite, or a key of the run belongs to no cell.
    """

    by_cells = True  # the run's folder records that pairs were chosen cell by cell

    def __init__(
        self,
        source: Source,
        policy: Policy,
        out: Path,
        laws: Collection[str] = (),
        answerable: Mapping[str, int] | None = None,
    ) -> None:
        """Take the questions that the run in `out` has keys for, and count its replies; see the class for the errors.

        Without keys, begin with the first pairs of the cells, in turn. The counts serve only the progress that is shown
        first; they are emptied again, since the first `next_batch` reads the run's files from their beginning.
        """
        if not isinstance(source, SuiteSource):
            raise InputError(f"{source.name}: pairs are drawn as they are needed; name the suite itself")
        suite = source.suite
        attempt = attempt_of(suite)
        if attempt is None:
            raise InputError(
                f"suite {suite.name!r}, seed {suite.seed}: is of no attempt; `validate` takes its families and laws"
            )
        cells = cells_of(suite)
        self._suite, self._policy, self._out = suite, policy, out
        self._rules = kind_rules(suite)
        self._answerable = answerable
        self.attempt: int = attempt  # the number of the attempt whose pairs are asked
        self._controls = [name for name, cell in cells.items() if cell.control]
        self.cells = [name for name in cells if name not in self._controls and (not laws or law_of(name) in laws)]
        for law in laws:
            if law not in (known_laws := {law_of(cell) for cell in cells} - {""}):
                raise unknown("law", law, sorted(known_laws), f"suite {suite.name!r}")
        # The cells of all questions, in the order of the run's keys: a resumed run has the same order.
        recorded_keys = read_keys(out) if (out / KEYS_FILE).is_file() else []
        self._order = [cell_of(key) for key in recorded_keys if key.role == ROLES[0]]
        if strangers := set(self._order) - cells.keys():
            raise InputError(
                f"{out / KEYS_FILE}: keys of no cell of suite {suite.name!r} ({min(strangers)!r}); choose another --out"
            )
        # Counts of all pairs that were settled at the last look: by cell, and by cell and picture kind.
        self._counted: dict[str, PairCount] = {}
        self._kinds: dict[str, dict[str, PairCount]] = {}
        self._control_pairs: list[PairResult] = []
        self._declined: set[str] = set()  # treatments
        self._outcomes: Counter[str] = Counter()  # of the questions of all other pairs
        self._read = {KEYS_FILE: 0, JOURNAL_FILE: 0}  # the bytes of these files that were read at that look
        self._decided = 0
        if not self._order:
            self._order = in_turn(self._next_answerable())
        self._before, self.source = 0, CellSource(suite, self._order)  # the pairs before those of `source`: none yet
        if (out / JOURNAL_FILE).is_file():
            run = load_results(out)
            self._count(run.pairs, run.info.judge)
        self._update_progress()
        self._counted, self._kinds, self._control_pairs, self._outcomes = {}, {}, [], Counter()

    def keys(self) -> Iterator[Key]:
        """The truth of all questions, for planted judges; the pairs to ask now come first."""
        yield from keys(self.source)
        yield from keys(CellSource(self._suite, self._order[: self._before]))

    def next_batch(self) -> PairQuestions | None:
        """The next questions, once all with keys are settled; None if all cells are decided."""
        # The pairs that were settled since the last look, from the lines added to the run's files since then.
        added = self._read_added(KEYS_FILE, Key), self._read_added(JOURNAL_FILE, Record)
        info = read_run_info(self._out)
        self._count(pair_results(*added, DEFAULT, info.repeats, str(self._out)), info.judge)
        following = in_turn(self._next_answerable())
        pairs_taken = Counter(self._order)
        self._before = len(self._order)
        self._order += following
        self.source = CellSource(self._suite, following, pairs_taken)
        self._update_progress()
        return PairQuestions(self.source) if following else None

    @property
    def most(self) -> int:
        """The largest possible number of questions, of one repeat each: no cell is decided early, nor the controls."""
        if self._answerable is not None:
            return 2 * len(self._order)
        treated = filter(None, map(treatment_of_cell, self._controls))
        of_treatments = sum(TREATMENTS[name].most(self._policy) for name in treated)
        return 2 * (self._policy.most * (len(self.cells) + bool(self._controls)) + of_treatments)

    @property
    def min_remaining(self) -> int:
        """The smallest number of questions that must follow those asked now: the judge is right on all of them."""
        return 2 * self._pairs_left

    @property
    def status(self) -> str:
        """The progress in words; a cell that is asked again because another law was lost still counts as done."""
        return f"{self._decided} of {len(self.cells)} cells done"

    def _read_added(self, name: str, kind: type[T]) -> list[T]:
        """The records that were added to one of the run's files since it was last read."""
        with (self._out / name).open("rb") as file:
            file.seek(self._read[name])
            lines = file.read()
        lines = lines[: lines.rfind(b"\n") + 1]  # an unfinished last line is not read
        self._read[name] += len(lines)
        return msgspec.json.Decoder(kind).decode_lines(lines)

    def _count(self, settled: Collection[PairResult], judge: str) -> None:
        """Add settled pairs to the counts of cells, of picture kinds and of outcomes.

        The controls of a scorer are not judged (`Certificate.margin`): each counts as right, so that enough are asked.
        """
        relevant = [pair for pair in settled if pair.key.relevant]
        add_counts(self._counted, counts(relevant, _cells_of))
        self._outcomes.update(score(relevant).outcomes)
        for cell, kinds in shown_kinds(settled).items():
            add_counts(self._kinds.setdefault(cell, {}), kinds)
        self._control_pairs += [pair for pair in settled if not pair.key.relevant]
        controls = counts(self._control_pairs, _cells_of)  # counted anew: all of them decide which are declined
        by_order = is_by_order(judge)
        self._counted |= {name: PairCount(count.pairs) if by_order else count for name, count in controls.items()}
        self._declined = {pair.treatment for pair in without_declined(self._control_pairs)[1]}

    def _next_pairs(self) -> dict[str, int]:
        """The numbers of pairs to ask next, by cell; empty once all is decided."""
        if self._policy.outcomes.lost(self._outcomes):  # nothing can be admitted any more
            return {}
        return self._interim_look(self._counted, self._kinds).next_pairs()

    def _next_answerable(self) -> dict[str, int]:
        """The numbers of pairs to ask next, by cell: those that decide, or all that the judge can answer."""
        if self._answerable is None:
            return self._next_pairs()
        pairs_taken = Counter(self._order)
        return {
            cell: max(0, self._answerable.get(cell, 0) - pairs_taken[cell]) for cell in (*self.cells, *self._controls)
        }

    def _update_progress(self) -> None:
        """Update the progress, as if all questions that are not settled yet get right answers."""
        pairs_asked = Counter(self._order)
        counts = {cell: self._counted.get(cell, PairCount()) for cell in pairs_asked}
        hoped = {cell: PairCount(pairs_asked[cell] - count.wrong, count.wrong) for cell, count in counts.items()}
        outstanding = {cell: pairs_asked[cell] - count.pairs for cell, count in counts.items()}
        hoped_kinds = {
            cell: {kind: PairCount(count.right + outstanding[cell], count.wrong) for kind, count in kinds.items()}
            for cell, kinds in self._kinds.items()
        }
        self._pairs_left = self._interim_look(hoped, hoped_kinds).pairs_left()
        if self._answerable is not None:
            self._pairs_left = 0
        self._decided = max(self._decided, len(self.cells) - len(self._next_pairs().keys() & set(self.cells)))

    def _interim_look(self, counted: Mapping[str, PairCount], kinds_by_cell: CountsOfKinds) -> InterimLook:
        """The look, which chooses the next pairs, at these counts by cell, and by cell and picture kind."""
        cells, controls = (
            {cell: counted.get(cell, PairCount()) for cell in names} for names in (self.cells, self._controls)
        )
        return InterimLook(cells, controls, self._policy, self.attempt, kinds_by_cell, self._rules, self._declined)


def _cells_of(pair: PairResult) -> tuple[str, ...]:
    """The one cell of a pair."""
    return (cell_of(pair.key),)
