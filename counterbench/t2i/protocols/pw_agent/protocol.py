"""PW-Agent (PicWorld, section 3.2): expectations are written once, tested question by question, and added up.

Its four agents are calls of two models. An author is the World Knowledge Extractor and the Hypothesis Formulator (`t2i
prepare`, once for a prompt); the judge is the Visual Perceptor and the Reasoning Judger. The judge's answers are facts;
S1, S2, S3 and S are computed here (`layers`), while the paper leaves them to the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, cast

from counterbench.errors import InputError
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols.asks import Ask, Replies, Said, checks_credited
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.pw_agent import asking, author
from counterbench.t2i.protocols.pw_agent.facts import Three, layers_of, span
from counterbench.t2i.protocols.pw_agent.layers import MOST, SCORINGS, Layers, total
from counterbench.t2i.scores.measure import Ends
from counterbench.t2i.scores.results import CheckResult, Picture
from counterbench.t2i.scores.rules import Scoring, mean
from counterbench.t2i.scores.scores import ByPrompt, Scores, Slices

COLUMNS = ("s1", "s2", "s3", "s")
# The slices by prompt, and the field of each: a prompt's discipline is PicWorld's subcategory.
_FIELDS = {"category": "category", "subcategory": "discipline", "level": "level"}


class PWAgent(Protocol):
    """PicWorld's protocol, on prompts whose questions an author wrote for it. All numbers are from 0 to 10."""

    name = "pw-agent"
    summary = "PicWorld: existence and state of what an author expects, then awards; S1, S2, S3 and S, from 0 to 10"
    asks = "each expected thing, its state where it is there, then what is awarded; the prompt is not shown"
    calls = "two or three an expectation, and three more"
    needs = "questions that an author wrote: t2i prepare --protocol pw-agent"
    prepared = 1 + author.MOST
    awards = asking.AWARDS
    scorings: ClassVar[Mapping[str, Scoring]] = SCORINGS

    def fits(self, prompts: PromptSet) -> None:
        """InputError unless some prompt has questions, and all questions are of the kinds that it asks."""
        if not any(prompt.checks for prompt in prompts.prompts):
            raise InputError(
                f"{prompts.name!r} has no questions, and pw-agent asks what an author has written: `t2i prepare` with "
                "--protocol pw-agent has it write them, then --prompts names its file"
            )
        for prompt in prompts.prompts:
            for check in prompt.checks:
                kind, _ = asking.TYPES.get(check.dimension, ("", ""))
                graded = check.dimension in asking.PERCEIVED
                if check.answer_type != kind or (graded and check.weight not in author.IMPORTANCE.values()):
                    raise InputError(
                        f"{prompts.name!r}, {prompt.id!r}, check {check.id!r}: is none of pw-agent's (dimension "
                        f"{check.dimension!r}, answer type {check.answer_type!r}, weight {check.weight:g}), which `t2i "
                        "prepare` has an author write; --protocol checklist takes any"
                    )
            states = {asking.expectation_of(check) for check in prompt.checks if check.dimension == asking.STATE}
            if prompt.checks and not states:
                raise InputError(f"{prompts.name!r}, {prompt.id!r}: no check on a state, without which it has no S2")
            for check in prompt.checks:
                of = asking.expectation_of(check)
                if check.dimension in (asking.STATE, *asking.AWARDS) and (not of or of not in states):
                    raise InputError(
                        f"{prompts.name!r}, {prompt.id!r}, check {check.id!r}: its id does not tell whose "
                        f"{check.dimension} it is; name it NAME-{check.dimension}, with the NAME of a check "
                        f"NAME-{asking.STATE} or NAME-{asking.STATE}-1"
                    )

    def prepare(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """Questions about a prompt without checks: expectations, then each in detail; once more after a bad reply."""
        return author.asks(prompt, said)

    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        """The prompt's own checks, else an author's; none unless the author wrote about every expectation."""
        return asking.checks(prompt, said)

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """Questions on existence, then on the state of things that are there, then for the Judger's records."""
        return asking.asks(prompt, said)

    def follows(self, prompt: Prompt, said: Replies) -> Mapping[str, float]:
        """The state of a missing thing fails, and an unmet expectation has no award."""
        return asking.follows(prompt, said)

    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        """The confidence (1 if none is stated) for a state that is met; the usual credit for every other check.

        A count of contradictions below 0 is no answer, and so it is lost.
        """
        by_check = checks_credited(ask, said)
        if ask.answer_type == "integer" and (said.answer or "").startswith("-"):
            return dict.fromkeys(by_check)
        sure = said.found.confidence if said.found is not None else None
        states = [check.id for check in ask.checks if check.dimension == asking.STATE and by_check[check.id] == 1]
        return by_check | dict.fromkeys(states, 1.0 if sure is None else sure)

    def of_picture(self, picture: Picture, how: Scoring) -> Mapping[str, float]:
        """S (Eq. 6), then S1, S2 and S3, each from 0 to 10."""
        three = layers_of(picture, cast(Layers, how))
        return {} if three is None else _numbers(three)

    def score(
        self,
        rows: Iterable[CheckResult],
        levels: Sequence[str],
        how: Scoring,
    ) -> Scores:
        """`s1`, `s2`, `s3` and `s` (Eq. 6): means over prompts of the means over each prompt's complete pictures."""
        whole = ByPrompt(rows, levels).part(COLUMNS, lambda picture: self.of_picture(picture, how), MOST)
        return Scores(whole=whole, headline=COLUMNS, bounded=COLUMNS)

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Slices:
        """The same numbers by category, subcategory and level."""
        known = list(rows)
        return ByPrompt(known, levels).slices(self.score(known, levels, how).whole, _FIELDS)

    def ends(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Mapping[str, Ends]:
        """The mean over prompts of the least, and of the largest, for each number."""
        by, prompts = cast(Layers, how), ByPrompt(rows, levels)
        low = prompts.part(COLUMNS, lambda picture: _numbers(span(picture, by)[0]))
        high = prompts.part(COLUMNS, lambda picture: _numbers(span(picture, by)[1]))
        return {name: (mean(low.columns[name]), mean(high.columns[name])) for name in COLUMNS}


def _numbers(three: Three) -> Mapping[str, float]:
    return {"s": total(three), **dict(zip(COLUMNS, three, strict=False))}
