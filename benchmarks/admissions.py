"""What `validate` would have said of a planted judge: its own code chooses the pairs and decides; nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, overload

from certification import ask, ask_by_kinds
from rehearsal import Rehearsal

from counterbench.certificate.cells import STEP, threshold
from counterbench.certificate.findings import findings
from counterbench.certificate.policies import load_policy
from counterbench.scoring.results import PairResult
from counterbench.suites.sources import CellSource, cells_of
from counterbench.suites.suite import Suite, load_suite
from counterbench.t2i.judging.admission import SUITE, needed_cells
from counterbench.t2i.prompts.files import load_prompts

POLICY = "standard"
LAWS = "laws-few"  # whose laws stand for all
SEEDS = 5


class Certified(NamedTuple):
    """How many laws (or families) of a suite a judge was admitted to, on average over seeds, and of how many."""

    admitted: float
    of: int

    @property
    def text(self) -> str:
        """In a table."""
        return f"{self.admitted:.3g} of {self.of}"


@cache
def suite_of(name: str, style: str) -> Suite:
    return load_suite(name).styled(style)


@cache
def block(suite: str, style: str, cell: str, nth: int) -> Rehearsal:
    """Some pairs of a cell, drawn when the first judge needs them."""
    return Rehearsal(CellSource(suite_of(suite, style), [cell] * STEP, {cell: STEP * nth}))


class OfCell(Sequence[PairResult]):
    """A judge's results on the pairs of a cell, asked as they are needed."""

    def __init__(self, suite: str, style: str, cell: str, spec: str) -> None:
        self._where, self._spec = (suite, style, cell), spec
        self._known: list[PairResult] = []

    def first(self, pairs: int) -> list[PairResult]:
        """So many pairs, the first ones."""
        while len(self._known) < pairs:
            self._known += block(*self._where, len(self._known) // STEP).results(self._spec)
        return self._known[:pairs]

    @overload
    def __getitem__(self, at: int) -> PairResult: ...
    @overload
    def __getitem__(self, at: slice) -> list[PairResult]: ...
    def __getitem__(self, at: int | slice) -> PairResult | list[PairResult]:
        return self.first(at.stop)[at] if isinstance(at, slice) else self.first(at + 1)[at]

    def __len__(self) -> int:
        return load_policy(POLICY).most + STEP

    def __iter__(self) -> Iterator[PairResult]:
        return iter(self.first(len(self)))


class Right(Sequence[int]):
    """On how many of the first 0, 1, 2, … pairs of a cell a judge is right."""

    def __init__(self, of: OfCell) -> None:
        self._of = of

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: int | slice) -> int | list[int]:
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(len(self)))]
        return sum(pair.consistent is True for pair in self._of.first(at))

    def __len__(self) -> int:
        return len(self._of) + 1


def certified(task: tuple[str, str, Sequence[str]]) -> dict[str, Certified]:
    """The judges of these names on a suite in a style, each with several seeds."""
    suite, style, specs = task
    policy, cells = load_policy(POLICY), cells_of(suite_of(suite, style))
    controls = [name for name, of in cells.items() if of.control]
    if suite == SUITE:
        few = needed_cells(load_prompts(LAWS).prompts)
        cells = {name: of for name, of in cells.items() if of.control or name.rpartition("/")[0] in few}
    laws = {name.rpartition("/")[0] for name in cells} - {name.rpartition("/")[0] for name in controls}
    found = {}
    for spec in specs:
        admitted = 0
        for seed in range(1, SEEDS + 1):
            seeded = f"{spec}{'&' if '?' in spec else '?'}seed={seed}"
            pairs = {cell: OfCell(suite, style, cell, seeded) for cell in cells}
            counts = ask({cell: Right(of) for cell, of in pairs.items()}, policy, 1, controls)
            asked = ask_by_kinds(pairs, counts, controls, policy)
            admitted += len(findings(asked, policy, threshold(policy, 1)).admitted)
        found[spec] = Certified(admitted / SEEDS, len(laws))
    return found
