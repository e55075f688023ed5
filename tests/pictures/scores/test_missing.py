"""Bounds of what was lost, against every completion of small cases, computed here by arithmetic of its own."""

import itertools
from collections.abc import Iterator, Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures.judged import LEVELS, SIGNATURE, check, gone, right, usual

from counterbench.pictures.protocols.cf_eval import RATES, SCORINGS, CFEval, GatedScoring
from counterbench.pictures.protocols.numbers import document
from counterbench.pictures.scores.document import Bounds
from counterbench.pictures.scores.results import CheckResult

THRESHOLD = 0.5
NEAR = 1e-5  # how near to the threshold a gate is shut
CREDITS = (0.0, 0.5 - NEAR, 0.5, 1 - 2 * NEAR, 1.0)  # a mean of two reaches the threshold, and just misses it

# Of each group, by level: the credit of every sample's one check, None where it was lost.
Case = list[list[list[float | None]]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    samples = draw(st.integers(1, 2))
    credit = st.sampled_from([0.0, 0.5, 1.0, None])
    level = st.lists(credit, min_size=samples, max_size=samples)
    groups = draw(st.lists(st.lists(level, min_size=3, max_size=3), min_size=1, max_size=3))
    lost = 0
    for group in groups:
        for credits in group:
            for place, value in enumerate(credits):
                lost += value is None
                credits[place] = 1.0 if value is None and lost > 4 else value
    return groups


def bounds(
    results: list[CheckResult], how: GatedScoring = SCORINGS["default"]
) -> tuple[dict[str, Bounds], dict[str, Bounds]]:
    """Gated and ungated, by level."""
    found = document(CFEval(), results, levels=LEVELS, provenance=SIGNATURE, scoring=how).bounds
    gated, ungated = ({rate: found[prefix + rate] for rate in RATES[:3]} for prefix in ("", "ungated_"))
    return gated, ungated


def case_rows(case: Case) -> list[CheckResult]:
    return [
        check(group=f"g{i}", level=level, sample=k, credit=credit, outcome="unparsed" if credit is None else "answer")
        for i, group in enumerate(case)
        for level, credits in zip(LEVELS, group, strict=True)
        for k, credit in enumerate(credits)
    ]


def completions(case: Case) -> Iterator[list[list[list[float]]]]:
    lost = sum(credit is None for group in case for credits in group for credit in credits)
    for filled in itertools.product(CREDITS, repeat=lost):
        source = iter(filled)
        yield [[[next(source) if c is None else c for c in credits] for credits in group] for group in case]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def means_of(whole: list[list[list[float]]], by_picture: bool, gated: bool) -> dict[str, float]:
    """The three means of a case of which nothing is lost."""

    def behind(first: list[float], scores: list[float]) -> float:
        if not gated:
            return mean(scores)
        if by_picture:
            return mean([s if f >= THRESHOLD else 0 for f, s in zip(first, scores, strict=True)])
        return mean(scores) if mean(first) >= THRESHOLD else 0

    l1 = mean([mean(first) for first, _, _ in whole])
    l2 = mean([behind(first, second) for first, second, _ in whole])
    l3 = mean([behind(first, third) for first, _, third in whole])
    return {"s_l1": l1, "s_l2": l2, "s_l3": l3}


@given(cases(), st.sampled_from(["group", "picture"]))
def test_bounds_equal_the_worst_and_best_completion(case: Case, gate: str) -> None:
    how = msgspec.structs.replace(SCORINGS["default"], gate=gate)
    found = bounds(case_rows(case), how)
    for gated, limits in ((True, found[0]), (False, found[1])):
        every = [means_of(whole, gate == "picture", gated) for whole in completions(case)]
        for name, bound in limits.items():
            reached = [rates[name] for rates in every]
            assert bound.worst == pytest.approx(min(reached), abs=1e-3), (name, gated)
            assert bound.best == pytest.approx(max(reached), abs=1e-3), (name, gated)
            if bound.dropped is not None:
                assert bound.worst is None or bound.worst <= bound.dropped, (name, gated)
                assert bound.best is None or bound.dropped <= bound.best, (name, gated)


def rows_at(level: str, made: list[CheckResult], group: str) -> list[CheckResult]:
    return [msgspec.structs.replace(row, level=level, group=group) for row in made]


def test_bounds_behind_an_unknown_gate_are_ordered() -> None:
    # The second group lost its L1 and is of prior at L2: at best it adds 3/26 there, so leaving it out is beyond that.
    known = [row for level in LEVELS for row in rows_at(level, right(), "a")]
    second = [*rows_at("l1", gone("missing"), "b"), *rows_at("l2", usual(), "b"), *rows_at("l3", usual(), "b")]
    found, _ = bounds(known + second)
    best = (1 + 3 / 26) / 2
    assert found["s_l2"] == pytest.approx(Bounds(0.5, best, best))
