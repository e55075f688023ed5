"""Imports replies, collected elsewhere, to the questions about a folder's pairs, as a run that asked them here."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from counterbench.answers.outcomes import Failed, is_error_text
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row, read_rows, words_of
from counterbench.interop.imported import UNKNOWN, ImportedRun, origin_of, questions_by_id, record, run_info, write_run
from counterbench.runs.folder import Record, RunInfo, given_name
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Query
from counterbench.scene.pairs import ROLES
from counterbench.suites.folder import Folder
from counterbench.suites.sources import FolderSource

_BOTH = tuple(f"{role}_reply" for role in ROLES)
_Count = Annotated[int, msgspec.Meta(ge=0, lt=10**12)]
_Amount = Annotated[float, msgspec.Meta(ge=0, lt=10**12)]


class ReplyFields(msgspec.Struct, frozen=True):
    """The model, tokens, cost (US dollars) and time (seconds) in a row; they hold for each reply of the row."""

    model: str = ""
    tokens_in: _Count | None = None
    tokens_out: _Count | None = None
    cost: _Amount | None = None
    seconds: _Amount | None = None


def import_replies(file: Path, pairs: Path, judge: str, out: Path, on_progress: OnProgress = unseen) -> ImportedRun:
    """Write the replies in `file` to the pairs of the folder `pairs` as the run `out`.

    `judge` is the run's name for the model that replied. Questions without a reply are not asked: the run is
    incomplete. Raises InputError that names the line and the column, with nothing written.
    """
    if not given_name(judge):
        raise InputError("--judge: name the judge that replied")
    source = FolderSource(Folder(pairs))
    source.folder.refuse_edited()
    info = run_info(source, 2 * len(source), f"imported:{judge}", UNKNOWN, origin_of(file), judge)
    questions: dict[str, Query | None] = {**questions_by_id(source, on_progress)}
    notes = Warnings()
    records = list(_records(file, info, questions, notes))  # all is read before anything is written
    if not records:
        reasons = "".join(f"; {note.line()}" for note in notes.all())
        raise InputError(f"{file}: has no reply to any pair of {pairs}{reasons}")
    write_run(out, keys(source), info, records)
    return ImportedRun(out, info, len(records), list(notes.all()))


def _records(file: Path, info: RunInfo, questions: dict[str, Query | None], notes: Warnings) -> Iterator[Record]:
    """A record for each reply; InputError names the line of a reply that cannot be used.

    `questions`: the questions by query id; each is replaced by None here once its reply was read. What is odd, or left
    out, is added to `notes`.
    """
    unread: dict[str, None] = {}
    for row in read_rows(file):
        place, columns = row.where, ["id", *([name for name in _BOTH if name in row.columns] or ("variant", "reply"))]
        id, by_role = _read_row(row, columns)
        try:
            known_fields = {name: value for name, value in row.values.items() if name in ReplyFields.__struct_fields__}
            fields = msgspec.structs.asdict(msgspec.convert(known_fields, ReplyFields, strict=False))
        except msgspec.ValidationError as error:
            raise InputError(f"{place}: {error}") from None
        unread |= dict.fromkeys(name for name in row.columns if name not in (*columns, *ReplyFields.__struct_fields__))
        cells_without = (f"{id}, {name}" for name in columns if name.endswith("reply") and name not in row.values)
        notes.add("cells without a reply, left out: not asked", *cells_without)
        for role, reply in by_role.items():
            query_id = f"{id}/{role}"
            if query_id not in questions:
                notes.add("replies to no pair of the folder, left out", query_id)
                continue
            query = questions[query_id]
            if query is None:
                raise InputError(f"{place}: a second reply to the {role} picture of {id!r}; keep one")
            questions[query_id] = None
            failed = is_error_text(reply)
            if failed:
                notes.add("pairs with a failed call", id)
            yield record(info, query, Failed("published-error", reply) if failed else reply, **fields)
    notes.add("columns that are not read, left out", *unread)
    missing = dict.fromkeys(id.rpartition("/")[0] for id, query in questions.items() if query is not None)
    notes.add("pairs without both replies: the run is incomplete", *missing)


def _read_row(row: Row, columns: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The pair's id, and the replies of a row by the role of their picture; InputError if it lacks one of `columns`.

    `columns`: "id" with "variant" and "reply" (one reply), or with one or both of "original_reply" and
    "intervened_reply".
    """
    values, place = row.values, row.where
    if "id" not in values or not {*columns} <= {*row.columns}:
        raise InputError(
            f"{place}: a row needs the columns id, original_reply, intervened_reply; or id, variant (original or "
            f"intervened), reply; it has {', '.join(row.columns)}"
        )
    if "reply" not in columns:
        replies = {role: values[f"{role}_reply"] for role in ROLES if f"{role}_reply" in values}
    elif values.get("variant") not in ROLES:
        raise InputError(f"{place}, column 'variant': {values.get('variant')!r} is neither {' nor '.join(ROLES)}")
    else:
        replies = {values["variant"]: values["reply"]} if "reply" in values else {}
    for role, reply in replies.items():
        if not isinstance(reply, str | int | float):
            raise InputError(f"{place}, reply to the {role} picture: {str(reply)[:60]!r} is no text")
    return str(values["id"]), {role: words_of(reply) for role, reply in replies.items()}
