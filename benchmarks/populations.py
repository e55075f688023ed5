"""Populations of pairs, of which a run draws with replacement: so it is known of what CCS a judge truly is.

The pairs of a suite are sampled once. Each run of a judge takes pairs of a cell at random, and decides by the code of
`validate` which cells it asks about next and what it admits to. Nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from rehearsal import Rehearsal

from counterbench.evidence import cells as by_cells
from counterbench.evidence.admission import BASIC, SUITE
from counterbench.evidence.cells import (
    CountsOfKinds,
    PairCount,
    add_counts,
    cell_result,
    kind_counts,
    law_of,
    needed_e_value,
    pooled,
)
from counterbench.evidence.document import FAIL
from counterbench.evidence.findings import (
    Findings,
    counts,
    judge_findings,
    shown_kinds,
    without_declined,
)
from counterbench.evidence.interim import InterimLook
from counterbench.evidence.policies import Policy
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.evidence.treatments import TREATMENTS, treatment_of_cell, treatments_of
from counterbench.prompts.files import load_prompts
from counterbench.results.results import PairResult
from counterbench.runs.queries import cell_of
from counterbench.stats import betting
from counterbench.suites.kinds import KindRules, kind_rules
from counterbench.suites.sources import CellSource, cells_of, in_turn
from counterbench.suites.suite import Suite, load_suite

PAIRS = 100  # of each cell
SMALL_SIDE = 256
# Gives the next pairs of a cell, by its name and their number.
Take = Callable[[str, int], Sequence[PairResult]]

# The same few counts come again and again.
for _room, _name in ((betting, "log_evidence"), (by_cells, "log_evidence"), (by_cells, "hits_to_reach")):
    setattr(_room, _name, cache(getattr(_room, _name)))


class RunPlan(NamedTuple):
    """What a run asks about: the cells to certify, those of controls, and what the suite says of its picture kinds."""

    cells: list[str]
    controls: list[str]
    rules: KindRules
    treatments: list[str]


@cache
def suite_named(name: str, small: bool = False) -> Suite:
    """The suite of that name, or that certifies for a prompt set about laws; with small pictures."""
    suite = load_suite(name if name == BASIC else SUITE)
    return suite.with_smallest(SMALL_SIDE) if small else suite


def asked_of(suite: Suite, laws: Iterable[str] = ()) -> RunPlan:
    """What a run of a suite asks about, of all laws or of these."""
    cells, only = cells_of(suite), set(laws)
    controls = [name for name, cell in cells.items() if cell.control]
    own = [name for name, cell in cells.items() if not cell.control and (not only or law_of(name) in only)]
    return RunPlan(own, controls, kind_rules(suite), treatments_of(suite))


@cache
def asked_about(name: str, small: bool = False) -> RunPlan:
    """What a run about a suite, or about the laws of a prompt set, asks."""
    laws = () if name in (BASIC, SUITE) else needed_cells(load_prompts(name).prompts)
    return asked_of(suite_named(name, small), laws)


def pairs_asked(
    plan: RunPlan, take: Take, policy: Policy, attempt: int = 1, truth: Truth | None = None
) -> list[PairResult]:
    """The pairs that a run asks until all is decided; it stops where a judge fails on all of the next ones.

    `truth`: of the judge; then it stops also where what is spoiled is lost.
    """
    counted, shown = dict[str, PairCount](), dict[str, dict[str, PairCount]]()
    pairs, controls, silent = list[PairResult](), list[PairResult](), False
    while True:
        cells, of_controls = (
            {cell: counted.get(cell, PairCount()) for cell in names} for names in (plan.cells, plan.controls)
        )
        declined = {pair.treatment for pair in without_declined(controls)[1]} if silent else ()
        more = InterimLook(cells, of_controls, policy, attempt, shown, plan.rules, declined).next_pairs()
        new = [pair for cell, n in more.items() for pair in take(cell, n)]
        if all(pair.consistent is None for pair in new) or (truth and truth.is_lost(cells, shown, attempt)):
            return pairs
        pairs += new
        relevant, more_controls = ([pair for pair in new if pair.key.relevant is is_] for is_ in (True, False))
        add_counts(counted, counts(relevant, lambda pair: (cell_of(pair.key),)))
        controls += more_controls
        silent |= any(reply is None or reply.value is None for pair in more_controls for reply in pair.replies)
        if silent:  # all of them decide which are declined
            counted |= counts(controls, lambda pair: (cell_of(pair.key),))
        else:
            add_counts(counted, counts(more_controls, lambda pair: (cell_of(pair.key),)))
        for cell, kinds in shown_kinds(relevant).items():
            add_counts(shown.setdefault(cell, {}), kinds)


def pair_findings(plan: RunPlan, pairs: Sequence[PairResult], policy: Policy, attempt: int = 1) -> Findings:
    """The findings on the pairs of a run."""
    return judge_findings(pairs, policy, needed_e_value(policy, attempt), (), plan.rules, plan.treatments)


def in_order(pairs: Mapping[str, Sequence[PairResult]]) -> Take:
    """Takes the pairs of each cell in their order."""
    taken = dict.fromkeys(pairs, 0)

    def take(cell: str, n: int) -> Sequence[PairResult]:
        taken[cell] += n
        return pairs[cell][taken[cell] - n : taken[cell]]

    return take


def at_random(pairs: Mapping[str, Sequence[PairResult]], draw: np.random.Generator) -> Take:
    """Takes pairs of each cell at random, any pair any number of times."""
    return lambda cell, n: [pairs[cell][i] for i in draw.integers(len(pairs[cell]), size=n)]


@cache
def population(name: str, small: bool = False) -> Rehearsal:
    """Pairs of every cell that a run about a suite or prompt set asks about."""
    plan = asked_about(name, small)
    return Rehearsal(CellSource(suite_named(name, small), in_turn(dict.fromkeys([*plan.cells, *plan.controls], PAIRS))))


def by_cell(pairs: Iterable[PairResult]) -> dict[str, list[PairResult]]:
    """Pairs by their cell."""
    cells: dict[str, list[PairResult]] = {}
    for pair in pairs:
        cells.setdefault(cell_of(pair.key), []).append(pair)
    return cells


class Truth:
    """What a judge is truly right on, where each of these pairs has the same chance to be taken."""

    def __init__(self, pairs: Mapping[str, Sequence[PairResult]], plan: RunPlan, policy: Policy) -> None:
        every = [pair for cell in plan.cells for pair in pairs[cell]]
        self._plan, self._policy, self._kinds = plan, policy, shown_kinds(every)
        rates = {cell: _ccs(pairs[cell]) for cell in (*plan.cells, *plan.controls)}
        self._low = {cell for cell in plan.cells if rates[cell] <= policy.ccs}
        treated = {name: rates[cell] for cell in plan.controls if (name := treatment_of_cell(cell))}
        self._treated = any(rate <= TREATMENTS[name].bound_in(policy) for name, rate in treated.items())

    @property
    def spoils(self) -> bool:
        """True if a cell, a picture kind or a treatment is at its bound or below."""
        return bool(self._low or self._treated or self._low_kinds(()))

    def wrongly(self, run: Findings) -> bool:
        """True if a run admits to a cell at the bound or below, or to what rests on such a kind or treatment."""
        if not run.admitted or self._treated:
            return bool(run.admitted)
        rests, closes_law = self._plan.rules.rests_on, self._plan.rules.closes_law
        lost = [kind for kind, result in run.kinds.items() if result.verdict == FAIL and not closes_law(kind)]
        closed = {cell for cell in run.cells if any(rests(cell, kind) for kind in lost)}
        failed = {law_of(name) for name, cell in run.cells.items() if cell.verdict == FAIL and name not in closed}
        low = self._low_kinds(failed, closed)
        return any(cell in self._low or any(rests(cell, kind) for kind in low) for cell in admitted_cells(run))

    def is_lost(self, counted: Mapping[str, PairCount], shown: CountsOfKinds, attempt: int) -> bool:
        """True if the laws of all that is spoiled failed; no run admits to these any more."""
        e_needed = needed_e_value(self._policy, attempt)

        def fails(count: PairCount) -> bool:
            return cell_result(count, self._policy.ccs, e_needed).verdict == FAIL

        counts = kind_counts(shown, [cell for cell in counted if fails(counted[cell])], self._plan.rules, fails)
        if self._treated or counts.closed or not {law_of(cell) for cell in self._low} <= counts.failed_laws:
            return False
        return not self._low_kinds(counts.failed_laws)

    def _low_kinds(self, failed: Collection[str], closed: Collection[str] = ()) -> list[str]:
        """The kinds at the bound or below, pooled as in a run: without laws that failed, and closed cells."""
        kinds = pooled({cell: counts for cell, counts in self._kinds.items() if cell not in closed}, failed)
        return [kind for kind, (right, wrong) in kinds.items() if right <= self._policy.ccs * (right + wrong)]


def admitted_cells(run: Findings) -> list[str]:
    """The cells that a run admits to."""
    return [cell for law in run.admitted for cell in run.laws[law].cells if cell not in run.laws[law].closed]


def _ccs(pairs: Sequence[PairResult]) -> float:
    answered = [pair.consistent for pair in pairs if pair.consistent is not None]
    return sum(answered) / len(answered) if answered else 0.0
