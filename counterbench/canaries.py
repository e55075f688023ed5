"""Asks some of the first questions again at the end of a run: models are replaced behind one name, also midway."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from counterbench.answers import meaning
from counterbench.asking import Asker, Due
from counterbench.journal import Journal, Record, last_records
from counterbench.queries import Key

CANARIES_FILE = "canaries.jsonl"


class Canaries(msgspec.Struct, frozen=True):
    """How many of the first questions were asked again, and how many got another answer, or other words.

    `share` is changed ÷ those that got a reply both times; null if none did.
    """

    asked: int
    replied: int
    changed: int
    reworded: int
    share: float | None


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


def compare_canaries(run: dict[str, Record], again: dict[str, Record], keys: dict[str, Key]) -> Canaries | None:
    """The last records of the canaries against those of the run, by identity; None if none were asked."""
    if not again:
        return None
    pairs = [(run[identity], record) for identity, record in again.items() if identity in run]
    replied = [(before, now) for before, now in pairs if before.final and now.final]
    changed = sum(_meaning(before, keys) != _meaning(now, keys) for before, now in replied)
    reworded = sum(before.reply != now.reply for before, now in replied)
    share = changed / len(replied) if replied else None
    return Canaries(len(again), len(replied), changed, reworded, share)


def _meaning(record: Record, keys: dict[str, Key]) -> str:
    return meaning(record.reply or "", keys[record.id].answer_type, record.finish)
