"""Hypothesis profiles: never a deadline (shared machines), modest counts, and the same examples every time in CI."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW_DATA = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("default", deadline=None, max_examples=60, suppress_health_check=_SLOW_DATA)
settings.register_profile(
    "ci", settings.get_profile("default"), derandomize=True, print_blob=True, suppress_health_check=_SLOW_DATA
)
settings.load_profile("ci" if os.environ.get("CI") else "default")
