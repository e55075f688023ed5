"""Replay: a judge that gives the answers of another run's journal, at no cost."""

from collections.abc import Sequence
from pathlib import Path

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import shown
from counterbench.judges.base import Reply
from counterbench.runs.folder import JOURNAL_FILE, Record, last_records, read_run_info
from counterbench.runs.queries import Query

# The text between the path and the journal's digest in a judge's name.
JOURNAL = "?journal="


class ReplayJudge:
    """A judge that repeats the replies of the run in `path` to the same queries (by id, text, pixels and template).

    A query that the run did not ask, or asked in another way, fails; so do queries that failed there. Each repeat of a
    query gets the reply of the run's first one. The judge's name has a digest of the journal, so that other replies at
    the same path are another judge; `journal`, if given, must be that digest. InputError if it is not, if there is no
    such run, or if its records belong to another judge.
    """

    max_batch = 64
    max_in_flight = 1
    max_pictures = 2
    needs_images = False

    def __init__(self, path: Path, journal: str = "") -> None:
        """Read the last records of the first repeat of each question; see the class for the errors."""
        info = read_run_info(path)
        digest = formats.file_digest(path / JOURNAL_FILE)[:16]
        if journal not in ("", digest):
            raise InputError(f"replay:{path}: the digest of its journal is {digest}, not {journal}")
        self.name = f"replay:{shown(path.as_posix())}{JOURNAL}{digest}"
        self._path = path
        self._records: dict[str, Record] = {
            record.id: record for record in last_records(path / JOURNAL_FILE, info).values() if record.repeat == 0
        }

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """The recorded reply to each query."""
        return [self._reply(query) for query in batch]

    def _reply(self, query: Query) -> Reply:
        """The recorded reply; a failure where the question was not asked, or was asked otherwise."""
        record = self._records.get(query.id)
        if record is None:
            return Reply(failure=Failed("not-recorded", f"{self._path} has no record of {query.id}"))
        if record.asked != query.digest:
            message = f"{self._path} asked {query.id} with other words, another template or another picture"
            return Reply(failure=Failed("asked-otherwise", message))
        if record.reply is None:
            return Reply(failure=record.failure)
        fields = {name: getattr(record, name) for name in ("model", "finish", "choices", "logprobs")}
        return Reply(text=record.reply, cost=0.0, **fields)

    async def close(self) -> None:
        """Nothing to release."""
