"""The replies of a run as they came, for people to read; scores are computed elsewhere."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from counterbench.runs.folder import JOURNAL_FILE
from counterbench.runs.journal import read_journal

# Longer replies are cut in the page, which says so; the journal has them whole.
LONGEST = 4000


def raw_replies(path: Path) -> dict[str, list[str]]:
    """Query id → its replies as they came, one for each vote, in the order of votes; a failure in words, in brackets.

    A query without a record is left out. A failure never hides an answer, as in scoring.
    """
    journal = path / JOURNAL_FILE
    if not journal.exists():
        return {}
    by_query: dict[str, dict[int, tuple[bool, str]]] = defaultdict(dict)
    for record in read_journal(journal):
        votes = by_query[record.id]
        if record.reply is not None:
            votes[record.vote] = (True, cut(record.reply))
        elif record.failure is not None and not votes.get(record.vote, (False, ""))[0]:
            failure = f"{record.failure.kind}: {record.failure.message}".rstrip(": ")
            votes[record.vote] = (False, cut(f"[no reply; {failure}]"))
    return {id: [text for _, (_, text) in sorted(votes.items())] for id, votes in by_query.items()}


def cut(text: str) -> str:
    """The text, or its beginning and the number of further characters."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} […; the journal has {len(text) - LONGEST:,} more characters]"
