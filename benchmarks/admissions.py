"""What `validate` would have said of a planted judge: its own code chooses the pairs and decides; nothing is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from populations import SMALL_SIDE, asked_of, pair_findings, pairs_asked
from rehearsal import Rehearsal

from counterbench.evidence.admission import SUITE
from counterbench.evidence.cells import law_of
from counterbench.evidence.interim import STEP
from counterbench.evidence.policies import load_policy
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.prompts.files import load_prompts
from counterbench.results.results import PairResult
from counterbench.suites.sources import CellSource
from counterbench.suites.suite import Suite, load_suite

POLICY = "standard"
LAWS = "laws-few"  # whose laws stand for all
SEEDS = 5


class AdmittedShare(NamedTuple):
    """How many laws (or families) of a suite a judge was admitted to, on average over seeds, and of how many."""

    admitted: float
    of: int

    @property
    def text(self) -> str:
        """In a table."""
        return f"{self.admitted:.3g} of {self.of}"


class Drawn(NamedTuple):
    """The pairs that judges are tested on: of a suite in a style, with or without small pictures."""

    suite: str
    style: str = "flat"
    small: bool = False

    @property
    def whole(self) -> Suite:
        """The suite as it is drawn."""
        return load_suite(self.suite).styled(self.style).with_smallest(SMALL_SIDE if self.small else None)


@cache
def block(drawn: Drawn, cell: str, nth: int) -> Rehearsal:
    """Some pairs of a cell, drawn when the first judge needs them."""
    return Rehearsal(CellSource(drawn.whole, [cell] * STEP, {cell: STEP * nth}))


class Queue:
    """A judge's results on the pairs of each cell in their order, asked as they are needed."""

    def __init__(self, drawn: Drawn, spec: str) -> None:
        self._drawn, self._spec = drawn, spec
        self._known: dict[str, list[PairResult]] = {}
        self._taken: dict[str, int] = {}

    def take(self, cell: str, n: int) -> list[PairResult]:
        """The next pairs of a cell."""
        known, first = self._known.setdefault(cell, []), self._taken.get(cell, 0)
        self._taken[cell] = first + n
        while len(known) < first + n:
            known += block(self._drawn, cell, len(known) // STEP).results(self._spec)
        return known[first : first + n]


def certified(task: tuple[Drawn, Sequence[str]]) -> dict[str, AdmittedShare]:
    """The judges of these names on such pairs, each with several seeds."""
    drawn, specs = task
    policy, laws = load_policy(POLICY), needed_cells(load_prompts(LAWS).prompts) if drawn.suite == SUITE else ()
    plan = asked_of(drawn.whole, laws)
    known = {}
    for spec in specs:
        admitted = 0
        for seed in range(1, SEEDS + 1):
            seeded = f"{spec}{'&' if '?' in spec else '?'}seed={seed}"
            admitted += len(pair_findings(plan, pairs_asked(plan, Queue(drawn, seeded).take, policy), policy).admitted)
        known[spec] = AdmittedShare(admitted / SEEDS, len({law_of(cell) for cell in plan.cells}))
    return known
