"""Verdicts on cells, laws and picture kinds from counts of pairs, and the pairs that would decide the open ones.

A cell holds questions of one kind: one check of a law ("wind/assessment") or, in suites of shapes, one form of a
family ("spatial/open"). A law, or family, is admitted with all its cells. The hypothesis on a law is that one of its
cells does not exceed the bound; the e-value against it is the lowest of its cells. The e-values are adjusted for the
number of laws and of picture kinds, so that the chance to admit any law wrongly is at most the level.

A cell averages over kinds of pictures, and some kinds are rare: two things in each other's colour ("swapped") are one
pair in ten. So each kind, pooled over the cells of all laws that have not failed, is a hypothesis beside the laws:
its CCS is the bound or less. No law is admitted unless all kinds pass.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from counterbench.certificate.document import FAIL, NOT_ENOUGH, PASS, CellResult, KindResult, LawResult
from counterbench.certificate.policies import Policy
from counterbench.scene.pairs import FORMS
from counterbench.scoring.scores import share
from counterbench.stats.betting import adjusted, hits_to_reach, log_evidence

# The most pairs of a cell that are asked between two looks: no look is missed at which it could be decided.
STEP = 10
# The kinds of most wrong pictures of text-to-image models. A kind of these without any pair is undecided; every other
# kind counts only if some pair shows it.
NEEDED = ("missing", "recoloured", "swapped", "twice")
_LARGEST = 600.0  # the highest logarithm that is written; larger ones mean the same


class Count(NamedTuple):
    """The number of pairs on which the judge was right on both questions, and of the others."""

    right: int = 0
    wrong: int = 0

    @property
    def pairs(self) -> int:
        """The number of all pairs."""
        return self.right + self.wrong


# Counts by cell and picture kind.
Shown = Mapping[str, Mapping[str, Count]]
NO_KINDS: Shown = {}


def add_counts(known: dict[str, Count], new: Mapping[str, Count]) -> None:
    """Add counts to those that are known, name by name."""
    for name, (right, wrong) in new.items():
        before = known.get(name, Count())
        known[name] = Count(before.right + right, before.wrong + wrong)


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
    logs = log_evidence(count.right, count.wrong, bound), log_evidence(count.wrong, count.right, 1 - bound)
    above, below = (math.exp(min(log, _LARGEST)) for log in logs)
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


def pooled(shown: Shown, failed: Collection[str]) -> dict[str, Count]:
    """The counts by picture kind, over the cells of all laws but those that failed."""
    total: dict[str, Count] = {}
    for cell, kinds in shown.items():
        if law_of(cell) not in failed:
            add_counts(total, kinds)
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


class Look(NamedTuple):
    """The counts so far: of every cell to certify, of the cells of control pairs, and by cell and picture kind.

    A law is lost if one of its cells failed or ran out of pairs, and no more questions are asked about it. The other
    laws then need more evidence, since the lost ones stay among the hypotheses. If the controls or a kind fail, nothing
    can be admitted. A kind that needs pairs after all cells are decided gets them from the cells that show it most
    often.
    """

    counts: Mapping[str, Count]
    controls: Mapping[str, Count]
    policy: Policy
    attempt: int
    shown: Shown = NO_KINDS

    def next_pairs(self) -> dict[str, int]:
        """The number of further pairs to ask before the next look, by cell; empty once all is decided."""
        if self._a_kind_fails:
            return {}
        short, most = self.pairs_short(), self.policy.most
        pairs = {
            cell: min(short_by, STEP, most - self.counts[cell].pairs) for cell, short_by in short.items() if short_by
        }
        due = pairs | _shared(min(self._controls_short(), STEP), self.controls)
        for kind, short_by in {} if pairs else self.kinds_short(short).items():
            rates = self._rates(kind, short)
            often = {cell: self.counts[cell] for cell, rate in rates.items() if rate >= max(rates.values()) / 2}
            expected = math.ceil(short_by / max(rates.values()))
            for cell, n in _shared(min(expected, STEP * len(often)), often).items():
                due[cell] = max(due.get(cell, 0), min(n, STEP, most - self.counts[cell].pairs))
        return due

    def pairs_left(self) -> int:
        """The least number of pairs left to ask, if the judge is right on all of them."""
        if self._a_kind_fails:
            return 0
        short = self.pairs_short()
        return max([sum(short.values()) + self._controls_short(), *self.kinds_short(short).values()])

    def pairs_short(self) -> dict[str, int]:
        """The number of further pairs by cell until all open laws are admitted, if the judge is right on all of them.

        Cells of lost laws are left out: those with a cell that failed or was asked `most` pairs, and all if the
        controls failed.
        """
        if self._fails(_pooled(self.controls), self.policy.control):
            return {}
        lost = self._failed
        while True:
            needed = self._least + math.log(len(lost) + 1)
            short = {
                cell: hits_to_reach(needed, *count, self.policy.ccs)
                for cell, count in self.counts.items()
                if law_of(cell) not in lost
            }
            ran_out = {law_of(cell) for cell, n in short.items() if n and self.counts[cell].pairs >= self.policy.most}
            if not ran_out:
                return short
            lost |= ran_out

    def kinds_short(self, open_cells: Collection[str]) -> dict[str, int]:
        """The number of further pairs until a picture kind passes, by kind, if the judge is right on all of them.

        `open_cells`: the cells of laws that are not lost. Left out are kinds that pass, and kinds for which no further
        pair can be asked: these stay undecided.
        """
        lost = len(set(map(law_of, self.counts)) - set(map(law_of, open_cells)))
        needed = self._least + math.log(lost + 1)
        kinds = pooled(self.shown, self._failed)
        short = {kind: hits_to_reach(needed, *count, self.policy.ccs) for kind, count in kinds.items()}
        return {kind: left for kind, left in short.items() if left and self._rates(kind, open_cells)}

    def _controls_short(self) -> int:
        """As `pairs_short`, for all controls together; 0 also if they failed or ran out."""
        pooled, bound = _pooled(self.controls), self.policy.control
        if not self.controls or self._fails(pooled, bound) or pooled.pairs >= self.policy.most:
            return 0
        return hits_to_reach(self._least, *pooled, bound)

    def _rates(self, kind: str, open_cells: Collection[str]) -> dict[str, float]:
        """The share of a cell's pairs that show a kind, for cells that show it and may be asked more pairs."""
        return {
            cell: self.shown[cell][kind].pairs / self.counts[cell].pairs
            for cell in open_cells
            if kind in self.shown.get(cell, {}) and 0 < self.counts[cell].pairs < self.policy.most
        }

    @property
    def _least(self) -> float:
        """The logarithm of the threshold."""
        return math.log(threshold(self.policy, self.attempt))

    @property
    def _failed(self) -> set[str]:
        """The laws with a failed cell."""
        return {law_of(cell) for cell, count in self.counts.items() if self._fails(count, self.policy.ccs)}

    @property
    def _a_kind_fails(self) -> bool:
        return any(self._fails(count, self.policy.ccs) for count in pooled(self.shown, self._failed).values())

    def _fails(self, count: Count, bound: float) -> bool:
        """True if the pairs show that the share right is not above a bound."""
        return log_evidence(count.wrong, count.right, 1 - bound) >= self._least


def _pooled(counts: Mapping[str, Count]) -> Count:
    return Count(sum(count.right for count in counts.values()), sum(count.wrong for count in counts.values()))


def _shared(pairs: int, cells: Mapping[str, Count]) -> dict[str, int]:
    """A number of pairs divided over some cells as evenly as possible; cells with the fewest pairs get more."""
    names = sorted(cells, key=lambda name: (cells[name].pairs, name))
    shares = {name: pairs // len(names) + (i < pairs % len(names)) for i, name in enumerate(names)}
    return {name: n for name, n in shares.items() if n}
