"""CCS against what makes a pair hard, in bins with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from counterbench.diagnosis.document import Bin, Difficulty
from counterbench.scoring.results import PairResult
from counterbench.scoring.scores import share

MOST_BINS = 6
Points = list[tuple[int, bool]]  # a parameter's value, and whether the judge was right on both


def difficulties(pairs: Sequence[PairResult]) -> list[Difficulty]:
    """For every family and difficulty parameter with more than one value, the bins.

    Relevant pairs with two replies only: a control's difficulty is its base family's, and its CCS is another thing.
    """
    found: defaultdict[tuple[str, str], Points] = defaultdict(list)
    for pair in pairs:
        if pair.key.relevant and pair.consistent is not None:
            for parameter, value in pair.key.difficulty.items():
                found[pair.key.family, parameter].append((value, pair.consistent))
    return [
        Difficulty(family, parameter, bins(points))
        for (family, parameter), points in found.items()
        if len({value for value, _ in points}) > 1
    ]


def bins(points: Points) -> list[Bin]:
    """One bin for each value where they are few, else about equally filled bins; a value is never split."""
    values = sorted(value for value, _ in points)
    distinct = sorted(set(values))
    if len(distinct) <= MOST_BINS:
        starts = distinct
    else:
        starts = sorted({values[len(values) * i // MOST_BINS] for i in range(MOST_BINS)})
    edges = [*starts, distinct[-1] + 1]
    found = []
    for low, end in pairwise(edges):
        inside = [(value, right) for value, right in points if low <= value < end]
        highest = max(value for value, _ in inside)
        found.append(Bin(low, highest, share(sum(right for _, right in inside), len(inside))))
    return found
