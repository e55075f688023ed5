"""Verdicts on cells and laws from counts of pairs, and the further pairs that would decide the open ones.

A cell holds questions of one kind: one check of a law ("wind/assessment") or, in suites of shapes, one form of a
family ("spatial/open"). A law, or family, is admitted with all its cells. The hypothesis on a law is that one of its
cells does not exceed the bound; the e-value against it is the lowest of its cells. The e-values are adjusted for the
number of laws and of picture kinds (`kinds`), so that the chance to admit any law wrongly is at most the level.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from counterbench.certificate.document import FAIL, NOT_ENOUGH, PASS, CellResult, LawResult
from counterbench.certificate.policies import Policy
from counterbench.scene.questions import FORMS
from counterbench.scoring.scores import share
from counterbench.stats.betting import adjusted, hits_to_reach, log_evidence

# The most pairs of a cell that are asked between two looks: no look is missed at which it could be decided.
STEP = 10
_LARGEST = 600.0  # the highest logarithm that is written; larger ones mean the same


class Count(NamedTuple):
    """The number of pairs on which the judge was right on both questions, and of the others."""

    right: int = 0
    wrong: int = 0

    @property
    def pairs(self) -> int:
        """The number of all pairs."""
        return self.right + self.wrong


def law_of(cell: str) -> str:
    """The law, or family, of a cell: "wind" for "wind/assessment"."""
    return cell.rpartition("/")[0]


def unit(cells: Iterable[str]) -> str:
    """The word for the things that these cells belong to: "family" if all are forms, else "law"."""
    return "family" if all(name.rpartition("/")[2] in FORMS for name in cells) else "law"


def units(cells: Iterable[str]) -> str:
    """The plural of `unit`."""
    return "families" if unit(cells) == "family" else "laws"


def threshold(policy: Policy, attempt: int) -> float:
    """The e-value needed at attempt k: 1 / (alpha · 6 / (π² k²)).

    The levels of all attempts sum up to alpha, so the error holds for any number of attempts.
    """
    return math.pi**2 * attempt**2 / (6 * policy.alpha)


def cell_result(count: Count, bound: float, least: float) -> CellResult:
    """The result of a cell from its pairs and a bound; `least` is the e-value that decides."""
    above, below = _evidence(count, bound)
    return CellResult(
        verdict=PASS if above >= least else FAIL if below >= least else NOT_ENOUGH,
        ccs=share(count.right, count.pairs),
        evidence=above,
        against=below,
    )


def law_results(
    cells: Mapping[str, CellResult], least: float, kinds: Mapping[str, CellResult] | None = None
) -> dict[str, LawResult]:
    """The verdict on each law from its cells; the adjustment counts the laws and the picture kinds (`kinds`)."""
    of: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        of[law_of(cell)].append(cell)
    names = sorted(of)
    weakest = {name: min(of[name], key=lambda cell: cells[cell].evidence) for name in names}
    others = [kind.evidence for kind in (kinds or {}).values()]
    both = adjusted([cells[weakest[name]].evidence for name in names] + others)
    results = {}
    for name, value in zip(names, both, strict=False):
        failed = [cell for cell in of[name] if cells[cell].verdict == FAIL]
        passes = value >= least
        results[name] = LawResult(
            verdict=PASS if passes else FAIL if failed else NOT_ENOUGH,
            cells=sorted(of[name]),
            evidence=cells[weakest[name]].evidence,
            adjusted=value,
            decided_by="" if passes else failed[0] if failed else weakest[name],
        )
    return results


def next_pairs(
    counts: Mapping[str, Count], controls: Mapping[str, Count], policy: Policy, attempt: int
) -> dict[str, int]:
    """The number of further pairs to ask before the next look, by cell; empty once all is decided.

    `counts`: of every cell to certify; `controls`: of the cells of control pairs. A law is lost if one of its cells
    failed or ran out of pairs, and no more questions are asked about it. The other laws then need more evidence, since
    the lost ones stay among the hypotheses. If the controls fail, nothing can be admitted.
    """
    pairs = {
        cell: min(more, STEP, policy.most - counts[cell].pairs)
        for cell, more in pairs_short(counts, controls, policy, attempt).items()
        if more
    }
    more = min(_controls_short(controls, policy, attempt), STEP)
    return pairs | shared(more, controls) if pairs or more else {}


def pairs_left(counts: Mapping[str, Count], controls: Mapping[str, Count], policy: Policy, attempt: int) -> int:
    """The number of pairs left to ask if the judge is right on all of them."""
    short = pairs_short(counts, controls, policy, attempt)
    return sum(short.values()) + _controls_short(controls, policy, attempt)


def pairs_short(
    counts: Mapping[str, Count], controls: Mapping[str, Count], policy: Policy, attempt: int
) -> dict[str, int]:
    """The number of further pairs by cell until all open laws are admitted, if the judge is right on all of them.

    Cells of lost laws are left out: those with a cell that failed or was asked `most` pairs, and all if the controls
    failed.
    """
    least = math.log(threshold(policy, attempt))
    if fails(_pooled(controls), policy.control, least):
        return {}
    lost = {law_of(cell) for cell, count in counts.items() if fails(count, policy.ccs, least)}
    while True:
        needed = least + math.log(len(lost) + 1)
        short = {
            cell: hits_to_reach(needed, count.right, count.wrong, policy.ccs)
            for cell, count in counts.items()
            if law_of(cell) not in lost
        }
        ran_out = {law_of(cell) for cell, left in short.items() if left and counts[cell].pairs >= policy.most}
        if not ran_out:
            return short
        lost |= ran_out


def _controls_short(controls: Mapping[str, Count], policy: Policy, attempt: int) -> int:
    """The same for all controls together; 0 also if they failed or ran out."""
    pooled, least = _pooled(controls), math.log(threshold(policy, attempt))
    if not controls or fails(pooled, policy.control, least) or pooled.pairs >= policy.most:
        return 0
    return hits_to_reach(least, *pooled, policy.control)


def _pooled(counts: Mapping[str, Count]) -> Count:
    return Count(sum(count.right for count in counts.values()), sum(count.wrong for count in counts.values()))


def fails(count: Count, bound: float, least: float) -> bool:
    """True if the pairs show that the share right is not above a bound; `least`: the logarithm of the threshold."""
    return log_evidence(count.wrong, count.right, 1 - bound) >= least


def shared(pairs: int, cells: Mapping[str, Count]) -> dict[str, int]:
    """A number of pairs divided over some cells as evenly as possible; cells with the fewest pairs get more."""
    names = sorted(cells, key=lambda name: (cells[name].pairs, name))
    shares = {name: pairs // len(names) + (i < pairs % len(names)) for i, name in enumerate(names)}
    return {name: n for name, n in shares.items() if n}


def _evidence(count: Count, bound: float) -> tuple[float, float]:
    logs = log_evidence(count.right, count.wrong, bound), log_evidence(count.wrong, count.right, 1 - bound)
    return math.exp(min(logs[0], _LARGEST)), math.exp(min(logs[1], _LARGEST))
