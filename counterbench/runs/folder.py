"""Reads and writes a run on disk: a folder with the questions that a judge was asked and its replies.

The folder has `run.json` (suite, judge, template: `RunInfo`), `keys.jsonl` (the right answer to each query) and
`journal.jsonl` (a `Record` for each try to ask a query). Commands that ask append to the journal (`Journal`) and skip
what has a reply (`answered`); commands that score read it (`records_of`).

A *query* is a question with its pictures; a *template* is the words around it; *repeats* say how often each query is
asked. The journal has every try as it came, and is never rewritten. A try with a reply is final; a failed one is tried
again. A killed writer can leave one torn last line, which was never a record: it is skipped by readers, and cut off
before the next record is written.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, TypeVar

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.answers.soft import Token
from counterbench.drawing.domain import Domain
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.formats import instead
from counterbench.runs.queries import Key
from counterbench.suites.shards import Shard

RUN_FILE, KEYS_FILE, JOURNAL_FILE = "run.json", "keys.jsonl", "journal.jsonl"
# Only in a run about generated pictures; the plan is that of `evaluate`, written before the run begins.
T2I_FILE, PLAN_FILE = "t2i.json", "plan.json"
# The folder in a run's folder that holds its runs under further templates, each in a folder of its template's name.
TEMPLATES_FOLDER = "templates"
# The folder in a run's folder that holds people's runs about the same pairs, each in a folder of the rater's name.
PEOPLE_FOLDER = "people"
PERSON = "person:"  # before a rater's name, as the judge of such a run
MAX_CHARACTERS = 32  # of a judge's short name


# Fields of `run.json` that identify a run: a run with another value is another run.
IDENTIFYING = ("suite_digest", "judge", "template_digest", "repeats")


# The words about a run that asks each cell (kind of question) until the verdict on it is decided.
BY_CELLS = "asked until each cell was decided: unclear cells count more often in its overall CCS"


class RunInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of `run.json`: a run's suite, judge and template."""

    format: Literal["counterbench.run/1"] = "counterbench.run/1"
    suite: str
    suite_digest: str
    seed: int | None
    judge: str
    name: str = ""  # the user's name for the judge; not part of the run's identity
    template: str
    template_digest: str
    repeats: Annotated[int, msgspec.Meta(ge=1)]
    queries: Annotated[int, msgspec.Meta(ge=0)]  # their number, times `repeats`
    versions: dict[str, str]
    source: str = ""  # the origin of an imported run
    domain: Domain | None = None  # the kind of its pictures; None if unknown
    by_cells: bool = False  # True if it asks each cell until the verdict on it is decided, so unclear cells more often
    # Of a panel's run: the digest of the journal of each member's run, by its path; absent from other runs.
    members: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    replies_from: str | msgspec.UnsetType = msgspec.UNSET  # of a judge that repeats replies: the time of the earliest
    shard: str = ""  # the part of a run, such as "0/4", until `merge` joins the parts; empty for a whole run

    @property
    def provenance(self) -> dict[str, Any]:
        """The fields, by name, that the run's scores and certificates repeat: on suite, judge, template, repeats."""
        names = ("suite", "suite_digest", "seed", "judge", "template", "template_digest", "repeats")
        return {name: getattr(self, name) for name in names}

    @property
    def side(self) -> int | None:
        """The shorter side of its pictures in pixels; None if that is unknown, or not the same for all."""
        return self.domain.side if self.domain is not None else None

    @property
    def style(self) -> str:
        """The style in which we drew its pictures; FLAT if it is unknown, or if others made them."""
        return self.domain.our_style if self.domain is not None else FLAT


def given_name(name: str) -> str:
    """A judge's name as its user gives it (--name, or a judge's file), checked; InputError if it is no short name."""
    if name and (
        not name.isprintable() or name != name.strip() or len(name) > MAX_CHARACTERS or not any(map(str.isalnum, name))
    ):
        raise InputError(
            f"name {name!r}: a short name is one line of at most {MAX_CHARACTERS} characters, with a letter or digit"
        )
    return name


def default_path(
    suite: str, judge: str, ending: str = "", style: str = FLAT, shard: Shard | None = None, **others: int | None
) -> Path:
    """`runs/<suite>--<judge><ending>`, with nothing in the name that a file system might refuse.

    `others` (seed, limit, size, attempt) are part of the name if they are not None, except attempt 1. So are a style
    other than flat, and a shard. `ending`: further words of the name.
    """
    others = {name: value for name, value in others.items() if (name, value) != ("attempt", 1)}
    other = ending + "".join(f"--{name}-{value}" for name, value in others.items() if value is not None)
    other += f"--style-{style}" if style != FLAT else ""
    other += shard.ending if shard is not None else ""
    if not judge.isascii():  # its other letters are left out, so a digest tells such judges apart
        judge = f"{re.sub('[^ -~]+', '', judge)}-{hashlib.blake2b(judge.encode(), digest_size=4).hexdigest()}".strip(
            "-"
        )
    safe = re.sub(r"[^A-Za-z0-9._=-]+", "-", f"{suite}--{judge}")
    return Path("runs") / (safe[: 150 - len(other)].strip(".-") + other)


