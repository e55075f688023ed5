"""The least and the largest PRR and RRR behind a gate that lost checks allow, whatever credits they had earned.

Numerator and denominator are of one completion: a group that has something at L2 or L3 has its gate open, so its S_L1
reaches the threshold. Each gate is shut or open, and then every level stands at one end; of what the gates can add up
to only what nothing else outdoes is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from counterbench.stats.clusters import Series
from counterbench.t2i.protocols.cf_eval.gate import LEVELS, ROUNDING
from counterbench.t2i.protocols.cf_eval.scorings import GatedScoring
from counterbench.t2i.scores.missing import Ends
from counterbench.t2i.scores.pictures import PictureScores, mean

Pair = tuple[float, float]  # what a gate adds to a numerator and to a denominator
Reach = tuple[float, float, float]  # S at a level with all that is lost wrong and right, and its share of the group
Rate = Callable[[Series, Series], Series]  # from the means above and below the line


def rate_ends(zero: PictureScores, one: PictureScores, how: GatedScoring, rates: Mapping[str, Rate]) -> dict[str, Ends]:
    """The ends of "prr" and "rrr" over every completion of the lost checks by credits from 0 to 1.

    `zero` and `one` are the scores with all that is lost wrong, and right. Of groups that have both levels of a rate.
    Completions that leave a rate undefined are passed over; None where all do, or where nothing bounds it from above
    because its denominator may come near 0.
    """
    bound, threshold = how.threshold - ROUNDING, how.threshold
    ends = {}
    for rate, of in (("prr", LEVELS[:2]), ("rrr", LEVELS)):
        groups = [pair for pair in zip(zero.by_group, one.by_group, strict=True) if all(pair[0][level] for level in of)]
        choices: dict[bool, list[list[Pair]]] = {False: [], True: []}
        for unit in (unit for pair in groups for unit in _units(*pair, how.gate, of)):
            low1, high1, of1 = unit[0]
            low2, high2, of2 = unit[1]
            low3, high3, of3 = unit[-1]
            shut, opens = low1 < bound, high1 >= bound
            for best, found in choices.items():
                if rate == "prr":
                    closed = (0.0, of1 * (low1 if best else min(high1, threshold)))
                    through = (of2 * high2, of1 * max(low1, threshold)) if best else (of2 * low2, of1 * high1)
                else:
                    closed = (0.0, 0.0)
                    through = (of3 * high3, of2 * low2) if best else (of3 * low3, of2 * high2)
                found.append([closed] * shut + [through] * opens)
        low, high = (_end(rates[rate], best, found, len(groups)) for best, found in choices.items())
        ends[rate] = (low, high)
    return ends


def _units(
    zero: Mapping[str, Mapping[int, float | None]],
    one: Mapping[str, Mapping[int, float | None]],
    gate: str,
    levels: Sequence[str],
) -> Iterator[list[Reach]]:
    """What each gate of a group lets through: the group's one, or one for each sample number."""
    if gate == "group":
        yield [(mean([*zero[level].values()]) or 0.0, mean([*one[level].values()]) or 0.0, 1.0) for level in levels]
        return
    for sample in sorted({sample for level in levels for sample in zero[level]}):
        unit = []
        for level in levels:
            share = 1 / len(zero[level]) if sample in zero[level] else 0.0
            # A partner that is not there may be anything.
            unit.append((zero[level].get(sample, 0.0) or 0.0, one[level].get(sample, 1.0) or 0.0, share))
        yield unit


def _end(rate: Rate, best: bool, choices: Sequence[list[Pair]], groups: int) -> float | None:
    import numpy as np

    if not groups:
        return None
    sign = np.array([-1.0, 1.0]) if best else np.array([1.0, -1.0])  # so that the lesser is the better
    front = sign * np.sum([options[0] for options in choices if len(options) == 1] or [(0.0, 0.0)], axis=0)[None, :]
    for options in choices:
        if len(options) > 1:
            front = _undominated((front[:, None, :] + sign * np.array(options)).reshape(-1, 2))
    above, below = (sign * front / groups).T
    if best and np.any((below < ROUNDING) & (above >= ROUNDING)):
        return None
    defined = below >= ROUNDING
    if not defined.any():
        return None
    found = rate(above[defined], below[defined])
    return float(found.max() if best else found.min())


def _undominated(points: Series) -> Series:
    """The points that no other is below in both coordinates."""
    import numpy as np

    points = points.round(12)
    points = points[np.lexsort(points.T[::-1])]
    least = np.minimum.accumulate(points[:, 1])
    kept: Series = points[np.concatenate([[True], points[1:, 1] < least[:-1]])]
    return kept
