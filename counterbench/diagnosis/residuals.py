"""Where the errors that no fault explains lie: the family, skill or form of question that carries them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from counterbench.diagnosis.document import Residual
from counterbench.diagnosis.patterns import Floats
from counterbench.scoring.results import PairResult
from counterbench.scoring.scores import share

# What a description may name, those named first that say most where two describe the same pairs.
KINDS = ("family", "skill", "form")
# As for a fault: below this p, so that all descriptions of a suite together are rarely named by chance.
MOST_P = 1e-4
# How many times as often as elsewhere pairs are lost: what is merely harder is no finding.
LEAST_RATIO = 2
EXAMPLES = 5

Cell = tuple[str, ...]  # a value for each of KINDS


class _Count(NamedTuple):
    lost: int = 0
    of: int = 0


Cells = Mapping[Cell, _Count]


def find_residuals(pairs: Sequence[PairResult], unexplained: Floats) -> list[Residual]:
    """What carries the `unexplained` blame (N,) for these pairs, the clearest first; nothing where none stands out.

    Counted are the pairs with both replies that no named fault has taken. A description (a family, a skill, a form) is
    named if its pairs are lost at least twice as often as the others and Fisher's exact test, one-sided, gives p <
    0.0001. The one with the smallest p is narrowed by the same rule for as long as a part of it stands out from the
    rest of it; its pairs are then set aside and the others looked at again, so that no pair is told of twice.
    """
    counted = sum(pair.both is not None for pair in pairs)
    lost = {i: blame > 0.5 for i, blame in enumerate(unexplained.tolist()) if pairs[i].consistent or blame > 0.5}
    whole = {_cell(pair) for pair in pairs}
    cells: dict[Cell, _Count] = {}
    for i, gone in lost.items():
        before = cells.get(_cell(pairs[i]), _Count())
        cells[_cell(pairs[i])] = _Count(before.lost + gone, before.of + 1)
    found = []
    while where := _narrowed(cells, {}, whole):
        inside, outside = _split(cells, where)
        here = [i for i in lost if _cell(pairs[i]) in inside]
        found.append(
            Residual(
                where=_shortened(cells, where),
                effect=float(sum(unexplained[i] for i in here)) / counted,
                lost=share(*_total(inside)),
                elsewhere=share(*_total(outside)),
                pairs=[pairs[i].key.group for i in here if lost[i]][:EXAMPLES],
            )
        )
        cells = dict(outside)
    return found


def _cell(pair: PairResult) -> Cell:
    return tuple(getattr(pair.key, kind) for kind in KINDS)


def _split(cells: Cells, where: Mapping[str, str]) -> tuple[Cells, Cells]:
    """The cells that a description fits, and the others."""
    inside = {cell: n for cell, n in cells.items() if where.items() <= dict(zip(KINDS, cell, strict=True)).items()}
    return inside, {cell: n for cell, n in cells.items() if cell not in inside}


def _total(cells: Cells) -> _Count:
    return _Count(sum(n.lost for n in cells.values()), sum(n.of for n in cells.values()))


def _narrowed(cells: Cells, where: dict[str, str], whole: Collection[Cell]) -> dict[str, str]:
    """A description narrowed to the part that carries its loss; as it is where no part stands out.

    Of two that fit the same pairs, the one that fits fewer of those set aside (of the `whole`).
    """
    from scipy.stats import hypergeom

    here, _ = _split(cells, where)
    found: list[tuple[float, int, dict[str, str]]] = []
    for i, kind in enumerate(KINDS):
        for name in dict.fromkeys(cell[i] for cell in here):
            part, rest = map(_total, _split(here, {kind: name}))
            if rest.of and part.lost and part.lost * rest.of >= LEAST_RATIO * rest.lost * part.of:
                p = float(hypergeom.logsf(part.lost - 1, part.of + rest.of, part.lost + rest.lost, part.of))
                found.append((p, sum(cell[i] == name for cell in whole), {kind: name}))
    p, _, part_of = min(found, key=lambda each: each[:2], default=(0.0, 0, {}))
    return _narrowed(cells, where | part_of, whole) if p < math.log(MOST_P) else where


def _shortened(cells: Cells, where: Mapping[str, str]) -> dict[str, str]:
    """The same pairs in as few words."""
    for kind in reversed(KINDS):
        shorter = {k: name for k, name in where.items() if k != kind}
        if shorter and _split(cells, shorter)[0].keys() == _split(cells, where)[0].keys():
            where = shorter
    return dict(where)
