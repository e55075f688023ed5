"""The interface of protocols: the questions about a picture, and the scores from the replies.

A protocol is pure: its questions and scores follow from the prompts and the replies so far, so that a stopped run goes
on by asking it again. `judging/` asks the judge; `scores/` has the scoring that all protocols share.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.pictures.protocols.asks import Ask, CheckReplies, CheckReply, checks_asked, checks_credited
from counterbench.pictures.scores.measure import Ends
from counterbench.pictures.scores.results import CheckResult, PictureScore
from counterbench.pictures.scores.rules import Scoring, picture_score
from counterbench.pictures.scores.scores import Scores, Slices
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.results.measures import FRACTION, Notation

# The mark of a shown answer. "noted" is neither right nor wrong: an award, which only says how much it adds.
Mark = Literal["right", "partly", "wrong", "lost", "noted"]


class Protocol(ABC):
    """One way to judge pictures. A new one is a subclass in a file of its own and a line in `PROTOCOLS`.

    `summary`, `asks`, `calls` and `needs` are a few words each, for lists.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1  # goes up if the same replies give other numbers, or other questions are asked
    summary: ClassVar[str]
    asks: ClassVar[str] = "the prompt's checks, as they say themselves"  # the questions about a picture
    calls: ClassVar[str] = "one a check"  # the calls for a picture
    needs: ClassVar[str] = "any checks"  # the parts that prompts must have
    template: ClassVar[str] = "default"  # unless the user names another
    notation: ClassVar[Notation] = FRACTION  # of shares in the tables of its paper, which `score --layout wide` follows
    max_score: ClassVar[float] = 1.0  # of a picture; the least is 0
    compares: ClassVar[bool] = False  # each question is about two models' pictures (`judging.pairwise_questions`)
    rates: ClassVar[bool] = False  # one rating of each picture; its judge's certificate as a rater covers their order
    shows_prompt: ClassVar[bool] = False  # the judge sees the prompt too, in any template; no certificate covers that
    writes: ClassVar[str] = "questions"  # what an author writes about a prompt
    prepared: ClassVar[int] = 1  # the most questions to an author about a prompt, without those asked once more
    awards: ClassVar[Collection[str]] = ()  # dimensions whose checks only add to a score: no answer is right or wrong
    # The questions that people label together: one check of a prompt, or all of a group, whose numbers are gated.
    labelled_by: ClassVar[Literal["check", "group"]] = "check"
    scorings: ClassVar[Mapping[str, Scoring]]  # ways to count, by name; one of them is "default"

    def fits(self, prompts: PromptSet) -> None:
        """InputError if the set does not fit this protocol, by default if it has no question; it names the fault."""
        if not any(prompt.checks for prompt in prompts.prompts):
            raise InputError(
                f"{prompts.name!r} has no questions: give its prompts checks, or another set with --prompts"
            )

    def prepare(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The next questions to an author about a prompt; none when there is nothing more to ask."""
        return ()

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The checks of a prompt's pictures, given an author's replies about it."""
        return prompt.checks

    def written(self, prompt: Prompt, replies: CheckReplies) -> Prompt | None:
        """The prompt with the checks that an author's replies give; None if there are none."""
        checks = tuple(self.checks(prompt, replies))
        return msgspec.structs.replace(prompt, checks=checks) if checks else None

    def set_of(self, prompts: PromptSet, written: Mapping[str, Prompt]) -> PromptSet:
        """The set to be judged by this protocol: with the `written` prompts (by id), the others as they were."""
        every = [written.get(prompt.id, prompt) for prompt in prompts.prompts]
        return replace(prompts, prompts=every, protocol=self.name)

    def ask(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The next questions about one picture of a prompt: those without a reply in `replies`; empty at the end.

        By default its checks, as their fields say: each alone, several in a call, one after another.
        """
        return checks_asked(prompt, replies)

    def follows(self, prompt: Prompt, replies: CheckReplies) -> Mapping[str, float]:
        """The credit, 0 … 1, of checks that need no question of their own, given the replies to others."""
        return {}

    def credits(self, ask: Ask, reply: CheckReply) -> Mapping[str, float | None]:
        """The credit of a reply, 0 … 1, by check; None for a check that it does not settle. It never raises."""
        return checks_credited(ask, reply)

    def mark(self, row: CheckResult) -> Mark:
        """The mark of a judged check beside its picture: the expected answer is right, with any credit."""
        if row.credit is None:
            return "lost"
        if row.dimension in self.awards:
            return "noted"
        if row.credit == 1 or (row.answer == row.expected and not row.follows):
            return "right"
        return "partly" if row.credit > 0 else "wrong"

    def counted(self, rows: Iterable[CheckResult]) -> Sequence[CheckResult]:
        """The rows that the headline is about, by default all. Rows that are left out have numbers only in slices."""
        return list(rows)

    def gate(self, levels: Sequence[str]) -> str:
        """The level whose scores decide, for a set with these levels, if a group's other levels count; "" if none."""
        return ""

    def of_picture(self, picture: PictureScore, scoring: Scoring) -> Mapping[str, float]:
        """The number of one picture by itself, by column, then its parts; empty if it has none.

        By default only the weighted mean of its checks.
        """
        score = picture_score(picture, scoring)
        return {} if score is None else {"score": score}

    @abstractmethod
    def score(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Scores:
        """The numbers of judged checks, for a set with these levels."""

    @abstractmethod
    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Slices:
        """The numbers of `score` for parts of the rows: by law, category, dimension, tag, …, then by name."""

    def ends(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Mapping[str, Ends]:
        """The least and the largest value that lost checks allow, for numbers that are no means of credits."""
        return {}

    def references(self, prompts: PromptSet) -> Mapping[str, Mapping[str, float | None]]:
        """The numbers of planted models, by name and column, if we can draw the pictures; else none."""
        return {}
