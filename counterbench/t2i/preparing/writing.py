"""Texts that an author is asked to write about a prompt, and the prompt that is made from its replies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import msgspec

from counterbench.errors import InputError
from counterbench.t2i.preparing import rewriting
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.protocols import PROTOCOLS
from counterbench.t2i.protocols.asks import Ask, Replies
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.once_more import last_answer, once_more, written


class Writing(ABC):
    """One kind of text that an author can be asked to write; pure, as a protocol is."""

    name: str
    what: str  # the kind of text, in words for a line
    most: int = 1  # the most questions about a prompt, without those asked once more

    @abstractmethod
    def asks(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """The next questions about a prompt; none when there is nothing more to ask."""

    @abstractmethod
    def made(self, prompt: Prompt, said: Replies) -> Prompt | None:
        """The prompt with the author's text; None if the replies cannot be used."""

    @abstractmethod
    def whole(self, prompts: PromptSet, made: dict[str, Prompt | None]) -> PromptSet:
        """The set of the prompts that were made, given by id; InputError if there is none."""


class QuestionsOf(Writing):
    """The questions that a protocol has an author write. InputError if it has nothing to prepare."""

    def __init__(self, protocol: Protocol) -> None:
        if type(protocol).prepare is Protocol.prepare:
            able = [name for name, each in PROTOCOLS.items() if type(each).prepare is not Protocol.prepare]
            raise InputError(
                f"the protocol {protocol.name!r} has nothing to prepare: it asks the checks that prompts have; "
                f"an author writes for: {', '.join(able)} (--protocol NAME)"
            )
        self.name, self.what = f"{protocol.name}-{protocol.version}", "questions"
        self.most = protocol.prepared
        self._protocol = protocol

    def asks(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """The questions that the protocol prepares."""
        return self._protocol.prepare(prompt, said)

    def made(self, prompt: Prompt, said: Replies) -> Prompt | None:
        """The prompt with these checks; None without any."""
        checks = tuple(self._protocol.checks(prompt, said))
        return msgspec.structs.replace(prompt, checks=checks) if checks else None

    def whole(self, prompts: PromptSet, made: dict[str, Prompt | None]) -> PromptSet:
        """All prompts, to be judged by the protocol; a prompt without a readable reply has no checks."""
        all_ = [made[prompt.id] or prompt for prompt in prompts.prompts]
        return PromptSet(prompts.name, prompts.levels, all_, prompts.seed, self._protocol.name)


class Rewriting(Writing):
    """Other words for every prompt, reasoned first, under the same ids and with the same checks."""

    name, what = "rewritten", "other words"

    def asks(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """The question for other words; once more, if the reply has none."""
        ask = written("prompt", rewriting.asking(prompt), rewriting.SYSTEM)
        return once_more(ask, said, lambda reply: "" if rewriting.read_rewriting(reply) else rewriting.MARKLESS)

    def made(self, prompt: Prompt, said: Replies) -> Prompt | None:
        """The prompt in these words."""
        text = rewriting.read_rewriting(last_answer("prompt", said) or "")
        return msgspec.structs.replace(prompt, text=text) if text else None

    def whole(self, prompts: PromptSet, made: dict[str, Prompt | None]) -> PromptSet:
        """The prompts that have other words; a prompt without them is left out, since its old words would be drawn."""
        of = prompts.of([new for prompt in prompts.prompts if (new := made[prompt.id]) is not None])
        name = f"{prompts.name}-{self.name}"
        return PromptSet(name, of.levels, of.prompts, of.seed, of.protocol)
