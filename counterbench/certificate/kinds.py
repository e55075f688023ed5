"""Picture kinds: evidence that a judge sees swapped, doubled or missing things, and the pairs that would decide it.

A cell averages over kinds of pictures, and some kinds are rare: two things in each other's colour ("swapped") are one
pair in ten. So each kind, pooled over the cells of all laws that have not failed, is a hypothesis beside the laws:
its CCS is the bound or less. No law is admitted unless all kinds pass.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from counterbench.certificate.cells import STEP, Count, fails, law_of, pairs_short, shared, threshold
from counterbench.certificate.cells import next_pairs as next_pairs_of_cells
from counterbench.certificate.cells import pairs_left as pairs_left_of_cells
from counterbench.certificate.document import FAIL, NOT_ENOUGH, PASS, CellResult, KindResult, LawResult
from counterbench.certificate.policies import Policy
from counterbench.stats.betting import adjusted, hits_to_reach

# The kinds of most wrong pictures of text-to-image models. A kind of these without any pair is undecided; every other
# kind counts only if some pair shows it.
NEEDED = ("missing", "recoloured", "swapped", "twice")
# Counts by cell and picture kind.
Shown = Mapping[str, Mapping[str, Count]]


def pooled(shown: Shown, failed: Collection[str]) -> dict[str, Count]:
    """The counts by picture kind, over the cells of all laws but those that failed."""
    total: dict[str, Count] = {}
    for cell, kinds in shown.items():
        for kind, count in kinds.items() if law_of(cell) not in failed else ():
            right, wrong = total.get(kind, Count())
            total[kind] = Count(right + count.right, wrong + count.wrong)
    return dict(sorted(total.items()))


def with_needed(kinds: Mapping[str, Count]) -> dict[str, Count]:
    """The counts, with `NEEDED` kinds that no pair shows added as zero; empty for a suite without kinds."""
    return dict(sorted(({kind: Count() for kind in NEEDED} | dict(kinds)).items())) if kinds else {}


def kind_results(kinds: Mapping[str, CellResult], laws: Mapping[str, LawResult], least: float) -> dict[str, KindResult]:
    """The verdict on each picture kind, adjusted for all kinds and laws; `least`: the e-value that decides."""
    evidence = [kind.evidence for kind in kinds.values()] + [law.evidence for law in laws.values()]
    return {
        name: KindResult(
            verdict=PASS if value >= least else FAIL if kind.verdict == FAIL else NOT_ENOUGH,
            right=kind.ccs.hits,
            of=kind.ccs.of,
            evidence=kind.evidence,
            against=kind.against,
            adjusted=value,
        )
        for (name, kind), value in zip(kinds.items(), adjusted(evidence), strict=False)
    }


def next_pairs(
    counts: Mapping[str, Count], controls: Mapping[str, Count], shown: Shown, policy: Policy, attempt: int
) -> dict[str, int]:
    """The pairs to ask before the next look, like `cells.next_pairs`, until the picture kinds are decided as well.

    If a kind fails, nothing can be admitted and nothing more is asked. A kind that needs pairs after all cells are
    decided gets them from the cells that show it most often.
    """
    if _a_kind_fails(counts, shown, policy, attempt):
        return {}
    due = next_pairs_of_cells(counts, controls, policy, attempt)
    if due.keys() & counts.keys():
        return due
    open_cells = pairs_short(counts, controls, policy, attempt)
    for kind, more in kinds_short(counts, open_cells, shown, policy, attempt).items():
        rates = _rates(kind, counts, open_cells, shown, policy)
        often = {cell: counts[cell] for cell, rate in rates.items() if rate >= max(rates.values()) / 2}
        expected = math.ceil(more / max(rates.values()))
        for cell, pairs in shared(min(expected, STEP * len(often)), often).items():
            due[cell] = max(due.get(cell, 0), min(pairs, STEP, policy.most - counts[cell].pairs))
    return due


def pairs_left(
    counts: Mapping[str, Count], controls: Mapping[str, Count], shown: Shown, policy: Policy, attempt: int
) -> int:
    """The least number of pairs left to ask, if the judge is right on all of them."""
    if _a_kind_fails(counts, shown, policy, attempt):
        return 0
    open_cells = pairs_short(counts, controls, policy, attempt)
    for_kinds = max(kinds_short(counts, open_cells, shown, policy, attempt).values(), default=0)
    return max(pairs_left_of_cells(counts, controls, policy, attempt), for_kinds)


def kinds_short(
    counts: Mapping[str, Count], open_cells: Collection[str], shown: Shown, policy: Policy, attempt: int
) -> dict[str, int]:
    """The number of further pairs until a picture kind passes, by kind, if the judge is right on all of them.

    `open_cells`: the cells of laws that are not lost. Left out are kinds that pass, and kinds for which no further
    pair can be asked: these stay undecided.
    """
    lost = len(set(map(law_of, counts)) - set(map(law_of, open_cells)))
    needed = math.log(threshold(policy, attempt)) + math.log(lost + 1)
    short = {
        kind: hits_to_reach(needed, *count, policy.ccs)
        for kind, count in pooled(shown, _failed(counts, policy, attempt)).items()
    }
    return {kind: left for kind, left in short.items() if left and _rates(kind, counts, open_cells, shown, policy)}


def _rates(
    kind: str, counts: Mapping[str, Count], open_cells: Collection[str], shown: Shown, policy: Policy
) -> dict[str, float]:
    """The share of a cell's pairs that show a kind, for cells that show it and may be asked more pairs."""
    return {
        cell: shown[cell][kind].pairs / counts[cell].pairs
        for cell in open_cells
        if kind in shown.get(cell, {}) and 0 < counts[cell].pairs < policy.most
    }


def _failed(counts: Mapping[str, Count], policy: Policy, attempt: int) -> set[str]:
    least = math.log(threshold(policy, attempt))
    return {law_of(cell) for cell, count in counts.items() if fails(count, policy.ccs, least)}


def _a_kind_fails(counts: Mapping[str, Count], shown: Shown, policy: Policy, attempt: int) -> bool:
    least = math.log(threshold(policy, attempt))
    kinds = pooled(shown, _failed(counts, policy, attempt)).values()
    return any(fails(count, policy.ccs, least) for count in kinds)
