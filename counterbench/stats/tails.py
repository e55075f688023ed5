"""Tails of distributions as scipy.stats gives them, from scipy.special, which takes a third of the time to import."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special


def chi2_above(x: float, freedom: int) -> float:
    """The chance that chi-squared with so many degrees of freedom exceeds x."""
    return float(special.chdtrc(freedom, x))


def normal_above(x: float) -> float:
    """The chance that a standard normal number exceeds x."""
    return float(special.ndtr(-x))


def binomial_above(hits: int, total: int, chance: float = 0.5) -> float:
    """The chance of `hits` or more in `total` trials; the one-sided p of the exact binomial test."""
    return float(special.bdtrc(hits - 1, total, chance)) if hits else 1.0


def log_fisher(inside: tuple[int, int], outside: tuple[int, int]) -> float:
    """The natural log of Fisher's exact one-sided p that more are lost inside than outside; each is (lost, total).

    The sum of hypergeometric chances, whose binomial coefficients are by the beta function:
    ln C(n, k) = −ln(n + 1) − ln B(k + 1, n − k + 1), and ln B(n + 1, 1) = −ln(n + 1).
    """
    all_lost, all_inside, total = inside[0] + outside[0], inside[1], inside[1] + outside[1]
    all_kept = total - all_lost
    # So many lost inside as there are, or more; the rest inside is kept.
    lost = np.arange(max(inside[0], all_inside - all_kept), min(all_lost, all_inside) + 1)
    kept = all_inside - lost
    logs = (
        special.betaln(all_lost + 1, 1) + special.betaln(all_kept + 1, 1)
        + special.betaln(total - all_inside + 1, all_inside + 1)
        - special.betaln(lost + 1, all_lost - lost + 1) - special.betaln(kept + 1, all_kept - kept + 1)
        - special.betaln(total + 1, 1)
    )  # fmt: skip
    return min(float(special.logsumexp(logs)), 0.0)


def average_ranks(values: Sequence[float]) -> npt.NDArray[np.floating[Any]]:
    """The rank of each of n values, from 1: (n,). Equal values share the middle of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((counts.cumsum() - (counts - 1) / 2)[place], dtype=float)
