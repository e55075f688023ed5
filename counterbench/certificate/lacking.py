"""What a certificate lacks: how many further pairs would decide what is undecided."""

from __future__ import annotations

from collections import Counter

import msgspec

from counterbench.certificate.cells import Count, law_of, pairs_left, pairs_short
from counterbench.certificate.document import NOT_ENOUGH, Certificate
from counterbench.scoring.scores import Share


class Lacking(msgspec.Struct, frozen=True):
    """By undecided law, and of the controls, how many further pairs would show it if the judge is right on all.

    0 of a law that is admitted as soon as the others are decided; those of which no further pairs may be asked, and so
    stay undecided, are not named.
    """

    laws: dict[str, int]
    control: int

    @property
    def pairs(self) -> int:
        """How many these are together."""
        return sum(self.laws.values()) + self.control


def lacking(certificate: Certificate) -> Lacking:
    """What would decide a certificate, by the rule by which `probe --until-certified` asks."""
    c, attempt = certificate, certificate.attempt or 1
    counts = {name: _count(found.ccs) for name, found in c.cells.items()}
    controls = {"": _count(c.control.accuracy)}
    laws: Counter[str] = Counter()
    for name, more in pairs_short(counts, controls, c.policy, attempt).items():
        laws[law_of(name)] += more
    return Lacking(
        {name: more for name, more in laws.items() if c.laws[name].verdict == NOT_ENOUGH},
        pairs_left({}, controls, c.policy, attempt),
    )


def _count(found: Share) -> Count:
    return Count(found.hits, found.of - found.hits)
