"""Verdicts on a judge from counts of its right pairs: on cells, laws, picture kinds and treatments.

In go counts of pairs (`PairCount`), a policy (the bounds that a share of right pairs must be shown to exceed) and the
number of the attempt (each fresh sample of pairs needs more evidence). Out come results with verdicts, for a
certificate (the functions, which `findings` calls) and, while a judge is asked, the cells that need more pairs
(`InterimLook`, for `sequential`).

The words. A *pair* is two pictures with one question about each; it is right if both answers are. *CCS* is the share
of right pairs. A *cell* is a group of pairs with questions of one kind: one check of a law ("wind/assessment") or, in
suites of shapes, one form of a family ("spatial/open"). A law, or family, is all its cells. A *picture kind* says how
a picture came to be ("swapped": two things in each other's colour). A *control* is a pair whose two right answers are
the same; a *treatment* is a change of its second picture (JPEG, painted words), tested by itself.

The evidence. Each hypothesis says that the judge is not good enough: a share of right pairs is its bound or less. An
*e-value* measures the evidence against it; from `needed_e_value` on, the hypothesis is rejected, and the judge passes.
For a law the hypothesis is that CCS of one of its cells is the bound or less: the e-value is the lowest of its cells.
A cell averages over kinds of pictures, and some are rare ("swapped" is one pair in ten). So each kind, pooled over the
cells of all laws that have not failed, has a hypothesis too, as has each treatment. All e-values are adjusted for the
number of laws, kinds and treatments: the chance to admit any law wrongly is at most the level (`alpha`).

A cell *rests on* a kind if its truth depends on pictures of that kind (`suites.kinds`). A kind that does not pass
*closes* these cells, or their laws: nothing is claimed of a closed cell, so it is no part of its law's hypothesis.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import msgspec

from counterbench.evidence.document import (
    FAIL,
    NOT_ENOUGH,
    PASS,
    CellResult,
    CellVerdict,
    KindResult,
    LawResult,
    TreatmentResult,
)
from counterbench.evidence.policies import Policy
from counterbench.evidence.treatments import TREATMENTS, treatment_of_cell
from counterbench.results.scores import share
from counterbench.scene.pairs import FORMS
from counterbench.stats.betting import adjusted, hits_to_reach, log_evidence
from counterbench.suites.families import FAMILIES
from counterbench.suites.kinds import ALL_CLOSE, KindRules

# The most pairs of a cell that are asked between two looks at the counts, so that a clear cell is decided early.
STEP = 10
_MAX_LOG = 600.0  # the highest logarithm of an e-value that is written; larger ones mean the same


class PairCount(NamedTuple):
    """The number of pairs on which the judge was right on both questions, and of the others."""

    right: int = 0
    wrong: int = 0

    @property
    def pairs(self) -> int:
        """The number of all pairs."""
        return self.right + self.wrong


# Counts by cell, then by picture kind.
CountsOfKinds = Mapping[str, Mapping[str, PairCount]]


def add_counts(total: dict[str, PairCount], new: Mapping[str, PairCount]) -> None:
    """Add counts to a total, name by name."""
    for name, (right, wrong) in new.items():
        old = total.get(name, PairCount())
        total[name] = PairCount(old.right + right, old.wrong + wrong)


def law_of(cell: str) -> str:
    """The law, or family, of a cell: "wind" for "wind/assessment"."""
    return cell.rpartition("/")[0]


def unit(cells: Iterable[str]) -> str:
    """The word for the things that these cells belong to: "family" if all belong to families, else "law"."""
    owners = {law_of(name) for name in cells if name.rpartition("/")[2] not in FORMS}
    return "family" if owners <= FAMILIES.keys() else "law"


def units(cells: Iterable[str]) -> str:
    """The plural of `unit`: "families" or "laws"."""
    return "families" if unit(cells) == "family" else "laws"


def needed_e_value(policy: Policy, attempt: int) -> float:
    """The e-value needed at attempt k: 1 / (alpha · 6 / (π² k²)).

    The levels of all attempts sum up to alpha, so the error holds for any number of attempts.
    """
    return math.pi**2 * attempt**2 / (6 * policy.alpha)


def cell_result(count: PairCount, bound: float, e_needed: float) -> CellResult:
    """The result of a cell (or picture kind, or treatment) by itself, from its pairs and a bound.

    It passes if the e-value against "its CCS is the bound or less" reaches `e_needed`. It fails if the e-value against
    "its CCS is the bound or more" reaches it.
    """
    logs = log_evidence(count.right, count.wrong, bound), log_evidence(count.wrong, count.right, 1 - bound)
    above, below = (math.exp(min(log, _MAX_LOG)) for log in logs)
    return CellResult(
        verdict=PASS if above >= e_needed else FAIL if below >= e_needed else NOT_ENOUGH,
        ccs=share(count.right, count.pairs),
        evidence=above,
        against=below,
    )


def law_results(
    cells: Mapping[str, CellResult],
    e_needed: float,
    kinds: Mapping[str, CellResult] | None = None,
    treatments: Mapping[str, CellResult] | None = None,
    closed: Collection[str] = (),
) -> dict[str, LawResult]:
    """The verdict on each law from its cells, adjusted for the number of laws, picture kinds and treatments.

    `cells`, `kinds`, `treatments`: the results of each by itself, by name. `closed`: the cells that failed kinds close;
    they count only for a law that has no other cell. `with_closed_cells` then adds the kinds and closed cells.
    """
    by_law: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        by_law[law_of(cell)].append(cell)
    names = sorted(by_law)
    # By law: its cells of which something is claimed, and of these the one with the lowest e-value.
    claimed = {name: [cell for cell in by_law[name] if cell not in closed] or by_law[name] for name in names}
    weakest = {name: min(claimed[name], key=lambda cell: cells[cell].evidence) for name in names}
    # The e-values of laws come first in the list to adjust, so the first adjusted ones are theirs.
    other_values = [result.evidence for result in (kinds or {}).values()]
    other_values += [result.evidence for result in (treatments or {}).values()]
    adjusted_values = adjusted([cells[weakest[name]].evidence for name in names] + other_values)
    results = {}
    for name, value in zip(names, adjusted_values, strict=False):
        failed = [cell for cell in claimed[name] if cells[cell].verdict == FAIL]
        passes = value >= e_needed
        results[name] = LawResult(
            verdict=PASS if passes else FAIL if failed else NOT_ENOUGH,
            cells=sorted(by_law[name]),
            evidence=cells[weakest[name]].evidence,
            adjusted=value,
            decided_by="" if passes else failed[0] if failed else weakest[name],
        )
    return results


def with_closed_cells(
    laws: Mapping[str, LawResult], kinds: Mapping[str, KindResult], by_cell: CountsOfKinds, rules: KindRules
) -> dict[str, LawResult]:
    """The results of laws, with the picture kinds in their pairs and their closed cells (each with the reason) added.

    A cell is closed if it rests on a kind on which the judge did not pass (all cells of the law, if pairs show the kind
    and it closes laws), or on a kind of `rules.each_law` that no pair of this law has. The first reason is kept.
    """
    not_passed = {name: result.verdict for name, result in kinds.items() if result.verdict != PASS}
    results = {}
    for law, result in laws.items():
        own_kinds = {kind for cell in result.cells for kind, count in by_cell.get(cell, {}).items() if count.pairs}
        closed: dict[str, str] = {}
        for kind, verdict in not_passed.items():
            resting = [cell for cell in result.cells if rules.rests_on(cell, kind)]
            affected = result.cells if resting and rules.closes_law(kind) and kinds[kind].of else resting
            closed = dict.fromkeys(affected, f"picture kind {kind}: {verdict}") | closed
        for kind in rules.each_law if kinds else ():
            without_pairs = [cell for cell in result.cells if kind not in own_kinds and rules.rests_on(cell, kind)]
            closed = dict.fromkeys(without_pairs, f"picture kind {kind}: no pair of this law shows it") | closed
        results[law] = msgspec.structs.replace(result, shown=sorted(own_kinds), closed=dict(sorted(closed.items())))
    return results


def pooled(by_cell: CountsOfKinds, failed: Collection[str]) -> dict[str, PairCount]:
    """The counts by picture kind, over the cells of all laws but the `failed` ones."""
    total: dict[str, PairCount] = {}
    for cell, kinds in by_cell.items():
        if law_of(cell) not in failed:
            add_counts(total, kinds)
    return dict(sorted(total.items()))


class KindCounts(NamedTuple):
    """The counts by picture kind, and what fails."""

    kinds: dict[str, PairCount]
    closed: set[str]  # the cells that kinds which failed close
    failed_laws: set[str]  # with a failed cell that is not closed


def kind_counts(
    by_cell: CountsOfKinds, failed_cells: Collection[str], rules: KindRules, fails: Callable[[PairCount], bool]
) -> KindCounts:
    """The counts by picture kind over all cells, with the cells that kinds close and the laws that fail.

    `fails` tells if a count shows that CCS is the bound or less. Kinds that close only cells come first: each is pooled
    over all laws but those that failed in a cell that does not rest on it. If one fails, the pairs of the cells that it
    closes count for no other kind.
    """
    failed_kinds: dict[str, PairCount] = {}
    for kind in sorted({kind for kinds in by_cell.values() for kind in kinds if not rules.closes_law(kind)}):
        count = pooled(by_cell, {law_of(cell) for cell in failed_cells if not rules.rests_on(cell, kind)}).get(kind)
        if count is not None and fails(count):
            failed_kinds[kind] = count
    closed = {cell for cell in by_cell if any(rules.rests_on(cell, kind) for kind in failed_kinds)}
    failed = {law_of(cell) for cell in failed_cells if cell not in closed}
    other_kinds = pooled({cell: kinds for cell, kinds in by_cell.items() if cell not in closed}, failed)
    return KindCounts(other_kinds | failed_kinds, closed, failed)


def with_needed(kinds: Mapping[str, PairCount], rules: KindRules) -> dict[str, PairCount]:
    """The counts by kind, with a count of zero for each needed kind that no pair shows; empty without any kind."""
    return dict(sorted(({kind: PairCount() for kind in rules.needed} | dict(kinds)).items())) if kinds else {}


def _verdict(result: CellResult, adjusted_value: float, e_needed: float) -> CellVerdict:
    """The verdict on a picture kind or treatment: it passes by its adjusted evidence, and fails by its own."""
    return PASS if adjusted_value >= e_needed else FAIL if result.verdict == FAIL else NOT_ENOUGH


def kind_results(
    kinds: Mapping[str, CellResult],
    laws: Mapping[str, LawResult],
    e_needed: float,
    treatments: Mapping[str, CellResult] | None = None,
) -> dict[str, KindResult]:
    """The verdict on each picture kind, adjusted for all kinds, laws and treatments."""
    other_values = [law.evidence for law in laws.values()] + [result.evidence for result in (treatments or {}).values()]
    values = adjusted([kind.evidence for kind in kinds.values()] + other_values)
    return {
        name: KindResult(
            verdict=_verdict(kind, value, e_needed),
            right=kind.ccs.hits,
            of=kind.ccs.of,
            evidence=kind.evidence,
            against=kind.against,
            adjusted=value,
        )
        for (name, kind), value in zip(kinds.items(), values, strict=False)
    }


def treatment_results(
    treatments: Mapping[str, CellResult],
    laws: Mapping[str, LawResult],
    kinds: Mapping[str, CellResult],
    policy: Policy,
    e_needed: float,
) -> dict[str, TreatmentResult]:
    """The verdict on each treatment, adjusted for all treatments, laws and kinds."""
    other_values = [law.evidence for law in laws.values()] + [kind.evidence for kind in kinds.values()]
    values = adjusted([result.evidence for result in treatments.values()] + other_values)
    return {
        name: treatment_result(name, result, policy, value, e_needed)
        for (name, result), value in zip(treatments.items(), values, strict=False)
    }


def treatment_result(
    name: str, result: CellResult, policy: Policy, adjusted_value: float, e_needed: float, declined: int = 0
) -> TreatmentResult:
    """The result of one treatment. `declined`: its number of pairs, if the judge gives almost no answers with it."""
    return TreatmentResult(
        verdict=_verdict(result, adjusted_value, e_needed),
        right=result.ccs.hits,
        of=result.ccs.of,
        declined=declined,
        bound=TREATMENTS[name].bound_in(policy),
        evidence=result.evidence,
        against=result.against,
        adjusted=adjusted_value,
    )


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
