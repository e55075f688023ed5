"""Asks cell by cell until each is decided: which pairs come next, from the replies so far.

Since evidence by betting holds whenever one stops, a clear cell is decided by a few pairs and an unclear one gets what
it needs. What is asked next depends on the replies alone, not on when they came: a run that was killed and resumed asks
what one that was not would have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

from counterbench.certificate.cells import Count, law_of, next_pairs, pairs_left
from counterbench.certificate.findings import counts
from counterbench.certificate.policies import Policy
from counterbench.errors import InputError, unknown
from counterbench.runs.folder import KEYS_FILE, read_keys
from counterbench.runs.pair_queries import PairQuestions
from counterbench.runs.queries import cell_of
from counterbench.scene.pairs import ROLES
from counterbench.scoring.results import load_results
from counterbench.suites.attempts import attempt_of
from counterbench.suites.cells import CellSource, cells_of
from counterbench.suites.sources import Source, SuiteSource


class UntilDecided:
    """What the run in `out` asks until every cell of a source's suite is decided under a policy.

    `source`: the pairs to ask now; at first those that the run has keys for already, or the first of every cell.
    `laws`: ask about these alone (none named: all). InputError if the suite's seed is of no attempt, there is no such
    law, or the run has keys of no cell.
    """

    def __init__(self, source: Source, policy: Policy, out: Path, laws: Collection[str] = ()) -> None:
        if not isinstance(source, SuiteSource):
            raise InputError(f"{source.name}: --until-certified draws pairs as they are needed; name the suite itself")
        suite = source.suite
        attempt = attempt_of(suite.name, suite.seed)
        if attempt is None:
            raise InputError(
                f"suite {suite.name!r}, seed {suite.seed}: no attempt's; --until-certified asks a shipped suite's "
                "pairs, of --attempt 1, 2, …"
            )
        cells = cells_of(suite)
        self._suite, self._policy, self._attempt, self._out = suite, policy, attempt, out
        self._controls = [name for name, cell in cells.items() if cell.control]
        self.cells = [name for name in cells if name not in self._controls and (not laws or law_of(name) in laws)]
        for law in laws:
            if law not in (there := {law_of(cell) for cell in cells} - {""}):
                raise unknown("law", law, sorted(there), f"suite {suite.name!r}")
        self._asked = _asked(out)
        if strangers := self._asked.keys() - cells.keys():
            raise InputError(
                f"{out / KEYS_FILE}: keys of no cell of suite {suite.name!r} ({min(strangers)!r}), as an earlier "
                "version wrote them; choose another --out"
            )
        self._decided = 0
        self._look({})
        if not self._asked:
            self._asked = Counter(self._more)
        self.source = CellSource(suite, self._asked)

    def further(self) -> PairQuestions | None:
        """The questions that come after those which the run has replies to; None once every cell is decided."""
        pairs = load_results(self._out).pairs
        self._look(counts(pairs, lambda pair: cell_of(pair.key)))
        if not self._more:
            return None
        before = dict(self._asked)
        self._asked.update(self._more)
        self.source = CellSource(self._suite, {cell: self._asked[cell] for cell in self._more}, first=before)
        return PairQuestions(self.source)

    @property
    def ahead(self) -> int:
        """How many questions are left, beyond those asked now, if the judge is right on all: never fewer pass."""
        return self._left

    @property
    def told(self) -> str:
        """How far it is; a cell that is to be asked further since another was lost was decided before."""
        return f"{self._decided} of {len(self.cells)} cells decided"

    def _look(self, found: dict[str, Count]) -> None:
        cells = {cell: found.get(cell, Count()) for cell in self.cells}
        controls = {cell: found.get(cell, Count()) for cell in self._controls}
        self._more = next_pairs(cells, controls, self._policy, self._attempt)
        self._decided = max(self._decided, len(self.cells) - len(self._more.keys() & cells.keys()))
        left = pairs_left(cells, controls, self._policy, self._attempt)
        self._left = 2 * (left - sum(self._more.values())) if self._more else 0


def _asked(out: Path) -> Counter[str]:
    """Of how many pairs of each cell the run in `out` has keys."""
    if not (out / KEYS_FILE).is_file():
        return Counter()
    return Counter(cell_of(key) for key in read_keys(out) if key.role == ROLES[0])
