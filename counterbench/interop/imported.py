"""The result of an import, and its writer: a folder and its runs in our own formats, `suite.json` last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from counterbench.answers import PARSER_VERSION, read_reply
from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.interop.oddities import Noted, Oddity
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, RUN_FILE, RunInfo, write_keys
from counterbench.runs.journal import Record, identity_of
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import Query
from counterbench.runs.wordings import Wording, load_wording
from counterbench.scene.pairs import ROLES, Digests, Pair
from counterbench.suites.folder import (
    METADATA_FILE,
    PAIRS_FILE,
    PROGRESS_FILE,
    SUITE_FILE,
    Folder,
    FolderInfo,
    metadata,
    picture_name,
    versions,
)
from counterbench.suites.sources import FolderSource, Source

ODDITIES_FILE = "oddities.json"


class Entry(NamedTuple):
    """One pair to write."""

    pair: Pair
    pictures: Sequence[tuple[bytes, str]]  # each as a PNG and the digest of its pixels; empty without pictures
    beside: dict[str, Any]  # further fields of its line in `metadata.jsonl`


class Replies(msgspec.Struct, frozen=True):
    """One model's published replies: by query id, the text or the failure."""

    name: str
    model: str
    by_query: Mapping[str, str | Failed]


@dataclass
class Imported:
    """The result of an import: its folder, its content, its runs and the data warnings."""

    out: Path
    info: FolderInfo
    runs: list[Path]
    oddities: list[Oddity] = field(default_factory=list)


@dataclass
class ImportedRun:
    """A run of imported replies."""

    out: Path
    info: RunInfo
    replies: int  # the number of replies
    oddities: list[Oddity]


class _Begun(msgspec.Struct, frozen=True):
    """Marks an unfinished import."""

    digest: str
    format: Literal["counterbench.import/1"] = "counterbench.import/1"


class _Oddities(msgspec.Struct, frozen=True):
    """`oddities.json`."""

    oddities: list[Oddity]
    format: Literal["counterbench.oddities/1"] = "counterbench.oddities/1"


def write_import(
    out: Path,
    info: FolderInfo,
    entries: Iterable[Entry],
    odd: Noted,
    replies: Sequence[Replies] = (),
) -> Imported:
    """Write checked entries as a folder with runs under `runs/`; the same import again changes nothing.

    Entries are written as they come; `odd` and the counts of `info` are complete only after the last entry.
    Raises InputError, with nothing changed, if `out` holds something else, and if there is no entry.
    """
    runs = [out / "runs" / r.name for r in replies]
    with formats.clear_os_errors(out, "writing"):
        if _is_done(out, info.digest):
            return Imported(out, Folder(out).info, runs, formats.read_json(out / ODDITIES_FILE, _Oddities).oddities)
    left = iter(entries)
    first = next(left, None)
    if first is None:
        raise InputError(f"{info.source}: no pair is left to import; {'; '.join(one.line() for one in odd.all())}")
    what = "an import of this release" if replies else "an import of these pairs"
    with claim(out, what, (SUITE_FILE, PROGRESS_FILE), lambda: _is_done(out, info.digest)):
        formats.write_json(out / PROGRESS_FILE, _Begun(info.digest))
        counts = _write_folder(out, chain([first], left))
        oddities = list(odd.all())
        info = msgspec.structs.replace(
            info, pairs=counts.total(), counts=dict(counts), pairs_digest=formats.file_digest(out / PAIRS_FILE)
        )
        formats.write_json(out / ODDITIES_FILE, _Oddities(oddities))
        formats.write_json(out / SUITE_FILE, info)
        for path, reply in zip(runs, replies, strict=True):
            _write_run(path, FolderSource(Folder(out)), reply, info.source)
        (out / PROGRESS_FILE).unlink()
    return Imported(out, info, runs, oddities)


def _is_done(out: Path, digest: str) -> bool:
    """True if `out` is this very import, whole; InputError if it is another import, or a part of one."""
    progress = out / PROGRESS_FILE
    if progress.is_file():
        if formats.read_json(progress, _Begun).digest != digest:
            raise InputError(f"{out}: an unfinished import of something else is there; choose another --out")
        return False
    if (out / SUITE_FILE).is_file():
        there = formats.read_json(out / SUITE_FILE, FolderInfo)
        if there.digest == digest:
            return True
        raise InputError(f"{out}: holds {there.name!r} with digest {there.digest}; choose another --out")
    return False


def _write_folder(out: Path, entries: Iterable[Entry]) -> Counter[str]:
    """Write the pictures, and the pairs' lines with their digests; returns the number of pairs of each family."""
    counts: Counter[str] = Counter()
    with ExitStack() as files:
        pairs, rows = (files.enter_context(formats.written_whole(out / name)) for name in (PAIRS_FILE, METADATA_FILE))
        for pair, pictures, beside in entries:
            for role, (png, _) in zip(ROLES, pictures, strict=False):
                _write_picture(out / picture_name(pair, role), png)
            shown = Digests("", "", *(digest for _, digest in pictures)) if pictures else None
            pairs.write(formats.encode(msgspec.structs.replace(pair, digests=shown)) + b"\n")
            rows.write(formats.encode(metadata(pair) | beside) + b"\n")
            counts[pair.family] += 1
    return counts


