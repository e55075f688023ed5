"""Questions that follow from the replies so far, wave after wave: about one thing, and about all things of a run.

A thing is a sample (a picture) or a prompt. A wave is all questions about it that can be asked at the same time; their
replies lead to the next wave. Asking, resuming and scoring use the same function (`waves`), and the same replies always
lead to the same questions.
"""

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import msgspec

from counterbench.answers.outcomes import Outcome
from counterbench.drawing.picture import Picture
from counterbench.pictures.protocols.asks import Ask, CheckReply
from counterbench.prompts.prompt_set import Prompt
from counterbench.results.results import Replies, settled_replies
from counterbench.results.rules import Judged
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, read_keys, read_run_info, records_of
from counterbench.runs.queries import Key, Query
from counterbench.suites.shards import Shard


class PictureThing(Protocol):
    """A prompt, or a sample: the thing that questions are about."""

    @property
    def id(self) -> str:
        """The id with which the ids of questions about it begin."""
        ...


T = TypeVar("T", bound=PictureThing)
Next = Callable[[dict[str, CheckReply]], Sequence[Ask]]  # from the replies so far, by id, to the next questions
# A function from a question's whole id to its reply; None if there is none, or it failed.
Replied: TypeAlias = Callable[[str], CheckReply | None]
# More waves than any protocol has; a protocol that never ends is faulty.
MAX_WAVES = 100


class AskedCheck(msgspec.Struct, frozen=True):
    """All questions about one thing that follow from the replies so far, in order, and these replies; both by id."""

    asks: dict[str, Ask]
    replies: dict[str, CheckReply]


def waves(following: Next, replied: Replied) -> AskedCheck:
    """All questions about one thing, with their replies: wave after wave, until no question of a wave has a reply.

    `following` gives the next questions, given the replies so far; `replied` the reply to a question by its id, None if
    there is none, or it failed.
    """
    dialogue = AskedCheck({}, {})
    for _ in range(MAX_WAVES):
        new = {ask.id: ask for ask in following(dict(dialogue.replies)) if ask.id not in dialogue.asks}
        dialogue.asks.update(new)
        replies = {id: reply for id in new if (reply := replied(id)) is not None}
        dialogue.replies.update(replies)
        if not replies:
            return dialogue
    raise ValueError(f"a protocol asked {MAX_WAVES} waves of questions about one thing, and would go on")


def no_reply(id: str) -> CheckReply | None:
    """None, for any question: the replies to a run in which nothing was asked yet."""
    return None


def question_id(sample: str, ask: str) -> str:
    """The id of a question in a run, which its key and its records have too; `sample`: the sample's or prompt's id."""
    return f"{sample}/{ask}"


def question_key(thing: str, prompt: Prompt, ask: Ask, truth: str | None = None, **fields: Any) -> Key:
    """The key of a question about a thing, by the thing's id.

    `truth`: the true reply; None if nobody knows it. `fields`: its other fields.
    """
    return Key(
        id=question_id(thing, ask.id),
        group=thing,
        role=ask.id,
        expected=truth or "",
        answer_type=ask.answer_type,
        relevant=False,
        family=prompt.law or prompt.group,
        category=prompt.level,
        form="yes-no" if ask.answer_type == "yes-no" else "open",
        truth="unknown" if truth is None else "computed",
        **({"skill": ""} | fields),
    )


def outcome_in(replies: Replies, id: str) -> Outcome | None:
    """The outcome of the question of this id; None if there is none."""
    reply = replies.get(id)
    return reply.outcome if isinstance(reply, Judged) else reply


def reply_to(replies: Replies, id: str) -> CheckReply | None:
    """The reply to the question of this id; None if there is none, or it failed."""
    reply = replies.get(id)
    return CheckReply(reply.outcome) if isinstance(reply, Judged) else None


def replies_in(run: Path) -> Replied:
    """A function that gives the reply to a question of the run in a folder; None for each if it is no run yet."""
    if not ((run / RUN_FILE).is_file() and (run / JOURNAL_FILE).is_file()):
        return no_reply
    info, keys = read_run_info(run), list(read_keys(run))
    if len(keys) * info.repeats < info.queries:  # a line is missing: asking again writes it anew
        return no_reply
    settled = settled_replies(keys, records_of(run, info), "default", info.repeats, str(run))
    return lambda id: reply_to(settled, id)


class Following(ABC, Generic[T]):
    """The questions of a run about `things`: each wave of replies leads to further questions.

    It has what `asking.runner.AdaptiveQuestions` needs; see there for `by_cells` and `status`. The replies are those of
    the run that `follow` names.
    """

    things: Sequence[T]
    by_cells = False
    status = ""
    shard: Shard | None = None

    def __init__(self) -> None:
        """Begin without a run, and so without replies. `_before`: the replies of the wave before, if there was one."""
        self._run: Path | None = None
        self._replied: Replied = no_reply
        self._before: Replied | None = None

    @abstractmethod
    def next_about(self, thing: T, replies: dict[str, CheckReply]) -> Sequence[Ask]:
        """The next questions about a thing, given the replies about it."""

    def negations(self, thing: T) -> Sequence[Ask]:
        """Questions about a thing that follow from no reply and lead to no other question: checks asked negated."""
        return ()

    def shown(self, thing: T) -> tuple[Picture | None, str]:
        """The picture of a thing, and the prompt that it was drawn from."""
        return None, ""

    def __len__(self) -> int:
        return sum(len(self.asks(thing)) for thing in self.things)

    @property
    @abstractmethod
    def min_remaining(self) -> int:
        """The number of questions that will come after the present ones, as far as it is known."""

    def continues(self, digest: str, queries: int) -> bool:
        """False: other questions, or questions about other things, always make another run."""
        return False

    def follow(self, run: Path, replied: Replied | None = None) -> None:
        """Use this run's replies from now on; at first those that are there already.

        `replied`: a function that gives other replies in their place, for a run that is not written yet.
        """
        self._run, self._replied = run, replied or replies_in(run)

    def next_batch(self) -> Self | None:
        """The questions that follow from the replies since the last call; None if there are none, or no run."""
        if self._run is None:
            return None
        following = copy.copy(self)
        following._before, self._replied = self._replied, replies_in(self._run)
        following._replied = self._replied
        return following if len(following) else None

    def waves_of(self, thing: T, replied: Replied | None = None) -> AskedCheck:
        """The questions about a thing that the replies so far (or `replied`) lead to, without its `negations`."""
        reply_of = replied or self._replied
        return waves(partial(self.next_about, thing), lambda ask: reply_of(question_id(thing.id, ask)))

    def all_asks(self, thing: T, replied: Replied | None = None) -> list[Ask]:
        """All questions about a thing so far, asked already or to be asked now, with its `negations`."""
        return [*self.waves_of(thing, replied).asks.values(), *self.negations(thing)]

    def asks(self, thing: T) -> list[Ask]:
        """The questions about a thing to ask now: those that follow from the replies and were in no wave before."""
        earlier_ids = {ask.id for ask in self.all_asks(thing, self._before)} if self._before is not None else set()
        return [ask for ask in self.all_asks(thing) if ask.id not in earlier_ids]

    def queries(self) -> Iterator[Query]:
        """The queries, thing by thing."""
        for thing in self.things:
            picture, prompt = self.shown(thing)
            for ask in self.asks(thing):
                yield Query(
                    id=question_id(thing.id, ask.id),
                    group=thing.id,
                    role=ask.id,
                    pictures=(picture,) if ask.sees and picture is not None else (),
                    text=ask.text,
                    answer_type=ask.answer_type,
                    system=ask.system,
                    prompt=prompt,
                )
