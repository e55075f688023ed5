"""Holds what was found against a bound: pass, fail, or not enough evidence with the number that would do."""

from __future__ import annotations

import math
from collections.abc import Iterable

from counterbench.certificate.document import Condition, Verdict
from counterbench.scoring.scores import Share

PASS: Verdict = "pass"
FAIL: Verdict = "fail"
NOT_ENOUGH: Verdict = "not-enough-evidence"

_Z = 1.959963984540054  # the 97.5 % point of the normal distribution: of two-sided 95 % intervals


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """What several conditions come to: fail if any fails, else not enough evidence if any lacks it, else pass."""
    found = set(verdicts)
    return FAIL if FAIL in found else NOT_ENOUGH if NOT_ENOUGH in found else PASS


def shown(share: Share, bound: float) -> Condition:
    """Whether a share is shown to be at least `bound`: by the lower end of its 95 % Wilson interval.

    It fails where the upper end is below the bound; between the two there is not enough evidence.
    """
    if share.value is None or share.low is None or share.high is None:
        return Condition(value=None, bound=bound, verdict=NOT_ENOUGH, reason="no question of this kind was answered")
    if share.low >= bound:
        verdict, needed, reason = PASS, None, ""
    elif share.high < bound:
        verdict, needed = FAIL, None
        reason = f"{share.hits} of {share.of}: at most {share.high:.3f}, which is below {bound:g}"
    else:
        verdict, needed = NOT_ENOUGH, pairs_to_pass(share.value, bound)
        found = f"{share.hits} of {share.of}: {share.low:.3f} to {share.high:.3f}, {bound:g} lies between"
        none = "no number of pairs shows it at this rate" if needed is None else f"at this rate {needed} would show it"
        reason = f"{found}; {none}"
    return Condition(
        value=share.value, low=share.low, high=share.high, bound=bound, verdict=verdict, needed=needed, reason=reason
    )


def pairs_to_pass(rate: float, bound: float) -> int | None:
    """The least n at which a share of exactly `rate` has the lower end of its 95 % Wilson interval at `bound` or above.

    Wilson's lower end b solves (rate − b)² = z² b (1 − b) / n (Wilson 1927), so n = z² b (1 − b) / (rate − b)².
    The rate is not rounded to whole hits of n. None if the rate is not above the bound: then no n is large enough.

    >>> pairs_to_pass(1.0, 0.95), pairs_to_pass(0.9, 0.85), pairs_to_pass(0.85, 0.85)
    (73, 196, None)
    """
    if rate <= bound:
        return None
    return max(1, math.ceil(_Z**2 * bound * (1 - bound) / (rate - bound) ** 2))


def enough(count: int, least: int) -> Condition:
    """Whether at least so many pairs are counted."""
    if count >= least:
        return Condition(value=count, bound=least, verdict=PASS)
    reason = f"{count} pairs counted, {least} are asked for: {least - count} more"
    return Condition(value=count, bound=least, verdict=NOT_ENOUGH, needed=least, reason=reason)


def at_most(what: str, count: int, of: int, most: float) -> Condition:
    """Whether at most a share `most` of the questions came to this outcome."""
    share = count / of if of else None
    if count <= most * of:
        return Condition(value=share, bound=most, verdict=PASS)
    reason = f"{count} of {of} questions {what}, at most {100 * most:g} % may be"
    return Condition(value=share, bound=most, verdict=FAIL, reason=reason)
