"""How far a judge's known errors could have moved the level means: a band beside the number, never the headline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench.errors import InputError
from counterbench.stats.checks import check_share
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.resampling import DRAWS, SEED
from counterbench.t2i.scores.results import CheckResult, Picture, group_results
from counterbench.t2i.scores.rules import DEFAULT, picture_score, scoring

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Errors(msgspec.Struct, frozen=True):
    """How often a judge is right at one skill, as (hits, of), on pictures whose truth is known.

    `sensitivity`: it says yes where yes is true; `specificity`: no where no is true. For graded checks: the grades
    given where 1 is true, and withheld where 0 is, summed and rounded to whole hits.
    """

    sensitivity: tuple[int, int]
    specificity: tuple[int, int]


class _Cell(msgspec.Struct):
    """The checks of one skill that share an expected answer, at one level.

    `share` of the level's weight, the `credit` that they got of it, and the sum of the squared weights of the checks.
    """

    share: float = 0.0
    credit: float = 0.0
    squares: float = 0.0


def band(
    rows: Iterable[CheckResult],
    *,
    levels: Sequence[str],
    errors: Mapping[str, Errors],
    draws: int = DRAWS,
    seed: int = SEED,
) -> dict[str, Estimate | None]:
    """What the ungated mean of S at each level would be had the judge made no mistake, with a 95 % interval.

    A level's mean is Σ aᵣ sᵣ over its checks r. Its checks are put together by skill and expected answer; each such
    share of the weight is corrected by its skill's errors (Rogan and Gladen 1978: (p + spec - 1) / (sens + spec - 1),
    clipped to 0 … 1), and the shares are added up again. The interval is a parametric bootstrap: sensitivity and
    specificity are drawn from their Beta distributions (Jeffreys' prior), the judge's chance on these checks from a
    normal one, everything is corrected again, and the middle 95 % are kept. A draw in which the two sum to at most 1
    tells nothing, and counts half as 0 and half as 1.

    It is about these very pictures, not about further laws: `score` has the interval for those. It holds where the
    judge errs on these pictures at the rates at which it erred on those of known truth, and independently from check
    to check. Neither can be seen from here, which is why it is a band. What the model refused or left blank is 0
    without judge; pictures that the default scoring leaves out are left out here.

    None for a level without a scored picture. InputError if a skill has no errors here, or a judge at it tells nothing
    (sensitivity + specificity at most 1), or rows contradict one another; ValueError if counts cannot be.
    """
    by_level = _cells(rows, levels)
    used = sorted({skill for cells in by_level.values() for skill, _ in cells or {}})
    _check(used, errors)
    random = _Random(used, errors, draws, seed)
    return {level: None if cells is None else random.band(cells) for level, cells in by_level.items()}


def _cells(rows: Iterable[CheckResult], levels: Sequence[str]) -> dict[str, dict[tuple[str, bool], _Cell] | None]:
    """The cells of each level, by skill and whether no is the expected answer; None without a scored picture."""
    how = scoring(DEFAULT)
    groups = group_results(rows, levels)
    found: dict[str, dict[tuple[str, bool], _Cell] | None] = {}
    for level in levels:
        scored = [[p for p in g.pictures[level].values() if picture_score(p, how) is not None] for g in groups]
        scored = [pictures for pictures in scored if pictures]
        cells: dict[tuple[str, bool], _Cell] = {}
        for pictures in scored:
            for picture in pictures:
                _add(cells, picture, 1 / (len(scored) * len(pictures)))
        found[level] = cells if scored else None
    return found


def _add(cells: dict[tuple[str, bool], _Cell], picture: Picture, part: float) -> None:
    """Put the checks of one picture, which is `part` of the mean, into their cells."""
    total = sum(row.weight for row in picture.checks)
    for row in picture.checks:
        if row.weight > 0 and row.credit is not None:  # None: the picture is the model's own failure, known to be 0
            cell = cells.setdefault((row.skill, row.expected == "no"), _Cell())
            weight = part * row.weight / total
            cell.share += weight
            cell.credit += weight * min(1.0, max(0.0, row.credit))
            cell.squares += weight**2


def _check(skills: Sequence[str], errors: Mapping[str, Errors]) -> None:
    if missing := [skill for skill in skills if skill not in errors]:
        raise InputError(
            f"no sensitivity and specificity of the judge at {', '.join(missing)}; take them from its certificate's run"
        )
    for skill in skills:
        for name in ("sensitivity", "specificity"):
            hits, of = getattr(errors[skill], name)
            check_share(hits, of, f"{name} at {skill}")
            if of == 0:
                raise InputError(f"{name} at {skill} rests on 0 pictures of known truth; test some first")
        (sens, yes), (spec, no) = errors[skill].sensitivity, errors[skill].specificity
        if sens * no + spec * yes <= yes * no:
            raise InputError(
                f"at {skill} the judge's sensitivity {sens / yes:.3f} and specificity {spec / no:.3f} sum to at most "
                "1: it tells nothing there, and nothing can be corrected by it"
            )


class _Random:
    """The drawn errors of every skill, the same for all levels, and a stream for the judge's chance on the checks."""

    def __init__(self, skills: Sequence[str], errors: Mapping[str, Errors], draws: int, seed: int) -> None:
        import numpy as np
        from scipy.special import betaincinv

        self._bits = np.random.PCG64(seed)
        self._draws = draws
        self._known: dict[str, tuple[float, float]] = {}
        self._drawn: dict[str, tuple[Any, Any]] = {}
        for skill in skills:
            counts = (errors[skill].sensitivity, errors[skill].specificity)
            self._known[skill] = (counts[0][0] / counts[0][1], counts[1][0] / counts[1][1])
            sens, spec = (betaincinv(hits + 0.5, of - hits + 0.5, self._uniform()) for hits, of in counts)
            self._drawn[skill] = (sens, spec)

    def band(self, cells: Mapping[tuple[str, bool], _Cell]) -> Estimate:
        """The corrected sum over the cells, with its interval, drawn out to the estimate where that lies outside."""
        import numpy as np
        from scipy.special import ndtri

        value, drawn = 0.0, np.zeros(self._draws)
        coin = np.arange(self._draws) % 2
        for (skill, swapped), cell in sorted(cells.items()):
            observed = cell.credit / cell.share
            sens, spec = self._known[skill][::-1] if swapped else self._known[skill]
            share = min(1.0, max(0.0, (observed + spec - 1) / (sens + spec - 1)))
            value += cell.share * share
            some_sens, some_spec = self._drawn[skill][::-1] if swapped else self._drawn[skill]
            variance = share * some_sens * (1 - some_sens) + (1 - share) * some_spec * (1 - some_spec)
            chance = ndtri(self._uniform()) * np.sqrt(variance * cell.squares) / cell.share
            tells = some_sens + some_spec - 1
            with np.errstate(divide="ignore", invalid="ignore"):
                shares = np.clip((observed + chance + some_spec - 1) / tells, 0, 1)
            drawn += cell.share * np.where(tells > 0, shares, coin)
        drawn = np.clip(drawn, 0, 1)  # against rounding
        low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
        return Estimate(value, min(low, value), max(high, value))

    def _uniform(self) -> npt.NDArray[np.float64]:
        """Numbers between 0 and 1, neither included, from raw bits, which NumPy promises for good."""
        import numpy as np

        raw = self._bits.random_raw(self._draws)
        return ((raw >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
