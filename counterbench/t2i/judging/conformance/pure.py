"""Whether a function gives the same for the same, and changes nothing that it is given."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TypeVar

import msgspec

T = TypeVar("T")


def pure(where: str, function: Callable[..., T], *given: object) -> T:
    """What it gives; the same again for the same, and nothing that it was given is changed."""
    before = copy.deepcopy(given)
    try:
        found, again = function(*given), function(*given)
    except Exception as error:
        raise AssertionError(f"{where}: raised {error!r}") from error
    assert given == before, f"{where}: changes what it is given"
    assert plain(found) == plain(again), f"{where}: gives something else for the same: {found!r}, then {again!r}"
    return found


def plain(thing: object) -> bytes:
    """A thing as bytes, formulas by their columns: for two that should be equal, in their order too."""
    return msgspec.json.encode(thing, enc_hook=lambda each: getattr(each, "__name__", str(each)))
