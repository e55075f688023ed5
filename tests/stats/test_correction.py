"""Rogan and Gladen's estimate by hand, and what its interval becomes where other methods apply."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.stats.correction import Correction, Errors, Part, Stratum
from counterbench.stats.intervals import Estimate

KNOWN = 10**9  # so many things of known truth that a share of them is as good as known
PERFECT = (KNOWN, KNOWN)


def single(skill: str, credit: float, *, negative: bool = False, share: float = 1, squares: float) -> Stratum:
    return Stratum(parts=(Part(skill, negative, credit),), share=share, squares=squares)


def corrected(hits: int, of: int, sens: tuple[int, int], spec: tuple[int, int], **options: int) -> Estimate:
    checks = single("s", hits / of, squares=1 / of)
    return Correction({"s": Errors(sens, spec)}, **options).mean([checks])


def width(estimate: Estimate) -> float:
    assert estimate.high is not None
    assert estimate.low is not None
    return estimate.high - estimate.low


def test_the_estimate_by_hand() -> None:
    # 23 of 150 positive, sensitivity 0.96, specificity 0.89: (0.15333 + 0.89 - 1) / 0.85 = 0.0510. The example of R's
    # epiR::epi.prev (brucellosis in cows), which prints 5.1 cases in 100.
    assert corrected(23, 150, (96, 100), (89, 100)).value == pytest.approx(0.0510, abs=5e-5)
    assert corrected(40, 100, (80, 100), (90, 100)).value == pytest.approx(3 / 7)  # (0.4 + 0.9 - 1) / 0.7


@pytest.mark.parametrize("unsure", [1, 2])
def test_with_large_samples_it_is_the_delta_method(unsure: int) -> None:
    # The error of the sensitivity alone, or of the specificity.
    shares = [0.3, 0.9, 0.8]  # positive, sensitivity, specificity
    sizes = [KNOWN] * 3
    sizes[unsure] = 10**6

    def prevalence(p: float, sens: float, spec: float) -> float:
        return (p + spec - 1) / (sens + spec - 1)

    step = 1e-6
    moved = [share + step * (i == unsure) for i, share in enumerate(shares)]
    slope = (prevalence(*moved) - prevalence(*shares)) / step
    half = 1.959964 * abs(slope) * math.sqrt(shares[unsure] * (1 - shares[unsure]) / 10**6)
    counts = [(round(share * size), size) for share, size in zip(shares, sizes, strict=True)]
    estimate = corrected(*counts[0], *counts[1:], draws=4000)
    assert estimate.value == pytest.approx(prevalence(*shares))
    assert width(estimate) / 2 == pytest.approx(half, rel=0.06)  # by chance


@given(st.integers(0, 200), st.integers(80, 100), st.integers(80, 100))
def test_a_yes_is_no_less_a_no(hits: int, sens: int, spec: int) -> None:
    # What is not positive, by a test with the two swapped, is the rest.
    one = corrected(hits, 200, (sens, 100), (spec, 100), draws=50)
    rest = single("s", 1 - hits / 200, negative=True, squares=1 / 200)
    other = Correction({"s": Errors((sens, 100), (spec, 100))}, draws=50).mean([rest])
    assert one.value == pytest.approx(1 - (other.value or 0))
    assert 0 <= (one.low or 0) <= (one.value or 0) <= (one.high or 0) <= 1


def test_strata_are_corrected_each_by_its_own_errors_and_added_up() -> None:
    errors = {"a": Errors((90, 100), (80, 100)), "b": Errors(PERFECT, PERFECT)}
    strata = [
        single("a", 0.6, share=0.75, squares=0.01),
        single("b", 0.4, share=0.25, squares=0.01),
    ]
    found = Correction(errors).mean(strata)
    assert found.value == pytest.approx(0.75 * (0.6 + 0.8 - 1) / 0.7 + 0.1)
    assert Correction(errors).mean(reversed(strata)) == found
    assert Correction(errors, seed=1).mean(strata) != found


def test_less_known_of_the_test_is_a_wider_interval() -> None:
    sure, unsure = (corrected(300, 1000, (9 * n, 10 * n), (9 * n, 10 * n)) for n in (90, 2))
    assert width(unsure) > 1.5 * width(sure)
    assert width(corrected(30, 100, PERFECT, PERFECT)) < 1e-4  # these very checks, judged without error


def test_a_test_of_which_hardly_anything_is_known_leaves_everything_open() -> None:
    found = corrected(50, 100, (3, 3), (20, 1000))
    assert (found.low, found.high) == (0, 1)


@pytest.mark.parametrize("either", [False, True])
def test_a_point_of_several_parts_is_corrected_whatever_its_parts_are(either: bool) -> None:
    """Averaged over what a judge of these rates answers, it counts the truth: no mean of points has to be known."""
    sens, spec = (0.9, 0.8), (0.85, 0.95)
    errors = {
        name: Errors((int(100 * a), 100), (int(100 * b), 100)) for name, a, b in zip("ab", sens, spec, strict=True)
    }
    for truth in ((0, 0), (0, 1), (1, 0), (1, 1)):
        rights = [a if t else b for t, a, b in zip(truth, sens, spec, strict=True)]
        strata = []
        for said in ((0, 0), (0, 1), (1, 0), (1, 1)):
            chance = math.prod(r if s == t else 1 - r for s, t, r in zip(said, truth, rights, strict=True))
            parts = tuple(Part(name, False, credit) for name, credit in zip("ab", said, strict=True))
            strata.append(Stratum(parts=parts, either=either, share=chance, squares=chance / 1000))
        found = Correction(errors).mean(strata)
        assert found.value == pytest.approx(float(any(truth) if either else all(truth)))
