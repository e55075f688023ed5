"""Residuals: where unexplained errors lie is named once, by its narrowest description; noise has none."""

import functools
import random
from collections.abc import Callable

import pytest
from handmade import pair
from rehearsal import Rehearsal
from sweeping import swept

from counterbench.answers import answer_type
from counterbench.answers.outcomes import Answer
from counterbench.diagnosis.document import Residual
from counterbench.diagnosis.faults import find_faults
from counterbench.diagnosis.residuals import MAX_P, find_residuals
from counterbench.results.results import PairResult
from counterbench.results.rules import Judged
from counterbench.runs.queries import Key
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite


@functools.cache
def rehearsal(limit: int | None = 264, suite: str = "certify") -> Rehearsal:
    return Rehearsal(SuiteSource(load_suite(suite), limit))


def residuals(pairs: list[PairResult]) -> list[Residual]:
    return find_residuals(pairs, find_faults(pairs).unexplained)


def failing_pairs(share: Callable[[Key], float], seed: int = 1) -> list[PairResult]:
    """A judge that is wrong on both pictures of such a share of the pairs, in no way that is on the list."""
    chance, keys = random.Random(seed), rehearsal().keys

    def judged(key: Key, wrong: bool) -> Judged:
        others = [value for value in answer_type(key.answer_type).alphabet or "0123456789" if value != key.expected]
        return Judged(Answer(chance.choice(others) if wrong else key.expected), not wrong)

    results = []
    for two in zip(keys[::2], keys[1::2], strict=True):
        wrong = chance.random() < share(two[0])
        original, intervened = (judged(key, wrong) for key in two)
        results.append(PairResult(two, original, intervened, 0, 0))
    return results


NAMES = [
    *(("family", name) for name in ("spatial", "arrow", "control")),
    *(("skill", name) for name in ("above-below", "left-right", "count")),
    *(("form", name) for name in ("open", "yes-no")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), NAMES)
@pytest.mark.parametrize(("inside_share", "elsewhere"), [(1, 0.1), (0.7, 0.02)])
def test_errors_in_one_place_are_named_by_it(kind: str, name: str, inside_share: float, elsewhere: float) -> None:
    results = failing_pairs(lambda key: inside_share if getattr(key, kind) == name else elsewhere)
    (found,) = residuals(results)
    assert found.where == {kind: name}
    inside = [pair for pair in results if getattr(pair.key, kind) == name]
    assert (found.lost.hits, found.lost.of) == (sum(not pair.consistent for pair in inside), len(inside))
    assert found.elsewhere.of == len(results) - len(inside)
    assert found.effect == pytest.approx(found.lost.hits / len(results))
    assert set(found.pairs) <= {pair.key.group for pair in inside if not pair.consistent}
    assert len(found.pairs) == 5


def test_two_places_of_errors_are_two_residuals_and_a_cell_is_named_by_both_its_parts() -> None:
    two = residuals(failing_pairs(lambda key: 0.9 if key.family in ("arrow", "counting") else 0))
    assert sorted(str(found.where) for found in two) == ["{'family': 'arrow'}", "{'family': 'counting'}"]
    assert sum(found.lost.of for found in two) == 48
    (part,) = residuals(failing_pairs(lambda key: float((key.family, key.form) == ("counting", "yes-no"))))
    assert part.where == {"family": "counting", "form": "yes-no"}
    assert (part.lost.hits, part.lost.of) == (12, 12)
    assert part.words == "family counting, form yes-no: 12 of 12 pairs lost, elsewhere 0 of 252"


def test_errors_of_a_named_fault_are_no_residual() -> None:
    for spec in ("oracle", "arrow-blind?p=1", "yes-bias?p=0.8", "unparsed"):
        assert residuals(rehearsal().results(spec)) == [], spec
    assert residuals([]) == []


UNLISTED: dict[str, dict[str, str]] = {
    "first-mentioned": {"mentioned": "second"},
    "left-right": {"skill": "left-right"},
    "saturating": {"count": "5 or more"},
    "small-blind": {"size": "small"},
    "left-blind": {"column": "left"},
}


