"""Checks that ask for more than a judge was shown to count are left out; what only pictures show widens the score."""

from pathlib import Path

import msgspec
import pytest
from commands import call
from t2i.auditing.balls import BallEyes, ball_table, run_of

import counterbench as cb
from counterbench.certificate.climbing import Climbed, kept_climb
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.runs.folder import read_run_info
from counterbench.runs.queries import Query
from counterbench.t2i.answer import Evaluated
from counterbench.t2i.judging.results import load_models
from counterbench.t2i.judging.rungs import climb_of, is_unknown, number_of, rungs_out, without_unknown
from counterbench.t2i.prompts.prompt_set import Check, Prompt


@pytest.mark.parametrize(
    ("text", "fields", "number"),
    [
        ("Are there exactly seven red apples?", {}, 7),
        ("Are there 12 chairs in the picture?", {}, 12),
        ("How many cats are there?", {"answer_type": "integer", "expected": "4"}, 4),
        ('Does the picture show this: "two dogs and eleven cats"?', {"skill": "whole prompt"}, 11),
        ("How many cats are there?", {"answer_type": "integer", "expected": "four"}, 4),
        ("How many stars are there?", {"answer_type": "integer", "expected": "150"}, 150),
        ("Are there exactly twenty-five dogs?", {}, 25),
        ("Are there zero dogs?", {"skill": "count"}, None),
        ("Are there 3.5 apples, or 1,000?", {"skill": "count"}, None),
        ('Does the picture show this: "a clock at 10:30, two dogs"?', {"skill": "whole prompt"}, 2),
        ("Is there a dog?", {}, None),
        ("Is there exactly one dog?", {}, None),  # presence tests that
        ("Is the car from the 1950s?", {}, None),
        ("Is the seven of hearts to the left of the ace?", {}, None),  # asks for a place
    ],
)
def test_the_number_that_a_check_asks_for(text: str, fields: dict[str, str], number: int | None) -> None:
    assert number_of(Check(id="a", text=text, **fields)) == number  # type: ignore[arg-type]


def climb(seen: int | None, judge: str = "j", template: str = "t") -> Climbed:
    none = {"value": None, "low": None, "high": None}
    return msgspec.convert(
        {
            "judge": judge, "template_digest": template, "policy": "standard", "attempt": 1, "bound": 0.85,
            "threshold": 20, "run": "run", "side": 512, "lost": "",
            "ladders": {
                "count": {"unit": "things", "granted": seen, "says": "", "next": None, "threshold": none, "rungs": []}
            },
        },
        Climbed,
    )  # fmt: skip


def test_rungs_above_what_was_shown_are_out() -> None:
    checks = tuple(Check(id=f"c{n}", text=f"Are there exactly {n} balls?") for n in (2, 3, 7))
    prompts = [Prompt.at("p", "image", "balls", checks=checks)]
    assert rungs_out(climb(6), prompts) == {"count of 7": "shown to count to 6"}
    assert [*rungs_out(climb(None), prompts)] == ["count of 2", "count of 3", "count of 7"]
    assert rungs_out(None, prompts) == {}


def test_a_count_above_what_was_shown_widens_the_score(tmp_path: Path) -> None:
    run = run_of(tmp_path, BallEyes(), prompts=12)
    (judged,) = load_models(run)
    checks = {(prompt.id, check.id): check for prompt in judged.prompts.prompts for check in prompt.checks}
    rows = without_unknown(climb(1), checks, judged.rows)
    changed = [(old, new) for old, new in zip(judged.rows, rows, strict=True) if old != new]
    assert changed
    assert all(int(old.answer or 0) > 1 and new.credit is None and new.outcome == "beyond" for old, new in changed)
    assert not is_unknown(climb(1), Check(id="a", text="Are there exactly three balls?"), "yes")


def test_the_climb_of_another_judge_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ladders").mkdir()
    formats.write_json(tmp_path / "ladders" / "ladders.json", climb(6))
    assert climb_of(tmp_path, "j", "t") is not None
    with pytest.raises(InputError, match=r"climbed by 'j' in the template t, not by 'other' in t; delete that folder"):
        climb_of(tmp_path, "other", "t")


class CountsToTwo(BallEyes):
    """Counts drawn things to two."""

    async def _reply(self, query: Query) -> Reply:
        reply = await super()._reply(query)
        rung = query.id.removeprefix("count-").partition("-")[0].partition("/")[0]
        if not query.id.startswith("count-") or int(rung) <= 2:
            return reply
        return Reply(text=query.phrased("no" if "yes" in reply.text else "yes"))


def test_evaluate_climbs_as_far_as_its_questions_need_and_leaves_out_the_rest(tmp_path: Path) -> None:
    own, run = ball_table(tmp_path, 6), tmp_path / "run"
    planned = cb.evaluate(own, CountsToTwo(), run, plan=True)
    assert planned.ladders.calls == 2 * 3 * 26  # rungs 1, 2, 3, without an error
    found = cb.evaluate(own, CountsToTwo(), run)
    assert isinstance(found, Evaluated)
    assert found.left_out == {"count of 3": "shown to count to 2"}
    assert found.documents[0].covered < 1
    kept = kept_climb(run / "ladders")
    assert kept is not None
    assert kept.side == 768  # these pictures are smaller: the least that is drawn
    again = CountsToTwo()
    assert cb.evaluate(own, again, run) == found
    assert again.asked == []
    assert read_run_info(run / "ladders").judge == kept.judge
    shown = call("t2i", "score", run)
    assert "shown to count to 2, so without count of 3; scored on 88.9 % of the weight" in " ".join(
        shown.stdout.split()
    )
