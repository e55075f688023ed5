"""Joins the shards of a run to the run that one machine would have made: the same keys, and every record as it came.

`run.json` is written last, so what a kill leaves is no run; probing into it asks only what has no reply there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import groupby, islice
from pathlib import Path

import msgspec

from counterbench.drawing.domain import together
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.runs.folder import (
    JOURNAL_FILE,
    KEYS_FILE,
    RUN_FILE,
    SIGNED,
    WORDINGS_FOLDER,
    RunInfo,
    read_keys,
    read_run_info,
)
from counterbench.runs.journal import answered
from counterbench.runs.usage import CANARIES_FILE
from counterbench.suites.shards import in_order, in_turn, lines_of, refuse_unlike
from counterbench.text import counted


class MergedRun(msgspec.Struct, frozen=True):
    """What a run was merged to: its `run.json`, how many records it has, and how many questions have no reply."""

    info: RunInfo
    records: int
    failed: int


class _Group(msgspec.Struct):
    group: str


def merge_runs(
    paths: Sequence[Path], out: Path, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> MergedRun:
    """Join the shards in `paths` into the run `out`; `on_progress(done, total)` counts shards, which are only read.

    InputError that names the shard if one is missing, there twice, not asked to its end, changed, or of another suite,
    judge, name, wording or number of votes; if `out` holds anything. BusyError if another process is at work there.
    """
    order = shards_of(paths)
    further = within(order, WORDINGS_FOLDER, "they are still to be asked under another wording")
    with claimed(out):
        merged = join(order, out, on_progress)
        join_within(further, out / WORDINGS_FOLDER)
        formats.write_json(out / RUN_FILE, merged.info)
    return merged


def shards_of(paths: Sequence[Path]) -> dict[Path, RunInfo]:
    """The shards of one run in their order, and what each says; InputError that names what does not belong."""
    infos = _alike(paths)
    first, like = next(iter(infos.items()))
    for path, info in infos.items():
        if info.name != like.name:
            raise InputError(
                f"{path}: its judge is called {info.name or info.judge!r}, and {like.name or like.judge!r} in {first}; "
                "the same commands again with one --name for all change that, and ask nothing anew"
            )
    return infos


def _alike(paths: Sequence[Path]) -> dict[Path, RunInfo]:
    infos = {path: read_run_info(path) for path in paths}
    order = in_order({path: info.shard for path, info in infos.items()})
    infos = {path: infos[path] for path in order}
    refuse_unlike(infos, ("suite", *SIGNED))
    return infos


def within(order: Mapping[Path, RunInfo], folder: str, why: str) -> dict[str, dict[Path, RunInfo]]:
    """The shards of the runs that these shards hold in `folder`, by name; InputError with `why` if one lacks one."""
    names = sorted({each.name for path in order for each in (path / folder).glob("*") if each.is_dir()})
    for name in names:
        for path, info in order.items():
            if not (path / folder / name / RUN_FILE).is_file():
                raise unfinished(path, info, f"{why} ({folder}/{name})")
    return {name: _alike([path / folder / name for path in order]) for name in names}


def join_within(runs: Mapping[str, Mapping[Path, RunInfo]], folder: Path) -> None:
    """Join what `within` found, each into a run in `folder`."""
    for name, shards in runs.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        formats.write_json(folder / name / RUN_FILE, join(shards, folder / name).info)


def unfinished(path: Path, info: RunInfo, why: str) -> InputError:
    """The error about a shard that its command has not brought to an end."""
    return InputError(f"{path}: shard {info.shard} is not finished: {why}; the same command again goes on with it")


def claimed(out: Path) -> AbstractContextManager[None]:
    """The folder `out` for one process alone, to merge a run into."""

    def refuse_complete() -> None:
        if (out / RUN_FILE).is_file():
            raise InputError(f"{out}: holds a run already; choose another --out, or delete it to merge anew")

    return claim(out, "a run that was begun", (KEYS_FILE,), refuse_complete, (WORDINGS_FOLDER, RUN_FILE))


def join(
    infos: Mapping[Path, RunInfo], out: Path, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> MergedRun:
    """Write keys and journal of all shards into `out`, and say what `run.json` is to say; see `merge_runs`."""
    failed = 0
    for done, (path, info) in enumerate(infos.items(), 1):
        failed += _failed(path, info)
        on_progress(done, len(infos))
    _refuse_doubled(infos)
    with formats.written_whole(out / KEYS_FILE) as file:
        file.writelines(in_turn(_groups(path / KEYS_FILE) for path in infos))
    records = 0
    for name in (JOURNAL_FILE, CANARIES_FILE):
        journals = [path / name for path in infos if (path / name).is_file()]
        if not journals:
            continue
        with formats.written_whole(out / name) as file:
            for journal in journals:
                for line in lines_of(journal):
                    file.write(line)
                    records += name == JOURNAL_FILE
    domains = [info.domain for info in infos.values() if info.domain is not None]
    info = msgspec.structs.replace(
        next(iter(infos.values())),
        shard="",
        queries=sum(info.queries for info in infos.values()),
        domain=together(domains) if domains else None,
    )
    return MergedRun(info, records, failed)


def _failed(path: Path, info: RunInfo) -> int:
    """How many questions of a shard failed; InputError if some were not asked yet, or keys or records are not whole."""
    known = answered(path / JOURNAL_FILE, info)
    asked = [(key.id, vote) for key in read_keys(path) for vote in range(info.votes)]
    left = info.queries - sum(each in known.asked for each in asked)
    if left > 0:
        raise unfinished(path, info, f"{counted(left, 'question')} of {info.queries} not asked")
    if left < 0 or known.asked.keys() - asked:
        raise InputError(
            f"{path}: {KEYS_FILE}, {JOURNAL_FILE} or {RUN_FILE} of shard {info.shard} was changed: it has replies to "
            "questions that are none of its own; put back what was there, or make the shard anew"
        )
    return info.queries - len(known.identities)


def _refuse_doubled(infos: Mapping[Path, RunInfo]) -> None:
    """InputError if two shards have the same questions: then they begin with the same pair or picture."""
    first: dict[str, Path] = {}
    for path, info in infos.items():
        for key in islice(read_keys(path), 1):
            if (other := first.setdefault(key.group, path)) != path:
                raise InputError(
                    f"{path}: says that it is shard {info.shard}, and has the questions of {other}, shard "
                    f"{infos[other].shard}: one was copied; leave it out, and make that shard anew"
                )


def _groups(path: Path) -> Iterator[bytes]:
    """The lines of keys, those of a pair or picture together."""
    decode = msgspec.json.Decoder(_Group).decode
    return (b"".join(lines) for _, lines in groupby(lines_of(path), lambda line: decode(line).group))
