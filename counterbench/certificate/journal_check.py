"""Whether a journal can be one that the runner wrote for this run, as far as that shows without the pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from counterbench.errors import InputError
from counterbench.runs.journal import Record


def check_records(path: Path, records: Iterable[Record], votes: int) -> None:
    """InputError naming the first record that contradicts another one.

    A question's identity stands for one query, vote and text; it is answered once, with one reply; votes are counted
    from 0. What an identity is made of cannot be recomputed without the pictures, and a reply that was changed in
    place contradicts nothing: the journal's digest in the certificate notices that, from then on.
    """
    asked: dict[str, tuple[str, int, str]] = {}
    replies: dict[str, str] = {}
    for record in records:
        where = f"{path}: the record of {record.id!r}, vote {record.vote},"
        if not 0 <= record.vote < votes:
            raise InputError(f"{where} is one too many: the run asks for {votes}")
        what = (record.id, record.vote, record.asked)
        if asked.setdefault(record.identity, what) != what:
            raise InputError(f"{where} has the identity of another question; {_ADVICE}")
        if record.reply is not None and replies.setdefault(record.identity, record.reply) != record.reply:
            raise InputError(f"{where} answers anew, otherwise, what was answered; {_ADVICE}")


_ADVICE = "the journal was changed by something else than a run: probe again into another folder"
