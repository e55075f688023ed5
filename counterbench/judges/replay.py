"""Replay: a judge that gives the answers of another run's journal, at no cost."""

from collections import Counter
from pathlib import Path

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import shown
from counterbench.judges.base import JudgeWithoutPictures, Reply
from counterbench.runs.folder import JOURNAL_FILE, last_records, read_keys, read_run_info
from counterbench.runs.queries import Query, cell_of, on_one_sheet
from counterbench.scene.pairs import ROLES

# The text between the path and the journal's digest in a judge's name.
JOURNAL = "?journal="
# Kinds of failures: the run did not ask the question, or asked it otherwise.
NOT_RECORDED, ASKED_OTHERWISE = "not-recorded", "asked-otherwise"


class RecordedReplies:
    """The last replies of the run in `path`, by query and repeat; `info`: its `run.json`, `digest`: of its journal.

    InputError if there is no such run, or if its records belong to another judge.
    """

    def __init__(self, path: Path) -> None:
        """Read the journal; see the class for the errors."""
        self.path, self.info = path, read_run_info(path)
        self.digest = formats.file_digest(path / JOURNAL_FILE)[:16]
        records = last_records(path / JOURNAL_FILE, self.info).values()
        models = {record.model for record in records} - {""}
        self.model = models.pop() if len(models) == 1 else ""  # the only one that its server named
        self.first = min((record.time for record in records if record.time), default="")
        self._records = {(record.id, record.repeat): record for record in records}

    def reply(self, query: Query, repeat: int = 0) -> Reply:
        """The recorded reply; a failure where the question was not asked, or was asked otherwise."""
        record = self._records.get((query.id, repeat))
        if record is None:
            return Reply(failure=Failed(NOT_RECORDED, f"{self.path} has no record of {query.id}"))
        if record.asked != query.digest and record.asked != on_one_sheet(query, 1).digest:
            message = f"{self.path} asked {query.id} with other words, another template or another picture"
            return Reply(failure=Failed(ASKED_OTHERWISE, message))
        if record.reply is None:
            return Reply(failure=record.failure)
        fields = {name: getattr(record, name) for name in ("model", "finish", "choices", "logprobs")}
        return Reply(text=record.reply, cost=0.0, **fields)

    def first_pairs(self) -> Counter[str]:
        """By cell, the number of its first pairs of which both questions were asked."""
        recorded, keys = {id for id, _ in self._records}, list(read_keys(self.path))
        unasked = {key.group for key in keys if key.id not in recorded}
        counts, ended = Counter[str](), set[str]()
        for key in keys:
            if key.role == ROLES[0] and cell_of(key) not in ended:
                if key.group in unasked:
                    ended.add(cell_of(key))
                else:
                    counts[cell_of(key)] += 1
        return counts


class ReplayJudge(JudgeWithoutPictures):
    """A judge that repeats the replies of the run in `path` to the same queries (by id, text, pixels and template).

    A query that the run did not ask, or asked in another way, fails; so do queries that failed there. Each repeat of a
    query gets the reply of the run's first one. The judge's name has a digest of the journal, so that other replies at
    the same path are another judge; `journal`, if given, must be that digest. InputError if it is not, if there is no
    such run, or if its records belong to another judge.
    """

    def __init__(self, path: Path, journal: str = "") -> None:
        """Read the last records of the run; see the class for the errors."""
        self._replies = RecordedReplies(path)
        digest = self._replies.digest
        if journal not in ("", digest):
            raise InputError(f"replay:{path}: the digest of its journal is {digest}, not {journal}")
        self.name = f"replay:{shown(path.as_posix())}{JOURNAL}{digest}"
        self.replies_from = self._replies.first

    def reply(self, query: Query) -> Reply:
        """The recorded reply to a query."""
        return self._replies.reply(query)