def template_path(run: Path, template: str) -> Path:
    """The folder of the same run under a further template, inside the folder `run`."""
    return run / TEMPLATES_FOLDER / re.sub(r"[^A-Za-z0-9._-]+", "-", template).lstrip(".")


def templates_in(run: Path, kind: str = TEMPLATES_FOLDER) -> list[Path]:
    """The folders of the same run under further templates, inside the folder `run`; or by people (PEOPLE_FOLDER)."""
    folder = run / kind
    return [path for path in sorted(folder.iterdir()) if (path / RUN_FILE).is_file()] if folder.is_dir() else []


def refuse_repeats(paths: Iterable[Path]) -> None:
    """InputError if a run is named twice, also by different paths."""
    resolved: set[Path] = set()
    for path in paths:
        if path.resolve() in resolved:
            raise InputError(f"{path}: this run was named twice; name each run once")
        resolved.add(path.resolve())


def about_pictures(paths: Sequence[Path]) -> bool:
    """True if all runs are about generated pictures, False if all are about pairs; InputError for a mixture."""
    models = [(path / T2I_FILE).is_file() for path in paths]
    if any(models) and not all(models):
        if missing := [path for path in paths if not path.exists()]:
            raise InputError(f"{missing[0]}: there is no such run folder")
        picture_run, pair_run = paths[models.index(True)], paths[models.index(False)]
        raise InputError(f"{picture_run} is about generated pictures and {pair_run} about pairs; name runs of one kind")
    return bool(models) and all(models)


def read_run_info(path: Path) -> RunInfo:
    """A run's `run.json`; InputError if the folder is not a run."""
    if not path.exists():
        raise InputError(f"{path}: there is no such run folder")
    if not (path / RUN_FILE).is_file():
        raise InputError(f"{path}: not a run, it has no {RUN_FILE}{instead(path)}")
    return formats.read_json(path / RUN_FILE, RunInfo)


def refuse_shard(path: Path, info: RunInfo) -> None:
    """InputError if a run is a shard: its numbers are of its part alone."""
    if info.shard:
        raise InputError(
            f"{path}: is only shard {info.shard} of a run on {info.suite!r}: join all shards first, by "
            "counterbench merge SHARD… --out RUN"
        )


