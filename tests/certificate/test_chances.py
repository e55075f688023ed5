"""Chances of admission: against enumeration and simulation of the same judge, and what must hold of any chance."""

import functools
import itertools
import math
import random
import re

import msgspec
import pytest
from docs_files import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.certificate.cells import Count, Look, cell_result, law_results, threshold
from counterbench.certificate.chances import MOST_LAWS, TRUE_CCS, Chance, chance, chances, in_words
from counterbench.certificate.policies import Policy, load_policy
from counterbench.t2i.judging.admission import law_cells


def policy(ccs: float = 0.4, alpha: float = 0.5, most: int = 12) -> Policy:
    return msgspec.structs.replace(load_policy(), ccs=ccs, alpha=alpha, most=most)


def by_enumeration(asked: Policy, true: float, attempt: int) -> tuple[float, float]:
    """Of all ways in which a cell's pairs can come out: how likely it is shown, and the pairs that a run asks of it."""
    least = threshold(asked, attempt)
    shown = pairs = 0.0
    for trials in itertools.product([True, False], repeat=asked.most):
        p = math.prod(true if right else 1 - true for right in trials)
        count = Count()
        while more := Look({"a/x": count}, {}, asked, attempt).next_pairs():
            n = count.pairs + more["a/x"]
            count = Count(sum(trials[:n]), n - sum(trials[:n]))
        shown += p * (cell_result(count, asked.ccs, least).verdict == "pass")
        pairs += p * count.pairs
    return shown, pairs


@pytest.mark.parametrize("attempt", [1, 2])
@pytest.mark.parametrize("true", [0.2, 0.6, 0.9])
def test_a_cell_is_exact(true: float, attempt: int) -> None:
    shown, pairs = by_enumeration(policy(), true, attempt)
    found = chance(policy(), [1], true, attempt)
    assert found.all_laws == found.most_laws == pytest.approx(shown, abs=1e-12)
    assert found.calls == round(2 * pairs)
    assert chance(policy(), [3, 2], true, attempt).all_laws == pytest.approx(shown**5, abs=1e-12)


def simulated(asked: Policy, cells: dict[str, list[str]], true: float, draw: random.Random) -> float:
    """The share of the laws that a run as `validate` asks admits."""
    counts = dict.fromkeys(itertools.chain(*cells.values()), Count())
    while more := Look(counts, {}, asked, 1).next_pairs():
        for cell, n in more.items():
            right = sum(draw.random() < true for _ in range(n))
            counts[cell] = Count(counts[cell].right + right, counts[cell].wrong + n - right)
    least = threshold(asked, 1)
    found = law_results({cell: cell_result(count, asked.ccs, least) for cell, count in counts.items()}, least)
    return sum(law.verdict == "pass" for law in found.values()) / len(found)


def test_against_simulation_of_the_sequential_run() -> None:
    """All laws are admitted as often as said, and most of them at least as often."""
    asked, n = policy(ccs=0.5, alpha=0.2, most=30), 150
    cells = {f"law{i}": [f"law{i}/x", f"law{i}/y"] for i in range(10)}
    draw = random.Random(4)
    shares = [simulated(asked, cells, 0.85, draw) for _ in range(n)]
    said = chance(asked, [2] * 10, 0.85)
    assert 0.2 < said.all_laws < said.most_laws < 0.99
    full, most = (sum(share >= least for share in shares) / n for least in (1, MOST_LAWS))
    assert said.all_laws == pytest.approx(full, abs=4 * math.sqrt(full * (1 - full) / n))
    assert said.most_laws <= most + 4 * math.sqrt(most * (1 - most) / n)


@settings(max_examples=10)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.floats(0.3, 1), st.floats(0.3, 1), st.integers(1, 5))
def test_what_must_hold_of_any_chance(cells_of: list[int], one: float, other: float, attempt: int) -> None:
    low, high = sorted((one, other))
    asked = policy(ccs=0.6, alpha=0.1, most=20)
    found, better = chance(asked, cells_of, low, attempt), chance(asked, cells_of, high, attempt)
    assert -1e-9 <= found.all_laws <= found.most_laws + 1e-9 <= 1 + 1e-8
    assert found.all_laws <= better.all_laws + 1e-9  # a better judge
    assert chance(asked, [*cells_of, 1], low, attempt).all_laws <= found.all_laws + 1e-9  # one more law
    assert chance(asked, cells_of, low, attempt + 1).all_laws <= found.all_laws + 1e-9  # a later attempt
    assert found.calls <= 2 * 20 * sum(cells_of)


@pytest.mark.parametrize("name", ["exploratory", "standard", "strict"])
def test_a_cell_at_the_bound_is_shown_in_less_than_the_attempt_s_level(name: str) -> None:
    asked = load_policy(name)
    for attempt in (1, 2, 7):
        assert 0 < chance(asked, [1], asked.ccs, attempt).all_laws <= 1 / threshold(asked, attempt)


@pytest.mark.slow
def test_the_page_prints_these_chances() -> None:
    """In docs/certification.md: a table under `standard` with two rows for each suite or prompt set."""
    cells_of = {name: laws_cells(name) for name in ("laws", "laws-few")} | {"certify": [2] * 8}
    page = (ROOT / "docs" / "certification.md").read_text()
    rows = re.findall(r"^\| `([\w-]+)`: (all|calls)[^|]*\|(.*)\|$", page, re.MULTILINE)
    assert sorted((name, what) for name, what, _ in rows) == sorted(itertools.product(cells_of, ("all", "calls")))
    for name, what, values in rows:
        chances = chances_of("standard", tuple(cells_of[name]))
        expected = [in_words(each.all_laws) if what == "all" else f"{each.calls:,}" for each in chances]
        assert [value.strip() for value in values.split("|")] == expected


def laws_cells(name: str) -> list[int]:
    """How many cells each law of a prompt set has."""
    return [len(cells) for cells in law_cells(name).values()]


@functools.cache
def chances_of(name: str, cells_of: tuple[int, ...]) -> list[Chance]:
    return [chance(load_policy(name), list(cells_of), ccs) for ccs in TRUE_CCS]


def test_chances_are_named_by_the_true_ccs() -> None:
    found = chances(load_policy("exploratory"), ["a/x", "a/y", "b/x"])
    assert list(found) == ["0.90", "0.93", "0.95", "0.97", "0.99"] == [f"{ccs:.2f}" for ccs in TRUE_CCS]
    assert found["0.93"] == chance(load_policy("exploratory"), [2, 1], 0.93)
    nothing = chances(load_policy("exploratory"), [])["0.99"]
    assert (nothing.all_laws, nothing.most_laws, nothing.calls) == (0, 0, 0)
