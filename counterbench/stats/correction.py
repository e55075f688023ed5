"""A mean of an imperfect judge's credits as it would be without its errors, given what is known of them.

Rogan and Gladen (1978): of a share p of positives, (p + spec - 1) / (sens + spec - 1) are true, clipped to 0 … 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from counterbench.stats.bootstrap import DRAWS, SEED
from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]


class Errors(msgspec.Struct, frozen=True):
    """How often a judge is right at one skill, as (hits, of), on things whose truth is known; `of` is at least 1.

    `sensitivity`: it says yes where yes is true; `specificity`: no where no is true. For graded checks: the grades
    given where 1 is true, and withheld where 0 is, summed and rounded to whole hits.
    """

    sensitivity: tuple[int, int]
    specificity: tuple[int, int]


class Stratum(msgspec.Struct, kw_only=True):
    """The checks of one skill that share an expected answer: yes or, if `negative`, no.

    `share` of the mean's weight, the `credit` that they got of it, and the sum of the squared weights of the checks.
    """

    skill: str
    negative: bool = False
    share: float = 0.0
    credit: float = 0.0
    squares: float = 0.0


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
    """What a judge's errors may have been, drawn `draws` times, to correct several means by the same draws.

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

        A draw in which the two rates sum to at most 1 tells nothing, and counts half as 0 and half as 1.
        """
        import numpy as np
        from scipy.special import ndtri

        value, drawn = 0.0, np.zeros(self._draws)
        coin = np.arange(self._draws) % 2
        for stratum in sorted(strata, key=lambda stratum: (stratum.skill, stratum.negative)):
            rates = self._rates[stratum.skill]
            sens, spec, some_sens, some_spec = rates.swapped() if stratum.negative else rates
            observed = stratum.credit / stratum.share
            share = min(1.0, max(0.0, (observed + spec - 1) / (sens + spec - 1)))
            value += stratum.share * share
            variance = share * some_sens * (1 - some_sens) + (1 - share) * some_spec * (1 - some_spec)
            chance = ndtri(self._uniform()) * np.sqrt(variance * stratum.squares) / stratum.share
            tells = some_sens + some_spec - 1
            with np.errstate(divide="ignore", invalid="ignore"):
                shares = np.clip((observed + chance + some_spec - 1) / tells, 0, 1)
            drawn += stratum.share * np.where(tells > 0, shares, coin)
        drawn = np.clip(drawn, 0, 1)  # against rounding
        low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
        return Estimate(value, min(low, value), max(high, value))

    def _uniform(self) -> Floats:
        """Numbers between 0 and 1, neither included, from raw bits, which NumPy promises for good."""
        import numpy as np

        raw = self._bits.random_raw(self._draws)
        return ((raw >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
