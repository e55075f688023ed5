"""A mean of an imperfect judge's credits as it would be without its errors, given its known rates.

Rogan and Gladen (1978): of a share p of positives, (p + spec - 1) / (sens + spec - 1) are true, clipped to 0 … 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

DRAWS, SEED = 2000, 0


class Errors(msgspec.Struct, frozen=True):
    """The rates at which a judge is right at one skill, as (hits, of), on things with known truth; `of` is at least 1.

    For graded checks: the grades given where 1 is true, and withheld where 0 is, summed and rounded to whole hits.
    """

    sensitivity: tuple[int, int]  # yes where yes is true
    specificity: tuple[int, int]  # no where no is true


class Part(NamedTuple):
    """One check of a point."""

    skill: str
    negative: bool  # the expected answer is no
    credit: float  # from 0 to 1


class Stratum(msgspec.Struct, kw_only=True):
    """Points with the same answers. Most points are one check, their only part."""

    parts: tuple[Part, ...]
    either: bool = False  # one right part makes the point right; else all must be
    share: float = 0.0  # of the mean's weight
    squares: float = 0.0  # the sum of the squares of the points' weights

    @property
    def kind(self) -> tuple[object, ...]:
        """The questions of the points, without the answers."""
        return self.either, tuple((part.skill, part.negative) for part in self.parts)


class _Rates(NamedTuple):
    """Sensitivity and specificity: as counted, and as drawn, (draws,)."""

    sens: float
    spec: float
    drawn_sens: Floats
    drawn_spec: Floats

    def swapped(self) -> _Rates:
        """The same of a check whose expected answer is no, where credit is for saying no."""
        return _Rates(self.spec, self.sens, self.drawn_spec, self.drawn_sens)


class Correction:
    """A judge's possible error rates, drawn `draws` times, to correct several means by the same draws.

    A parametric bootstrap: sensitivity and specificity are drawn from their Beta distributions (Jeffreys' prior), the
    judge's chance on these checks from a normal one. At every skill sensitivity + specificity must exceed 1: a judge
    with less tells nothing, and correcting by it would turn its answers round. A seed gives the same everywhere.
    """

    def __init__(self, errors: Mapping[str, Errors], draws: int = DRAWS, seed: int = SEED) -> None:
        import numpy as np
        from scipy.special import betaincinv

        self._bits = np.random.PCG64(seed)
        self._draws = draws
        self._rates: dict[str, _Rates] = {}
        for skill in sorted(errors):
            (yes, of_yes), (no, of_no) = errors[skill].sensitivity, errors[skill].specificity
            sens = betaincinv(yes + 0.5, of_yes - yes + 0.5, self._uniform())
            spec = betaincinv(no + 0.5, of_no - no + 0.5, self._uniform())
            self._rates[skill] = _Rates(yes / of_yes, no / of_no, sens, spec)

    def mean(self, strata: Iterable[Stratum]) -> Estimate:
        """The corrected sum over the strata; its interval is drawn out to the estimate where that lies outside.

        Each kind of point is clipped to 0 … 1 as one. A draw in which the two rates of a part sum to at most 1 tells
        nothing, and counts half as 0 and half as 1.
        """
        import numpy as np
        from scipy.special import ndtri

        value, drawn = 0.0, np.zeros(self._draws)
        coin = np.arange(self._draws) % 2
        ordered = sorted(strata, key=lambda stratum: (stratum.kind, stratum.parts))
        for _, same in groupby(ordered, key=lambda stratum: stratum.kind):
            known, some, variance = 0.0, np.zeros(self._draws), np.zeros(self._draws)
            alike = list(same)
            share = sum(stratum.share for stratum in alike)
            rates = [self._rates_of(part) for part in alike[0].parts]
            with np.errstate(divide="ignore", invalid="ignore"):
                for stratum in alike:
                    one, _ = _corrected(stratum, [(of.sens, of.spec) for of in rates])
                    drawn_one, spread = _corrected(stratum, [(of.drawn_sens, of.drawn_spec) for of in rates])
                    known += stratum.share * float(one)
                    some += stratum.share * drawn_one
                    variance += stratum.squares * spread
                chance = ndtri(self._uniform()) * np.sqrt(np.maximum(variance, 0))
                shares = np.clip((some + chance) / share, 0, 1)
            tells = np.all([of.drawn_sens + of.drawn_spec > 1 for of in rates], axis=0)
            value += share * min(1.0, max(0.0, known / share))
            drawn += share * np.where(tells, shares, coin)
        drawn = np.clip(drawn, 0, 1)  # against rounding
        low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
        return Estimate(value, min(low, value), max(high, value))

    def _rates_of(self, part: Part) -> _Rates:
        rates = self._rates[part.skill]
        return rates.swapped() if part.negative else rates

    def _uniform(self) -> Floats:
        """Numbers between 0 and 1, neither included, from raw bits, which NumPy promises for good."""
        import numpy as np

        raw = self._bits.random_raw(self._draws)
        return ((raw >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def _corrected(stratum: Stratum, rates: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """The count of a point, and its variance from the judge's chance; `rates` of each part, as numbers or rows.

    A credit c of a part counts (c + spec - 1) / (sens + spec - 1), whose expectation is the truth, 0 or 1. Errors are
    independent, so that of a product is the truth of all parts; no share of points can be corrected as one, since a
    point with one wrong part is affirmed more often than one with several. Of a truth t, E[x²] - t² = E[x² - x].
    """
    value, square = 1.0, 1.0
    for part, (sens, spec) in zip(stratum.parts, rates, strict=True):
        one, zero = (x / (sens + spec - 1) for x in (spec, spec - 1))
        if stratum.either:
            one, zero = 1 - one, 1 - zero
        value = value * (part.credit * one + (1 - part.credit) * zero)
        square = square * (part.credit * one**2 + (1 - part.credit) * zero**2)
    return (1 - value if stratum.either else value), square - value
