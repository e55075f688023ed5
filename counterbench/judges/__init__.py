"""Judges by name. `KINDS` below is the whole list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from counterbench.errors import InputError, unknown
from counterbench.judges.base import Judge, Reply
from counterbench.queries import Key

# What may stand on the command line after --judge, and what it means.
KINDS: dict[str, str] = {
    "pixels": "reads the answer from image regions, by code of its own",
    "planted:NAME[?p=…&seed=…]": "built with the truth, with a known fault at a stated dose",
    "replay:RUN": "gives the answers of another run's journal",
}


def open_judge(spec: str, keys: Callable[[], Iterable[Key]]) -> Judge:
    """The judge that `spec` names. `keys` gives the truth; only planted judges call it.

    Raises InputError with the valid choices.
    """
    kind, _, rest = spec.partition(":")
    if kind == "pixels" and not rest:
        from counterbench.judges.pixels import PixelReader

        return PixelReader()
    if kind == "planted" and rest:
        from counterbench.judges.planted import PlantedJudge

        return PlantedJudge(rest, keys())
    if kind == "replay" and rest:
        from counterbench.judges.replay import ReplayJudge

        return ReplayJudge(Path(rest))
    if kind in ("planted", "replay"):
        raise InputError(f"judge {spec!r} names nothing after {kind!r}; judges are: {', '.join(KINDS)}")
    raise unknown("judge", spec, KINDS)


__all__ = ["KINDS", "Judge", "Reply", "open_judge"]
