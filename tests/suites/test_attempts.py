"""Attempts: the same seeds for everybody, for ever; nobody's own suite has any."""

from pathlib import Path

import pytest
from scenery import suite_of
from sweeping import swept

from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.suites.folder import Folder
from counterbench.suites.generation import generate
from counterbench.suites.sources import (
    MAX_ATTEMPTS,
    FolderSource,
    SuiteSource,
    attempt_of,
    attempt_seed,
    source_of_attempt,
)
from counterbench.suites.suite import load_suite

FEW = {"name": "spatial", "count": 4, "forms": ["yes-no"]}
# A certificate says that its pairs are of attempt k: these never change.
GOLDEN = {
    "certify": (2026, 4363808168387851708, 1168054667536861642),
    "counterbench-550": (550, 803141626716738264, 2151418616619234521),
    "laws": (20261, 4893043599692507591, 5394999078340083081),
    "smoke": (1, 6130451391947572113, 7024255623572412009),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_seeds_of_attempts_never_change(name: str) -> None:
    suite = load_suite(name)
    assert tuple(attempt_seed(suite, k) for k in (1, 2, 3)) == GOLDEN[name]


def test_every_attempt_at_every_suite_has_a_seed_of_its_own() -> None:
    suites = [load_suite(name) for name in catalog.names("scenes")]
    seeds = [attempt_seed(suite, k) for suite in suites for k in range(2, MAX_ATTEMPTS + 1)]
    assert len(set(seeds)) == len(seeds)
    assert not set(seeds) & {suite.seed for suite in suites}
    assert [seed for seed in seeds if not 0 <= seed < 2**63] == []


@swept("k", [1, 2, 17, MAX_ATTEMPTS])
@swept("size", [None, 256, 1024])
def test_an_attempt_is_recognised_by_its_seed_at_any_size(k: int, size: int | None) -> None:
    suite = load_suite("smoke")
    assert attempt_of(load_suite("smoke", attempt_seed(suite, k), size)) == k


def test_seeds_of_other_suites_belong_to_no_attempt() -> None:
    smoke = load_suite("smoke")
    for seed in (0, 2, 20261, attempt_seed(load_suite("laws"), 2), attempt_seed(smoke, MAX_ATTEMPTS) + 1):
        assert attempt_of(smoke.reseeded(seed)) is None


def test_a_suite_of_ones_own_has_no_attempts_under_any_name() -> None:
    assert load_suite("smoke").seed == 1
    assert attempt_of(suite_of(FEW, name="mine", seed=1)) is None
    assert attempt_of(suite_of(FEW, name="smoke", seed=1)) is None


@pytest.mark.parametrize("k", [0, -1, MAX_ATTEMPTS + 1, 10**30])
def test_an_invalid_attempt_is_refused(k: int) -> None:
    with pytest.raises(InputError, match=f"--attempt must be from 1 to 1000, not {k}"):
        attempt_seed(load_suite("smoke"), k)


def test_an_attempt_draws_its_own_pairs_of_shipped_suites_only(tmp_path: Path) -> None:
    smoke = load_suite("smoke", size=256)
    for k in (1, 3):
        found = source_of_attempt(SuiteSource(smoke, 5), k)
        assert (found.seed, found.suite.side) == (attempt_seed(smoke, k), 256)
    generate(smoke, tmp_path / "pairs", workers=1, limit=1)
    own = SuiteSource(suite_of(FEW, seed=1))
    for source in (FolderSource(Folder(tmp_path / "pairs")), own, SuiteSource(smoke.reseeded(9))):
        with pytest.raises(InputError, match=f"{source.name}: --attempt is for suites as they are shipped .*smoke"):
            source_of_attempt(source, 2)
