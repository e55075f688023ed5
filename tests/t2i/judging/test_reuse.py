"""Replies that stay: a run about other questions asks what it has no reply to, and nothing that was paid for."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from t2i.carded import cards, checklist, judged, prompt

from counterbench.errors import InputError
from counterbench.judges.planted import PlantedJudge
from counterbench.runs.wordings import load_wording
from counterbench.t2i.images.manifest import Images
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.judging.results import load_judged
from counterbench.t2i.judging.reuse import Reuse, holds_other_questions
from counterbench.t2i.judging.run import judge_pictures
from counterbench.t2i.prompts.prompt_set import Check, PromptSet

SEEN = Check(id="seen", text="What is there?", answer_type="description", expected="", weight=0)
CHECKS = (SEEN, Check(id="cup", text="Is it a cup?", after="seen"), Check(id="red", text="Is it red?"))
STRICT = load_wording("strict")


def asks(*checks: Check, groups: int = 3) -> PromptSet:
    return checklist([prompt(f"g{i}", *checks) for i in range(groups)])


@pytest.fixture
def before(tmp_path: Path) -> Images:
    """Three pictures, judged by a judge that says yes to all."""
    made = cards(asks(*CHECKS), tmp_path / "images")
    assert judged(made, tmp_path / "before", "constant").calls == 9
    return made


def again(made: Images, prompts: PromptSet, tmp_path: Path, judge: str = "constant") -> int:
    """How many calls a run about other questions makes that takes over the replies of the one before."""
    questions = PictureQuestions(made, prompts)
    chosen = PlantedJudge(judge, questions.keys)
    out = tmp_path / "after"
    end = judge_pictures(
        questions,
        chosen,
        out,
        wording=STRICT,
        certificate=None,
        uncertified=True,
        reuse=Reuse(questions, tmp_path / "before", chosen.name, STRICT, 1),
    )
    assert end.complete
    assert (
        len(load_judged(out).rows)
        == sum(check.answer_type != "description" for p in questions.drawn.prompts for check in p.checks)
        * made.info.samples
    )
    return end.calls


def test_a_weight_costs_nothing(before: Images, tmp_path: Path) -> None:
    heavier = tuple(msgspec.structs.replace(check, weight=2 * check.weight) for check in CHECKS)
    assert again(before, asks(*heavier), tmp_path) == 0
    assert again(before, asks(*heavier), tmp_path) == 0  # the same again


def test_a_mended_check_is_asked_and_no_other_and_what_follows_it(before: Images, tmp_path: Path) -> None:
    red = msgspec.structs.replace(CHECKS[2], text="Is the cup red?")
    assert again(before, asks(SEEN, CHECKS[1], red, Check(id="new", text="Is it new?", after="red")), tmp_path) == 6


def test_what_follows_from_another_description_is_asked_anew(before: Images, tmp_path: Path) -> None:
    seen = msgspec.structs.replace(SEEN, text="What do you see?")
    assert again(before, asks(seen, *CHECKS[1:]), tmp_path) == 6


def test_another_judge_takes_over_nothing(before: Images, tmp_path: Path) -> None:
    assert again(before, asks(*CHECKS), tmp_path, "random") == 9


def test_which_folder_holds_other_questions(before: Images, tmp_path: Path) -> None:
    def other(prompts: PromptSet, judge: str = "planted:constant", run: str = "before") -> bool:
        return holds_other_questions(tmp_path / run, PictureQuestions(before, prompts), judge, STRICT, 1)

    assert not other(asks(*CHECKS))
    assert other(asks(*CHECKS[:2]))
    assert not other(asks(*CHECKS[:2]), "planted:random")  # another judge's: not ours to stand beside
    assert not other(asks(*CHECKS[:2]), run="nothing")


def test_replies_that_were_edited_are_not_taken_over(before: Images, tmp_path: Path) -> None:
    journal = tmp_path / "before" / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"yes"', '"no"'))
    with pytest.raises(InputError, match="was changed since the judge was asked"):
        Reuse(PictureQuestions(before, asks(*CHECKS)), tmp_path / "before", "planted:constant", STRICT, 1)


def test_a_folder_that_is_no_run_is_refused(before: Images, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a run"):
        Reuse(PictureQuestions(before, asks(*CHECKS)), tmp_path, "planted:constant", STRICT, 1)
