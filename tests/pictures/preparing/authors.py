"""What tests of preparing share: a set without checks, a good list of questions, and authors by script."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from pictures.drawn import prompt_set

from counterbench.answers import read_reply
from counterbench.judges.base import Reply
from counterbench.pictures.protocols.asks import CheckReply
from counterbench.prompts.prompt_set import PromptSet
from counterbench.runs.queries import Query

WEIGHTS = {"visual-integrity": 3, "assessment-point": 15, "logic-consistency": 8}
GRADES = {"1": "All of it.", "0.5": "Hardly to be told.", "0": "None of it."}


def question(dimension: str, **other: Any) -> dict[str, Any]:
    """One question as an author writes it for CF-Eval, or without a weight for R2I-Score."""
    text = f"Is the {dimension.replace('-', ' ')} right?"
    weight = {"weight": WEIGHTS[dimension]} if dimension in WEIGHTS else {}
    return {"dimension": dimension, "question": text, "criteria": GRADES} | weight | other


GOOD = [question(dimension) for dimension in WEIGHTS]
LIST = json.dumps(GOOD)
R2I_QUESTIONS = [question(dimension) for dimension in ("quality", "reasoning", "alignment")]
R2I_WEIGHTS = [{"id": id, "weight": weight} for id, weight in (("q3", 5), ("q1", 2), ("q2", 9))]


def read(texts: Mapping[str, str], finish: str = "") -> dict[str, CheckReply]:
    """An author's replies by the ids of the questions, as the answer type of such a question reads them."""
    return {id: CheckReply(read_reply(text, "description", finish)) for id, text in texts.items()}


def bare(groups: int = 2, levels: Sequence[str] = ("l1", "l2", "l3"), name: str = "small") -> PromptSet:
    """Prompts without checks."""
    prompts = [msgspec.structs.replace(prompt, checks=()) for prompt in prompt_set(groups, levels, name).prompts]
    return PromptSet(name, levels, prompts)


Script = Callable[[Query], Reply | str]


def replying(
    group: str,
    then: Reply | str,
    again: Reply | str | None = None,
    role: str = "questions",
    usual: Script = lambda query: LIST,
) -> Script:
    """A script that replies so to one question about a prompt, and to the one after it, and as usual to others."""

    def script(query: Query) -> Reply | str:
        if query.group != group or query.role.removesuffix("-again") != role:
            return usual(query)
        return again if again is not None and query.role.endswith("-again") else then

    return script


class Author:
    """Writes by script, or what is good; counts what it was asked. Replies come in an order of their own."""

    max_batch, max_in_flight = 1, 8

    def __init__(self, script: Script = lambda query: LIST, name: str = "author") -> None:
        self.name, self._script = name, script
        self.counts: Counter[str] = Counter()
        self.queries: dict[str, Query] = {}

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        replies = []
        for query in batch:
            self.counts[query.id] += 1
            self.queries[query.id] = query
            await asyncio.sleep(hash(query.id) % 3 / 1000)
            reply = self._script(query)
            replies.append(reply if isinstance(reply, Reply) else Reply(text=reply, cost=0.5))
        return replies

    async def close(self) -> None:
        """Nothing to release."""
