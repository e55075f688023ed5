"""The replies of a run, by the id of the question; what follows from them is asked as they come."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self, TypeAlias

from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, read_keys, read_run_info
from counterbench.runs.journal import records_of
from counterbench.scoring.replies import Replies
from counterbench.scoring.results import settled_replies
from counterbench.scoring.rules import Judged
from counterbench.suites.shards import Shard
from counterbench.t2i.protocols.asks import Ask, Said

# The reply to a question by its whole id; None where there is none, or it failed.
Replied: TypeAlias = Callable[[str], Said | None]


def no_reply(id: str) -> Said | None:
    """Before anything was asked."""
    return None


def question_id(sample: str, ask: str) -> str:
    """The id that joins a question about a sample (or a prompt), its key and its records."""
    return f"{sample}/{ask}"


def said_to(replies: Replies, id: str) -> Said | None:
    """The reply to a question; None if there is none, or it failed."""
    reply = replies.get(id)
    return Said(reply.outcome) if isinstance(reply, Judged) else None


def replies_in(run: Path) -> Replied:
    """The replies that the run in a folder has so far; of a folder that is no run yet, none."""
    if not ((run / RUN_FILE).is_file() and (run / JOURNAL_FILE).is_file()):
        return no_reply
    info, keys = read_run_info(run), list(read_keys(run))
    if len(keys) * info.votes < info.queries:  # a line is gone: asking again writes it anew
        return no_reply
    found = settled_replies(keys, records_of(run, info), "default", info.votes, str(run))
    return lambda id: said_to(found, id)


class Following:
    """Questions that follow from the replies of a run: to `asking.probe.ask` what grows, wave after wave."""

    by_cells = False
    told = ""
    shard: Shard | None = None

    def __init__(self) -> None:
        self._run: Path | None = None
        self._replied: Replied = no_reply
        self._before: Replied | None = None

    def __len__(self) -> int:
        raise NotImplementedError

    @property
    def ahead(self) -> int:
        """The number of questions that come after those that are asked now, as far as that is known."""
        return 0

    def follow(self, run: Path) -> None:
        """From now on ask what the replies in this run lead to; those that it has already, at once."""
        self._run, self._replied = run, replies_in(run)

    def further(self) -> Self | None:
        """The questions that the replies lead to that came since the last look; None if there are none."""
        if self._run is None:
            return None
        more = copy.copy(self)
        more._before, self._replied = self._replied, replies_in(self._run)
        more._replied = self._replied
        return more if len(more) else None

    def asked(self, led_to: Callable[[Replied], Sequence[Ask]]) -> list[Ask]:
        """Of the questions about one thing that replies lead to those that are asked now."""
        known = {ask.id for ask in led_to(self._before)} if self._before is not None else set()
        return [ask for ask in led_to(self._replied) if ask.id not in known]
