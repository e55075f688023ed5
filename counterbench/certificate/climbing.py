"""Ladders climbed: up to which rung does a judge see, shown for all ladders together?

Rung by rung from the easiest, each until it is decided; the first that is not shown to exceed the policy's bound ends
its ladder. Rungs are tested in a fixed order, so their number needs no correction (fixed-sequence testing, Maurer,
Hothorn and Lehmacher 1995); the level is divided by the number of ladders. The result lies in the run's folder as
`ladders.json`.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.certificate.cells import Count, cell_result, law_of, threshold
from counterbench.certificate.document import FAIL, NOT_ENOUGH, PASS, Verdict
from counterbench.certificate.findings import counts
from counterbench.certificate.policies import Policy
from counterbench.certificate.sequential import UntilDecided
from counterbench.files import formats
from counterbench.runs.folder import JOURNAL_FILE, answered, read_run_info
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key, cell_of
from counterbench.scoring.results import load_results
from counterbench.stats.betting import hits_to_reach
from counterbench.suites.families.ladders import LADDERS, Ladder
from counterbench.suites.sources import CellSource, Source
from counterbench.text import brief

SUITE, RESULT_FILE = "ladder", "ladders.json"
MOST = 100  # pairs of a rung
# A pair beyond those that a run asks.
_LAST = {f"{ladder.rungs[-1]}/yes-no": MOST for ladder in LADDERS.values()}


class RungResult(msgspec.Struct, frozen=True, kw_only=True):
    """One rung that was asked about."""

    label: str
    right: int
    pairs: int
    verdict: Verdict


class LadderResult(msgspec.Struct, frozen=True, kw_only=True):
    """One ladder."""

    seen: str | None  # the label of the last rung that passed with all below it; null if the first did not
    says: str  # the same in words
    rungs: list[RungResult]  # up to the first that did not pass


class Climbed(msgspec.Struct, frozen=True, kw_only=True):
    """The result of all ladders: with 95 % (under `standard`) no rung is granted at which CCS is the bound or less."""

    format: Literal["counterbench.ladders/1"] = "counterbench.ladders/1"
    judge: str
    template_digest: str
    policy: str
    attempt: int
    bound: float  # of CCS
    threshold: float  # the evidence that decides a rung
    run: str
    lost: str  # the reason why the climb ended early, of replies that cannot be used; empty if it did not
    ladders: dict[str, LadderResult]

    def __repr__(self) -> str:
        return brief(self, f"{self.judge} sees {'; '.join(of.says for of in self.ladders.values())}")


class Climb(UntilDecided):
    """The questions of a run that climbs all ladders of the suite SUITE."""

    def __init__(self, source: Source, policy: Policy, out: Path) -> None:
        self._done = 0
        super().__init__(source, policy, out)

    def _next_pairs(self) -> dict[str, int]:
        if self._policy.outcomes.lost(self._outcomes):
            return {}
        known = {law_of(cell): count for cell, count in self._counted.items()}
        bound, needed = self._policy.ccs, math.log(least(self._policy, self.attempt))
        following: dict[str, int] = {}
        for ladder in LADDERS.values():
            rung = next((rung for rung in ladder.rungs if not _passed(known.get(rung), bound, needed)), None)
            if rung is not None:
                right, wrong = count = known.get(rung, Count())
                more = hits_to_reach(needed, right, wrong, bound)
                if count.pairs + more <= MOST:  # else it cannot pass any more
                    following[f"{rung}/yes-no"] = more
        return following

    def _tell(self) -> None:
        self._done = len(LADDERS) - len(self._next_pairs())
        self._left = 0

    def keys(self) -> Iterator[Key]:
        """See `UntilDecided`; with a pair of each last rung, on which a fault may show that no first rung shows."""
        yield from super().keys()
        yield from keys(CellSource(self._suite, [f"{ladder.rungs[-1]}/yes-no" for ladder in LADDERS.values()], _LAST))

    @property
    def most(self) -> int:
        """See `UntilDecided`."""
        return 2 * MOST * len(self.cells)

    @property
    def status(self) -> str:
        """The progress in words."""
        return f"{self._done} of {len(LADDERS)} ladders climbed"


def least(policy: Policy, attempt: int) -> float:
    """The e-value that decides a rung: the level is divided by the number of ladders."""
    return threshold(policy, attempt) * len(LADDERS)


def _passed(count: Count | None, bound: float, needed: float) -> bool:
    return count is not None and hits_to_reach(needed, count.right, count.wrong, bound) == 0


def climbed(path: Path, policy: Policy, attempt: int) -> Climbed:
    """The result of the run in `path`, kept there."""
    info, pairs = read_run_info(path), load_results(path).pairs
    known = {law_of(cell): count for cell, count in counts(pairs, lambda pair: (cell_of(pair.key),)).items()}
    decides = least(policy, attempt)
    result = Climbed(
        judge=info.judge,
        template_digest=info.template_digest,
        policy=policy.name,
        attempt=attempt,
        bound=policy.ccs,
        threshold=decides,
        run=str(path),
        lost=policy.outcomes.lost(answered(path / JOURNAL_FILE).figures.outcomes),
        ladders={name: _ladder(ladder, known, policy.ccs, decides) for name, ladder in LADDERS.items()},
    )
    formats.write_json(path / RESULT_FILE, result)
    return result


def _ladder(ladder: Ladder, known: Mapping[str, Count], bound: float, decides: float) -> LadderResult:
    rungs: list[RungResult] = []
    seen = None
    for name in ladder.rungs:
        count = known.get(name, Count())
        passed = _passed(count, bound, math.log(decides))
        below = cell_result(count, bound, decides).verdict == FAIL
        verdict: Verdict = PASS if passed else FAIL if below else NOT_ENOUGH
        rungs.append(RungResult(label=ladder.label(name), right=count.right, pairs=count.pairs, verdict=verdict))
        if not passed:
            break
        seen = ladder.label(name)
    says = (
        ladder.says.format(seen)
        if seen is not None
        else f"not even the first rung: {ladder.says.format(rungs[0].label)}"
    )
    return LadderResult(seen=seen, says=says, rungs=rungs)
