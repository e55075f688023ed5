"""Reads a run about pairs, and says for each pair on which of its two pictures the judge was right.

In goes a run's folder: its keys (the right answers) and its journal (records of tries, most with a reply), joined by
the id of the question. A *scoring* is a named rule that reads a reply as an answer and says if it is right (`Judged`).
Out come `PairResult`s: all at once (`load_results`) or one by one, for runs too large for memory (`read_replies`).
Scores, certificates, diagnosis and comparisons rest on them.

The two pictures of a pair are the *original* and the *intervened* one. Each question is asked `repeats` times, and the
majority of its replies counts. `Replies` is the store of the replies, made small for a million of them.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.formats import encode, instead
from counterbench.judges.specs import is_by_order
from counterbench.results.rules import DEFAULT, Judged, majority, scoring
from counterbench.runs.folder import (
    T2I_FILE,
    Record,
    RunInfo,
    asked_of_another,
    read_keys,
    read_run_info,
    records_of,
    refuse_shard,
    uncounted,
)
from counterbench.runs.queries import Key
from counterbench.runs.usage import Usage, UsageCounter
from counterbench.scene.pairs import ROLES

# Judges repeat the same few short replies, so what these were read as is kept in a cache.
_MAX_CACHED_REPLY, _MAX_CACHED = 40, 4096  # characters of such a reply; results in the cache
_FAILED = Failed("failed")
# Said of numbers where a judge is a scorer: in a control both pictures match alike.
CONTROLS_OUT = "controls are left out: two numbers of a scorer are hardly ever equal"
# All of a key that decides how a reply is read: its answer type, expected answer and labels (name and value).
ReadingKey = tuple[str, str, tuple[tuple[str, str], ...]]


class PairResult(msgspec.Struct, frozen=True):
    """A judge's result on one pair: the reply about each picture, read and compared with its key.

    A reply is None if the question failed or has no reply yet.
    """

    keys: tuple[Key, Key]  # of the original and the intervened picture
    original: Judged | None
    intervened: Judged | None
    failed: int  # questions, 0 … 2
    missing: int  # questions that were not asked, 0 … 2

    @property
    def key(self) -> Key:
        """The key of the original picture, for the fields that both keys share."""
        return self.keys[0]

    @property
    def replies(self) -> tuple[Judged | None, Judged | None]:
        """Both replies in the order of `keys`; None for one that did not come."""
        return self.original, self.intervened

    @property
    def questions(self) -> tuple[tuple[Key, Judged | None], ...]:
        """Each key with its reply."""
        return (self.keys[0], self.original), (self.keys[1], self.intervened)

    @property
    def both(self) -> tuple[Judged, Judged] | None:
        """Both replies, if both came."""
        if self.original is None or self.intervened is None:
            return None
        return self.original, self.intervened

    @property
    def consistent(self) -> bool | None:
        """True if the judge is right on both pictures; None unless both replies came. CCS is the share of True."""
        return None if self.both is None else self.both[0].right and self.both[1].right

    @property
    def treatment(self) -> str:
        """The change to the second picture that changes no right answer ("jpeg"); empty without one."""
        return self.keys[1].traits.get("treatment", "")


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    """The fields that `RunResults` and `RunReplies` share: a run that was read, without its results."""

    path: Path
    info: RunInfo
    scoring: str
    observed: Usage  # counts of the tries in its journal
    probabilities: bool = False  # True if any of its replies came with probabilities of its words
    uncounted: int = 0  # the keys that are lacking, or too many, by `run.json` (`runs.folder.uncounted`)


class RunResults(_Run, frozen=True, kw_only=True):
    """A run, and its pairs' results in the order of its keys."""

    pairs: list[PairResult]

    @property
    def missing(self) -> int:
        """The number of questions that were not asked, or that lack a key."""
        return sum(pair.missing for pair in self.pairs) + self.uncounted

    @property
    def complete(self) -> bool:
        """True if every question has a reply."""
        return self.missing == 0 and not any(pair.failed for pair in self.pairs)