@swept("fault", UNLISTED)
def test_an_unlisted_fault_is_described_by_its_place(fault: str) -> None:
    results = rehearsal().results(f"{fault}?seed=1")
    found = find_faults(results)
    assert found.named == []
    (residual,) = find_residuals(results, found.unexplained)
    assert residual.where == UNLISTED[fault]
    # Two whole prompts have a clause about left and right.
    assert residual.elsewhere.hits == (2 if fault == "left-right" else 0)
    assert residual.effect == pytest.approx(residual.lost.hits / len(results))


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["left-right", "saturating", "small-blind", "left-blind"])
def test_an_unlisted_fault_is_described_by_its_place_on_laws(fault: str) -> None:
    results = rehearsal(None, "laws").results(f"{fault}?seed=1")
    found = find_faults(results)
    assert found.named == []
    first, *_ = find_residuals(results, found.unexplained)
    named = (UNLISTED | {"left-right": {"side": "left or right"}})[fault]
    assert named.items() <= first.where.items()  # it may be narrowed to where most things are


CHECKS = ("assessment", "logic", "integrity", "consistency")


def lawful(lost: Callable[[str, str], bool], pairs: int = 10) -> list[PairResult]:
    """35 laws of four checks, `pairs` pairs a cell, both answers inverted where `lost`."""
    return [
        pair(
            ("yes", "no"),
            ("no", "yes") if lost(law, check) else ("yes", "no"),
            id=f"{law}-{check}-{i}",
            family="laws",
            skill=check,
            law=law,
            cell=f"{law}/{check}",
        )
        for law in (f"law{n:02}" for n in range(35))
        for check in CHECKS
        for i in range(pairs)
    ]


def places(pairs: list[PairResult]) -> list[dict[str, str]]:
    return [found.where for found in residuals(pairs)]


def test_errors_in_a_law_are_named_by_law_and_in_a_cell_by_cell() -> None:
    assert places(lawful(lambda law, check: law in ("law03", "law17"))) == [{"law": "law03"}, {"law": "law17"}]
    assert places(lawful(lambda law, check: (law, check) == ("law03", "logic"))) == [{"cell": "law03/logic"}]
    assert places(lawful(lambda law, check: law == "law03" or check == "logic")) == [
        {"skill": "logic"},
        {"law": "law03"},
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_three_lost_pairs_name_a_cell_where_no_others_are_lost(number: int) -> None:
    right, wrong = lawful(lambda law, check: False), lawful(lambda law, check: True)
    found = residuals([*wrong[:number], *right[number:]])
    assert [residual.where for residual in found] == ([{"cell": "law00/assessment"}] if number > 2 else [])
    assert [residual for residual in found if residual.p >= MAX_P] == []


def test_more_descriptions_tried_require_more_evidence() -> None:
    right, wrong = ("red", "blue"), ("blue", "red")  # of yes/no questions the truth would be described as well

    def asked_of(skill: str, id: str, replies: tuple[str, str] = right) -> PairResult:
        return pair(right, replies, id=id, kind="colour", skill=skill)

    few = [asked_of("s", str(i), wrong if i < 3 else right) for i in range(10)]
    few += [asked_of("t", f"o{i}") for i in range(70)]
    (found,) = residuals(few)
    assert found.where == {"skill": "s"}
    assert found.p == pytest.approx(2 * 120 / 82160)  # C(10,3) / C(80,3), of two descriptions
    many = [*few[:10], *(asked_of(f"t{i}", f"o{i}") for i in range(70))]
    assert residuals(many) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["noisy?p=0.05", "noisy?p=0.2", "noisy?p=0.4", "random?p=1"])
def test_noise_has_no_residual_in_95_of_100_runs(spec: str) -> None:
    spurious = [seed for seed in range(100) if residuals(rehearsal().results(f"{spec}&seed={seed}"))]
    assert len(spurious) <= 5
