"""The keys of a run against newly drawn ones: changed ones do not hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from handmade import run_info

from counterbench.certificate.truth import TruthCheck, check_truth
from counterbench.errors import InputError
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

SOURCE = SuiteSource(load_suite("smoke"))
KNOWN = list(keys(SOURCE))


def check(found: list[Key]) -> TruthCheck:
    info = run_info(suite="smoke", suite_digest=SOURCE.digest, seed=SOURCE.seed, votes=1, queries=len(KNOWN))
    return check_truth(Path("run"), info, found)


def test_the_keys_of_the_suite_hold() -> None:
    assert check(KNOWN).checked


@pytest.mark.parametrize("changed", [{"traits": {"size": "huge"}}, {"misreadings": {"left-right": "elephant"}}])
def test_changed_ones_do_not(changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"has {next(iter(changed))}"):
        check([msgspec.structs.replace(KNOWN[0], **changed), *KNOWN[1:]])
