"""Asks some of the first questions again at the end of a run: models are replaced behind one name, also midway."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import msgspec

from counterbench.answers import Answer, read_reply
from counterbench.asking import Asker, Due
from counterbench.journal import Journal, Record, last_records

CANARIES_FILE = "canaries.jsonl"


class Canaries(msgspec.Struct, frozen=True):
    """How many of the first questions were asked again, and how many got another answer, or other words.

    `changed` of `asked` gives the share; `unanswered` got no reply this time and count as neither.
    """

    asked: int = 0
    changed: int = 0
    reworded: int = 0
    unanswered: int = 0


async def ask_canaries(first: Iterable[Due], count: int, asker: Asker, journal: Journal) -> None:
    """Ask the first `count` questions again, those that `journal` (of canaries) does not answer yet.

    Uses `asker` within its limits; its records go where it keeps them.
    """
    answered = {record.identity for record in last_records(journal.path).values() if record.final}
    for due in islice(first, count):
        if due.identity not in answered and asker.room(1):
            await asker.start([due])


def compare_canaries(canaries: Path, run: Path, answer_types: dict[str, str]) -> Canaries:
    """The canaries in one journal against the final replies in the run's. `answer_types`: by query id."""
    if not canaries.exists():
        return Canaries()
    again = last_records(canaries)
    before = last_records(run)
    changed = reworded = unanswered = 0
    for identity, record in again.items():
        first = before.get(identity)
        if not record.final or first is None or not first.final:
            unanswered += 1
            continue
        reworded += record.reply != first.reply
        changed += _meaning(record, answer_types) != _meaning(first, answer_types)
    return Canaries(len(again), changed, reworded, unanswered)


def _meaning(record: Record, answer_types: dict[str, str]) -> str | None:
    outcome = read_reply(record.reply or "", answer_types[record.id], record.finish)
    return outcome.value if isinstance(outcome, Answer) else type(outcome).__name__