class Replies(Mapping[str, Judged | Failed | None]):
    """The reply to each question, by the question's id; Failed, or None if a repeat of it is still to come.

    To save memory, only two values are kept of each repeat: the result, and a hash of its identity (which changes with
    the judge, the words and the pictures). They stand at one place of the columns `_results` and `_identities`: first
    repeats in the order of the keys, later ones after them. Keys whose replies are all read in the same way (see
    `ReadingKey`) share one key.
    """

    def __init__(self, keys: Iterable[Key], scoring_name: str, repeats: int, where: str) -> None:
        """Make a place for the reply to each key; nothing is read yet.

        `repeats`: the number of times that each question is asked. `where` begins messages. InputError for an unknown
        scoring, or two keys with one id.
        """
        self._scoring, self._repeats, self._where = scoring(scoring_name), repeats, where
        self._judge_cached = lru_cache(_MAX_CACHED)(self._judge_reply)
        # For equal reading keys, the one object that stands for all, and a key with it.
        self._shared_keys: dict[ReadingKey, tuple[ReadingKey, Key]] = {}
        self._reading_keys: list[ReadingKey] = []  # by place
        self._places: dict[str, int] = {}  # by the question's id: the place of its first repeat in all columns
        for place, key in enumerate(keys):
            if self._places.setdefault(key.id, place) != place:
                raise InputError(f"{where}: two keys have the same id")
            reading_key = (key.answer_type, key.expected, tuple(key.labels.items()))
            self._reading_keys.append(self._shared_keys.setdefault(reading_key, (reading_key, key))[0])
        self._results: list[Judged | Failed | None] = [None] * len(self._reading_keys)
        self._identities = array("q", bytes(8 * len(self._reading_keys)))
        self._question_hashes = array("q", bytes(8 * len(self._reading_keys)))  # see `question_hash`
        # The places of later repeats, by the place of the first repeat and the number of the repeat.
        self._later_repeats: dict[int, dict[int, int]] = {}

    def add(self, record: Record) -> None:
        """Add a record; InputError if its query has no key, or if an earlier record of it was about another picture."""
        place = self._places.get(record.id)
        if place is None:
            raise InputError(f"{self._where}: a record is of query {record.id!r}, which has no key")
        reading_key = self._reading_keys[place]
        self._question_hashes[place] = hash(record.asked)
        if record.repeat:
            place = self._place_of_repeat(place, record.repeat)
        earlier, identity = self._results[place], hash(record.identity)
        if earlier is None:
            self._identities[place] = identity
        elif self._identities[place] != identity:
            raise asked_of_another(record.id, self._where)
        if record.reply is not None:
            judge = self._judge_cached if len(record.reply) <= _MAX_CACHED_REPLY else self._judge_reply
            self._results[place] = judge(record.reply, reading_key, record.finish, record.answer_line)
        elif earlier is None:  # a failure never undoes an answer
            self._results[place] = _FAILED

    def _judge_reply(self, reply: str, reading_key: ReadingKey, finish: str, answer_line: bool) -> Judged:
        """A reply, read by the scoring and compared with the key that has this reading key."""
        return _interned(self._scoring(reply, self._shared_keys[reading_key][1], finish, answer_line))

    def _place_of_repeat(self, first: int, repeat: int) -> int:
        """The place of a later repeat in the columns, made if there is none yet; `first`: that of the first repeat."""
        repeats_of = self._later_repeats.setdefault(first, {})
        if repeat not in repeats_of:
            repeats_of[repeat] = len(self._results)
            self._results.append(None)
            self._identities.append(0)
        return repeats_of[repeat]

    def question_hash(self, id: str) -> int:
        """A hash of the question as the judge got it: the same for the same words."""
        return self._question_hashes[self._places[id]]

    def __getitem__(self, id: str) -> Judged | Failed | None:
        """The majority of the replies to a question; Failed if a repeat failed, None if one is still to come."""
        first = self._places[id]
        repeats_of = self._later_repeats.get(first)
        if repeats_of is None and self._repeats == 1:
            return self._results[first]
        repeats = {0: first} | (repeats_of or {})
        came = [reply for repeat in sorted(repeats) if (reply := self._results[repeats[repeat]]) is not None]
        if any(isinstance(reply, Failed) for reply in came):
            return _FAILED
        return majority([reply for reply in came if isinstance(reply, Judged)]) if len(came) >= self._repeats else None

    def __iter__(self) -> Iterator[str]:
        """The ids of the questions."""
        return iter(self._places)

    def __len__(self) -> int:
        """The number of questions."""
        return len(self._places)


@lru_cache(_MAX_CACHED)
def _interned(judged: Judged) -> Judged:
    """An equal value that is the same object for all equal values, to save memory."""
    return judged


