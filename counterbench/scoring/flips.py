"""One judge under several wordings: the share of its answers that change with the wording, question by question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

import msgspec

from counterbench.answers import meant
from counterbench.answers.outcomes import Answer
from counterbench.errors import InputError
from counterbench.runs.folder import wordings_in
from counterbench.scoring.results import RunReplies, read_replies
from counterbench.scoring.rules import Judged
from counterbench.scoring.scores import Share, score, share
from counterbench.stats.intervals import wilson


class Worded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wording that was compared: its digest, and the judge's CCS on all questions under it."""

    digest: str
    ccs: Share


class Flip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two wordings compared on the questions with a reply under both."""

    first: str
    second: str
    share: Share  # questions whose answers differ
    unanswered: int  # of these, questions with an answer under one wording and none under the other
    lost: int  # right under the first only
    gained: int  # right under the second only


class Flips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answers of one judge compared over all its wordings.

    Intervals are Wilson's for the number of pairs, not of questions: the two questions of a pair may flip together.
    """

    wordings: dict[str, Worded]
    rate: Share  # questions whose answers are not all the same, of those with a reply under all wordings
    unanswered: int  # of these, questions with an answer under some wordings and none under others
    left_out: int  # questions without a reply under some wording
    alike: int  # questions that have the same words under all wordings; no share counts them
    pairs: list[Flip]

    @property
    def notes(self) -> list[str]:
        """Notes on questions that the shares do not show."""
        notes = []
        if self.unanswered:
            notes.append(f"of these, {self.unanswered} got an answer under one wording and none under another")
        if self.alike:
            notes.append(f"not counted: {self.alike:,} questions that all of them put in the same words")
        if self.left_out:
            notes.append(f"left out: {self.left_out:,} questions without a reply under every wording")
        return notes


def flips_of(path: Path, scoring_name: str) -> Flips | None:
    """The flips of the run in `path` over the further wordings in its folder; None if there are none.

    InputError if one of them is of another judge, or of another suite.
    """
    further = wordings_in(path)
    return flips([read_replies(one, scoring_name) for one in (path, *further)]) if further else None


def flips(runs: Iterable[RunReplies]) -> Flips:
    """The flips between one judge's runs, joined by question; each run is under another wording."""
    wordings: dict[str, Worded] = {}
    said: dict[str, dict[str, Judged]] = {}
    groups: dict[str, tuple[str, str, str]] = {}
    asked: dict[str, dict[str, int]] = {}
    first: RunReplies | None = None
    for run in runs:
        first = first or run
        _refuse_stranger(first, run, wordings)
        by_id, words = said.setdefault(run.info.wording, {}), asked.setdefault(run.info.wording, {})
        pairs = list(run.pairs)
        wordings[run.info.wording] = Worded(run.info.wording_digest, score(pairs).ccs)
        for key, reply in (question for pair in pairs for question in pair.questions):
            known = groups.setdefault(key.id, (key.group, key.expected, key.answer_type))
            if reply is not None and known == (key.group, key.expected, key.answer_type):
                by_id[key.id], words[key.id] = reply, run.replies.put(key.id)
    replied = [id for id in groups if all(id in replies for replies in said.values())]
    shared = [id for id in replied if len({words[id] for words in asked.values()}) > 1]
    changed = [id for id in shared if len({meant(replies[id].outcome) for replies in said.values()}) > 1]
    return Flips(
        wordings=wordings,
        rate=_share(changed, shared, groups),
        unanswered=sum(_unanswered(replies[id] for replies in said.values()) for id in changed),
        left_out=len(groups) - len(replied),
        alike=len(replied) - len(shared),
        pairs=[_flip(one, other, said, asked, groups) for one, other in combinations(said, 2)],
    )


def _flip(
    first: str,
    second: str,
    said: Mapping[str, Mapping[str, Judged]],
    put: Mapping[str, Mapping[str, int]],
    groups: Mapping[str, tuple[str, str, str]],
) -> Flip:
    one, other = said[first], said[second]
    shared = [id for id in groups if id in one and id in other and put[first][id] != put[second][id]]
    changed = [id for id in shared if meant(one[id].outcome) != meant(other[id].outcome)]
    return Flip(
        first=first,
        second=second,
        share=_share(changed, shared, groups),
        unanswered=sum(_unanswered((one[id], other[id])) for id in changed),
        lost=sum(one[id].right and not other[id].right for id in changed),
        gained=sum(other[id].right and not one[id].right for id in changed),
    )


def _unanswered(replies: Iterable[Judged]) -> bool:
    return len({isinstance(reply.outcome, Answer) for reply in replies}) > 1


def _share(changed: list[str], shared: list[str], groups: Mapping[str, tuple[str, str, str]]) -> Share:
    """The share of changed questions, with an interval for the number of pairs; its ends are rounded outwards."""
    hits, of, pairs = len(changed), len(shared), len({groups[id][0] for id in shared})
    if not of:
        return share(0, 0)
    low, high = wilson(hits * pairs // of, pairs), wilson(-(-hits * pairs // of), pairs)
    assert low is not None
    assert high is not None
    return Share(hits / of, low[0], high[1], hits, of)


def _refuse_stranger(first: RunReplies, run: RunReplies, wordings: Mapping[str, Worded]) -> None:
    for name in ("judge", "suite", "seed", "votes", "style", "side"):
        one, other = getattr(first.info, name), getattr(run.info, name)
        if one != other:
            raise InputError(
                f"{run.path}: lies among the wordings of {first.path}, but its {name} is {other!r}, not {one!r}; move "
                "it elsewhere"
            )
    if run.info.wording in wordings:
        raise InputError(f"{run.path}: a second run under the wording {run.info.wording!r}; move it elsewhere")
