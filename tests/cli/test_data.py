"""`list` and `import` on the command line."""

from __future__ import annotations

import json

import pytest
from commands import call

from counterbench.cli.listing import LISTS


@pytest.mark.parametrize("what", LISTS)
def test_lists_as_json(what: str) -> None:
    found = json.loads(call("list", what, "--json").stdout)
    assert list(found) == [what]
    assert all(len(entry["summary"]) > 10 for entry in found[what])
