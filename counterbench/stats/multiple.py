"""p-values adjusted for how many were looked at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's (1979) step-down adjustment, in the order given: rejecting those <= 0.05 makes any false rejection at all
    at most 5 % likely, however the tests depend on each other. None, for no test, stays None.

    The k-th smallest of n is multiplied by n - k + 1, and is at least the one before it and at most 1. (Written out
    because statsmodels' collects garbage in every call, 0.1 s in a large program; the tests hold ours against it.)
    """
    known = {i: p for i, p in enumerate(p_values) if p is not None}
    order = sorted(known, key=known.__getitem__)
    steps = accumulate((min(1.0, (len(order) - k) * known[i]) for k, i in enumerate(order)), max)
    adjusted = dict(zip(order, steps, strict=True))
    return [adjusted.get(i) for i in range(len(p_values))]
