"""What counts show of cells, and so of laws: which are admitted, which are not, and which pairs would decide the rest.

A cell is what a judge is asked of one kind: a law's one check ("wind/assessment") or, in suites of shapes, a family in
one form ("spatial/open"). A law, or family, is admitted with all its cells. Whether a law has a cell that does not
exceed the bound is one hypothesis; the e-value against it is the least of its cells'. Laws are admitted together,
adjusted for their number and that of the picture kinds (`kinds`), so that the chance of admitting any such law is the
level at most.
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

# Pairs of a cell that are asked between two looks at it, at most: no look is missed at which it could be shown.
STEP = 10
_LARGEST = 600.0  # of a logarithm: what is beyond is as good


class Count(NamedTuple):
    """Of some pairs: on how many the judge was right on both, and on how many it was not."""

    right: int = 0
    wrong: int = 0

    @property
    def pairs(self) -> int:
        """How many they are."""
        return self.right + self.wrong


def law_of(cell: str) -> str:
    """The law, or family, with which a cell is admitted: of "wind/assessment" it is "wind"."""
    return cell.rpartition("/")[0]


def unit(cells: Iterable[str]) -> str:
    """What cells are cells of: a form is of a family, a check of a law."""
    return "family" if all(name.rpartition("/")[2] in FORMS for name in cells) else "law"


def units(cells: Iterable[str]) -> str:
    """The same of several."""
    return "families" if unit(cells) == "family" else "laws"


def threshold(policy: Policy, attempt: int) -> float:
    """What an e-value must reach at an attempt: 1 / (alpha · 6 / (π² k²)).

    The levels of all attempts together sum up to alpha, so the error holds however often one tries.
    """
    return math.pi**2 * attempt**2 / (6 * policy.alpha)


def cell_result(count: Count, bound: float, least: float) -> CellResult:
    """What a cell's pairs show, held against a bound; `least` is the e-value that decides."""
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
    """The verdict on each law, from those on its cells; `kinds`: the picture kinds that are adjusted for with them."""
    of: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        of[law_of(cell)].append(cell)
    names = sorted(of)
    weakest = {name: min(of[name], key=lambda cell: cells[cell].evidence) for name in names}
    others = [kind.evidence for kind in (kinds or {}).values()]
    both = adjusted([cells[weakest[name]].evidence for name in names] + others)
    found = {}
    for name, value in zip(names, both, strict=False):
        failed = [cell for cell in of[name] if cells[cell].verdict == FAIL]
        passes = value >= least
        found[name] = LawResult(
            verdict=PASS if passes else FAIL if failed else NOT_ENOUGH,
            cells=sorted(of[name]),
            evidence=cells[weakest[name]].evidence,
            adjusted=value,
            decided_by="" if passes else failed[0] if failed else weakest[name],
        )
    return found


def next_pairs(
    counts: Mapping[str, Count], controls: Mapping[str, Count], policy: Policy, attempt: int
) -> dict[str, int]:
    """How many further pairs of which cells are to be asked before the next look; nothing once all is decided.

    `counts`: of every cell that is to be certified; `controls`: of the cells of control pairs. A law of which a cell
    failed, or ran out of pairs, is lost and not asked about any more; the others then need as much more evidence, since
    the lost ones stay among the hypotheses. Where the controls fail, nothing can be admitted.
    """
    found = {
        cell: min(more, STEP, policy.most - counts[cell].pairs)
        for cell, more in pairs_short(counts, controls, policy, attempt).items()
        if more
    }
    more = min(_controls_short(controls, policy, attempt), STEP)
    return found | shared(more, controls) if found or more else {}


def pairs_left(counts: Mapping[str, Count], controls: Mapping[str, Count], policy: Policy, attempt: int) -> int:
    """How many pairs are left to ask if the judge is right on all of them."""
    short = pairs_short(counts, controls, policy, attempt)
    return sum(short.values()) + _controls_short(controls, policy, attempt)


def pairs_short(
    counts: Mapping[str, Count], controls: Mapping[str, Count], policy: Policy, attempt: int
) -> dict[str, int]:
    """By cell, how many further pairs would have all laws admitted that may be, if the judge is right on all of them.

    Cells of lost laws are not among them: where a cell failed or `most` pairs were asked of it, or the controls failed.
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
        ran_out = {law_of(cell) for cell, more in short.items() if more and counts[cell].pairs >= policy.most}
        if not ran_out:
            return short
        lost |= ran_out


def _controls_short(controls: Mapping[str, Count], policy: Policy, attempt: int) -> int:
    """The same of the controls together; 0 too where they failed or ran out."""
    pooled, least = _pooled(controls), math.log(threshold(policy, attempt))
    if not controls or fails(pooled, policy.control, least) or pooled.pairs >= policy.most:
        return 0
    return hits_to_reach(least, *pooled, policy.control)


def _pooled(counts: Mapping[str, Count]) -> Count:
    return Count(sum(count.right for count in counts.values()), sum(count.wrong for count in counts.values()))


def fails(count: Count, bound: float, least: float) -> bool:
    """True if pairs show that the share right is not above a bound; `least`: the logarithm of the threshold."""
    return log_evidence(count.wrong, count.right, 1 - bound) >= least


def shared(pairs: int, cells: Mapping[str, Count]) -> dict[str, int]:
    """So many pairs over some cells, as evenly as it goes; those with the fewest pairs first."""
    names = sorted(cells, key=lambda name: (cells[name].pairs, name))
    shares = {name: pairs // len(names) + (i < pairs % len(names)) for i, name in enumerate(names)}
    return {name: n for name, n in shares.items() if n}


def _evidence(count: Count, bound: float) -> tuple[float, float]:
    logs = log_evidence(count.right, count.wrong, bound), log_evidence(count.wrong, count.right, 1 - bound)
    return math.exp(min(logs[0], _LARGEST)), math.exp(min(logs[1], _LARGEST))
