"""The replies of a run about pictures, by the id of the question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, read_keys, read_run_info
from counterbench.runs.journal import records_of
from counterbench.scoring.replies import Replies
from counterbench.scoring.results import settled_replies
from counterbench.scoring.rules import Judged
from counterbench.t2i.protocols.asks import Said

# The reply to a question by its whole id; None where there is none, or it failed.
Replied: TypeAlias = Callable[[str], Said | None]


def question_id(sample: str, ask: str) -> str:
    """The id that joins a question about a sample, its key and its records."""
    return f"{sample}/{ask}"


def said_to(replies: Replies, id: str) -> Said | None:
    """The reply to a question; None if there is none, or it failed."""
    reply = replies.get(id)
    return Said(reply.outcome) if isinstance(reply, Judged) else None


def replies_in(run: Path) -> Replied:
    """The replies that the run in a folder has so far; of a folder that is no run yet, none."""
    if not ((run / RUN_FILE).is_file() and (run / JOURNAL_FILE).is_file()):
        return lambda id: None
    info = read_run_info(run)
    found = settled_replies(read_keys(run), records_of(run, info), "default", info.votes, str(run))
    return lambda id: said_to(found, id)
