"""Pairwise comparison: of two models' pictures of a prompt, which shows it better? Each pair in both orders.

The answer in each order is half of a comparison. A judge that always names the first picture so gives half a win to
each model, and a comparison is a whole tie only if the judge says "equal" in both orders. A picture's score is the
share of its comparisons that it won, where a tie counts half. The models' ratings are those of Davidson's model
(`scores.ratings`).
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


class Pairwise(Checklist):
    """The protocol of comparisons, for two models or more and any prompts; the prompts' own checks are not asked."""

    name = "pairwise"
    summary = "GenArena and other arenas: which of two models' pictures of a prompt is better; ratings"
    asks = "which of two models' pictures shows the prompt better, in both orders; the prompt is in the question"
    calls = "two for each two pictures (fewer pairs: --matches)"
    needs = "two models or more, any prompts; a certificate of the suite pairwise"
    template = "default"
    compares = True
    _of_checks: ClassVar[Mapping[str, NamesOf]] = {"opponent": lambda row: (row.dimension,)}  # a row's slice
    scorings: ClassVar[Mapping[str, Scoring]] = {DEFAULT: Scoring(missing_data="skip")}

    prepare = Protocol.prepare

    def fits(self, prompts: PromptSet) -> None:
        """Accept any set of prompts."""

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The prompt's own checks, else one check of the whole prompt. No judge is asked them.

        For planted models, whose pictures we know, the answers to the own checks say which picture is better.
        """
        return prompt.checks or (whole_prompt(prompt),)

    def ask(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """No questions: this protocol asks about two pictures at once, never about one alone."""
        return ()
