"""Asks some of the first questions again at the end of a run: models are replaced behind one name, also midway."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from counterbench.asking.asker import Asker, Due
from counterbench.runs.journal import Journal, last_records


async def ask_canaries(first: Sequence[Due], asker: Asker, path: Path) -> None:
    """Ask questions again, but for those that the journal of canaries at `path` answers; within the asker's limits."""
    answered = {r.identity for r in last_records(path).values() if r.final} if path.exists() else set()
    with Journal(path) as journal:
        asker.keep = journal.append
        due = [due for due in first if due.identity not in answered]
        while due and (room := asker.room(min(len(due), asker.at_once))):
            await asyncio.gather(*(asker.start([one]) for one in due[:room]))
            due = due[room:]
        if due and not asker.stopped:
            asker.out_of_budget()