def uncounted(info: RunInfo, keys: int) -> int:
    """The number of keys by which `run.json` and `keys.jsonl` differ, rounded up; above 0 if a file was cut."""
    return -(-abs(keys * info.repeats - info.queries) // info.repeats)


def read_keys(path: Path) -> Iterator[Key]:
    """The keys of the run in `path`: the right answers, with what is known of each query."""
    return formats.read_lines(path / KEYS_FILE, Key)


AnyNumber = TypeVar("AnyNumber", int, float)


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One try to ask one query: a line of `journal.jsonl`. Fields without a comment are those of a `Reply`."""

    format: Literal["counterbench.record/1"] = "counterbench.record/1"
    id: str  # of the query
    identity: str  # see `identity_of`
    asked: str  # the digest of the query as it was put to the judge
    repeat: int = 0
    # Exactly one of the next two is not null.
    reply: str | None = None  # the text as it came
    failure: Failed | None = None
    outcome: str  # what the reply was to `parser` at the time ("answer", "unparsed", …); scoring parses it anew
    parser: str  # the version of the parser of replies
    time: str
    seconds: float | None = None
    model: str = ""  # as the server names itself: an observation, not part of the identity
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    cost: float | None = None
    attempts: int = 1  # times that this question had been asked in one go, this time included
    mode: str = ""
    choices: dict[str, float] | None = None
    logprobs: tuple[Token, ...] | None = None
    dropped: tuple[str, ...] = ()
    answer_line: bool = False  # as of `Query`

    @property
    def final(self) -> bool:
        """True if the query has a reply, and need not be asked again."""
        return self.failure is None


def identity_of(judge: str, template_digest: str, query_id: str, asked_digest: str, repeat: int) -> str:
    """The digest by which one question to one judge is known, so that it is asked once.

    It is made of the judge with its parameters, the template, the query and the index of the repeat. `asked_digest`:
    of the query as it is put to the judge. The id is needed too, because the queries of an imported data set without
    pictures may share all their words.
    """
    parts = msgspec.json.encode([judge, template_digest, query_id, asked_digest, repeat])
    return hashlib.blake2b(parts, digest_size=16).hexdigest()


def read_journal(path: Path) -> Iterator[Record]:
    """The records of the journal at `path`, as they were written; FormatError names a damaged line."""
    return formats.read_lines(path, Record, torn_end=True)


def records_of(run: Path, info: RunInfo) -> Iterator[Record]:
    """The records of the run in `run`, checked by `unchanged`; none if nothing was asked yet."""
    journal = run / JOURNAL_FILE
    return unchanged(read_journal(journal), str(run), info) if journal.exists() else iter(())


class Figures(msgspec.Struct, kw_only=True):
    """Sums over tries, failed ones too; tokens and cost are None as long as no try tells them."""

    replies: int = 0  # tries that got a reply
    priced: int = 0  # replies whose cost is known
    outcomes: dict[str, int] = {}  # replies by outcome, as read at the time: "answer", "unparsed", "refused"
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None  # part of tokens_out
    cost: float | None = None  # US dollars
    seconds: float = 0.0  # the sum of all tries, also of those made at the same time

    def add(self, record: Record) -> None:
        """Add a try of a question to the sums."""
        if record.final:
            self.replies += 1
            self.priced += record.cost is not None
            self.outcomes[record.outcome] = self.outcomes.get(record.outcome, 0) + 1
        self.tokens_in = _sum_of_known(self.tokens_in, record.tokens_in)
        self.tokens_out = _sum_of_known(self.tokens_out, record.tokens_out)
        self.tokens_reasoning = _sum_of_known(self.tokens_reasoning, record.tokens_reasoning)
        self.cost = _sum_of_known(self.cost, record.cost)
        self.seconds += record.seconds or 0.0


class Answered(msgspec.Struct, frozen=True):
    """The state of a journal: the questions that were asked, and those that have a reply."""

    identities: set[str]  # of the questions (`identity_of`) that have a reply
    identity_by_repeat: dict[tuple[str, int], str]  # by query id and the number of the repeat
    figures: Figures  # sums over all tries

    @property
    def failed(self) -> set[str]:
        """The ids of queries that were asked and have no reply."""
        return {id for (id, _), identity in self.identity_by_repeat.items() if identity not in self.identities}


def answered(path: Path, info: RunInfo | None = None) -> Answered:
    """Read the state of the journal at `path`, of the run described by `info`; empty if there is no journal yet."""
    state = Answered(set(), {}, Figures())
    if path.exists():
        for record in unchanged(read_journal(path), str(path), info):
            if state.identity_by_repeat.setdefault((record.id, record.repeat), record.identity) != record.identity:
                raise asked_of_another(record.id, str(path))
            state.figures.add(record)
            if record.final:
                state.identities.add(record.identity)
    return state


def unchanged(records: Iterable[Record], where: str, info: RunInfo | None) -> Iterator[Record]:
    """The records as they come; InputError for one that is not of the judge and template of the run.

    Such a record shows that `run.json` or the journal was changed later. `info` is the run's; None: nothing is checked.
    """
    if info is None:
        yield from records
        return
    for record in records:
        if record.identity != identity_of(info.judge, info.template_digest, record.id, record.asked, record.repeat):
            raise InputError(
                f"{where}: its reply to {record.id!r} does not belong to the judge {info.judge!r} and template "
                f"{info.template!r}: {RUN_FILE} or the journal was changed, or they are of two runs; put back what was "
                "there, or probe into another --out"
            )
        yield record


def asked_of_another(id: str, where: str) -> InputError:
    """The error about a query whose pictures changed between two calls, so that its replies are of no use."""
    return InputError(
        f"{where}: holds replies to {id!r} about two different pictures: it was changed between two calls of probe; "
        "probe again into another --out"
    )


def last_records(path: Path, info: RunInfo | None = None) -> dict[str, Record]:
    """By identity (`identity_of`), the last record with a reply or, if there is none, the last failure.

    `path`: the journal. `info`: as of `unchanged`.
    """
    last: dict[str, Record] = {}
    for record in unchanged(read_journal(path), str(path), info):
        before = last.get(record.identity)
        if before is None or record.final or not before.final:
            last[record.identity] = record
    return last


class Journal:
    """A journal opened for appending; a context manager that closes it, with all records safely on disk.

    When `append` returns, its records have been handed to the operating system.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._failed = ""
        self._file: BinaryIO = path.open("ab+", buffering=0)
        _cut_torn_end(self._file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._failed:
            os.fsync(self._file.fileno())
        self._file.close()

    def append(self, records: list[Record]) -> None:
        """Write records in one go; InputError if the disk is full or gone, and then for every later call."""
        if self._failed:  # a record after a half-written line would be lost with that line
            raise InputError(f"{self.path}: {self._failed}")
        unwritten = memoryview(b"".join(formats.encode(record) + b"\n" for record in records))
        try:
            while unwritten:
                unwritten = unwritten[self._file.write(unwritten) :]
        except OSError as error:
            self._failed = f"cannot be written ({error.strerror}); what was written before is safe"
            raise InputError(f"{self.path}: {self._failed}") from None


def _cut_torn_end(file: BinaryIO) -> None:
    """Cut off a last line that has no line end; the file is read backwards, in blocks."""
    position = file.seek(0, os.SEEK_END)
    while position > 0:
        start = max(0, position - 65536)
        file.seek(start)
        newline = file.read(position - start).rfind(b"\n")
        if newline >= 0:
            file.truncate(start + newline + 1)
            return
        position = start
    file.truncate(0)


def _sum_of_known(so_far: AnyNumber | None, added: AnyNumber | None) -> AnyNumber | None:
    """The sum of two numbers, of which None adds nothing; None if both are None."""
    return so_far if added is None else added if so_far is None else so_far + added
