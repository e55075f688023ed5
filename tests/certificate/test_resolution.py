"""What a judge's errors cost a perfect model: known figures, as simulated, and beside what a judge is shown to see."""

import math
from collections import Counter

import msgspec
import pytest
from t2i.lawful import certificate, judged, numbers, of_laws, scored, true_rows

from counterbench.certificate.chances import LAWS, perfect_score, resolution
from counterbench.scoring.scores import share

GROUPS = {(LAWS, LAWS): 1}


@pytest.mark.parametrize(
    ("ccs", "samples", "given"), [(0.9, 1, 0.89), (0.95, 1, 0.94), (0.9, 4, 0.93), (0.95, 4, 0.97), (1.0, 4, 1.0)]
)
def test_the_figures_of_the_docs(ccs: float, samples: int, given: float) -> None:
    assert round(perfect_score(ccs, GROUPS, samples, 0.5), 2) == given


def test_by_hand() -> None:
    # One point a picture, one sample: the gate is open, and the picture right, with chance √.81 = .9 each.
    assert perfect_score(0.81, {(((1.0, 1),), ((1.0, 1),)): 1}, 1, 0.5) == pytest.approx(0.81)
    assert perfect_score(0.81, {(((1.0, 2), (1.0, 1)), ()): 2}, 1, 0.5) == pytest.approx((0.81 + 0.9) / 2)
    # Of two pictures at L1 one must be right.
    assert perfect_score(0.81, {(((1.0, 1),), ((1.0, 1),)): 1}, 2, 0.5) == pytest.approx(0.9 * (1 - 0.1**2))


@pytest.mark.parametrize("samples", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_as_a_noisy_judge_scores_the_reasoner(samples: int) -> None:
    prompts = of_laws("falling", "frost", settings=90)
    rows = judged(true_rows(prompts, "reasoner", samples), f"noisy?p={1 - math.sqrt(0.8)}")
    points: dict[tuple[str, str], dict[str, tuple[float, int]]] = {}
    for row in rows:
        if row.weight and row.sample == 0:
            of = points.setdefault((row.group, row.level), {})
            weight, parts = of.get(row.point or row.check, (0.0, 0))
            of[row.point or row.check] = (weight + row.weight, parts + 1)
    groups = Counter(
        (tuple(sorted(of.values())), tuple(sorted(points[group, "l1"].values())))
        for (group, level), of in points.items()
        if level == "l2"
    )
    assert numbers(scored(rows))["s_l2"] == pytest.approx(perfect_score(0.8, groups, samples, 0.5), abs=0.03)


def test_it_is_of_the_cells_that_the_judge_is_admitted_to() -> None:
    of = certificate(laws=("falling", "frost"), inverted=("frost/assessment",))
    assert of.admitted == ["falling"]
    found = resolution(of)
    assert found is not None
    pairs = sum(of.cells[cell].ccs.of for cell in of.laws["falling"].cells)
    assert (found.ccs, found.given.value) == (share(pairs, pairs), 1)
    low = found.given.low or 0
    assert low == pytest.approx(perfect_score(found.ccs.low or 0, GROUPS, 1, 0.5))
    assert found.words.endswith(f"differences below about {1 - low:.2f} may be this judge's")
    assert resolution(msgspec.structs.replace(of, admitted=[], laws={})) is None
