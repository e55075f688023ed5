"""Pairs to train on: an endless stream of new questions about new pictures, and rewards of replies.

The stream is a pure function of suite, seed and position. It has randomness that no suite uses (`scene/seeds.py`), so
an item of a suite, of any seed or attempt, occurs only by chance: if a kind has few scenes, above all the empty
picture. Those with a scene of a shipped suite are left out.

A reward is by the parser of `score`. The user brings the trainer: none is imported here.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypedDict

import msgspec
from PIL import Image

from counterbench.answers import Answer
from counterbench.drawing.styles import draw
from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.results.rules import judged
from counterbench.runs.pair_queries import labels_of, questions_of
from counterbench.runs.queries import DEFAULT, labels_in, load_template
from counterbench.scene.pairs import ROLES, Pair
from counterbench.scene.seeds import TRAINING, Stream, check_seed
from counterbench.suites.families import family, sample
from counterbench.suites.families.laws import LawFamily
from counterbench.suites.suite import Suite, load_suite
from counterbench.text import brief

_INDEX_BYTES = 7  # of the index within a family: two positions of a stream have the same index only by chance


class Item(TypedDict):
    """One question about one picture, as a row for trainers."""

    prompt: list[dict[str, str]]  # the messages that a judge gets under the template, without the picture
    image: Image.Image  # RGB
    answer: str
    answer_type: str
    labels: list[list[str]]  # the meaning of each label in the question: ["A", "blue square"]
    answer_line: bool  # the template asks for the answer in a last line, and only that line is read
    pair: str  # the same for both questions of a pair
    role: str  # "original" or "intervened"
    position: int  # of the pair in the stream


class Items(Iterator[Item]):
    """An endless iterator over items, the two of a pair one after the other; `items` makes one.

    `drawn` counts the pairs drawn so far, `skipped` those among them that were left out because a shipped suite has one
    of their pictures. `position` is the place of the next pair.
    """

    def __init__(self, suite: Suite, seed: int, template: str, start: int, shard: tuple[int, int]) -> None:
        """Begin at the first position from `start` on that is of the shard; nothing is drawn yet.

        `seed` chooses the pairs, `template` names the way to ask, and `shard` is (k, n), 0 ≤ k < n: every n-th
        position. InputError for a shard, start, seed or template that is not valid.
        """
        k, n = shard
        if not 0 <= k < n:
            raise InputError(f"shard must be (k, n) with k from 0 to n - 1, not {tuple(shard)}: shard k of n")
        if start < 0:
            raise InputError(f"start must be 0 or more, not {start}")
        self.suite, self.seed = suite, check_seed(seed)
        self._template = load_template(template)
        self.position, self._step = start + (k - start) % n, n
        self.drawn = self.skipped = 0
        self._waiting: deque[Item] = deque()

    def __repr__(self) -> str:
        skipped = f"{self.skipped} of {self.drawn} pairs skipped ({self.skipped / max(self.drawn, 1):.2%})"
        return brief(self, f"{self.suite.name}, seed {self.seed}: position {self.position}, {skipped}")

    def __next__(self) -> Item:
        """The next item; pairs of which a shipped suite has a picture are counted as skipped and left out."""
        while not self._waiting:
            position, self.position = self.position, self.position + self._step
            pair = self._pair(position)
            self.drawn += 1
            if is_shipped(pair):
                self.skipped += 1
            else:
                self._waiting.extend(self._item(pair, i, position) for i in range(len(ROLES)))
        return self._waiting.popleft()

    def _pair(self, position: int) -> Pair:
        """The pair at a position: any item of a family, which is chosen with its share in the suite.

        Each position is drawn by itself, so that every shard has all families, forms and answers in the same shares.
        """
        suite = self.suite
        stream = Stream(self.seed, "position", position, person=TRAINING)
        part, _ = suite.locate(stream.below(len(suite)))
        index = int.from_bytes(stream.noise(_INDEX_BYTES), "big")
        pair = sample(family(part.family), part.params, part.forms, suite.canvas, self.seed, index, TRAINING)
        return msgspec.structs.replace(pair, id=f"{suite.name}-training-{self.seed}-{position}")

    def _item(self, pair: Pair, i: int, position: int) -> Item:
        """The item about picture `i` of a pair; `position`: of the pair in the stream."""
        query = self._template.dress(questions_of(pair)[i])
        system = [{"role": "system", "content": query.system}] if query.system else []
        return Item(
            prompt=[*system, {"role": "user", "content": query.text}],
            image=draw(pair.scenes[i], self.suite.side, self.suite.style, pair.scenes[0]),
            answer=pair.answers[i],
            answer_type=pair.answer_type,
            labels=[[label, meant] for label, meant in labels_of(pair, i).items()],
            answer_line=query.answer_line,
            pair=pair.id,
            role=ROLES[i],
            position=position,
        )


def items(
    suite: Suite | str, seed: int = 0, *, template: str = DEFAULT, start: int = 0, shard: tuple[int, int] = (0, 1)
) -> Items:
    """New questions about new pictures without end, drawn like those of a suite, without any scene of a shipped suite.

    `suite`: its families, their shares and parameters, size and style; a shipped suite by its name, or a suite file.
    `seed`: another one gives another stream. `template`: the name of a template, as for `probe`.
    `start`: the first position; to go on after a stop, the position of the last item plus one.
    `shard`: (k, n) is the k-th of n streams, from 0, that divide the positions among ranks and workers.
    Raises InputError, naming the valid choices. NoRoomError from the iterator if a family cannot be drawn.

    >>> item = next(items("smoke"))
    >>> item["role"], item["image"].size
    ('original', (512, 512))
    """
    return Items(load_suite(suite) if isinstance(suite, str) else suite, seed, template, start, shard)


def is_shipped(pair: Pair) -> bool:
    """True if a shipped suite has a pair with one of its two scenes, with any question."""
    return any(scene.digest in _shipped_digests(_shows_laws(pair.family)) for scene in pair.scenes)


def _shows_laws(name: str) -> bool:
    """True if a family shows laws. Families with and without laws share no scene except the empty one."""
    return isinstance(family(name), LawFamily)


@cache
def _shipped_digests(of_laws: bool) -> frozenset[str]:
    """The digests of all scenes of shipped suites, of laws or of shapes: takes seconds, once in a process; 2 MB."""
    suites = [load_suite(name) for name in catalog.names("scenes")]
    return frozenset(
        scene.digest
        for suite in suites
        for part in suite.parts
        if _shows_laws(part.family) == of_laws
        for index in range(part.count)
        for scene in suite.sample(part, index).scenes
    )


def reward(reply: str | None, item: Mapping[str, Any], finish: str = "") -> float | None:
    """1.0 for the right answer, 0.0 for a wrong one, None if no answer could be read.

    `item`: an item of `items`, or a row with its `answer`, `answer_type` and `labels` (and `answer_line`). `finish`:
    why the reply ended; a reply that was cut off ("length") is never an answer. The trainer decides what to do with
    None: 0.0 (`reward(...) or 0.0`), or leave the reply out; never more than for a wrong answer.

    >>> item = {"answer": "4", "answer_type": "integer", "labels": []}
    >>> reward("I count four.", item), reward("5", item), reward("Either 4 or 5.", item)
    (1.0, 0.0, None)
    """
    line = item.get("answer_line", False)
    result = judged(reply or "", item["answer"], item["answer_type"], labels_in(item), finish, answer_line=line)
    return float(result.right) if isinstance(result.outcome, Answer) else None


def ccs_rewards(
    replies: Sequence[str | None], items: Sequence[Mapping[str, Any]], finishes: Sequence[str] = ()
) -> list[float | None]:
    """CCS as a reward: 1.0 for a right answer on a picture if that on the pair's other picture is right too, else 0.0.

    `replies` and `items` have the same order; both questions of a pair must be among them, and `pair` and `role` join
    them. If a question has several replies, as in a group of GRPO, the share of right ones counts: a right answer gets
    0.75 if three of four replies to the other question are right, and the mean over both groups is the expected CCS. A
    reply without a readable answer has None, and counts as not right for the other question.
    """
    ends = finishes or [""] * len(replies)
    own = [reward(reply, item, end) for reply, item, end in zip(replies, items, ends, strict=True)]
    by_question: dict[tuple[str, str], list[float]] = defaultdict(list)
    for item, value in zip(items, own, strict=True):
        by_question[item["pair"], item["role"]].append(value or 0.0)
    return [
        None if value is None else value * _mean_reward(by_question, item["pair"], ROLES[1 - ROLES.index(item["role"])])
        for item, value in zip(items, own, strict=True)
    ]


def _mean_reward(by_question: Mapping[tuple[str, str], list[float]], pair: str, role: str) -> float:
    """The mean reward of a question's replies; InputError if the question is not in the batch."""
    values = by_question.get((pair, role))
    if not values:
        raise InputError(
            f"pair {pair!r}: its {role} picture's question is not in the batch; keep both questions of a pair "
            "together: do not shuffle items, and make the batch that is rewarded at once a multiple of two groups"
        )
    return sum(values) / len(values)
