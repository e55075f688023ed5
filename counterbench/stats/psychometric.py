"""Psychometric curves: how the share of right answers falls along a dial, with a lapse rate and a guess rate.

ψ(x) = γ + (1 − γ − λ)·Φ((m − x)/s), x the logarithm of the dial towards the hard end, with Beta(1, 10) priors on the
guess rate γ and the lapse rate λ, as in Schütt, Harmeling, Macke and Wichmann ("Painfree and accurate Bayesian
estimation of psychometric functions", Vision Research 2016), on a grid. The prior is flat on the middle m. The width w,
from 5 % to 95 % of Φ, is s times `_INSIDE`; its grid has steps of equal ratios, and a value of it has the weight 1/w.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from counterbench.stats.intervals import Estimate

SHARES = (0.75, 0.5)  # shares of right answers at which a curve's value of the dial is given
_MIDDLES, _WIDTHS, _RATES, _POINTS = 81, 31, 11, 33  # values of the grid in each direction, and points of a curve
_INSIDE = 2 * 1.6448536269514722  # standard deviations between 5 % and 95 % of Φ, which the width spans


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """A fitted curve; the values of the dial are in its own unit."""

    guess: float  # the share of right answers at the hard end, 0 … 1
    lapse: float  # the share of wrong answers at the easy end, 0 … 1
    # By share ("75", "50"): the value of the dial at which so many per cent are right. An end of the interval, or the
    # value, is null where it lies outside of the values that were asked.
    levels: dict[str, Estimate]
    points: list[tuple[float, float]]  # the curve: values of the dial, the easy end first, and shares right


def fit(values: Sequence[float], right: Sequence[int], total: Sequence[int]) -> Curve | None:
    """The curve of these counts, the easiest value first; None for fewer than three different values with trials.

    `values`: above 0, rising or falling. The value of a share is its posterior median, and its interval holds 95 % of
    the posterior probability; the rates and points are of the most probable curve.
    """
    trials = [(v, r, n) for v, r, n in zip(values, right, total, strict=True) if n]
    if len({v for v, _, _ in trials}) < 3:
        return None
    sign = 1.0 if trials[-1][0] > trials[0][0] else -1.0
    x = sign * np.log([v for v, _, _ in trials])
    hits, misses = (np.array(counts, float) for counts in zip(*((r, n - r) for _, r, n in trials), strict=True))
    easy, hard = float(x.min()), float(x.max())
    span, step = hard - easy, float(np.diff(np.unique(x)).min())
    middle = np.linspace(easy - span / 2, hard + span / 2, _MIDDLES)
    width = np.geomspace(step, 3 * span, _WIDTHS)
    rate = np.linspace(0, 0.4, _RATES)
    m, w, lapse, guess = np.meshgrid(middle, width, rate, rate, indexing="ij", sparse=True)
    log_posterior = 9 * (np.log1p(-lapse) + np.log1p(-guess)) - np.log(w)  # Beta(1, 10); 1/w
    for position, h, miss in zip(x, hits, misses, strict=True):
        p = np.clip(guess + (1 - guess - lapse) * _normal_share((m - position) * _INSIDE / w), 1e-9, 1 - 1e-9)
        log_posterior = log_posterior + h * np.log(p) + miss * np.log1p(-p)
    best = np.unravel_index(int(np.argmax(log_posterior)), log_posterior.shape)
    weights = np.exp(log_posterior - log_posterior.max()).ravel()
    at_best = middle[best[0]], width[best[1]], rate[best[2]], rate[best[3]]
    levels = {}
    for share in SHARES:
        every = np.broadcast_to(_value_at_share(share, m, w, lapse, guess), log_posterior.shape).ravel()
        order = np.argsort(every)
        below = np.cumsum(weights[order]) / weights.sum()
        found = [every[order][np.searchsorted(below, q)] for q in (0.5, 0.025, 0.975)]
        value, *ends = [_rounded(np.exp(sign * v)) if easy <= v <= hard else None for v in map(float, found)]
        low, high = ends if sign > 0 else ends[::-1]
        levels[f"{100 * share:g}"] = Estimate(value, low, high)
    along = np.linspace(easy, hard, _POINTS)
    m0, w0, lapse0, guess0 = map(float, at_best)
    shares = guess0 + (1 - guess0 - lapse0) * _normal_share((m0 - along) * _INSIDE / w0)
    points = [(_rounded(np.exp(sign * v)), _rounded(p)) for v, p in zip(along, shares, strict=True)]
    return Curve(guess=_rounded(guess0), lapse=_rounded(lapse0), levels=levels, points=points)


def _rounded(value: float) -> float:
    """The value with four figures: the last bits differ from machine to machine, and a fit tells no more."""
    return float(f"{value:.4g}")


def _normal_share(z: np.ndarray) -> np.ndarray:
    """The standard normal distribution function of each element of `z`, in its shape."""
    from scipy.special import ndtr  # the same in scipy.stats takes a second to import

    return np.asarray(ndtr(z))


def _value_at_share(share: float, m: object, w: object, lapse: object, guess: object) -> np.ndarray:
    """The x at which a curve falls through a share of right answers; -∞ if it is always below it, +∞ if always above.

    `share`: 0 … 1. `m`, `w`, `lapse` and `guess` are the middle, the width and the rates of curves: arrays, or numbers,
    that broadcast together; the result has their common shape.
    """
    from scipy.special import ndtri

    normal_share = (share - np.asarray(guess)) / (1 - np.asarray(guess) - np.asarray(lapse))
    clipped = np.clip(normal_share, 0.0, 1.0)  # Φ⁻¹(0) and Φ⁻¹(1) are the infinite ends
    with np.errstate(invalid="ignore"):
        return np.asarray(m - np.asarray(w) / _INSIDE * ndtri(clipped))
