"""A judge that must say how sure it is: where a server does not, that is found by the first answers, not the last."""

from __future__ import annotations

from collections.abc import Sequence

from counterbench.answers import Answer, read_reply
from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.judges.base import Judge, JudgeExtras, Reply, extras
from counterbench.runs.queries import Query
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.scores.soft import HOW_TOLD

_PATIENCE = 3  # a single answer may lack what all others have


def refuse_unsure(judge: Judge, votes: int, asked: PromptSet) -> None:
    """InputError if nothing that a judge replies will say how sure it is, or no question is one of yes or no."""
    if not any(check.answer_type == "yes-no" for prompt in asked.prompts for check in prompt.checks):
        raise InputError(
            f"{asked.name!r} has no yes/no check, and a soft scoring counts how sure the judge is of those alone; "
            "grades and other answers count as they are: leave out --scoring"
        )
    if votes == 1 and not extras(judge, JudgeExtras).probabilities:
        raise InputError(
            f"{judge.name}: is not asked how likely yes and no are, which a soft scoring counts: use {HOW_TOLD}"
        )


class Sure:
    """`judge`, which is asked no more once its first answers of yes or no come without probabilities.

    After any reply with some, all are let through: those without are lost to a soft scoring, and counted there.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.name, self.max_batch, self.max_in_flight = judge.name, judge.max_batch, judge.max_in_flight
        self._told = False
        self._untold = 0

    def __getattr__(self, name: str) -> object:
        """What a judge may have besides."""
        return getattr(self._judge, name)

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """The judge's replies, or why it is asked no more."""
        replies = await self._judge.answer(batch)
        self._told = self._told or any(reply.choices or reply.logprobs for reply in replies)
        return replies if self._told else [self._held(*each) for each in zip(batch, replies, strict=True)]

    async def close(self) -> None:
        """Release what the judge holds."""
        await self._judge.close()

    def _held(self, query: Query, reply: Reply) -> Reply:
        yes_no = query.answer_type == "yes-no" and reply.text is not None
        outcome = read_reply(reply.text or "", "yes-no", reply.finish, answer_line=query.answer_line)
        if not yes_no or not isinstance(outcome, Answer):
            return reply
        self._untold += 1
        if self._untold < _PATIENCE:
            return reply
        refused = f" (it refused {' and '.join(reply.dropped)})" if reply.dropped else ""
        why = f"{self.name} answers without saying how likely yes and no were{refused}, which a soft scoring counts"
        return Reply(
            failure=Failed("no-probabilities", why),
            stop=f"{why}: leave out --scoring, or use {HOW_TOLD}",
            cost=reply.cost,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
        )
