"""Verdicts on a judge from counts of its right pairs: on cells, laws, picture kinds and treatments.

In go counts of pairs (`PairCount`), a policy (the bounds that a share of right pairs must be shown to exceed) and the
number of the attempt (each fresh sample of pairs needs more evidence). Out come results with verdicts, for a
certificate (the functions, which `findings` calls). `interim` has the same while a judge is asked.

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
from counterbench.evidence.treatments import TREATMENTS
from counterbench.results.scores import share
from counterbench.scene.pairs import FORMS
from counterbench.stats.betting import adjusted, log_evidence
from counterbench.suites.families import FAMILIES
from counterbench.suites.kinds import KindRules

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
