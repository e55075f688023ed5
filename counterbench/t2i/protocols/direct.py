"""One question, one score: a rating of how well a picture shows its prompt, which the judge sees. The usual method.

It serves as a comparison: the judge gives a verdict without any fact about the picture, and may believe the prompt.
The scale is the one from 1 to 5 by which people rate alignment (Otani et al., CVPR 2023; GenAI-Bench, Li et al., 2024),
in our words; a rating r is worth (r - 1) / 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols.asks import Replies
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.scores.rules import DEFAULT, Scoring

_CHECK = Check(
    id="rating",
    text="How well does the picture show what the prompt asks for?",
    answer_type="rating:1-5",
    expected="5",
    criteria=(
        "5: all of it, exactly. 4: all but a small thing. 3: most of it, with several small things wrong. "
        "2: something important is missing or wrong. 1: hardly any of it."
    ),
)


class Direct(Checklist):
    """The protocol of one rating, for any prompts; their own checks are not asked."""

    name = "direct"
    summary = "what most people do, to compare with: one rating from 1 to 5, the prompt shown"
    asks = "one rating from 1 to 5 of how well the picture shows its prompt, which is told"
    calls = "one"
    needs = "any prompts: no checks, no author; no certificate covers it"
    template = "default"
    shows_prompt = True
    scorings: ClassVar[Mapping[str, Scoring]] = {DEFAULT: Scoring(), "of-all": Scoring(missing_data="zero")}

    def fits(self, prompts: PromptSet) -> None:
        """Accept any set."""

    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        """The one rating."""
        return (_CHECK,)
