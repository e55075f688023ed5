"""The results of a run by pair: records joined to keys by id, replies read by a named scoring.

Scores, diagnosis, comparison and certificates are all computed from this; none of them reads a journal itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.kinds import instead
from counterbench.runs.folder import T2I_FILE, RunInfo, read_keys, read_run_info, refuse_shard, uncounted
from counterbench.runs.journal import Record, records_of
from counterbench.runs.queries import Key
from counterbench.runs.usage import Usage, UsageCounter
from counterbench.scene.pairs import ROLES
from counterbench.scoring.replies import Replies
from counterbench.scoring.rules import DEFAULT, Judged


class PairResult(msgspec.Struct, frozen=True):
    """A judge's result on one pair; `None` for a question that failed or has no reply yet.

    `failed` and `missing` count the questions of the pair that failed or were not asked (0 … 2).
    """

    keys: tuple[Key, Key]
    original: Judged | None
    intervened: Judged | None
    failed: int
    missing: int

    @property
    def key(self) -> Key:
        """The original's key, for the fields that both keys share."""
        return self.keys[0]

    @property
    def replies(self) -> tuple[Judged | None, Judged | None]:
        """Both replies in the order of `keys`; None for one that did not come."""
        return self.original, self.intervened

    @property
    def questions(self) -> tuple[tuple[Key, Judged | None], ...]:
        """Each key with its reply."""
        return tuple(zip(self.keys, self.replies, strict=True))

    @property
    def both(self) -> tuple[Judged, Judged] | None:
        """Both replies, if both came."""
        if self.original is None or self.intervened is None:
            return None
        return self.original, self.intervened

    @property
    def consistent(self) -> bool | None:
        """True if right on both; None unless both replies came."""
        both = self.both
        return None if both is None else both[0].right and both[1].right


class RunResults(msgspec.Struct, frozen=True):
    """A run, its pairs' results in the order of its keys, and the usage observed in its journal.

    `probabilities`: True if any of its replies came with some. `uncounted`: see `runs.folder.uncounted`.
    """

    path: Path
    info: RunInfo
    pairs: list[PairResult]
    scoring: str
    observed: Usage
    probabilities: bool = False
    uncounted: int = 0

    @property
    def missing(self) -> int:
        """The number of questions that were not asked, or that lack a key."""
        return sum(pair.missing for pair in self.pairs) + self.uncounted

    @property
    def complete(self) -> bool:
        """True if every question has a reply."""
        return self.missing == 0 and not any(pair.failed for pair in self.pairs)


class RunReplies(msgspec.Struct, frozen=True):
    """A run that was read once, without its pairs: a million replies need little memory, a million pairs much."""

    path: Path
    info: RunInfo
    replies: Replies
    scoring: str
    observed: Usage
    probabilities: bool
    uncounted: int

    @property
    def pairs(self) -> Iterator[PairResult]:
        """The pairs of `RunResults`, one at a time: the keys are read once more."""
        return pairs_of(read_keys(self.path), self.replies, str(self.path))


def load_results(path: Path, scoring_name: str = DEFAULT, part: bool = False) -> RunResults:
    """The results of the run in `path`; InputError if it is not a run or is damaged, or a shard unless `part`."""
    run = read_replies(path, scoring_name, part)
    pairs = list(run.pairs)
    return RunResults(path, run.info, pairs, scoring_name, run.observed, run.probabilities, run.uncounted)


def read_replies(path: Path, scoring_name: str = DEFAULT, part: bool = False) -> RunReplies:
    """The same in little memory; the InputError about half a pair comes from `pairs`."""
    info = read_run_info(path)
    if (path / T2I_FILE).is_file():
        raise InputError(f"{path}: not a run about pairs{instead(path)}")
    if not part:
        refuse_shard(path, info)
    observer = UsageCounter()
    records = observer.watch(records_of(path, info))
    replies = settled_replies(read_keys(path), records, scoring_name, info.votes, str(path))
    observed = observer.observations(path)
    gone = uncounted(info, len(replies))
    return RunReplies(path, info, replies, scoring_name, observed, observer.probabilities, gone)


def pair_results(
    keys: Sequence[Key], records: Iterable[Record], scoring_name: str, votes: int = 1, where: str = "journal"
) -> list[PairResult]:
    """Records joined to keys by id, replies read by the named scoring, votes counted, as pairs."""
    return list(pairs_of(keys, settled_replies(keys, records, scoring_name, votes, where), where))


def pairs_of(keys: Iterable[Key], replies: Mapping[str, Judged | Failed | None], where: str) -> Iterator[PairResult]:
    """Keys joined by group, each pair as soon as both its keys are read; `replies` has the reply to each, by id."""
    groups: dict[str, dict[str, Key]] = {}
    for key in keys:
        roles = groups.setdefault(key.group, {})
        roles[key.role] = key
        if len(roles) == len(ROLES):
            yield _pair(key.group, groups.pop(key.group), replies, where)
    for group, roles in groups.items():
        yield _pair(group, roles, replies, where)


def _pair(
    group: str, roles: Mapping[str, Key], replies: Mapping[str, Judged | Failed | None], where: str
) -> PairResult:
    if set(roles) != set(ROLES):
        raise InputError(f"{where}: pair {group!r} has keys for {sorted(roles)}, not for original and intervened")
    keys = (roles[ROLES[0]], roles[ROLES[1]])
    original, intervened = (replies[key.id] for key in keys)
    failed = isinstance(original, Failed) + isinstance(intervened, Failed)
    return PairResult(
        keys,
        original if isinstance(original, Judged) else None,
        intervened if isinstance(intervened, Judged) else None,
        failed,
        (original is None) + (intervened is None),
    )


def settled_replies(
    keys: Iterable[Key], records: Iterable[Record], scoring_name: str, votes: int = 1, where: str = "journal"
) -> Replies:
    """The reply to each key's question: records joined to keys by id, in any order.

    InputError if two keys have the same id, a record has none, or a query was asked about two pictures. `records` are
    those of `journal.records_of`.
    """
    replies = Replies(keys, scoring_name, votes, where)
    for record in records:
        replies.add(record)
    return replies
