"""The true share behind an imperfect test's positives, given what is known of the test's errors."""

from __future__ import annotations

import math

from counterbench.stats.checks import check_fraction, check_share
from counterbench.stats.intervals import Estimate


def rogan_gladen(
    hits: int, of: int, sensitivity: tuple[int, int], specificity: tuple[int, int], confidence: float = 0.95
) -> Estimate | None:
    """How common something is, from `hits` positives of `of` things tested, and the test's sensitivity and specificity.

    Both are (hits, of) as found on things of known truth; the three samples are independent. The estimate is Rogan and
    Gladen's (1978), (p + spec - 1) / (sens + spec - 1), clipped to 0 … 1. The interval is Lang and Reiczigel's (2014,
    Preventive Veterinary Medicine 113, 13-22), which carries the uncertainty of all three, clipped likewise. It is
    approximate. Two cases that they leave open: where their shrunken sensitivity and specificity sum to at most 1 the
    interval is 0 … 1, and where the interval would leave the estimate out it is drawn out to it. An interval without
    width, 0 … 0 or 1 … 1, is no certainty: there are so few positives (or so many) that these errors of the test cannot
    explain them, so it errs differently here than on the things of known truth.

    None when `of` is 0. ValueError if counts or confidence cannot be, if sensitivity or specificity rest on nothing,
    or if they sum to at most 1: such a test says nothing, and correcting by it would turn its answers round.
    """
    check_share(hits, of, "positives")
    check_share(*sensitivity, "sensitivity")
    check_share(*specificity, "specificity")
    check_fraction("confidence", confidence)
    for name, (_, known) in (("sensitivity", sensitivity), ("specificity", specificity)):
        if known == 0:
            raise ValueError(f"{name} rests on 0 things of known truth; test some first")
    sens, spec = sensitivity[0] / sensitivity[1], specificity[0] / specificity[1]
    # In whole numbers: sens + spec > 1 exactly when this holds.
    if sensitivity[0] * specificity[1] + specificity[0] * sensitivity[1] <= sensitivity[1] * specificity[1]:
        raise ValueError(
            f"sensitivity {sens:.3f} and specificity {spec:.3f} sum to {sens + spec:.3f}; a test that tells anything "
            "has more than 1, so nothing can be corrected by this one"
        )
    if of == 0:
        return None
    value = _clip((hits / of + spec - 1) / (sens + spec - 1))
    low, high = _lang_reiczigel(hits, of, sensitivity, specificity, confidence)
    return Estimate(value, min(low, value), max(high, value))


def _lang_reiczigel(
    hits: int, of: int, sensitivity: tuple[int, int], specificity: tuple[int, int], confidence: float
) -> tuple[float, float]:
    """Their section 2.2: Agresti and Coull's shrinking of the three shares, a shift, and a normal approximation."""
    from scipy.stats import norm

    z = float(norm.ppf((1 + confidence) / 2))
    p = (hits + z * z / 2) / (of + z * z)
    sens = (sensitivity[0] + 1) / (sensitivity[1] + 2)
    spec = (specificity[0] + 1) / (specificity[1] + 2)
    if sens + spec <= 1:
        return 0.0, 1.0
    share = (p + spec - 1) / (sens + spec - 1)
    error_sens = sens * (1 - sens) / (sensitivity[1] + 2)
    error_spec = spec * (1 - spec) / (specificity[1] + 2)
    shift = 2 * z * z * (share * error_sens - (1 - share) * error_spec)
    variance = p * (1 - p) / (of + z * z) + share**2 * error_sens + (1 - share) ** 2 * error_spec
    half = z * math.sqrt(variance) / (sens + spec - 1)
    return _clip(share + shift - half), _clip(share + shift + half)


def _clip(share: float) -> float:
    return min(1.0, max(0.0, share))
