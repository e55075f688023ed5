"""Residuals: what carries the unexplained errors is named once and by its narrowest name; even noise has none."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import pytest

from counterbench.answers import answer_type
from counterbench.answers.outcomes import Answer
from counterbench.diagnosis.document import Residual
from counterbench.diagnosis.faults import find_faults
from counterbench.diagnosis.residuals import find_residuals
from counterbench.runs.queries import Key
from counterbench.scoring.results import PairResult
from counterbench.scoring.rules import Judged
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.testing import Rehearsal


@functools.cache
def asked(limit: int | None = 240) -> Rehearsal:
    return Rehearsal(SuiteSource(load_suite("certify"), limit))


def residuals(pairs: list[PairResult]) -> list[Residual]:
    return find_residuals(pairs, find_faults(pairs).unexplained)


def failing(share: Callable[[Key], float], seed: int = 1) -> list[PairResult]:
    """A judge that is wrong on both pictures of such a share of the pairs, in no way that is on the list."""
    chance, keys = random.Random(seed), asked().keys

    def said(key: Key, wrong: bool) -> Judged:
        others = [value for value in answer_type(key.answer_type).alphabet or "0123456789" if value != key.expected]
        return Judged(Answer(chance.choice(others) if wrong else key.expected), not wrong)

    results = []
    for pair in zip(keys[::2], keys[1::2], strict=True):
        wrong = chance.random() < share(pair[0])
        original, intervened = (said(key, wrong) for key in pair)
        results.append(PairResult(pair, original, intervened, 0, 0))
    return results


NAMES = [
    *(("family", name) for name in ("spatial", "arrow", "control")),
    *(("skill", name) for name in ("above-below", "colour", "count")),
    *(("form", name) for name in ("open", "yes-no")),
]


@pytest.mark.parametrize(("kind", "name"), NAMES)
@pytest.mark.parametrize(("there", "elsewhere"), [(1, 0.1), (0.7, 0.02)])
def test_a_judge_that_fails_in_one_place_is_told_the_place(
    kind: str, name: str, there: float, elsewhere: float
) -> None:
    results = failing(lambda key: there if getattr(key, kind) == name else elsewhere)
    (found,) = residuals(results)
    assert found.where == {kind: name}
    inside = [pair for pair in results if getattr(pair.key, kind) == name]
    assert (found.lost.hits, found.lost.of) == (sum(not pair.consistent for pair in inside), len(inside))
    assert found.elsewhere.of == len(results) - len(inside)
    assert found.effect == pytest.approx(found.lost.hits / len(results))
    assert set(found.pairs) <= {pair.key.group for pair in inside if not pair.consistent}
    assert len(found.pairs) == 5


def test_two_places_are_told_one_by_one_and_a_part_of_one_as_a_part() -> None:
    two = residuals(failing(lambda key: 0.9 if key.family in ("arrow", "counting") else 0))
    assert sorted(str(found.where) for found in two) == ["{'family': 'arrow'}", "{'family': 'counting'}"]
    assert sum(found.lost.of for found in two) == 60
    (part,) = residuals(failing(lambda key: float((key.family, key.form) == ("counting", "yes-no"))))
    assert part.where == {"family": "counting", "form": "yes-no"}
    assert (part.lost.hits, part.lost.of) == (15, 15)
    assert part.words == "family counting, form yes-no: 15 of 15 pairs lost, elsewhere 0 of 225"


def test_what_a_named_fault_takes_is_no_residual() -> None:
    for spec in ("oracle", "arrow-blind?p=1", "yes-bias?p=0.8", "unparsed"):
        assert residuals(asked().results(spec)) == [], spec
    assert residuals([]) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["noisy?p=0.05", "noisy?p=0.2", "noisy?p=0.4", "random?p=1"])
def test_noise_lies_nowhere(spec: str) -> None:
    spurious = [seed for seed in range(100) if residuals(asked().results(f"{spec}&seed={seed}"))]
    assert len(spurious) <= 5
