"""The conformance kit for protocols: ours pass it, and protocols with a fault in the seam do not, for that reason."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pytest
from pictures.pw_worlds import worlds
from sweeping import swept

from counterbench.errors import InputError
from counterbench.pictures.judging.conformance import check_protocol, sample_prompts
from counterbench.pictures.protocols import PROTOCOLS
from counterbench.pictures.protocols.asks import Ask, CheckReplies
from counterbench.pictures.protocols.checklist import Checklist
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.rules import Scoring
from counterbench.pictures.scores.scores import Scores
from counterbench.prompts.files import load_prompts
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet


@swept("name", [name for name, protocol in PROTOCOLS.items() if not protocol.compares])
def test_a_shipped_protocol_conforms(name: str) -> None:
    check_protocol(PROTOCOLS[name], worlds() if name == "pw-agent" else None)


def test_a_protocol_may_be_tried_on_prompts_of_ones_own() -> None:
    laws = load_prompts("laws-few")
    check_protocol(PROTOCOLS["cf-eval"], laws.holding(laws.first(2)))
    with pytest.raises(AssertionError, match="does not fit 'sample of kinds', which it was given"):
        check_protocol(PROTOCOLS["cf-eval"], sample_prompts()[1])


class OneQuestion(Checklist):
    """A protocol that makes its own check, once an author has said what the prompt is about; it fits any prompts."""

    name = "one-question"

    def fits(self, prompts: PromptSet) -> None: ...

    def prepare(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        return () if "about" in replies else (Ask(id="about", text=prompt.text, answer_type="description", sees=False),)

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        text = f"How well does the picture show {replies['about'].answer}?"
        return (Check(id="shown", text=text, answer_type="rating:0-10", expected="10"),)


def test_the_kit_asks_checks_written_by_an_author() -> None:
    check_protocol(OneQuestion())


def fits_nothing(self: Any, prompts: PromptSet) -> None:
    raise InputError(f"{prompts.name!r} lacks something")


class Endless(Checklist):
    def ask(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        return [*super().ask(prompt, replies), Ask(id=f"more-{len(replies)}", text="And what else?")]


class DoubledIds(Checklist):
    def ask(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        return [msgspec.structs.replace(ask, id="q") for ask in super().ask(prompt, replies) if not replies]


def but(**members: Any) -> Any:
    """A checklist with other members."""
    return type("But", (Checklist,), members)


def credited(bent: Callable[[Mapping[str, float | None]], Mapping[str, float | None]]) -> Any:
    """A checklist that credits something else."""
    return but(credits=lambda self, ask, reply: bent(Checklist.credits(self, ask, reply)))


def checklist_scoring(bent: Callable[[Scores, list[CheckResult]], Scores]) -> Any:
    """A checklist whose scores are others."""

    def score(self: Any, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Scores:
        rows = list(rows)
        return bent(Checklist.score(self, rows, levels, scoring), rows)

    return but(score=score)


def by_order(scores: Scores, rows: list[CheckResult]) -> Scores:
    scores.whole.columns["score"][0] = sum(place * (row.credit or 0) for place, row in enumerate(rows))
    return scores


def scaled(credits: Mapping[str, float | None], by: float, plus: float) -> dict[str, float | None]:
    return {id: None if credit is None else by * credit + plus for id, credit in credits.items()}


BROKEN = {
    "unscored": (but(scorings={}), "scorings has no 'default'"),
    "fits nothing": (but(fits=fits_nothing), "fits none of the sample sets"),
    "fits everything": (but(fits=lambda self, prompts: None), "'picworld-own': fits, and checks nothing"),
    "endless": (Endless, "prompt 'falling.up.00/l1': a protocol asked 100 waves"),
    "doubled ids": (DoubledIds, "prompt 'falling.up.00/l1': two questions of one wave have the same id"),
    "percent": (credited(lambda c: scaled(c, 100, 0)), "'integrity': a right answer .yes. has credit 100.0, not 1"),
    "backwards": (credited(lambda c: scaled(c, -1, 1)), "'integrity': a right answer .yes. has credit 0.0, not 1"),
    "by order": (checklist_scoring(by_order), "with the rows in another order"),
}


@swept("broken", BROKEN)
def test_a_protocol_that_breaks_the_seam_is_found_out(broken: str) -> None:
    protocol, message = BROKEN[broken]
    with pytest.raises(AssertionError, match=message):
        check_protocol(protocol())
