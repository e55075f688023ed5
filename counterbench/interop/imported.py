"""What an import gives, and how it is written: a folder and its runs in our own formats, `suite.json` last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.answers import PARSER_VERSION, parse
from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, RunInfo, write_keys
from counterbench.runs.journal import Record, identity_of
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.wordings import load_wording
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
from counterbench.suites.sources import FolderSource

ODDITIES_FILE = "oddities.json"


class Oddity(msgspec.Struct, frozen=True):
    """Something in a release that a reader should know: what, how many items, and their ids."""

    what: str
    count: int
    ids: tuple[str, ...] = ()


class Replies(msgspec.Struct, frozen=True):
    """One model's published replies: by query id, its text or how it failed."""

    name: str
    model: str
    by_query: Mapping[str, str | Failed]


@dataclass
class Imported:
    """An imported release: where it lies, what is in it, and what is odd about it."""

    out: Path
    info: FolderInfo
    runs: list[Path]
    oddities: list[Oddity] = field(default_factory=list)


class _Begun(msgspec.Struct, frozen=True):
    """Marks an unfinished import."""

    digest: str
    format: Literal["counterbench.import/1"] = "counterbench.import/1"


def write_import(
    out: Path,
    info: FolderInfo,
    pairs: Sequence[Pair],
    pictures: Mapping[str, Path],
    replies: Sequence[Replies],
    oddities: Sequence[Oddity],
) -> Imported:
    """Write a checked release as a folder with runs under `runs/`; the same import again changes nothing.

    `pictures` maps the folder's picture names to the release's files. Raises InputError, with nothing changed, if
    `out` holds something else.
    """
    runs = [out / "runs" / r.name for r in replies]
    with formats.clear_os_errors(out, "writing"):
        if _is_done(out, info.digest):
            return Imported(out, Folder(out).info, runs, list(oddities))
    what = "an import of this release"
    with claim(out, what, (SUITE_FILE, PROGRESS_FILE), lambda: _is_done(out, info.digest)):
        formats.write_json(out / PROGRESS_FILE, _Begun(info.digest))
        _write_folder(out, pairs, pictures)
        info = msgspec.structs.replace(info, pairs_digest=formats.file_digest(out / PAIRS_FILE))
        formats.write_json(out / ODDITIES_FILE, {"format": "counterbench.oddities/1", "oddities": oddities})
        formats.write_json(out / SUITE_FILE, info)
        for path, reply in zip(runs, replies, strict=True):
            _write_run(path, FolderSource(Folder(out)), reply, info.source)
        (out / PROGRESS_FILE).unlink()
    return Imported(out, info, runs, list(oddities))


def _is_done(out: Path, digest: str) -> bool:
    """Whether `out` is this very import, whole; InputError if it is another one, or a part of one."""
    begun = out / PROGRESS_FILE
    if begun.is_file():
        if formats.read_json(begun, _Begun).digest != digest:
            raise InputError(f"{out}: an unfinished import of something else is there; choose another --out")
        return False
    if (out / SUITE_FILE).is_file():
        there = formats.read_json(out / SUITE_FILE, FolderInfo)
        if there.digest == digest:
            return True
        raise InputError(f"{out}: holds {there.name!r} with digest {there.digest}; choose another --out")
    return False


def _write_folder(out: Path, pairs: Sequence[Pair], pictures: Mapping[str, Path]) -> None:
    """The pictures as PNGs of their pixels, whose digests go into the pairs' lines."""
    digests = {}
    for name, source in pictures.items():
        picture = Picture.from_file(source)
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        formats.write_atomically(out / name, picture.png)
        digests[name] = picture.digest

    def recorded(pair: Pair) -> Pair:
        original, intervened = (digests.get(picture_name(pair, role), "") for role in ROLES)
        shown = Digests(original_pixels=original, intervened_pixels=intervened)
        return msgspec.structs.replace(pair, digests=shown if original or intervened else None)

    formats.write_lines(out / PAIRS_FILE, [recorded(pair) for pair in pairs])
    formats.write_lines(out / METADATA_FILE, [metadata(pair) for pair in pairs])


def _write_run(path: Path, source: FolderSource, replies: Replies, origin: str) -> None:
    """One model's replies as a run: the journal that asking it would have given."""
    path.mkdir(parents=True, exist_ok=True)
    wording = load_wording("bare")
    judge = f"published:{replies.model}"
    records = []
    for query in queries(source):
        said = replies.by_query.get(query.id)
        if said is None:
            continue
        failure = said if isinstance(said, Failed) else None
        outcome = failure or parse(str(said), query.answer_type)
        asked = wording.dress(query).digest
        records.append(
            Record(
                id=query.id,
                identity=identity_of(judge, wording.digest, query.id, asked, 0),
                asked=asked,
                reply=None if isinstance(said, Failed) else said,
                failure=failure,
                outcome=outcome_name(outcome),
                parser=PARSER_VERSION,
                time="",
                model=replies.model,
            )
        )
    write_keys(path, keys(source))
    formats.write_lines(path / JOURNAL_FILE, records)
    info = RunInfo(
        suite=source.name,
        suite_digest=source.digest,
        seed=source.seed,
        judge=judge,
        wording=wording.name,
        wording_digest=wording.digest,
        votes=1,
        queries=2 * len(source),
        versions={"counterbench": versions()["counterbench"], "parser": PARSER_VERSION},
        source=origin,
        bound=True,
    )
    formats.write_json(path / RUN_FILE, info)


def folder_info(name: str, digest: str, pairs: Sequence[Pair], source: str, description: str) -> FolderInfo:
    """The `suite.json` of an imported release."""
    return FolderInfo(
        name=name,
        description=description,
        digest=digest,
        seed=None,
        truth="published",
        pairs=len(pairs),
        counts=dict(Counter(pair.family for pair in pairs)),
        source=source,
        versions=versions(),
    )


def published_pictures(pair: Pair, files: Sequence[Path]) -> dict[str, Path]:
    """A pair's pictures by their names in our folder, if the release has both."""
    if not all(file.is_file() for file in files):
        return {}
    return {picture_name(pair, role): file for role, file in zip(ROLES, files, strict=True)}
