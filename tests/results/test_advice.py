"""The advice of a comparison: which judge to take, or none, and what that rests on."""

from msgspec.structs import replace
from sweeping import swept

from counterbench.results.advice import advice
from counterbench.results.comparison import Admitted, Compared, Comparison, Costs, Group, JudgeContrast, Ranked
from counterbench.results.scores import Share
from counterbench.stats.intervals import Estimate


def share(value: float, half: float = 0.05) -> Share:
    return Share(value, value - half, value + half, round(100 * value), 100)


def compared(
    ccs: dict[str, float],
    usd: dict[str, float] | None = None,
    ends: tuple[float, float] = (-0.02, 0.02),
    apart: bool = False,
    admitted: dict[str, int] | None = None,
    needed: int | None = None,
) -> Comparison:
    """Judges by CCS, best first; every difference has the `ends`, and decides ranks if `apart`."""
    names = list(ccs)
    runs = [
        Compared(
            judge=name, run=name, provenance=None, complete=True, missing=0, failed=0,
            costs=Costs((usd or {}).get(name), None, None),
            admitted=None if name not in (admitted or {}) else Admitted(admitted[name], 8, "standard", "c"),
        )  # type: ignore[arg-type]
        for name in names
    ]  # fmt: skip
    contrasts = [
        JudgeContrast(
            first=first, second=second, units=100, left_out=0, difference=Estimate(0, *ends), p=0.5, p_holm=0.5,
            better=first if apart else None, units_needed=needed, verdict="", both=0, only_first=0, only_second=0,
            neither=0, ccs_first=share(ccs[first]), ccs_second=share(ccs[second]),
        )
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    ]  # fmt: skip
    ranking = [
        Ranked(judge=name, ccs=share(ccs[name]), rank=place if apart else 1, rank_last=place if apart else len(ccs))
        for place, name in enumerate(names, 1)
    ]
    group = Group(pairs=100, left_out=0, ranking=ranking, contrasts=contrasts)
    return Comparison(
        scoring="default", level=0.05, marked=[], runs=runs, unanswered=[], overall=group, categories={}
    )  # fmt: skip


NEAR, AHEAD = {"b": 0.96, "a": 0.95}, {"b": 0.96, "a": 0.9}


@swept(
    ("found", "expected"),
    [
        # the cheaper of two that are as good, with its price
        (compared(NEAR, usd={"a": 1, "b": 10}), "take a: b is as good within 3 points and costs 10 times as much"),
        # a person is no candidate
        (compared({"person:ann": 0.99, "b": 0.9}), "take b"),
        (compared({"person:ann": 0.99, "person:bob": 0.9}), ""),
        # the better one where it costs no more
        (compared(NEAR, usd={"a": 2, "b": 1}), "take b: a is as good within 3 points and no cheaper"),
        # none if no candidate is near what the policy asks for
        (compared({"b": 0.7, "a": 0.6}), "take none: no candidate is near 85 % (the best, b, has 70 %)"),
        (compared({"b": 0.82, "a": 0.6}, apart=True), "take b: it is better than a"),
        # those that cannot be told apart, with the pairs that would tell
        (compared(AHEAD, ends=(-0.02, 0.14), needed=1200),
         "take b for now: it is not shown to be better than a; about 1,200 pairs would tell"),
        # a better one whatever it costs
        (compared(AHEAD, usd={"a": 1, "b": 10}, apart=True, ends=(0.01, 0.1)), "take b: it is better than a"),
        # none that its certificate admits to nothing, also before one that was never certified
        (compared(NEAR, admitted={"b": 0, "a": 4}), "take a"),
        (compared(NEAR, admitted={"b": 0, "a": 0}), "take none: no candidate's certificate admits it to anything"),
        (compared({"b": 0.98, "a": 0.9}, apart=True, admitted={"b": 0}), "take a"),
    ],
)  # fmt: skip
def test_advice_names_the_judge_to_take_and_why(found: Comparison, expected: str) -> None:
    assert advice(found) == expected


def test_advice_uses_short_names_of_judges() -> None:
    text = advice(compared(NEAR, usd={"a": 1, "b": 10}), {"a": "small", "b": "large"})
    assert text == "take small: large is as good within 3 points and costs 10 times as much"


def test_few_pairs_give_no_advice_but_for_a_judge_that_is_better() -> None:
    tied, better = compared(AHEAD, ends=(-0.02, 0.14)), compared(AHEAD, apart=True, ends=(0.01, 0.1))
    few = [replace(found, overall=replace(found.overall, pairs=3)) for found in (tied, better)]
    assert advice(few[0]) == "take none yet: 3 pairs in common are too few to choose by"
    assert advice(few[1]) == "take b: it is better than a"
