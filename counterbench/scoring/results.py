"""What a judge made of each pair of a run: records joined to keys by id, replies read by a named scoring.

Scores, diagnosis, comparison and certificates are all computed from this; none of them reads a journal itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.answers import PARSER_VERSION, read_reply
from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.errors import InputError
from counterbench.runs.folder import T2I_FILE, RunInfo, read_keys, read_run_info
from counterbench.runs.journal import Record, records_of
from counterbench.runs.queries import Key
from counterbench.runs.usage import Usage, UsageCounter
from counterbench.scene.pairs import ROLES
from counterbench.scoring.rules import DEFAULT, Judged, majority, scoring
from counterbench.text import quoted


class PairResult(msgspec.Struct, frozen=True):
    """What a judge made of one pair; `None` for a question that failed or has no reply yet.

    `failed` and `missing` count the questions of the pair that failed or were not asked (0 … 2).
    """

    keys: tuple[Key, Key]
    original: Judged | None
    intervened: Judged | None
    failed: int
    missing: int

    @property
    def key(self) -> Key:
        """The original's key: what both keys share is read here."""
        return self.keys[0]

    @property
    def replies(self) -> tuple[Judged | None, Judged | None]:
        """Both replies, as far as they came, in the order of `keys`."""
        return self.original, self.intervened

    @property
    def questions(self) -> tuple[tuple[Key, Judged | None], ...]:
        """Each key with what was replied to it."""
        return tuple(zip(self.keys, self.replies, strict=True))

    @property
    def both(self) -> tuple[Judged, Judged] | None:
        """Both replies, if both came."""
        if self.original is None or self.intervened is None:
            return None
        return self.original, self.intervened

    @property
    def consistent(self) -> bool | None:
        """Right on both; None unless both replies came."""
        both = self.both
        return None if both is None else both[0].right and both[1].right


class Reread(msgspec.Struct, frozen=True):
    """That an earlier parser read replies of the run when they came; scores are by this version's.

    `parsers`: those versions. `ids`: the questions whose replies are an answer now and were none, or the other way
    round; `count` of them. Which value an answer had then no journal says.
    """

    parsers: list[str]
    count: int
    ids: list[str]


class RunResults(msgspec.Struct, frozen=True):
    """A run, its pairs' results in the order of its keys, and what was observed of the judge on the way."""

    path: Path
    info: RunInfo
    pairs: list[PairResult]
    scoring: str
    observed: Usage
    reread: Reread | None = None

    @property
    def missing(self) -> int:
        """Questions that were not asked."""
        return sum(pair.missing for pair in self.pairs)

    @property
    def complete(self) -> bool:
        """Whether every question has a reply."""
        return self.missing == 0 and not any(pair.failed for pair in self.pairs)


def load_results(path: Path, scoring_name: str = DEFAULT) -> RunResults:
    """The results of the run in `path`; InputError if it is not a run or is damaged."""
    info = read_run_info(path)
    if (path / T2I_FILE).is_file():
        raise InputError(f"{path}: a run about generated pictures; its scores: counterbench t2i score {quoted(path)}")
    keys = list(read_keys(path))
    observer = UsageCounter()
    reread = _RereadCounter(keys)
    records = reread.watch(observer.watch(records_of(path, info)))
    pairs = pair_results(keys, records, scoring_name, info.votes, str(path))
    return RunResults(path, info, pairs, scoring_name, observer.observations(path), reread.found())


class _RereadCounter:
    """Compares what an earlier parser made of replies, as their records say, with what this one makes of them."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._types = {key.id: key.answer_type for key in keys}
        self._parsers: set[str] = set()
        self._ids: list[str] = []

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """The same records."""
        for record in records:
            if record.reply is not None and record.outcome and record.parser not in ("", PARSER_VERSION):
                self._parsers.add(record.parser)
                kind = self._types.get(record.id)
                if kind is not None and record.outcome != outcome_name(read_reply(record.reply, kind, record.finish)):
                    self._ids.append(record.id)
            yield record

    def found(self) -> Reread | None:
        """What was counted so far; None if this version's parser read all replies."""
        return Reread(sorted(self._parsers), len(self._ids), self._ids) if self._parsers else None


def pair_results(
    keys: Sequence[Key], records: Iterable[Record], scoring_name: str, votes: int = 1, where: str = "journal"
) -> list[PairResult]:
    """Records joined to keys by id, replies read by the named scoring, votes counted, as pairs."""
    outcomes_of = settled_replies(keys, records, scoring_name, votes, where)
    groups: dict[str, dict[str, Key]] = defaultdict(dict)
    for key in keys:
        groups[key.group][key.role] = key
    results = []
    for group, roles in groups.items():
        if set(roles) != set(ROLES):
            raise InputError(f"{where}: pair {group!r} has keys for {sorted(roles)}, not for original and intervened")
        pair = (roles[ROLES[0]], roles[ROLES[1]])
        outcomes = [outcomes_of[key.id] for key in pair]
        replies = [o if isinstance(o, Judged) else None for o in outcomes]
        failed = sum(isinstance(o, Failed) for o in outcomes)
        results.append(PairResult(pair, replies[0], replies[1], failed, outcomes.count(None)))
    return results


def settled_replies(
    keys: Sequence[Key], records: Iterable[Record], scoring_name: str, votes: int = 1, where: str = "journal"
) -> dict[str, Judged | Failed | None]:
    """What became of each key's question, by its id: its reply; Failed; None if it has not been asked (often enough).

    InputError if two keys have the same id, or a record has none. `records` are those of `journal.records_of`.
    """
    read = scoring(scoring_name)
    by_id = {key.id: key for key in keys}
    if len(by_id) != len(keys):
        raise InputError(f"{where}: two keys have the same id")
    judged: dict[str, dict[int, Judged | None]] = defaultdict(dict)
    for record in records:
        key = by_id.get(record.id)
        if key is None:
            raise InputError(f"{where}: a record is of query {record.id!r}, which has no key")
        if record.reply is not None:
            judged[record.id][record.vote] = read(record.reply, key, record.finish)
        else:
            judged[record.id].setdefault(record.vote, None)  # a failure never undoes an answer
    return {key.id: _settled(judged.get(key.id, {}), votes) for key in keys}


def _settled(votes: dict[int, Judged | None], asked: int) -> Judged | Failed | None:
    """A question's reply; Failed if one of its votes failed; None while votes have no record."""
    if any(vote is None for vote in votes.values()):
        return Failed("failed")
    if len(votes) < asked:
        return None
    return majority([vote for _, vote in sorted(votes.items()) if vote is not None])
