"""Pairwise comparison: of two models' pictures of a prompt, which shows it better? Each pair in both orders.

An answer in one order is half a comparison, so an answer that depends on the order is half a win for each, and a tie
needs both orders. A picture's score is its share of won comparisons, a tie counting half; the models' ratings are those
of Davidson's model (`scores.ratings`).
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from counterbench.pictures.protocols.asks import Ask, CheckReplies
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.checklist import Checklist
from counterbench.pictures.scores.rules import DEFAULT, Scoring
from counterbench.pictures.scores.scores import NamesOf
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.prompts.skills import whole_prompt

PAIRWISE = "pairwise"


class Pairwise(Checklist):
    """The protocol of comparisons, for two models or more and any prompts; their own checks are not asked."""

    name = PAIRWISE
    summary = "GenArena and other arenas: which of two models' pictures of a prompt is better; ratings"
    asks = "which of two models' pictures shows the prompt better, in both orders; the prompt is in the question"
    calls = "two for each two pictures (fewer pairs: --matches)"
    needs = "two models or more, any prompts; a certificate of the suite pairwise"
    template = "default"
    compares = True
    _of_checks: ClassVar[Mapping[str, NamesOf]] = {"opponent": lambda row: (row.dimension,)}
    scorings: ClassVar[Mapping[str, Scoring]] = {DEFAULT: Scoring(missing_data="skip")}

    prepare = Protocol.prepare

    def fits(self, prompts: PromptSet) -> None:
        """Accept any set of prompts."""

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The prompt's own checks, from which the truth about planted models is known; else one of the whole prompt."""
        return prompt.checks or (whole_prompt(prompt),)

    def ask(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """No question: none is about one picture alone."""
        return ()
