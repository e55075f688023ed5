"""The conformance kit for protocols: ours pass it, and protocols with a fault in the seam do not, for that reason."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pytest
from t2i.pw_worlds import asked

from counterbench.answers.outcomes import Unparsed
from counterbench.errors import InputError
from counterbench.t2i.judging.conformance import check_protocol, sample_prompts
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols import PROTOCOLS
from counterbench.t2i.protocols.asks import Ask, Replies, Said
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import Scoring
from counterbench.t2i.scores.scores import Scores


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


def fits_nothing(self: Any, prompts: PromptSet) -> None:
    raise InputError(f"{prompts.name!r} lacks something")


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


class OtherWordsLater(Checklist):
    """How it asks about one thing depends on which other replies are there yet."""

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        told = f"You have answered {len(said)} questions. "
        return [msgspec.structs.replace(ask, text=told + ask.text) for ask in super().ask(prompt, said)]


class UnreadIsWrong(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        found = super().credits(ask, said)
        return dict.fromkeys(found, 0.0) if isinstance(said.outcome, Unparsed) else found


def but(**members: Any) -> Any:
    """A checklist with other members."""
    return type("But", (Checklist,), members)


def credited(bent: Callable[[Mapping[str, float | None]], Mapping[str, float | None]]) -> Any:
    """A checklist that credits something else."""
    return but(credits=lambda self, ask, said: bent(Checklist.credits(self, ask, said)))


def scored(bent: Callable[[Scores, list[CheckResult]], Scores]) -> Any:
    """A checklist whose scores are others."""

    def score(self: Any, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Scores:
        rows = list(rows)
        return bent(Checklist.score(self, rows, levels, how), rows)

    return but(score=score)


def by_order(scores: Scores, rows: list[CheckResult]) -> Scores:
    scores.whole.columns["score"][0] = rows[0].credit
    return scores


def scaled(credits: Mapping[str, float | None], by: float, plus: float) -> dict[str, float | None]:
    return {id: None if of is None else by * of + plus for id, of in credits.items()}


BROKEN = {
    "nameless": (but(name=""), "name is empty"),
    "version 0": (but(version=0), "version is 0"),
    "unscored": (but(scorings={}), "scorings has no 'default'"),
    "fits nothing": (but(fits=fits_nothing), "fits none of the sample sets"),
    "fits everything": (but(fits=lambda self, prompts: None), "fits 'bare', and checks nothing"),
    "forgetful": (Forgetful, "prompt 'a/l1': asks something else for the same replies"),
    "endless": (Endless, "prompt 'a/l1': a protocol asked 100 waves"),
    "doubled ids": (DoubledIds, "prompt 'a/l1': two questions of one wave have the same id"),
    "asks again": (
        but(ask=lambda self, prompt, said: Checklist.ask(self, prompt, {})),
        "prompt 'a/l1': asked again what has a reply: 'logic', 'point', 'prior', 'whole'",
    ),
    "other words later": (
        OtherWordsLater,
        "question 'true': asked otherwise, or only, while there is no reply to 'there'",
    ),
    "unread is wrong": (
        UnreadIsWrong,
        r"question 'whole': 0.0 for 'whole' by Unparsed.*: what is no answer earns nothing",
    ),
    "percent": (
        credited(lambda c: scaled(c, 100, 0)),
        r"'whole': 100.0 for 'whole' by Answer\(value='yes'.*: not from 0 to 1",
    ),
    "backwards": (credited(lambda c: scaled(c, -1, 1)), "check 'whole': a right answer .yes. has credit 0.0, not 1"),
    "by order": (scored(by_order), "with the rows in another order"),
    "undeclared": (
        scored(lambda scores, rows: msgspec.structs.replace(scores, headline=(*scores.headline, "overall"))),
        "no column overall; there are: score",
    ),
    "no headline": (scored(lambda s, rows: msgspec.structs.replace(s, headline=())), "score has no headline"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_protocol_that_breaks_the_seam_is_found_out(broken: str) -> None:
    protocol, said = BROKEN[broken]
    with pytest.raises(AssertionError, match=said):
        check_protocol(protocol())
