"""The truth of the shipped suites, whole, and of other seeds: 100,000 pairs were verified this way by hand once."""

import pytest

from counterbench.cli.demo import SUITE
from counterbench.files import catalog
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.verification.verify import verify


# The suite of the demo is verified whole, and from a folder, in test_demo.
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in catalog.names("scenes") if name != SUITE])
def test_a_shipped_suite_verifies(name: str) -> None:
    suite = load_suite(name)
    report = verify(SuiteSource(suite), workers=1)
    assert report.problems == []
    assert sum(report.pairs.values()) == len(suite)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 31337, 2**63 - 1])
def test_suites_with_other_seeds_verify(seed: int) -> None:
    report = verify(SuiteSource(load_suite("certify", seed), 80), workers=1)
    assert report.problems == []
