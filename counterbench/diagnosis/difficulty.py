"""CCS against what makes a pair hard, in bins with intervals."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence

from counterbench.diagnosis.document import Bin, Difficulty
from counterbench.scoring.results import PairResult
from counterbench.scoring.scores import share

MOST_BINS = 6
Points = list[tuple[float, bool]]  # a parameter's value, and whether the judge was right on both


def difficulties(pairs: Sequence[PairResult]) -> list[Difficulty]:
    """For every family and difficulty parameter with more than one value, the bins.

    Relevant pairs with two replies only: a control's difficulty is its base family's, and its CCS is another thing. Of
    a parameter that each picture has for itself, nothing is said of the pair.
    """
    found: defaultdict[tuple[str, str], Points] = defaultdict(list)
    for pair in pairs:
        if pair.key.relevant and pair.consistent is not None:
            for parameter, value in pair.key.difficulty.items():
                if pair.keys[1].difficulty.get(parameter) == value:
                    found[pair.key.family, parameter].append((value, pair.consistent))
    return [
        Difficulty(family, parameter, bins(points))
        for (family, parameter), points in found.items()
        if len({value for value, _ in points}) > 1
    ]


def bins(points: Points) -> list[Bin]:
    """One bin for each value where they are few, else about equally filled bins; a value is never split."""
    first = starts(value for value, _ in points)
    inside: list[Points] = [[] for _ in first]
    for value, right in points:
        inside[bisect(first, value) - 1].append((value, right))
    return [
        Bin(low, max(values)[0], share(sum(right for _, right in values), len(values)))
        for low, values in zip(first, inside, strict=True)
    ]


def starts(values: Iterable[float]) -> list[float]:
    """The lowest value of each bin, of one or more values."""
    ordered = sorted(values)
    distinct = sorted(set(ordered))
    if len(distinct) <= MOST_BINS:
        return distinct
    return sorted({ordered[len(ordered) * i // MOST_BINS] for i in range(MOST_BINS)})
