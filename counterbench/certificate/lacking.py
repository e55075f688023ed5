"""What a certificate lacks: how many further pairs would decide what is undecided."""

from __future__ import annotations

import math
from collections import Counter

import msgspec

from counterbench.certificate.cells import Count, law_of, pairs_left, pairs_short
from counterbench.certificate.document import FAIL, NOT_ENOUGH, Certificate
from counterbench.scoring.scores import Share
from counterbench.stats.betting import hits_to_reach


class Lacking(msgspec.Struct, frozen=True):
    """By undecided law, and of the controls, how many further pairs would show it if the judge is right on all.

    0 of a law that is admitted as soon as the others are decided; those of which no further pairs may be asked, and so
    stay undecided, are not named. `kinds`: the same by undecided picture kind.
    """

    laws: dict[str, int]
    control: int
    kinds: dict[str, int] = {}

    @property
    def pairs(self) -> int:
        """How many these are together, at least: a pair may show several kinds."""
        return max(sum(self.laws.values()), *self.kinds.values(), 0) + self.control


def lacking(certificate: Certificate) -> Lacking:
    """What would decide a certificate, by the rule by which `probe --until-certified` asks."""
    c, attempt = certificate, certificate.attempt or 1
    if FAIL in {kind.verdict for kind in c.kinds.values()}:  # nothing can be admitted, and nothing more is asked
        return Lacking({}, 0)
    counts = {name: _count(found.ccs) for name, found in c.cells.items()}
    controls = {"": _count(c.control.accuracy)}
    laws: Counter[str] = Counter()
    short = pairs_short(counts, controls, c.policy, attempt)
    for name, more in short.items():
        laws[law_of(name)] += more
    open_ = any(counts[name].pairs < c.policy.most for name in short)
    needed = math.log(c.threshold) + math.log(len(c.laws) - len(laws) + 1)
    return Lacking(
        {name: more for name, more in laws.items() if c.laws[name].verdict == NOT_ENOUGH},
        pairs_left({}, controls, c.policy, attempt),
        {
            name: hits_to_reach(needed, kind.right, kind.of - kind.right, c.policy.ccs)
            for name, kind in c.kinds.items()
            if open_ and kind.of and kind.verdict == NOT_ENOUGH
        },
    )


def _count(found: Share) -> Count:
    return Count(found.hits, found.of - found.hits)