def _write_picture(path: Path, png: bytes) -> None:
    """Write a picture over any file there. It is not synced: after a kill all is written anew, `suite.json` last."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with path.open("xb", buffering=0) as file:
        file.write(png)


def _write_run(path: Path, source: FolderSource, replies: Replies, origin: str) -> None:
    """One model's replies as a run: the journal that asking it would have given."""
    wording = load_wording("bare")
    info = run_info(source, f"published:{replies.model}", wording.name, wording.digest, origin)

    def records() -> Iterator[Record]:
        for query in queries(source):
            said = replies.by_query.get(query.id)
            if said is not None:
                yield record(info, query.id, asked_of(wording.dress(query)), said, model=replies.model)

    path.mkdir(parents=True, exist_ok=True)
    write_run(path, source, info, records())


def run_info(source: Source, judge: str, wording: str, wording_digest: str, origin: str, name: str = "") -> RunInfo:
    """The `run.json` of replies that were not asked for here; `name` is the user's name for the judge."""
    return RunInfo(
        suite=source.name,
        suite_digest=source.digest,
        seed=source.seed,
        judge=judge,
        name=name,
        wording=wording,
        wording_digest=wording_digest,
        votes=1,
        queries=2 * len(source),
        versions={"counterbench": versions()["counterbench"], "parser": PARSER_VERSION},
        source=origin,
    )


class Asked(NamedTuple):
    """The facts about a question that a record needs."""

    answer_type: str
    labels: Mapping[str, str]
    digest: str
    answer_line: bool  # it asks for a last line "Answer: …"


def asked_of(query: Query) -> Asked:
    """The facts about `query`, as it was put to the judge, that a record needs; without its pictures."""
    return Asked(query.answer_type, query.labels, query.digest, query.answer_line)


def asked_by_id(
    source: Source, on_progress: Callable[[int, int], None], wording: Wording | None = None
) -> Iterator[tuple[str, Asked]]:
    """The questions by query id, in that wording; each picture is drawn or, as a file, compared with its digest."""
    for done, query in enumerate(queries(source), 1):
        yield query.id, asked_of(query if wording is None else wording.dress(query))
        for picture in query.pictures:
            picture.forget()
        on_progress(done, 2 * len(source))


def record(
    info: RunInfo, id: str, asked: Asked, said: str | Failed, *, vote: int = 0, finish: str = "", **more: Any
) -> Record:
    """A reply, or a failure, as asking would have journaled it."""
    failure = said if isinstance(said, Failed) else None
    line = asked.answer_line
    outcome = failure or read_reply(str(said), asked.answer_type, finish, labels=asked.labels, answer_line=line)
    return Record(
        id=id,
        identity=identity_of(info.judge, info.wording_digest, id, asked.digest, vote),
        asked=asked.digest,
        vote=vote,
        reply=None if isinstance(said, Failed) else said,
        failure=failure,
        outcome=outcome_name(outcome),
        parser=PARSER_VERSION,
        finish=finish,
        answer_line=line,
        **{"time": "", **more},
    )


def claim_run(out: Path, source: Source, info: RunInfo, records: Iterable[Record]) -> None:
    """Write the run of these records into `out`; the same run again changes nothing, another is an InputError."""
    if not _is_this_run(out, info):
        with claim(out, "a run", (RUN_FILE, KEYS_FILE), lambda: _is_this_run(out, info)):
            write_run(out, source, info, records)


def _is_this_run(out: Path, info: RunInfo) -> bool:
    """True if `out` is this very run; InputError if it is another."""
    if not (out / RUN_FILE).is_file():
        return False
    there = formats.read_json(out / RUN_FILE, RunInfo)
    if (there.suite_digest, there.judge, there.source) != (info.suite_digest, info.judge, info.source):
        raise InputError(
            f"{out}: holds another run ({there.judge!r} on {there.suite!r}, of {there.source or 'probe'!r}); choose "
            "another --out"
        )
    return True


def write_run(path: Path, source: Source, info: RunInfo, records: Iterable[Record]) -> None:
    """A run of these records, written as they come, `run.json` last."""
    write_keys(path, keys(source))
    with formats.written_whole(path / JOURNAL_FILE) as file:
        for one in records:
            file.write(formats.encode(one) + b"\n")
    formats.write_json(path / RUN_FILE, info)


def folder_info(name: str, digest: str, source: str, description: str) -> FolderInfo:
    """The `suite.json` of an import, before its pairs are counted."""
    return FolderInfo(
        name=name,
        description=description,
        digest=digest,
        seed=None,
        truth="published",
        pairs=0,
        counts={},
        source=source,
        versions=versions(),
    )
