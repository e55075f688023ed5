"""Every variant of every law in two settings, against `worked_out.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from counterbench.laws import STANDARD, law
from counterbench.laws.outcomes import facts

SEEN: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("worked_out.toml").read_text("utf-8"))


@pytest.mark.parametrize("index", [0, 5])
@pytest.mark.parametrize("name", STANDARD)
def test_what_is_seen_under_each_variant(name: str, index: int) -> None:
    one = law(name)
    setting = one.setting(3, index)
    values = {}
    for variant in one.variants:
        subject, around = facts(one, setting, variant.name)
        values[variant.name] = [fact.value for fact in (*subject, *around)]
    assert values == SEEN[name]
