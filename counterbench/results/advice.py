"""One line of advice from a comparison of candidate judges: which to take, or none, and why."""

from collections.abc import Mapping

from counterbench.results.comparison import Compared, Comparison, JudgeContrast, Ranked
from counterbench.runs.folder import PERSON
from counterbench.text import counted, listed

ENOUGH = 0.85  # the CCS that the policy `standard` asks for
AS_GOOD = 0.03  # a judge is as good as another if it is shown to be at most so much below
_FEWEST_PAIRS = 10  # with fewer in common, none is taken of judges that are not told apart
_TIMES = 1.2  # prices are named if one is at least so many times as high as the other


def advice(comparison: Comparison, names: Mapping[str, str] | None = None) -> str:
    """A line on the judge to take: the best by CCS, or a cheaper one of its rank that is shown to be as good.

    If some judges have a certificate that admits them to anything, only these are taken; else only judges without a
    certificate. People are no candidates. `names`: the name to print of each judge; empty without a candidate.
    """
    name_of = {run.judge: (names or {}).get(run.judge, run.judge) for run in comparison.runs}
    runs = {run.judge: run for run in comparison.runs}
    ranked = [entry for entry in comparison.overall.ranking if not entry.judge.startswith(PERSON)]
    if not ranked:
        return ""
    best = ranked[0]
    if best.ccs.high is None or best.ccs.high < ENOUGH:
        top = f"the best, {name_of[best.judge]}, has {_share(best)}"
        return f"take none: no candidate is near {100 * ENOUGH:.0f} % ({top})"
    tested = [entry for entry in ranked if runs[entry.judge].admitted is not None]
    if tested == ranked and not any(_cells(runs[entry.judge]) for entry in ranked):
        return "take none: no candidate's certificate admits it to anything"
    admitted = [entry for entry in tested if _cells(runs[entry.judge])]
    admitted = admitted or [entry for entry in ranked if entry not in tested]
    first = admitted[0]
    tied = [entry for entry in admitted if entry.rank == first.rank]
    as_good = [first, *(entry for entry in tied[1:] if _is_as_good(comparison, first.judge, entry.judge))]
    choice = min(as_good, key=lambda entry: (runs[entry.judge].costs.usd is None, runs[entry.judge].costs.usd or 0.0))
    if choice is not first:
        times = _times(runs[first.judge], runs[choice.judge])
        price = f" and costs {times}" if times else ""
        return f"take {name_of[choice.judge]}: {name_of[first.judge]} is as good within 3 points{price}"
    if equals := [name_of[entry.judge] for entry in as_good[1:]]:
        are = "is" if len(equals) == 1 else "are"
        return f"take {name_of[first.judge]}: {listed(equals)} {are} as good within 3 points and no cheaper"
    undecided = [name_of[entry.judge] for entry in tied[1:]]
    if undecided and comparison.overall.pairs < _FEWEST_PAIRS:
        return f"take none yet: {counted(comparison.overall.pairs, 'pair')} in common are too few to choose by"
    if undecided:
        tests = _contrasts_with(comparison, first.judge, {entry.judge for entry in tied})
        needed = max((c.units_needed or 0 for c in tests), default=0)
        pairs_needed = f"; about {needed:,} pairs would tell" if needed else ""
        return (
            f"take {name_of[first.judge]} for now: it is not shown to be better than {listed(undecided)}{pairs_needed}"
        )
    if worse := [name_of[entry.judge] for entry in ranked if entry.rank > first.rank]:
        return f"take {name_of[first.judge]}: it is better than {listed(worse)}"
    return f"take {name_of[first.judge]}"


def _share(entry: Ranked) -> str:
    """A judge's CCS in words: "83 %"."""
    return "no pair" if entry.ccs.value is None else f"{100 * entry.ccs.value:.0f} %"


def _cells(run: Compared) -> int:
    """The number of a certificate's cells that a judge is admitted to; 0 without a certificate."""
    return run.admitted.cells if run.admitted is not None else 0


def _contrasts_with(comparison: Comparison, judge: str, others: set[str]) -> list[JudgeContrast]:
    """The contrasts of a judge with each of the `others`, which contain it."""
    return [c for c in comparison.overall.contrasts if judge in (c.first, c.second) and {c.first, c.second} <= others]


def _is_as_good(comparison: Comparison, best: str, other: str) -> bool:
    """True if the pairs show that `other` is at most AS_GOOD below `best`."""
    for c in _contrasts_with(comparison, best, {best, other}):  # `ahead`: at most so much `best` is above `other`
        ahead = c.difference.high if c.first == best else None if c.difference.low is None else -c.difference.low
        return ahead is not None and ahead <= AS_GOOD
    return False


def _times(dear: Compared, cheap: Compared) -> str:
    """The price of `dear` by that of `cheap`, in words: "1.5 times as much"; empty if unknown, or about the same."""
    high, low = dear.costs.usd, cheap.costs.usd
    if not high or not low or high / low < _TIMES:
        return ""
    return f"{high / low:.2g} times as much"
