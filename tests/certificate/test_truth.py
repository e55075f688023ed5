"""The keys of a run against newly drawn ones: those of earlier versions hold, changed ones do not."""

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
LATER_MISREADINGS = {"at-most-four", "first-mentioned", "left-right"}


def check(found: list[Key]) -> TruthCheck:
    info = run_info(suite="smoke", suite_digest=SOURCE.digest, seed=SOURCE.seed, votes=1, queries=len(KNOWN))
    return check_truth(Path("run"), info, found)


def earlier(key: Key) -> Key:
    """As a version without labels and traits wrote it."""
    misreadings = {name: said for name, said in key.misreadings.items() if name not in LATER_MISREADINGS}
    return msgspec.structs.replace(key, labels={}, traits={}, misreadings=misreadings)


def test_keys_of_a_version_without_traits_hold() -> None:
    before = [earlier(key) for key in KNOWN]
    assert all(key.traits for key in KNOWN)
    assert any(old.misreadings != new.misreadings for old, new in zip(before, KNOWN, strict=True))
    found = check(KNOWN)
    assert found == check(before) == TruthCheck(True, domain=found.domain)


@pytest.mark.parametrize("changed", [{"traits": {"size": "huge"}}, {"misreadings": {"left-right": "elephant"}}])
def test_changed_ones_do_not(changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"has {next(iter(changed))}"):
        check([msgspec.structs.replace(KNOWN[0], **changed), *KNOWN[1:]])
