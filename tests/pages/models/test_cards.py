"""The gallery's groups: every picture of every run in its place, with what was answered and what is known."""

import math
from pathlib import Path

import msgspec
import pytest
from pictures.carded import cards, checklist, judged, prompt
from pictures.pictured import FALLING, judge
from pictures.preparing.authors import Author
from planted_runs import read_journal, rewrite

from counterbench.judges.base import Reply
from counterbench.pages.models.cards import (
    GroupCard,
    LevelCard,
    SampleCard,
    Sources,
    examples,
    group_cards,
    known_pictures,
)
from counterbench.pages.models.gather_models import gather_models
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.runs.queries import Query
from counterbench.scene.scene import Scene


def group_cards_of(*runs: Path, labels: Path | None = None) -> tuple[list[GroupCard], Sources]:
    sources = Sources()
    return list(group_cards(gather_models(runs, labels=labels), sources)), sources


def level(groups: list[GroupCard], name: str) -> LevelCard:
    return next(level for level in groups[0].levels if level.level == name)


def test_every_picture_stands_under_its_prompt_with_an_answer_to_each_check(models: list[Path]) -> None:
    groups, _ = group_cards_of(*models)
    assert [group.id for group in groups] == list(FALLING.groups)
    for group in groups:
        for found in group.levels:
            prompt = FALLING.by_id[f"{group.id}/{found.level}"]
            assert found.prompt == prompt.text
            assert [check.id for check in found.checks] == [check.id for check in prompt.checks]
            assert [(sample.run, sample.sample) for sample in found.samples] == [(0, 0), (1, 0), (1, 1)]
            assert [sample for sample in found.samples if len(sample.answers) != len(found.checks)] == []
            assert {answer.answer for sample in found.samples for answer in sample.answers} <= {"yes", "no"}


def test_known_pictures_are_beside_each_picture_and_reversion_is_marked(models: list[Path]) -> None:
    groups, sources = group_cards_of(models[0])
    first, last = level(groups, "l1"), level(groups, "l3")
    assert first.prior is None  # at L1 the real law rules
    assert {type(sources.wanted[place]) for place in (first.right, last.right, last.prior) if place} <= {Scene}
    (sample,) = last.samples
    assert (sample.shows, sample.outcomes) == ("prior", ["failure", "wrong"])
    assessment, contrast = (next(c for c in last.checks if c.id == name) for name in ("assessment", "contrast"))
    assert [assessment.expected, contrast.expected] == ["yes", "no"]
    assert [last.answers[check.id] for check in (assessment, contrast)] == ["no", "yes"]  # of the prior's picture
    (sample,) = level(groups, "l2").samples
    assert (sample.shows, sample.outcomes, sample.score) == ("asked", ["right"], 1)


def test_a_picture_that_occurs_twice_is_shown_once(models: list[Path]) -> None:
    groups, sources = group_cards_of(models[0], models[1])
    places = [s.picture for group in groups for level_card in group.levels for s in level_card.samples]
    assert len(set(places)) < len(places)  # variants share the L1 of their setting
    assert len(sources.wanted) == len({str(scene) for scene in sources.wanted})


def test_prompts_with_edited_checks_have_no_known_pictures() -> None:
    prompt = FALLING.prompts[1]
    assert list(known_pictures(FALLING, prompt)) == ["right", "prior"]
    other = msgspec.structs.replace(prompt.checks[-1], expected="yes")
    edited = msgspec.structs.replace(prompt, checks=(*prompt.checks[:-1], other))
    assert list(known_pictures(FALLING, edited)) == []
    assert list(known_pictures(PromptSet("written", FALLING.levels, FALLING.prompts), prompt)) == []


@pytest.mark.parametrize(("generator", "outcome"), [("refuser", "refused"), ("blank", "blank")])
def test_a_missing_picture_says_why(tmp_path: Path, generator: str, outcome: str) -> None:
    groups, _ = group_cards_of(judge(tmp_path, generator))
    (sample,) = level(groups, "l1").samples
    assert (sample.status, sample.outcomes, sample.answers, sample.score) == (outcome, ["failure", outcome], [], 0)
    assert (sample.picture is None) == (outcome == "refused")


def test_a_raw_reply_is_shown_where_it_says_more_than_the_answer(tmp_path: Path) -> None:
    run = judge(tmp_path, "literal")
    kept = read_journal(run)
    replies = ["Yes, it hangs there.", "I cannot say.", *(record.reply or "" for record in kept[2:])]
    rewrite(run, [msgspec.structs.replace(r, reply=reply) for r, reply in zip(kept, replies, strict=True)])
    groups, _ = group_cards_of(run)
    (sample,) = level(groups, "l1").samples
    assert [(answer.said, answer.outcome) for answer in sample.answers[:3]] == [
        (["Yes, it hangs there."], "answer"), (["I cannot say."], sample.answers[1].outcome), ([], "answer")
    ]  # fmt: skip
    assert sample.answers[1].outcome != "answer"
    assert "lost" in sample.outcomes


