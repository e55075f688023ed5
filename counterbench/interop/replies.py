"""Imports replies to a folder's pairs that were collected elsewhere: the run that asking for them would have given."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.rows import Row, read_rows
from counterbench.interop.harness import FAILURES
from counterbench.interop.imported import Asked, ImportedRun, asked_by_id, claim_run, record, run_info
from counterbench.interop.oddities import Noted, Oddity
from counterbench.runs.folder import RunInfo
from counterbench.runs.journal import Record
from counterbench.runs.names import given_name
from counterbench.scene.pairs import ROLES
from counterbench.suites.folder import Folder
from counterbench.suites.sources import FolderSource

# How the replies were asked for is not known: a wording of no words of ours, which equals no other.
WORDING = "unknown"
WORDING_DIGEST = hashlib.blake2b(b"collected elsewhere", digest_size=16).hexdigest()
_BOTH = tuple(f"{role}_reply" for role in ROLES)
_NUMBERS: dict[str, type[int] | type[float]] = {"tokens_in": int, "tokens_out": int, "cost": float, "seconds": float}
_BESIDE = ("model", *_NUMBERS)


def import_replies(
    file: Path, pairs: Path, judge: str, out: Path, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> ImportedRun:
    """Write the replies in `file` to the pairs of the folder `pairs` as the run `out`; the same again changes nothing.

    `judge` is what the run calls who replied. Questions without a reply are not asked: the run is incomplete. Raises
    InputError, with nothing written, that names the line and the column.
    """
    if not given_name(judge):
        raise InputError("--judge: name the judge that replied")
    source = FolderSource(Folder(pairs))
    source.folder.refuse_edited()
    origin = f"{file.name} ({formats.file_digest(file)[:16]})"
    info = run_info(source, f"imported:{judge}", WORDING, WORDING_DIGEST, origin, judge)
    due: dict[str, Asked | None] = dict(asked_by_id(source, on_progress))
    work = _Work(file, info, due.copy())
    for _ in work.records():  # all is read before anything is written
        pass
    if not work.replies:
        odd = "".join(f"; {one.line()}" for one in work.oddities())
        raise InputError(f"{file}: has no reply to any pair of {pairs}{odd}")
    claim_run(out, source, info, _Work(file, info, due).records)
    return ImportedRun(out, info, work.replies, work.oddities())


class _Work:
    """The rows of a file made into records, one at a time, and what is odd in them.

    `due`: by query id what is asked, None once it has its reply.
    """

    def __init__(self, file: Path, info: RunInfo, due: dict[str, Asked | None]) -> None:
        self._file, self._info, self._due = file, info, due
        self._odd = Noted()
        self._columns: dict[str, None] = {}  # that are not read, in order
        self._strangers: list[str] = []  # the pair of each reply that is left out
        self.replies = 0

    def records(self) -> Iterator[Record]:
        """A record for each reply; InputError names the line of one that is of no use."""
        for row in read_rows(self._file):
            place = f"{self._file}, line {row.line}"
            id, said = _read(row, place)
            more = _beside(row, place)
            columns = _read_columns(row)
            self._columns |= dict.fromkeys(name for name in row.columns if name not in (*columns, *_BESIDE))
            for name in columns:
                if name.endswith("reply") and name not in row.values:
                    self._odd.add("cells without a reply, left out: not asked", f"{id}, {name}")
            for role, reply in said.items():
                yield from self._record(id, role, reply, place, more)

    def oddities(self) -> list[Oddity]:
        """What is odd in the file, and which pairs lack a reply."""
        found = [*self._odd.all()]
        if self._strangers:
            pairs = tuple(dict.fromkeys(self._strangers))
            found.append(Oddity("replies to no pair of the folder, left out", len(self._strangers), pairs))
        if self._columns:
            found.append(Oddity("columns that are not read, left out", len(self._columns), tuple(self._columns)))
        without = dict.fromkeys(id.rpartition("/")[0] for id, due in self._due.items() if due is not None)
        if without:
            found.append(Oddity("pairs without both replies: the run is incomplete", len(without), tuple(without)))
        return found

    def _record(self, id: str, role: str, reply: str, place: str, more: dict[str, Any]) -> Iterator[Record]:
        query_id = f"{id}/{role}"
        if query_id not in self._due:
            self._strangers.append(id)
            return
        due = self._due[query_id]
        if due is None:
            raise InputError(f"{place}: a second reply to the {role} picture of {id!r}; keep one")
        self._due[query_id] = None
        self.replies += 1
        said: str | Failed = reply
        if reply.startswith(FAILURES):
            self._odd.add("pairs with a failed call", id)
            said = Failed("published-error", reply)
        yield record(self._info, query_id, due, said, **more)


def _read(row: Row, place: str) -> tuple[str, dict[str, str]]:
    """The pair's id and the replies of a row, by role; InputError if it has neither form."""
    values = row.values
    columns = _read_columns(row)
    if "id" not in values or not {*columns} <= {*row.columns}:
        raise InputError(
            f"{place}: a row needs the columns id, original_reply, intervened_reply; or id, variant (original or "
            f"intervened), reply; it has {', '.join(row.columns)}"
        )
    if "reply" not in columns:
        said = {role: values[f"{role}_reply"] for role in ROLES if f"{role}_reply" in values}
    elif values.get("variant") not in ROLES:
        raise InputError(f"{place}, column 'variant': {values.get('variant')!r} is neither {' nor '.join(ROLES)}")
    else:
        said = {values["variant"]: values["reply"]} if "reply" in values else {}
    for role, reply in said.items():
        if not isinstance(reply, str | int | float):
            raise InputError(f"{place}, reply to the {role} picture: {str(reply)[:60]!r} is no text")
    return str(values["id"]), {role: _text(reply) for role, reply in said.items()}


def _read_columns(row: Row) -> list[str]:
    """The columns of a row that say which reply is to what."""
    both = [name for name in _BOTH if name in row.columns]
    return ["id", *(both or ("variant", "reply"))]


def _text(reply: str | float) -> str:
    return {True: "yes", False: "no"}[reply] if isinstance(reply, bool) else str(reply)


def _beside(row: Row, place: str) -> dict[str, Any]:
    """What a row says of its replies' model, tokens and cost (US dollars); of two replies in a row, of each."""
    found: dict[str, Any] = {"model": str(row.values.get("model", ""))}
    for name, kind in _NUMBERS.items():
        if name in row.values:
            try:
                found[name] = kind(row.values[name])
            except (TypeError, ValueError):
                found[name] = -1
            if not 0 <= found[name] < 10**12:
                raise InputError(f"{place}, column {name!r}: {row.values[name]!r} is no number of at least 0")
    return found
