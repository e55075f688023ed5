"""Questions to an author about prompts, through the same run as pictures: wave after wave, without a picture."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial

import msgspec

from counterbench.answers.outcomes import Answer, Outcome
from counterbench.drawing.domain import Domain
from counterbench.runs.pair_queries import Stored
from counterbench.runs.queries import Key, Query
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.protocols.asks import Ask
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.once_more import settling
from counterbench.t2i.protocols.replies import Following, Replied, no_reply, question_id
from counterbench.t2i.protocols.waves import Asked, waves


class Written(msgspec.Struct, frozen=True):
    """The result for a prompt."""

    made: Prompt | None  # the prompt with its checks, if it has any
    asked: bool  # False for a prompt that has checks already and is kept as it is
    last: Outcome | None  # the last reply, if one came; of several questions, to the first one without an answer
    fault: str  # the last message to the author about the fault of a reply, if any


class PromptQuestions(Following):
    """The questions of a protocol to an author about every prompt of a set, given the replies so far."""

    def __init__(self, prompts: PromptSet, protocol: Protocol) -> None:
        super().__init__()
        self.prompts, self._protocol = prompts, protocol
        asking = f"{protocol.name}-{protocol.version}"
        self.name = f"{prompts.name}--{asking}"
        self.seed = prompts.seed
        # Other words to an author make another run.
        first = [self._led_to(prompt, no_reply) for prompt in prompts.prompts]
        asked = [[(ask.text, ask.system, ask.answer_type) for ask in asks] for asks in first]
        parts = msgspec.json.encode([prompts.digest, asking, asked])
        self.digest = hashlib.blake2b(parts, digest_size=16).hexdigest()

    def __len__(self) -> int:
        return sum(len(self._asks(prompt)) for prompt in self.prompts.prompts)

    @property
    def min_remaining(self) -> int:
        """The largest number of questions that may follow from the replies to the first ones."""
        first = [
            len(asks)
            for prompt in self.prompts.prompts
            if (asks := self._led_to(prompt, no_reply)) and not self._waves(prompt, self._replied).said
        ]
        return sum(self._protocol.prepared - count for count in first)

    @property
    def domain(self) -> Domain:
        """The domain of no pictures."""
        return Domain(renderer="", style="", size="", file_format="")

    def continues(self, digest: str, queries: int) -> bool:
        """False: other prompts, or other words to the author, always make another run."""
        return False

    def stored(self, needs_images: bool) -> Stored:
        """No pictures."""
        return Stored(iter(()), 0, "")

    def written(self) -> dict[str, Written]:
        """The result for each prompt by its id, from the replies so far."""
        return {prompt.id: self._written(prompt) for prompt in self.prompts.prompts}

    def _written(self, prompt: Prompt) -> Written:
        asked = self._waves(prompt, self._replied)
        last = [asked.said[id].outcome if id in asked.said else None for id in settling(asked.asks)]
        lost = (outcome for outcome in last if not isinstance(outcome, Answer))
        checks = tuple(self._protocol.checks(prompt, asked.said))
        made = msgspec.structs.replace(prompt, checks=checks) if checks else None
        faults = [ask.fault for ask in asked.asks.values() if ask.fault]
        return Written(made, bool(last), next(lost, last[-1] if last else None), faults[-1] if faults else "")

    def _asks(self, prompt: Prompt) -> list[Ask]:
        return self.asked(partial(self._led_to, prompt))

    def _led_to(self, prompt: Prompt, replied: Replied) -> list[Ask]:
        return list(self._waves(prompt, replied).asks.values())

    def _waves(self, prompt: Prompt, replied: Replied) -> Asked:
        return waves(partial(self._protocol.prepare, prompt), lambda id: replied(question_id(prompt.id, id)))

    def queries(self) -> Iterator[Query]:
        """The queries, prompt by prompt."""
        for prompt in self.prompts.prompts:
            for ask in self._asks(prompt):
                yield Query(
                    id=question_id(prompt.id, ask.id),
                    group=prompt.id,
                    role=ask.id,
                    pictures=(),
                    text=ask.text,
                    answer_type=ask.answer_type,
                    system=ask.system,
                )

    def keys(self) -> Iterator[Key]:
        """The keys, in the same order, without truth: no text is the only right one."""
        for prompt in self.prompts.prompts:
            for ask in self._asks(prompt):
                yield Key(
                    id=question_id(prompt.id, ask.id),
                    group=prompt.id,
                    role=ask.id,
                    expected="",
                    answer_type=ask.answer_type,
                    relevant=False,
                    family=prompt.law or prompt.group,
                    category=prompt.level,
                    skill="",
                    form="open",
                    truth="unknown",
                )
