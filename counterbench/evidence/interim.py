"""The pairs to ask next about a judge, from the counts of its right pairs so far (for `sequential`).

The words and the evidence are those of `cells`.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from counterbench.evidence.cells import (
    CountsOfKinds,
    KindCounts,
    PairCount,
    kind_counts,
    law_of,
    needed_e_value,
    with_needed,
)
from counterbench.evidence.policies import Policy
from counterbench.evidence.treatments import TREATMENTS, treatment_of_cell
from counterbench.stats.betting import hits_to_reach, log_evidence
from counterbench.suites.kinds import ALL_CLOSE, KindRules

# The most pairs of a cell that are asked between two looks at the counts, so that a clear cell is decided early.
STEP = 10


@dataclass(frozen=True)
class InterimLook:
    """A look at a run that is not over: from the counts so far, the pairs to ask before the next look.

    A law is *lost* if it can pass no more: one of its cells failed or ran out of pairs (`policy.most`), or a kind
    failed that closes it. No more is asked about it. Lost laws and kinds stay among the hypotheses, so the others need
    more evidence. If the controls or a treatment are lost, nothing can be admitted. All methods that tell how many
    pairs are short (`…_short`) assume that the judge is right on all of them.
    """

    counts: Mapping[str, PairCount]  # by cell to certify
    controls: Mapping[str, PairCount]  # by cell of control pairs; a treatment has a cell of its own
    policy: Policy
    attempt: int
    kinds: CountsOfKinds = field(default_factory=dict)
    rules: KindRules = ALL_CLOSE
    declined: Collection[str] = ()  # treatments with which the judge gives almost no answers: no more is asked of them

    def next_pairs(self) -> dict[str, int]:
        """The number of further pairs to ask before the next look, by cell; empty once all is decided.

        Picture kinds get pairs of their own only when no cell of a law needs any. A kind gets them from the cells that
        show it at least half as often as the cell that shows it most, and so many that those it lacks are among them.
        """
        if self._nothing_passes:
            return {}
        missing, most = self.pairs_short(), self.policy.most
        # 1. The cells of laws, 2. control pairs without a treatment, 3. those with one, 4. cells that show short kinds.
        pairs = {
            cell: min(short_by, STEP, most - self.counts[cell].pairs) for cell, short_by in missing.items() if short_by
        }
        to_ask = pairs | _spread_evenly(min(self._controls_short(), STEP), self._untreated)
        for cell, short_by in self._treatments_short.items():
            to_ask[cell] = min(short_by, STEP, self._max_treated(cell) - self.controls[cell].pairs)
        for kind, short_by in {} if pairs else self.kinds_short(missing).items():
            shares = self._kind_shares(kind, missing)
            often = {cell: self.counts[cell] for cell, part in shares.items() if part >= max(shares.values()) / 2}
            enough = math.ceil(short_by / max(shares.values()))  # of these pairs, about `short_by` show the kind
            for cell, n in _spread_evenly(min(enough, STEP * len(often)), often).items():
                to_ask[cell] = max(to_ask.get(cell, 0), min(n, STEP, most - self.counts[cell].pairs))
        return {cell: n for cell, n in to_ask.items() if n}

    def pairs_left(self) -> int:
        """The least number of pairs left to ask, if the judge is right on all of them."""
        if self._nothing_passes:
            return 0
        missing = self.pairs_short()
        control_pairs = self._controls_short() + sum(self._treatments_short.values())
        return max([sum(missing.values()) + control_pairs, *self.kinds_short(missing).values()])

    def pairs_short(self) -> dict[str, int]:
        """The number of further pairs by cell until all laws that are not lost are admitted.

        Cells of lost laws are left out, and all cells if the controls or a treatment are lost.
        """
        return {} if self._nothing_passes else self._open_short

    @cached_property
    def _open_short(self) -> dict[str, int]:
        """As `pairs_short`, where controls and treatments are not lost."""
        lost_laws = self._failed_laws | self._closed_laws
        while True:  # a law that runs out of pairs makes the others need more, so that another may run out
            open_cells = [c for c in self.counts if law_of(c) not in lost_laws and c not in self._kind_counts.closed]
            log_e_needed = self._log_e_needed_beside(open_cells)
            short = {cell: hits_to_reach(log_e_needed, *self.counts[cell], self.policy.ccs) for cell in open_cells}
            ran_out = {law_of(cell) for cell, n in short.items() if n and self.counts[cell].pairs >= self.policy.most}
            if not ran_out:
                return short
            lost_laws |= ran_out

    def kinds_short(self, open_cells: Collection[str]) -> dict[str, int]:
        """The number of further pairs until a picture kind passes, by kind.

        `open_cells`: the cells of laws that are not lost. Left out are kinds that pass or failed, and kinds for which
        no further pair can be asked: these stay undecided.
        """
        log_e_needed = self._log_e_needed_beside(open_cells)
        kinds = {kind: count for kind, count in self._kinds.items() if kind not in self._lost_kinds}
        short = {kind: hits_to_reach(log_e_needed, *count, self.policy.ccs) for kind, count in kinds.items()}
        return {kind: n for kind, n in short.items() if n and self._kind_shares(kind, open_cells)}

    def _log_e_needed_beside(self, open_cells: Collection[str]) -> float:
        """The logarithm of the e-value that laws and kinds need while others are lost.

        Lost are the laws without `open_cells`, the kinds that failed, and the undecided kinds for which no further pair
        of `open_cells` can be asked. Each of n lost ones may add 0 to the mean of `stats.betting.adjusted`, so the
        others need n + 1 times as much.
        """
        lost_kinds = self._lost_kinds
        kinds = {kind: count for kind, count in self._kinds.items() if kind not in lost_kinds}
        lost_count = len({*map(law_of, self.counts)} - {*map(law_of, open_cells)}) + len(lost_kinds)
        while True:
            log_e_needed = self._log_e_needed + math.log(lost_count + 1)
            stuck = [  # undecided, and no cell can be asked about it
                kind
                for kind, count in kinds.items()
                if hits_to_reach(log_e_needed, *count, self.policy.ccs) and not self._kind_shares(kind, open_cells)
            ]
            if not stuck:
                return log_e_needed
            kinds = {kind: count for kind, count in kinds.items() if kind not in stuck}
            lost_count += len(stuck)

    def _controls_short(self) -> int:
        """The number of further control pairs without a treatment until these pass.

        It is 0 also if the controls failed, or if `most` pairs were asked.
        """
        count = _sum_of_counts(self._untreated)
        if not self._untreated or self._fails(_sum_of_counts(self.controls), self.policy.control):
            return 0
        if count.pairs >= self.policy.most:
            return 0
        return hits_to_reach(self._log_e_needed, *count, self.policy.control)

    @cached_property
    def _treatments_short(self) -> dict[str, int]:
        """The number of further pairs until each treatment passes, by its cell."""
        log_e_needed, treated = self._log_e_needed_beside(self._open_short), self._treated_counts.items()
        return {cell: hits_to_reach(log_e_needed, *count, self._treatment_bound(cell)) for cell, count in treated}

    def _kind_shares(self, kind: str, open_cells: Collection[str]) -> dict[str, float]:
        """The share of a cell's pairs that show a kind, by cell, for cells that show it and may be asked more pairs."""
        return {
            cell: self.kinds[cell][kind].pairs / self.counts[cell].pairs
            for cell in open_cells
            if kind in self.kinds.get(cell, {}) and 0 < self.counts[cell].pairs < self.policy.most
        }

    @cached_property
    def _log_e_needed(self) -> float:
        """The logarithm of the e-value that decides at this attempt."""
        return math.log(needed_e_value(self.policy, self.attempt))

    @cached_property
    def _untreated(self) -> dict[str, PairCount]:
        """The counts of control cells without a treatment."""
        return {cell: count for cell, count in self.controls.items() if not treatment_of_cell(cell)}

    @cached_property
    def _treated_counts(self) -> dict[str, PairCount]:
        """The counts of control cells with a treatment that the judge does not decline, by cell."""
        named = {cell: treatment_of_cell(cell) for cell in self.controls}
        return {cell: self.controls[cell] for cell, name in named.items() if name and name not in self.declined}

    def _treatment_bound(self, cell: str) -> float:
        """The bound that the share of right pairs must be shown to exceed in a cell of a treatment."""
        return TREATMENTS[treatment_of_cell(cell)].bound_in(self.policy)

    def _max_treated(self, cell: str) -> int:
        """The most pairs that are asked in a cell of a treatment."""
        return TREATMENTS[treatment_of_cell(cell)].most(self.policy)

    @cached_property
    def _kind_counts(self) -> KindCounts:
        """The counts by picture kind, with the cells that kinds close and the laws that failed."""
        failed = [cell for cell, count in self.counts.items() if self._fails(count, self.policy.ccs)]
        return kind_counts(self.kinds, failed, self.rules, lambda count: self._fails(count, self.policy.ccs))

    @property
    def _failed_laws(self) -> set[str]:
        """The laws with a failed cell that no failed kind closes."""
        return self._kind_counts.failed_laws

    @cached_property
    def _kinds(self) -> dict[str, PairCount]:
        """The counts by picture kind, with those of needed kinds that no pair shows."""
        return with_needed(self._kind_counts.kinds, self.rules)

    @cached_property
    def _lost_kinds(self) -> set[str]:
        """The picture kinds of which the pairs show that CCS is not above the policy's bound."""
        return {kind for kind, count in self._kinds.items() if self._fails(count, self.policy.ccs)}

    @cached_property
    def _closed_laws(self) -> set[str]:
        """The laws that a failed kind closes."""
        closing = [kind for kind in self._lost_kinds if self.rules.closes_law(kind)]
        return {law_of(cell) for cell in self.counts for kind in closing if self.rules.rests_on(cell, kind)}

    @cached_property
    def _nothing_passes(self) -> bool:
        """True if the controls or a treatment are lost, or every law is."""
        if self._fails(_sum_of_counts(self.controls), self.policy.control):
            return True
        short = self._treatments_short
        for cell, count in self._treated_counts.items():
            ran_out = short[cell] and count.pairs >= self._max_treated(cell)
            if ran_out or self._fails(count, self._treatment_bound(cell)):
                return True
        return bool(self.counts) and {*map(law_of, self.counts)} <= self._closed_laws

    def _fails(self, count: PairCount, bound: float) -> bool:
        """True if the pairs show that the share of right pairs is not above a bound."""
        return log_evidence(count.wrong, count.right, 1 - bound) >= self._log_e_needed


def _sum_of_counts(counts: Mapping[str, PairCount]) -> PairCount:
    """The sum of some counts."""
    return PairCount(sum(count.right for count in counts.values()), sum(count.wrong for count in counts.values()))


def _spread_evenly(pairs: int, cells: Mapping[str, PairCount]) -> dict[str, int]:
    """The number of pairs for each cell, of `pairs` spread evenly; the remainder goes to cells with the fewest."""
    names = sorted(cells, key=lambda name: (cells[name].pairs, name))
    shares = {name: pairs // len(names) + (i < pairs % len(names)) for i, name in enumerate(names)}
    return {name: n for name, n in shares.items() if n}
