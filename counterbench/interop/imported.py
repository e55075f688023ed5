"""The parts that all imports of somebody's pairs and replies share: results, writers, and warnings about the data.

A pair is two pictures with a question and both right answers; a run is a folder of questions and a judge's replies. An
import makes `Entry` items (a pair and its pictures) and calls `write_import`, which writes them as a folder of pairs in
our format, or nothing; published replies become runs within it. An import of replies alone makes a
`Record` for each by `record`, and calls `write_run`. So everything that reads our own folders reads imported data, too.

`note_answers` and `note_relevance` add warnings about data that cannot show what they should.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from counterbench.answers import PARSER_VERSION, read_reply
from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.bars import OnProgress
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.data_warnings import DataWarning, Warnings
from counterbench.files.formats import whole_folder
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, RUN_FILE, Record, RunInfo, identity_of
from counterbench.runs.pair_queries import Questions, keys, queries
from counterbench.runs.queries import Key, PromptTemplate, Query, load_template
from counterbench.scene.pairs import ROLES, Digests, Pair
from counterbench.suites.folder import (
    METADATA_FILE,
    PAIRS_FILE,
    SUITE_FILE,
    Folder,
    FolderInfo,
    metadata,
    picture_name,
    versions,
)
from counterbench.suites.sources import FolderSource, Source

# The name and digest of the template of replies about which nobody knows how they were asked for; no other has these.
UNKNOWN = ("unknown", hashlib.blake2b(b"collected elsewhere", digest_size=16).hexdigest())
# Families with fewer pairs are not looked at; in others, at most this share of pairs may have the same two answers.
_MIN_PAIRS, _MAX_SHARE = 10, 0.6


def note_answers(notes: Warnings, pairs: Iterable[Pair]) -> None:
    """Warn of families in which most pairs have the same two answers ("no → yes"): they can be guessed unseen."""
    changes: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        changes[pair.family][f"{pair.original_answer} → {pair.intervened_answer}"] += 1
    for name, counts in changes.items():
        change, count = counts.most_common(1)[0]
        total = counts.total()
        if total >= _MIN_PAIRS and count > _MAX_SHARE * total:
            notes.count(f"{name}: answers go {change} in {count} of {total} pairs", count)


def note_relevance(notes: Warnings, pairs: Sequence[Pair]) -> None:
    """Warn if all pairs are relevant (have two different answers), or if none is."""
    relevant = sum(pair.relevant for pair in pairs)
    if relevant == len(pairs):
        notes.count("no pair has the same answer twice: stability cannot be measured", relevant)
    if not relevant:
        notes.count("no pair has two different answers: CCS cannot tell seeing from guessing", len(pairs))


def imported_pair(
    id: str, family: str, category: str, skill: str, question: str, kind: str, answers: Sequence[str], **fields: Any
) -> Pair:
    """A pair whose right answers come with the data.

    `kind`: the type of its answers. `answers`: about the original and about the intervened picture. `fields`: other
    fields of `Pair`.
    """
    defaults: dict[str, Any] = {"relevant": answers[0] != answers[1], "intervention": "", "difficulty": {}}
    return Pair(
        id=id,
        index=0,  # until it is written
        family=family,
        category=category,
        skill=skill,
        stratum="published",
        form="yes-no" if kind == "yes-no" else "open",
        question=question,
        answer_type=kind,
        original_answer=answers[0],
        intervened_answer=answers[1],
        truth="published",
        **defaults | fields,
    )


class Entry(NamedTuple):
    """A pair to write, with its pictures."""

    pair: Pair
    pictures: Sequence[tuple[bytes, str]]  # each as a PNG and the digest of its pixels; empty without pictures
    extra: Mapping[str, Any]  # further fields of the pair's line in `metadata.jsonl`


class ImportedReplies(msgspec.Struct, frozen=True):
    """One model's published replies."""

    name: str  # of its run
    model: str  # the model's id
    by_query: Mapping[str, str | Failed]  # the reply's text or the failure, by query id


@dataclass
class Imported:
    """The result of an import: its folder, its content, its runs and the data warnings."""

    out: Path
    info: FolderInfo
    runs: list[Path]
    warnings: list[DataWarning]


@dataclass
class ImportedRun:
    """A run of imported replies."""

    out: Path
    info: RunInfo
    replies: int  # the number of replies
    warnings: list[DataWarning]