class RunReplies(_Run, frozen=True, kw_only=True):
    """A run with its replies but without its pairs, which would need much memory in a large run."""

    replies: Replies

    @property
    def pairs(self) -> Iterator[PairResult]:
        """The results of the pairs, one at a time; the file of keys is read once more for them."""
        return pairs_of(read_keys(self.path), self.replies, str(self.path))


def load_results(path: Path, scoring_name: str = DEFAULT) -> RunResults:
    """The results of the run in `path`; InputError if it is a part (shard) of a run, or is damaged."""
    info = _read_pair_run_info(path)
    keys = list(_with_shared_parts(read_keys(path)))
    run = _read_run(path, info, keys, scoring_name)
    common = {name: getattr(run, name) for name in _Run.__struct_fields__}
    return RunResults(**common, pairs=list(pairs_of(keys, run.replies, str(path))))


def read_replies(path: Path, scoring_name: str = DEFAULT) -> RunReplies:
    """The replies of the run in `path`, which need little memory.

    InputError as by `load_results`; a pair with only one key is an error only when `pairs` is read.
    """
    return _read_run(path, _read_pair_run_info(path), read_keys(path), scoring_name)


def _read_pair_run_info(path: Path) -> RunInfo:
    """The `run.json` of a run about pairs; InputError for a shard or a run about pictures."""
    info = read_run_info(path)
    if (path / T2I_FILE).is_file():
        raise InputError(f"{path}: not a run about pairs{instead(path)}")
    refuse_shard(path, info)
    return info


def _with_shared_parts(keys: Iterable[Key]) -> Iterator[Key]:
    """The keys, changed so that equal values in them are one object; a key as it is read holds about 28 of its own."""
    shared: dict[Any, Any] = {}
    for key in keys:
        for name in ("group", "expected", "answer_type", "family", "category", "skill", "law", "cell", "form"):
            value = getattr(key, name)
            msgspec.structs.force_setattr(key, name, shared.setdefault(value, value))
        for name in ("difficulty", "misreadings", "labels", "traits"):
            value = getattr(key, name)
            msgspec.structs.force_setattr(key, name, shared.setdefault(encode(value), value))
        yield key


def _read_run(path: Path, info: RunInfo, keys: Iterable[Key], scoring_name: str) -> RunReplies:
    """The run in `path` with its replies, read by the named scoring."""
    observer = UsageCounter()
    records = observer.watch(records_of(path, info))
    replies = settled_replies(keys, records, scoring_name, info.repeats, str(path))
    return RunReplies(
        path=path,
        info=info,
        scoring=scoring_name,
        observed=observer.observations(path),
        probabilities=observer.probabilities,
        uncounted=uncounted(info, len(replies)),
        replies=replies,
    )


def judged_pairs(pairs: Iterable[PairResult], info: RunInfo) -> Iterator[PairResult]:
    """The pairs on which the judge of a run can be right: of a scorer all but controls (see CONTROLS_OUT)."""
    by_order = is_by_order(info.judge)
    return (pair for pair in pairs if pair.key.relevant or not by_order)


def pair_results(
    keys: Sequence[Key], records: Iterable[Record], scoring_name: str, repeats: int = 1, where: str = "journal"
) -> list[PairResult]:
    """The result of each pair: records joined to keys by id, and replies read by the named scoring."""
    return list(pairs_of(keys, settled_replies(keys, records, scoring_name, repeats, where), where))


def pairs_of(keys: Iterable[Key], replies: Mapping[str, Judged | Failed | None], where: str) -> Iterator[PairResult]:
    """The result of each pair, as soon as both its keys are read; `replies`: the reply to each question, by its id.

    InputError, which begins with `where`, for a pair with only one key.
    """
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
    """The result of one pair, from its two keys and their replies; InputError unless it has both keys."""
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
    keys: Iterable[Key], records: Iterable[Record], scoring_name: str, repeats: int = 1, where: str = "journal"
) -> Replies:
    """The reply to each key's question: records joined to keys by id, in any order.

    `records`: those of `runs.folder.records_of`. InputError, which begins with `where`, if two keys have the same id, a
    record has no key, or a query was asked about two pictures.
    """
    replies = Replies(keys, scoring_name, repeats, where)
    for record in records:
        replies.add(record)
    return replies
