"""The replies of a run, by the id of the question; further questions follow from them as they come."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self, TypeAlias

from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, read_keys, read_run_info
from counterbench.runs.journal import records_of
from counterbench.scoring.results import Replies, settled_replies
from counterbench.scoring.rules import Judged
from counterbench.suites.shards import Shard
from counterbench.t2i.protocols.asks import Ask, Said

# A function from a question's whole id to its reply; None if there is none, or it failed.
Replied: TypeAlias = Callable[[str], Said | None]


def no_reply(id: str) -> Said | None:
    """The replies before anything was asked: None for every question."""
    return None


def question_id(sample: str, ask: str) -> str:
    """The id that joins a question about a sample (or a prompt), its key and its records."""
    return f"{sample}/{ask}"


def said_to(replies: Replies, id: str) -> Said | None:
    """The reply to a question; None if there is none, or it failed."""
    reply = replies.get(id)
    return Said(reply.outcome) if isinstance(reply, Judged) else None


def replies_in(run: Path) -> Replied:
    """The replies that the run in a folder has so far; none if the folder is no run yet."""
    if not ((run / RUN_FILE).is_file() and (run / JOURNAL_FILE).is_file()):
        return no_reply
    info, keys = read_run_info(run), list(read_keys(run))
    if len(keys) * info.votes < info.queries:  # a line is missing: asking again writes it anew
        return no_reply
    settled = settled_replies(keys, records_of(run, info), "default", info.votes, str(run))
    return lambda id: said_to(settled, id)


class Following:
    """Questions that follow from the replies of a run, for `asking.probe.ask`: they grow wave after wave."""

    by_cells = False
    status = ""
    shard: Shard | None = None

    def __init__(self) -> None:
        self._run: Path | None = None
        self._replied: Replied = no_reply
        self._before: Replied | None = None

    def __len__(self) -> int:
        raise NotImplementedError

    @property
    def min_remaining(self) -> int:
        """The number of questions that will come after the present ones, as far as it is known."""
        return 0

    def follow(self, run: Path) -> None:
        """Ask, from now on, the questions that follow from this run's replies; at first from those already there."""
        self._run, self._replied = run, replies_in(run)

    def next_batch(self) -> Self | None:
        """The questions that follow from the replies since the last call; None if there are none."""
        if self._run is None:
            return None
        following = copy.copy(self)
        following._before, self._replied = self._replied, replies_in(self._run)
        following._replied = self._replied
        return following if len(following) else None

    def asked(self, led_to: Callable[[Replied], Sequence[Ask]]) -> list[Ask]:
        """The questions about one thing that are asked now: replies lead to them, and they were not asked before."""
        known = {ask.id for ask in led_to(self._before)} if self._before is not None else set()
        return [ask for ask in led_to(self._replied) if ask.id not in known]
