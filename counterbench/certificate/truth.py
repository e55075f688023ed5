"""Checks a run's truth against its suite: pairs are drawn again, without pictures, and every key is compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.runs.folder import KEYS_FILE, RunInfo, uncounted
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key, cell_of
from counterbench.scene.pairs import ROLES
from counterbench.suites.cells import CellSource, cells_digest, cells_of
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_drawn


class TruthCheck(msgspec.Struct, frozen=True):
    """The result of comparing a run's keys with newly drawn ones."""

    checked: bool  # False if they could not be compared
    note: str = ""  # why not
    domain: Domain | None = None  # of the pictures of the newly drawn pairs


def check_truth(path: Path, info: RunInfo, found: Sequence[Key]) -> TruthCheck:
    """Compare the keys of the run in `path` with those of its suite, if that is a shipped one.

    InputError names the first key that differs, and the difference. A run does not record enough to draw these again:
    a suite of the user, a folder drawn by another version, an imported data set.
    """
    there = {key.id: key for key in found}
    if uncounted(info, len(there)):
        raise InputError(
            f"{path / KEYS_FILE}: {len(there)} keys at {info.votes} votes, but run.json says {info.queries} questions"
        )
    source = drawn_again(info, found)
    if source is None and any(key.truth == "published" for key in there.values()):
        return TruthCheck(False, "the truth is published, not computed: it was imported with the data")
    if source is None:
        return TruthCheck(False, f"suite {info.suite!r} as the run has it is not one that this version ships")
    for key in keys(source):
        there_is = there.pop(key.id, None)
        if there_is != key:
            raise InputError(f"{path / KEYS_FILE}: key {key.id!r} {_difference(key, found)}; {_ADVICE}")
    if there:
        raise InputError(f"{path / KEYS_FILE}: key {min(there)!r} is not in the suite; {_ADVICE}")
    return TruthCheck(True, domain=source.domain)


_ADVICE = (
    "they were changed after the run began, or the folder that was probed had been (`counterbench verify` tells): "
    "probe the suite into another run"
)


def drawn_again(info: RunInfo, found: Iterable[Key]) -> SuiteSource | None:
    """The part of a shipped suite that a run asked, by its digest: all, the first items, or cell by cell.

    None if it is no shipped suite of this version. InputError if a key belongs to no cell.
    """
    if info.suite not in catalog.names("scenes") or info.seed is None:
        return None
    suite = load_drawn(info.suite, info.seed, info.domain)
    if info.suite_digest == cells_digest(suite):
        asked = [cell_of(key) for key in found if key.role == ROLES[0]]
        if strangers := set(asked) - cells_of(suite).keys():
            raise InputError(f"keys of a cell {min(strangers)!r}, which suite {info.suite!r} has not; {_ADVICE}")
        return CellSource(suite, asked)
    source = SuiteSource(suite, info.queries // (2 * info.votes) or None)
    return source if source.digest == info.suite_digest else None


def _difference(true: Key, found: Sequence[Key]) -> str:
    there = next((key for key in found if key.id == true.id), None)
    if there is None:
        return "is missing"
    name = next(n for n in true.__struct_fields__ if getattr(true, n) != getattr(there, n))
    return f"has {name} {getattr(there, name)!r}, the suite has {getattr(true, name)!r}"
