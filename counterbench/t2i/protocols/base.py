"""The seam of protocols: what a judge is asked about a picture, and what its replies come to.

A protocol is pure: what it asks and counts follows from the prompts and the replies so far, so that a run that was
stopped goes on by asking it again. Who asks is in `judging/`, and what all protocols share of scoring in `scores/`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from counterbench.errors import InputError
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols.asks import Ask, Replies, Said, checks_asked, checks_credited
from counterbench.t2i.scores.missing import Ends
from counterbench.t2i.scores.results import CheckResult, Picture
from counterbench.t2i.scores.rules import Scoring, picture_score
from counterbench.t2i.scores.scores import Scores, Slices

# What an answer is shown as. "noted" is neither right nor wrong: an award, which only says how much it adds.
Mark = Literal["right", "partly", "wrong", "lost", "noted"]


class Protocol(ABC):
    """One way to judge pictures. A new one is a subclass in a file of its own and a line in `PROTOCOLS`.

    `version` goes up when the same replies would come to other numbers, or other questions are asked. `wording`: how a
    judge is asked unless the user names another. `shows_prompt`: it is told the prompt too, whatever the wording; no
    certificate covers that. `scorings`: ways to count, by name, of which one is "default". `prepared`: how many
    questions to an author a prompt leads to at most, none of them asked twice. `awards`: dimensions whose checks only
    say how much a picture earns, so that no answer to them is right or wrong.

    In lists, a few words each: `asks` says what a judge is asked about a picture, `calls` what that costs, `needs` what
    prompts must have.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    summary: ClassVar[str]
    asks: ClassVar[str] = "the prompt's checks, as they say themselves"
    calls: ClassVar[str] = "one a check"
    needs: ClassVar[str] = "any checks"
    wording: ClassVar[str] = "default"
    shows_prompt: ClassVar[bool] = False
    prepared: ClassVar[int] = 1
    awards: ClassVar[Collection[str]] = ()
    scorings: ClassVar[Mapping[str, Scoring]]

    def fits(self, prompts: PromptSet) -> None:
        """InputError that names the set and what it lacks for this protocol: by default any question at all."""
        if not any(prompt.checks for prompt in prompts.prompts):
            raise InputError(
                f"{prompts.name!r} has no questions: give its prompts checks, or another set with --prompts"
            )

    def prepare(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """The next questions to an author about a prompt; none when there is nothing more to ask."""
        return ()

    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        """The checks of a prompt's pictures, given what an author said of it."""
        return prompt.checks

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """The next questions about one picture of a prompt: those without a reply in `said`; none when all is said.

        By default its checks, as they say themselves: each alone, several in a call, one after another.
        """
        return checks_asked(prompt, said)

    def follows(self, prompt: Prompt, said: Replies) -> Mapping[str, float]:
        """The worth, 0 … 1, of checks that need no question of their own, given what was replied to others."""
        return {}

    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        """The worth of a reply, 0 … 1, by check; None for one that it does not settle. Total: it never raises."""
        return checks_credited(ask, said)

    def mark(self, row: CheckResult) -> Mark:
        """The mark of a judged check beside its picture: the expected answer is right, whatever it earns."""
        if row.credit is None:
            return "lost"
        if row.dimension in self.awards:
            return "noted"
        if row.credit == 1 or row.answer == row.expected:
            return "right"
        return "partly" if row.credit > 0 else "wrong"

    def counted(self, rows: Iterable[CheckResult]) -> Sequence[CheckResult]:
        """The rows that the headline is about: by default all. What is left out of it has numbers in slices alone."""
        return list(rows)

    def of_picture(self, picture: Picture, how: Scoring) -> Mapping[str, float]:
        """The number of one picture by itself, by column, then those that it is made of; none where it has none.

        By default the weighted mean of its checks alone.
        """
        score = picture_score(picture, how)
        return {} if score is None else {"score": score}

    @abstractmethod
    def score(
        self,
        rows: Iterable[CheckResult],
        levels: Sequence[str],
        how: Scoring,
    ) -> Scores:
        """The numbers of judged checks, of a set with these levels."""

    @abstractmethod
    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Slices:
        """The same numbers for parts: by law, category, dimension, tag, …."""

    def ends(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Mapping[str, Ends]:
        """The least and the largest that lost checks allow, of numbers that are no means of credits."""
        return {}

    def references(self, prompts: PromptSet) -> Mapping[str, Mapping[str, float | None]]:
        """The numbers of planted models, by name and column, where pictures can be drawn; none elsewhere."""
        return {}
