"""The advice of a comparison: which judge to take, or none, and what that rests on."""

from counterbench.results.advice import advice
from counterbench.results.comparison import Admitted, Compared, Comparison, Costs, Group, JudgeContrast, Ranked
from counterbench.results.scores import Share
from counterbench.stats.intervals import Estimate


def share(value: float, half: float = 0.05) -> Share:
    return Share(value, value - half, value + half, round(100 * value), 100)


def compared(
    of: dict[str, float],
    usd: dict[str, float] | None = None,
    ends: tuple[float, float] = (-0.02, 0.02),
    apart: bool = False,
    admitted: dict[str, int] | None = None,
    needed: int | None = None,
) -> Comparison:
    """Judges by CCS, best first; every difference has the `ends`, and decides ranks if `apart`."""
    names = list(of)
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
            first=one, second=other, units=100, left_out=0, difference=Estimate(0, *ends), p=0.5, p_holm=0.5,
            better=one if apart else None, units_needed=needed, verdict="", both=0, only_first=0, only_second=0,
            neither=0, ccs_first=share(of[one]), ccs_second=share(of[other]),
        )
        for place, one in enumerate(names)
        for other in names[place + 1 :]
    ]  # fmt: skip
    ranking = [
        Ranked(judge=name, ccs=share(of[name]), rank=place if apart else 1, rank_last=place if apart else len(of))
        for place, name in enumerate(names, 1)
    ]
    group = Group(pairs=100, left_out=0, ranking=ranking, contrasts=contrasts)
    return Comparison(
        scoring="default", level=0.05, marked=[], runs=runs, unanswered=[], overall=group, categories={}
    )  # fmt: skip


def test_the_cheaper_of_two_that_are_as_good_is_taken_with_its_price() -> None:
    found = compared({"b": 0.96, "a": 0.95}, usd={"a": 1.0, "b": 10.0})
    assert advice(found) == "take a: b is as good within 3 points and costs 10 times as much"


def test_the_better_one_is_taken_where_it_costs_no_more() -> None:
    found = compared({"b": 0.96, "a": 0.95}, usd={"a": 2.0, "b": 1.0})
    assert advice(found) == "take b: a is as good within 3 points and no cheaper"


def test_none_is_taken_if_no_candidate_is_near_what_the_policy_asks_for() -> None:
    assert advice(compared({"b": 0.7, "a": 0.6})) == "take none: no candidate is near 85 % (the best, b, has 70 %)"
    assert advice(compared({"b": 0.82, "a": 0.6}, apart=True)).startswith("take b")


def test_judges_that_cannot_be_told_apart_are_said_so_with_the_pairs_that_would_tell() -> None:
    found = compared({"b": 0.96, "a": 0.9}, ends=(-0.02, 0.14), needed=1200)
    assert advice(found) == ("take b for now: it is not shown to be better than a; about 1,200 pairs would tell")


def test_a_judge_that_is_better_is_taken_whatever_it_costs() -> None:
    found = compared({"b": 0.96, "a": 0.9}, usd={"a": 1.0, "b": 10.0}, apart=True, ends=(0.01, 0.1))
    assert advice(found) == "take b: it is better than a"


def test_a_judge_that_its_certificate_admits_to_nothing_is_not_taken() -> None:
    of = {"b": 0.96, "a": 0.95}
    assert advice(compared(of, admitted={"b": 0, "a": 4})).startswith("take a")
    assert advice(compared(of, admitted={"b": 0, "a": 0})) == (
        "take none: no candidate's certificate admits it to anything"
    )  # fmt: skip


def test_a_judge_that_its_certificate_refuses_is_not_taken_before_one_that_was_never_certified() -> None:
    assert advice(compared({"b": 0.98, "a": 0.9}, apart=True, admitted={"b": 0})) == "take a"


def test_judges_are_called_by_their_short_names() -> None:
    found = compared({"b": 0.96, "a": 0.95}, usd={"a": 1.0, "b": 10.0})
    names = {"a": "small", "b": "large"}
    assert advice(found, names) == "take small: large is as good within 3 points and costs 10 times as much"
