"""Addresses on a command line: what is read there is fetched, what is written there is kept there."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from counterbench.cli.printing import held_back, waiting
from counterbench.files.addresses import address_of, here, place

# What a command's --out may be: a path; an address, too, of the folder that it writes, or of one around that; any
# address, of which it takes care itself.
Out = Literal["here", "kept", "around", "any"]
_WRITTEN = ("out", "plots")
_NAMES = ("source", "for_")  # of a suite or prompt set, or paths


def at_hand(options: Mapping[str, Any], out: Out, stack: contextlib.ExitStack) -> dict[str, Any]:
    """A command's options with the copies of addresses in their place; what it writes is sent when `stack` ends.

    InputError if a store fails, or --out may be no address.
    """
    return {name: _at_hand(name, value, out, stack) for name, value in options.items()}


def _at_hand(name: str, value: Any, out: Out, stack: contextlib.ExitStack) -> Any:
    several = isinstance(value, list)
    if not any(_is_address(path, name) for path in (value if several else [value])):
        return place(value) if isinstance(value, Path) else value  # file:///data/run is a path
    if name == "out" and out == "any":
        return value
    from counterbench.files import copies
    from counterbench.files.kept import fetched, kept, matching

    copies.waiting = waiting
    if several:
        return [fetched(each) for path in value for each in matching(path)]
    if name not in _WRITTEN:
        return type(value)(fetched(value))
    if name != "out" or out == "here":
        return here(value, f"--{name}")
    copy = place(value)
    if threading.current_thread() is threading.main_thread():  # a scheduler's notice: what there is, is sent
        stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, signal.default_int_handler))
    if out == "kept":
        stack.enter_context(held_back())  # until it is there: who reads it may take it for done
        stack.enter_context(kept(copy))
    return copy


def _is_address(value: Any, name: str) -> bool:
    is_path = isinstance(value, Path) or (isinstance(value, str) and name in (*_WRITTEN, *_NAMES))
    return is_path and bool(address_of(place(value)))
