"""The conformance kit for protocols: ours pass it, and protocols with a fault in the seam do not, for that reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import pytest
from t2i.pw_worlds import asked

from counterbench.answers.outcomes import Unparsed
from counterbench.errors import InputError
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols import PROTOCOLS
from counterbench.t2i.protocols.asks import Ask, Replies, Said
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import Scoring
from counterbench.t2i.scores.scores import Scores
from counterbench.testing import check_protocol, sample_prompts

Rows, Levels, Weights = Iterable[CheckResult], Sequence[str], Mapping[str, float] | None


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_shipped_protocol_conforms(name: str) -> None:
    check_protocol(PROTOCOLS[name], asked() if name == "pw-agent" else None)


def test_it_is_tried_on_prompts_of_ones_own_too() -> None:
    laws = load_prompts("laws-few")
    check_protocol(PROTOCOLS["cf-eval"], laws.of(laws.first(2)))
    with pytest.raises(AssertionError, match="does not fit 'sample of kinds', which it was given"):
        check_protocol(PROTOCOLS["cf-eval"], sample_prompts()[1])


class OneQuestion(Checklist):
    """A protocol that makes its own check, once an author has said what the prompt is about; it fits any prompts."""

    name = "one-question"

    def fits(self, prompts: PromptSet) -> None: ...

    def prepare(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return () if "about" in said else (Ask(id="about", text=prompt.text, answer_type="description", sees=False),)

    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        text = f"How well does the picture show {said['about'].answer}?"
        return (Check(id="shown", text=text, answer_type="rating:0-10", expected="10"),)


def test_checks_that_an_author_is_asked_for_are_asked() -> None:
    check_protocol(OneQuestion())


class Nameless(Checklist):
    name = ""


class VersionNought(Checklist):
    version = 0


class Unscored(Checklist):
    scorings: ClassVar[Any] = {}


class FitsNothing(Checklist):
    def fits(self, prompts: PromptSet) -> None:
        raise InputError(f"{prompts.name!r} lacks something")


class FitsVaguely(Checklist):
    def fits(self, prompts: PromptSet) -> None:
        raise InputError("there are no questions")


class FitsEverything(Checklist):
    def fits(self, prompts: PromptSet) -> None: ...


class Forgetful(Checklist):
    """It remembers what it asked, and not from the replies."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        found = [ask for ask in super().ask(prompt, said) if ask.id not in self.asked]
        self.asked.update(ask.id for ask in found)
        return found


class Endless(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return [*super().ask(prompt, said), Ask(id=f"more-{len(said)}", text="And what else?")]


class DoubledIds(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return [msgspec.structs.replace(ask, id="q") for ask in super().ask(prompt, said) if not said]


class AsksAgain(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return super().ask(prompt, {})


class OtherWordsLater(Checklist):
    """How it asks about one thing depends on which other replies are there yet."""

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        told = f"You have answered {len(said)} questions. "
        return [msgspec.structs.replace(ask, text=told + ask.text) for ask in super().ask(prompt, said)]


class UnreadIsWrong(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        found = super().credits(ask, said)
        return dict.fromkeys(found, 0.0) if isinstance(said.outcome, Unparsed) else found


class Percent(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        return {id: None if of is None else 100 * of for id, of in super().credits(ask, said).items()}


class OthersToo(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        return {**super().credits(ask, said), "overall": None}


class Backwards(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        return {id: None if of is None else 1 - of for id, of in super().credits(ask, said).items()}


class Scored(Checklist):
    """A fault in what becomes of the rows."""

    def score(self, rows: Rows, levels: Levels, how: Scoring) -> Scores:
        return self.bent(super().score(rows, levels, how), list(rows))

    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        raise NotImplementedError


class ByOrder(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        first = rows[0].credit
        scores.whole.columns["score"][0] = first
        return scores


class Undeclared(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        return msgspec.structs.replace(scores, headline=(*scores.headline, "overall"))


class NoHeadline(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        return msgspec.structs.replace(scores, headline=())


class LessIsMore(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        columns = scores.whole.columns
        columns["score"] = [None if value is None else 1 - value for value in columns["score"]]
        return msgspec.structs.replace(scores, bounded=())


BROKEN = {
    Nameless: "name is empty",
    VersionNought: "version is 0",
    Unscored: "scorings has no 'default'",
    FitsNothing: "fits none of the sample sets",
    FitsVaguely: "fits does not say which set",
    FitsEverything: "fits 'bare', and checks nothing",
    Forgetful: "prompt 'a/l1': asks something else for the same replies",
    Endless: "prompt 'a/l1': a protocol asked 100 waves",
    DoubledIds: "prompt 'a/l1': two questions of one wave have the same id",
    AsksAgain: "prompt 'a/l1': asked again what has a reply: 'habit', 'logic', 'point', 'whole'",
    OtherWordsLater: "question 'true': asked otherwise, or only, while there is no reply to 'noise'",
    UnreadIsWrong: r"question 'whole': 0.0 for 'whole' by Unparsed.*: what is no answer earns nothing",
    Percent: r"question 'whole': 100.0 for 'whole' by Answer\(value='yes'.*: not from 0 to 1",
    OthersToo: "question 'whole': None for 'overall' by .* does not settle",
    Backwards: "a/l1/0, check 'whole': a right answer .yes. has credit 0.0, not 1",
    ByOrder: "with the rows in another order",
    Undeclared: "no column overall; there are: score",
    NoHeadline: "score has no headline",
    LessIsMore: "'score' is 0.0 where every answer is right, and 1.0 where every one is wrong",
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda protocol: protocol.__name__)
def test_a_protocol_that_breaks_the_seam_is_found_out(broken: type) -> None:
    with pytest.raises(AssertionError, match=BROKEN[broken]):
        check_protocol(broken())
