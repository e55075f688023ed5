"""Checks that need others (DSG): they fail with one that they need, whatever was said of themselves."""

from collections.abc import Mapping

import pytest
from sweeping import swept

from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.answers.soft import SoftAnswer
from counterbench.errors import InputError
from counterbench.pictures.judging.judged_run import results_of
from counterbench.pictures.protocols import PROTOCOLS
from counterbench.pictures.protocols.asks import CheckReply, unmet
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.rules import SOFT, credited
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

CHECKLIST = PROTOCOLS["checklist"]
CAR = Prompt.at(
    "g",
    "image",
    "A red car with a dent.",
    checks=(
        Check(id="car", text="Is there a car?"),
        Check(id="red", text="Is the car red?", needs=("car",)),
        Check(id="dent", text="Is there a dent in the red?", needs=("red",)),
        Check(id="sky", text="Is there a sky?"),
    ),
)
YES, NO, LOST = Answer("yes"), Answer("no"), Unparsed("?")


def results_by_check(protocol: str = "checklist", **outcomes: Outcome) -> dict[str, CheckResult]:
    sure = SoftAnswer(0.75, 0.0)
    return {row.check: row for row in results_of(PROTOCOLS[protocol], CAR, 0, "ok", outcomes.get, lambda ask: sure)}


@swept(
    ("outcomes", "credits"),
    [
        ({"car": YES, "red": YES, "dent": YES}, (1, 1, 1)),
        ({"car": NO, "red": YES, "dent": YES}, (0, 0, 0)),
        ({"car": YES, "red": NO, "dent": YES}, (1, 0, 0)),
        ({"car": LOST, "red": YES, "dent": LOST}, (None, 1, None)),
        ({"car": NO, "red": LOST, "dent": YES}, (0, 0, 0)),
    ],
)
@swept("protocol", ["checklist", "r2i-score"])
def test_a_check_fails_with_one_it_needs_and_not_with_a_lost_one(
    protocol: str, outcomes: Mapping[str, Outcome], credits: tuple[float | None, ...]
) -> None:
    found = results_by_check(protocol, sky=YES, **outcomes)
    assert tuple(found[id].credit for id in ("car", "red", "dent")) == credits
    assert found["sky"].credit == 1


def test_checks_are_asked_at_once_and_unmet_ones_marked_wrong() -> None:
    assert [ask.id for ask in CHECKLIST.ask(CAR, {})] == ["car", "red", "dent", "sky"]
    found = results_by_check(car=NO, red=YES, dent=YES, sky=YES)
    assert (found["red"].answer, CHECKLIST.mark(found["red"])) == ("yes", "wrong")


def test_a_soft_scoring_counts_an_unmet_check_as_0() -> None:
    found = credited(results_by_check(car=NO, red=YES, dent=YES, sky=YES).values(), SOFT["soft"])
    assert [row.credit for row in found] == [0.75, 0, 0, 0.75]


def test_needed_graded_checks_must_have_full_credit() -> None:
    rated = {"answer_type": "rating:1-5", "expected": "5", "call": "look"}
    a, b = (Check(id=id, text=f"{id}?", **rated) for id in "ab")
    prompt = Prompt.at("g", "image", "A.", checks=(a, b, Check(id="c", text="C?", needs=("a",))))
    for grade, left in ((5, {}), (4, {"c": 0.0})):
        assert unmet(prompt, {"call.look": CheckReply(Answer(f'{{"a":{grade},"b":1}}')), "c": CheckReply(YES)}) == left


def test_needs_must_name_checks_of_the_prompt_and_are_in_the_digest() -> None:
    for needs in (("cat",), ("car",)):
        prompt = Prompt.at("g", "image", "A.", checks=(Check(id="car", text="Is there a car?", needs=needs),))
        with pytest.raises(InputError, match=f"check 'car', needs: unknown check '{needs[0]}'"):
            PromptSet("mine", ("image",), [prompt])
    bare = Prompt.at("g", "image", CAR.text, checks=tuple(Check(id=c.id, text=c.text) for c in CAR.checks))
    assert PromptSet("mine", ("image",), [bare]).digest != PromptSet("mine", ("image",), [CAR]).digest
