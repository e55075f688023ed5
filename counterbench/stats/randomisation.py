"""Fisher's randomisation test by cluster: do two models differ by more than chance, by any measure?

If the models do not differ, swapping them in any cluster changes no probability. So the observed difference is compared
with those after swaps in every possible set of clusters, or in many random sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from counterbench.stats.clusters import Series, Weighted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bits: TypeAlias = npt.NDArray[np.uint8]
else:
    Bits: TypeAlias = Any

# Up to so many clusters every set is tried, 8,192 of them.
MOST_EXACT = 13
DRAWS, SEED = 9_999, 0
# Sets that are summed at once.
_CHUNK = 1_000


class Swapped(Weighted):
    """Two models' groups, of which those of one are counted: its own, but the other's in the clusters of a set.

    `clusters`: of the groups of both, those of the `first` model of a name that sorts before the second's. `sets`: a
    row for each, eight clusters a byte.
    """

    def __init__(self, clusters: Sequence[str], sets: Bits, first: bool) -> None:
        super().__init__(clusters)
        self._sets, self._first = sets, first

    def total(self, of: Series) -> Series:
        """See `Weighted`."""
        import numpy as np

        one, other = np.split(of, 2)
        own, gained = (one, other - one) if self._first else (other, one - other)
        if not gained.any():  # as of counts, where both have all that they were asked
            return np.full(len(self._sets), own.sum())
        # The sum for each byte of a set is looked up, not added a cluster at a time.
        eights = np.pad(gained, (0, -len(gained) % 8)).reshape(-1, 1, 8)
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
        adds, place = (bits * eights).sum(axis=2), np.arange(len(eights))
        chunks = (self._sets[start : start + _CHUNK] for start in range(0, len(self._sets), _CHUNK))
        result: Series = own.sum() + np.concatenate([adds[place, chunk].sum(axis=1) for chunk in chunks])
        return result


def swaps(clusters: Sequence[str], draws: int = DRAWS, seed: int = SEED) -> tuple[Weighted, Weighted]:
    """The two models as they are, then swapped in sets of clusters: ways to weight the groups of both.

    `clusters`: of each group. The columns that these weight have the first model's groups, then the second's, in that
    order. With at most `MOST_EXACT` clusters there is every set, the empty one first; else the empty one and `draws`
    random ones, the same on every machine.
    """
    both = [f"0{cluster}" for cluster in clusters] + [f"1{cluster}" for cluster in clusters]
    sets = _sets(len(set(clusters)), draws, seed)
    return Swapped(both, sets, first=True), Swapped(both, sets, first=False)


@lru_cache(maxsize=1)  # those of every two models that are compared
def _sets(n: int, draws: int, seed: int) -> Bits:
    """The sets of `n` clusters, eight a byte."""
    import numpy as np

    if n <= MOST_EXACT:
        return np.packbits(((np.arange(2**n)[:, None] >> np.arange(n)) & 1).astype(np.uint8), axis=1)
    source = np.random.PCG64(seed)
    sizes = (min(_CHUNK, draws - start) for start in range(0, draws, _CHUNK))
    drawn = (source.random_raw((size, n)) >> np.uint64(63) for size in sizes)
    return np.vstack([np.zeros((1, -(-n // 8)), dtype=np.uint8), *(np.packbits(of != 0, axis=1) for of in drawn)])


def randomisation_p(differences: Series) -> float:
    """The two-sided p of a difference, the first of those found under `swaps`, among all of them.

    The share that is at least as far from 0, the one seen among them (Phipson and Smyth 2010: so it is never 0, and of
    random sets it is not too small). Where a swap leaves the measure undefined it counts as that far. 1 if the
    difference itself is undefined.
    """
    import numpy as np

    seen = abs(differences[0])
    if not np.isfinite(seen):
        return 1.0
    nearer = np.abs(differences) < seen - 1e-12  # sums in another order differ in the last digits
    return float(1 - np.mean(nearer))
