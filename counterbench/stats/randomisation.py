"""Do two models differ by more than chance, whatever the measure: Fisher's randomisation test, by cluster.

If it makes no difference which model drew, the two could have been swapped in any cluster without anything being more
or less likely. So the difference that was seen is held against those with the models swapped in every possible set of
clusters, or in many random ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from counterbench.stats.bootstrap import SEED, Counts, Series, Weighted

# Up to so many clusters every set is tried, 8,192 of them.
MOST_EXACT = 13
DRAWS = 9_999
# Sets that are held at once.
_CHUNK = 1_000


def swaps(clusters: Sequence[str], draws: int = DRAWS, seed: int = SEED) -> Iterator[tuple[Weighted, Weighted]]:
    """The two models as they are, then swapped in sets of clusters: ways to weight the groups of both, in turn.

    `clusters`: of each group. The columns that these weight have the first model's groups, then the second's, in that
    order. With at most `MOST_EXACT` clusters there is every set, the empty one first; else the empty one and `draws`
    random ones, the same on every machine.
    """
    import numpy as np

    chunks: Iterable[Counts]
    n = len(set(clusters))
    both = [f"0{cluster}" for cluster in clusters] + [f"1{cluster}" for cluster in clusters]
    if n <= MOST_EXACT:
        every = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
        chunks = (every[start : start + _CHUNK] for start in range(0, len(every), _CHUNK))
    else:
        source = np.random.PCG64(seed)
        sizes = (min(_CHUNK, draws - start) for start in range(0, draws, _CHUNK))
        drawn = ((source.random_raw((size, n)) >> np.uint64(63)).astype(int) for size in sizes)
        chunks = chain([np.zeros((1, n), dtype=int)], drawn)
    for other in chunks:
        yield Weighted(both, np.hstack([1 - other, other])), Weighted(both, np.hstack([other, 1 - other]))


def randomisation_p(found: Sequence[Series]) -> float:
    """The two-sided p of a difference, the first of those found under `swaps`, among all of them.

    The share that is at least as far from 0, the one seen among them (Phipson and Smyth 2010: so it is never 0, and of
    random sets it is not too small). Where a swap leaves the measure undefined it counts as that far. 1 if the
    difference itself is undefined.
    """
    import numpy as np

    differences = np.concatenate(found)
    seen = abs(differences[0])
    if not np.isfinite(seen):
        return 1.0
    nearer = np.abs(differences) < seen - 1e-12  # sums in another order differ in the last digits
    return float(1 - np.mean(nearer))
