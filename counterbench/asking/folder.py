"""The folder of a run, before and while its questions are asked: begun, resumed, grown, or refused for another run."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.judges.base import Judge, JudgeExtras, extras
from counterbench.runs.folder import KEYS_FILE, RUN_FILE, SIGNED, RunInfo, write_keys
from counterbench.runs.names import given_name
from counterbench.runs.pair_queries import Questions
from counterbench.runs.templates import PromptTemplate

# Number of stored pictures that are checked at a time, and most wrong ones that are named.
_CHECKED_AT_ONCE, _SHOWN = 64, 3


def run_info(
    questions: Questions, judge: Judge, template: PromptTemplate, votes: int, name: str, by_cells: bool
) -> RunInfo:
    """Build the content of `run.json`; InputError for votes or a name that cannot be."""
    if votes < 1:
        raise InputError(f"--votes must be at least 1, not {votes}")
    given_name(name)
    declared = extras(judge, JudgeExtras)
    return RunInfo(
        suite=questions.name,
        suite_digest=questions.digest,
        seed=questions.seed,
        judge=judge.name,
        name=name or declared.short_name,
        template=template.name,
        template_digest=template.digest,
        votes=votes,
        queries=len(questions) * votes,
        versions={"counterbench": __version__, "parser": PARSER_VERSION} | declared.versions,
        by_cells=by_cells,
        shard=str(questions.shard or ""),
    )


def begin(path: Path, info: RunInfo, questions: Questions) -> RunInfo:
    """Write the keys, then `run.json`, unless they are there; a run that is there may get a new name or more pairs."""
    written = info = msgspec.structs.replace(info, domain=questions.domain)
    if (path / RUN_FILE).is_file() and (path / KEYS_FILE).is_file():
        there = formats.read_json(path / RUN_FILE, RunInfo)
        written = msgspec.structs.replace(
            there,
            suite_digest=info.suite_digest,
            queries=info.queries,
            name=info.name or there.name,
            domain=info.domain,
            by_cells=info.by_cells,
        )
        with (path / KEYS_FILE).open("rb") as file:
            known = sum(1 for _ in file) * there.votes
        if written == there and known == there.queries:
            return there
    write_keys(path, questions.keys())
    formats.write_json(path / RUN_FILE, written)
    return written


def grow(path: Path, added: Questions) -> int:
    """Add questions to a run, keys first; returns its number of questions, every vote counted."""
    lines = (path / KEYS_FILE).read_bytes()
    with formats.written_whole(path / KEYS_FILE) as file:
        file.write(lines)
        for key in added.keys():  # noqa: SIM118  (no mapping)
            file.write(formats.encode(key) + b"\n")
    there = formats.read_json(path / RUN_FILE, RunInfo)
    info = msgspec.structs.replace(there, queries=there.queries + len(added) * there.votes)
    formats.write_json(path / RUN_FILE, info)
    return info.queries


def refuse_damage(questions: Questions, needs_images: bool, on_checked: Callable[[int, int], None]) -> None:
    """InputError if a stored picture cannot be read or is not the recorded one; several threads check them."""
    stored = questions.stored(needs_images)
    wrong, done = [], 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        while chunk := list(islice(stored.pictures, _CHECKED_AT_ONCE)):
            wrong += [damage for damage in threads.map(lambda picture: picture.damage, chunk) if damage]
            on_checked(done := done + len(chunk), stored.count)
    if wrong:
        others = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise InputError(
            f"{len(wrong)} of {stored.count} pictures cannot be asked about: {'; '.join(wrong[:_SHOWN])}{others}; "
            f"{stored.remedy}"
        )


def refuse_other_run(path: Path, info: RunInfo, questions: Questions) -> None:
    """InputError if the folder holds another run than this one."""
    if not (path / RUN_FILE).is_file():
        return
    there = formats.read_json(path / RUN_FILE, RunInfo)
    if there.by_cells and not info.by_cells and there.judge == info.judge:
        raise InputError(
            f"{path}: was asked cell by cell, {there.queries} questions so far: `validate` goes on with it; to ask "
            "otherwise choose another --out"
        )
    if there.suite_digest != info.suite_digest and questions.continues(
        there.suite_digest, there.queries // there.votes
    ):
        if there.queries > info.queries:
            raise InputError(
                f"{path}: holds more questions of this suite already, {there.queries} and not {info.queries}: ask "
                "those (another --limit, or none), or choose another --out"
            )
        there = msgspec.structs.replace(there, suite_digest=info.suite_digest)
    for name in (*SIGNED, "shard"):
        if getattr(there, name) != getattr(info, name):
            raise InputError(
                f"{path}: holds another run: {there.judge!r} on {there.suite!r}, {there.queries} questions; its "
                f"{name.replace('_', ' ')} is {getattr(there, name)!r}, not {getattr(info, name)!r}; choose "
                "another --out"
            )