def write_import(
    out: Path, info: FolderInfo, entries: Iterable[Entry], notes: Warnings, replies: Sequence[ImportedReplies] = ()
) -> Imported:
    """Write entries as the folder of pairs `out`, and each model's replies as a run in its `runs/`; or nothing.

    Entries are written as they come. `notes` collects the warnings and may be incomplete until the last entry; the
    counts and digests of `info` are filled in then. InputError if `out` is not empty, or if there is no entry.
    """
    runs = [Path("runs") / r.name for r in replies]
    with whole_folder(out) as folder:
        counts = _write_folder(folder, entries)
        warnings = list(notes.all())
        if not counts:
            raise InputError(f"{info.source}: no pair is left to import; {'; '.join(note.line() for note in warnings)}")
        pairs_digest = formats.file_digest(folder / PAIRS_FILE)
        digests = {"digest": pairs_digest, "pairs_digest": pairs_digest, "counts": dict(counts)}
        info = msgspec.structs.replace(info, pairs=counts.total(), **digests)
        formats.write_json(folder / SUITE_FILE, info)
        for run, reply in zip(runs, replies, strict=True):
            # The run that asking the model would have given.
            source, template = FolderSource(Folder(folder)), load_template("bare")
            published_run = run_info(
                source, 2 * len(source), f"published:{reply.model}", (template.name, template.digest), info.source
            )
            texts = ((template.dress(query), reply.by_query.get(query.id)) for query in queries(source))
            records = (record(published_run, q, text, model=reply.model) for q, text in texts if text is not None)
            write_run(folder / run, keys(source), published_run, records)
    return Imported(out, info, [out / run for run in runs], warnings)


def _write_folder(folder: Path, entries: Iterable[Entry]) -> Counter[str]:
    """Write the pictures, and the pairs' lines with their digests; returns the number of pairs of each family."""
    counts: Counter[str] = Counter()
    with (folder / PAIRS_FILE).open("xb") as pairs, (folder / METADATA_FILE).open("xb") as rows:
        for pair, pictures, extra in entries:
            for role, (png, _) in zip(ROLES, pictures, strict=False):
                path = folder / picture_name(pair, role)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(png)
            digests = Digests("", "", *(digest for _, digest in pictures)) if pictures else None
            placed = msgspec.structs.replace(pair, index=counts[pair.family], digests=digests)
            pairs.write(formats.encode(placed) + b"\n")
            rows.write(formats.encode(metadata(pair) | dict(extra)) + b"\n")
            counts[pair.family] += 1
    return counts


def run_info(
    source: Source | Questions, questions: int, judge: str, template: tuple[str, str], origin: str, name: str = ""
) -> RunInfo:
    """The `run.json` of replies that were not asked for here.

    `questions`: their number. `judge`: the judge's name, with its options; `name`: the user's name for it. `template`:
    the name and digest of the template. `origin`: where the replies come from.
    """
    return RunInfo(
        suite=source.name,
        suite_digest=source.digest,
        seed=source.seed,
        judge=judge,
        name=name,
        template=template[0],
        template_digest=template[1],
        repeats=1,
        queries=questions,
        versions={"counterbench": versions()["counterbench"], "parser": PARSER_VERSION},
        source=origin,
    )


def origin_of(file: Path) -> str:
    """The origin of a run: the file that it was imported from."""
    return f"{file.name} ({formats.file_digest(file)[:16]})"


def questions_by_id(
    source: Source, on_progress: OnProgress, template: PromptTemplate | None = None
) -> dict[str, Query]:
    """The questions by query id, in a template's words or without one; InputError for a missing or changed picture."""
    queries_by_id: dict[str, Query] = {}
    for done, query in enumerate(queries(source), 1):
        for picture in query.pictures:
            if damage := picture.damage:
                raise InputError(damage)
        queries_by_id[query.id] = query if template is None else template.dress(query)
        on_progress(done, 2 * len(source))
    return queries_by_id


def record(
    info: RunInfo, query: Query, reply_or_failure: str | Failed, *, repeat: int = 0, finish: str = "", **fields: Any
) -> Record:
    """The journal's record of a reply (or failure) to a query, as asking here would have written it.

    `query`: as it was put to the judge. `repeat`: its number, from 0. `finish`: the reason for the reply's end.
    `fields`: further fields of `Record`.
    """
    reply, failure = (None, reply_or_failure) if isinstance(reply_or_failure, Failed) else (reply_or_failure, None)
    line = query.answer_line
    outcome = failure or read_reply(reply or "", query.answer_type, finish, labels=query.labels, answer_line=line)
    return Record(
        id=query.id,
        identity=identity_of(info.judge, info.template_digest, query.id, query.digest, repeat),
        asked=query.digest,
        repeat=repeat,
        reply=reply,
        failure=failure,
        outcome=outcome_name(outcome),
        parser=PARSER_VERSION,
        finish=finish,
        answer_line=line,
        **{"time": "", **fields},
    )


def write_run(
    out: Path,
    query_keys: Iterable[Key],
    info: RunInfo,
    records: Iterable[Record],
    write_files: Callable[[Path], None] = lambda folder: None,
) -> None:
    """Write the run of these records as `out`, or nothing; InputError if `out` is not empty.

    `write_files` gets the new folder and writes further files into it.
    """
    with whole_folder(out) as folder:
        write_files(folder)
        formats.write_lines(folder / KEYS_FILE, query_keys)
        formats.write_lines(folder / JOURNAL_FILE, records)
        formats.write_json(folder / RUN_FILE, info)


def folder_info(name: str, source: str, description: str) -> FolderInfo:
    """The `suite.json` of an import, before its pairs are counted."""
    return FolderInfo(
        name=name,
        description=description,
        digest="",
        seed=None,
        truth="published",
        pairs=0,
        counts={},
        source=source,
        versions=versions(),
    )