def test_a_persons_label_stands_beside_the_judges_answer(models: list[Path], tmp_path: Path) -> None:
    first = FALLING.prompts[0]
    (tmp_path / "labels.csv").write_text(
        f"sample,check,label\n{first.id}/0,{first.checks[0].id},no\n{first.id}/0,{first.checks[1].id},yes\n"
    )
    groups, _ = group_cards_of(models[0], labels=tmp_path / "labels.csv")

    def person_labels(sample: SampleCard) -> list[float | None]:
        return [answer.person for answer in sample.answers]

    first_sample = level(groups, "l1").samples[0]
    assert person_labels(first_sample)[:3] == [0, 1, None]
    assert [answer.differs for answer in first_sample.answers][:3] == [True, False, False]


def test_a_right_picture_of_pw_agent_is_right_with_any_award(worlds_run: Path) -> None:
    (group,), _ = group_cards_of(worlds_run)
    found = group.levels[0]
    (sample,) = found.samples
    assert sample.outcomes == ["right"]
    assert list(sample.parts) == ["S1", "S2", "S3"]
    s1, s2, s3 = sample.parts.values()
    assert sample.score == pytest.approx(0.25 * s1 + 0.5 * s2 + 0.25 * s3)
    marked = {
        check.id: (answer.mark, check.expected) for check, answer in zip(found.checks, sample.answers, strict=True)
    }
    assert marked["e1-state-1"] == ("right", "yes")
    assert (marked["e1-foundation"], marked["e1-excellence"]) == (("noted", ""), ("noted", ""))
    assert [answer.credit for answer in sample.answers if answer.mark == "right"].count(0.9) == 3


def test_probabilities_are_shown_and_make_the_soft_mean(tmp_path: Path) -> None:
    prompts = checklist([prompt("g", Check(id="cup", text="A cup?"), Check(id="hat", text="A hat?", expected="no"))])
    reply = Reply(text="yes", mode="choice", choices={"yes": math.log(0.75), "no": math.log(0.25)})
    judged(cards(prompts, tmp_path / "images"), tmp_path / "run", Author(lambda query: reply, "sure"))
    (group,) = group_cards(gather_models([tmp_path / "run"], "soft"), Sources())
    (sample,) = group.levels[0].samples
    assert [answer.p_yes for answer in sample.answers] == pytest.approx([0.75, 0.75])
    assert [answer.credit for answer in sample.answers] == [1, 0]
    assert sample.score == pytest.approx((0.75 + 0.25) / 2)


def test_a_right_a_wrong_and_a_doubtful_answer_are_shown_first(tmp_path: Path) -> None:
    prompts = checklist([prompt(name, Check(id="cup", text=f"A cup of {name}?")) for name in ("tea", "mud", "fog")])

    def says(query: Query) -> Reply:
        p = 0.55 if "fog" in query.text else 0.99 if "tea" in query.text else 0.01
        return Reply(
            text="yes" if p > 0.5 else "no", choices={"yes": math.log(p), "no": math.log(1 - p)}, mode="choice"
        )

    judged(cards(prompts, tmp_path / "images"), tmp_path / "run", Author(says, "sure"))
    shown_first = examples(list(group_cards(gather_models([tmp_path / "run"]), Sources())))
    assert [(card.title, card.group, card.answer.answer) for card in shown_first] == [
        ("A right answer", "tea", "yes"), ("A wrong answer", "mud", "no"), ("A doubtful answer", "fog", "yes")
    ]  # fmt: skip
    assert shown_first[-1].reason == "the judge's probability of yes is 0.55"


def test_no_picture_is_twice_among_the_first_examples(tmp_path: Path) -> None:
    checks = [Check(id=name, text=f"A cup of {name}?") for name in ("tea", "mud", "fog")]
    author = Author(lambda query: "hm" if "fog" in query.text else "no" if "mud" in query.text else "yes", "sure")
    judged(cards(checklist([prompt(name, *checks) for name in "ab"]), tmp_path / "images"), tmp_path / "run", author)
    shown_first = examples(list(group_cards(gather_models([tmp_path / "run"]), Sources())))
    assert [(card.title, card.group) for card in shown_first] == [("A right answer", "b"), ("A wrong answer", "a")]


@pytest.mark.parametrize(
    ("reply", "why"),
    [("yes", "the judge also says yes when asked whether it is false"), ("hm", "no answer can be read: unparsed")],
)
def test_a_contradictory_or_unreadable_answer_is_doubtful(tmp_path: Path, reply: str, why: str) -> None:
    prompts = checklist([prompt(name, Check(id="cup", text=f"A cup of {name}?")) for name in ("tea", "mud")])
    images = cards(prompts, tmp_path / "images")
    judged(images, tmp_path / "run", Author(lambda query: reply, "sure"), negated=1.0)
    (doubtful,) = examples(list(group_cards(gather_models([tmp_path / "run"]), Sources())))
    assert (doubtful.title, doubtful.reason) == ("A doubtful answer", why)
    assert doubtful.answer.denied == (reply == "yes")
