"""Checks that ask for a higher count than the judge was shown to see are left out; doubt widens the score."""

from pathlib import Path

import msgspec
import pytest
from commands import call
from pictures.auditing.balls import BallEyes, ball_table, run_of
from sweeping import swept

import counterbench as cb
from counterbench.errors import InputError
from counterbench.evidence.ladders import LadderResults, kept_ladders
from counterbench.evidence.rungs import ladders_of, number_of, rungs_out
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.pictures.answer import Evaluated
from counterbench.pictures.judging.judged_run import load_models
from counterbench.pictures.run_scores import score
from counterbench.prompts.prompt_set import Check, Prompt
from counterbench.runs.folder import read_run_info
from counterbench.runs.queries import Query


@swept(
    ("text", "fields", "number"),
    [
        ("Are there exactly seven red apples?", {}, 7),
        ("Are there 12 chairs in the picture?", {}, 12),
        ("How many cats are there?", {"answer_type": "integer", "expected": "4"}, 4),
        ('Does the picture show this: "two dogs and eleven cats"?', {"skill": "whole prompt"}, 11),
        ('Does the picture show this: "three cats in a hat"?', {"tags": ("whole prompt",)}, 3),  # also if not tried
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
def test_a_checks_expected_count_is_found(text: str, fields: dict[str, str], number: int | None) -> None:
    assert number_of(Check(id="a", text=text, **fields)) == number  # type: ignore[arg-type]


def counted_to(count: int | None, judge: str = "j", template: str = "t", after: int | None = None) -> LadderResults:
    none = {"value": None, "low": None, "high": None}
    size = {"unit": "%", "granted": 10, "says": "", "next": after, "threshold": none, "rungs": []}
    return msgspec.convert(
        {
            "judge": judge, "template_digest": template, "policy": "standard", "attempt": 1, "bound": 0.85,
            "threshold": 20, "run": "run", "side": 512, "lost": "",
            "ladders": {
                "count": {"unit": "things", "granted": count, "says": "", "next": None, "threshold": none, "rungs": []},
                "size": size,
            },
        },
        LadderResults,
    )  # fmt: skip


def test_counts_above_the_shown_rung_are_left_out() -> None:
    checks = tuple(Check(id=f"c{n}", text=f"Are there exactly {n} balls?") for n in (2, 3, 7))
    prompts = [Prompt.at("p", "image", "balls", checks=checks)]
    assert rungs_out(counted_to(6), prompts) == {"count of 7": "shown to count to 6"}
    assert [*rungs_out(counted_to(None), prompts)] == ["count of 2", "count of 3", "count of 7"]
    assert rungs_out(None, prompts) == {}


def test_counts_above_the_shown_rung_widen_the_score_and_do_not_move_it(tmp_path: Path) -> None:
    run = run_of(tmp_path, BallEyes(), prompts=30)
    (judged,) = load_models(run)
    before, info = score(judged), judged.info
    (run / "ladders").mkdir()
    for after_it, wider in ((8, True), (None, False)):
        kept = counted_to(6, info.judge, info.template_digest, after_it)
        formats.write_json(run / "ladders" / "ladders.json", kept)
        after = score(load_models(run)[0])
        assert after.columns == before.columns
        assert (after.bounds != before.bounds) == wider


def test_a_ladder_result_of_another_judge_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ladders").mkdir()
    formats.write_json(tmp_path / "ladders" / "ladders.json", counted_to(6))
    assert ladders_of(tmp_path, "j", "t") is not None
    with pytest.raises(InputError, match="of the judge 'j' in the template t, not of 'other' in t; delete"):
        ladders_of(tmp_path, "other", "t")


class CountsToTwo(BallEyes):
    """Counts drawn things to two."""

    async def _reply(self, query: Query) -> Reply:
        reply = await super()._reply(query)
        rung = query.id.removeprefix("count-").partition("-")[0].partition("/")[0]
        if not query.id.startswith("count-") or int(rung) <= 2:
            return reply
        return Reply(text=query.phrased("no" if "yes" in reply.text else "yes"))


def test_evaluate_plans_ladders_as_far_as_its_questions_need(tmp_path: Path) -> None:
    planned = cb.evaluate(ball_table(tmp_path, 6), CountsToTwo(), tmp_path / "run", plan=True)
    assert planned.ladders.calls == 2 * 3 * 26  # rungs 1, 2, 3, without an error


@pytest.mark.slow
def test_evaluate_tests_ladders_and_leaves_out_unshown_counts(tmp_path: Path) -> None:
    own, run = ball_table(tmp_path, 6), tmp_path / "run"
    found = cb.evaluate(own, CountsToTwo(), run)
    assert isinstance(found, Evaluated)
    assert found.left_out == {"count of 3": "shown to count to 2"}
    assert found.documents[0].covered < 1
    kept = kept_ladders(run / "ladders")
    assert kept is not None
    assert kept.side == 768  # these pictures are smaller: the least that is drawn
    again = CountsToTwo()
    assert cb.evaluate(own, again, run) == found
    assert again.question_ids == []
    assert read_run_info(run / "ladders").judge == kept.judge
    shown = call("score", run)
    assert "shown to count to 2, so without count of 3; scored on 88.9 % of the weight" in " ".join(
        shown.stdout.split()
    )
