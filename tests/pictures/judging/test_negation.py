"""Checks asked as they are and denied: how far a judge leans to yes, and that no score knows of it."""

from pathlib import Path

import pytest
from pictures.carded import cards, checklist, judged, mixed, prompt

import counterbench as cb
from counterbench.pictures.judging.negation import (
    BothForms,
    BothWays,
    both_ways,
    leaning,
    negations,
    revoked_by_contradictions,
)
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.protocols import protocol
from counterbench.pictures.scores.document import Leaning
from counterbench.prompts.manifest import Images
from counterbench.prompts.prompt_set import Check
from counterbench.stats.paired import paired_difference

PROMPTS = mixed()  # of five checks each three with yes or no, of 20 prompts


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return cards(PROMPTS, tmp_path_factory.mktemp("cards"))


def leans(images: Images, out: Path, judge: str) -> Leaning:
    judged(images, out, judge, negated=1)
    found = cb.t2i_score(out).leaning
    assert found is not None
    return found


def test_a_denial_asks_if_the_question_is_false_and_expects_the_opposite(images: Images) -> None:
    questions = PictureQuestions(images, PROMPTS, protocol("checklist"), negated=1)
    queries, keys = {q.id: q for q in questions.queries()}, {key.id: key for key in list(questions.keys())}
    framed = [id for id in queries if id.endswith("~negated")]
    assert len(framed) == 20 * 3
    for id in framed:
        plain = id.removesuffix("~negated")
        assert queries[id].text == f"Is the following false: {queries[plain].text}"
        assert {keys[id].expected, keys[plain].expected} == {"yes", "no"}


def test_checks_without_an_opposite_or_after_a_reply_are_not_denied() -> None:
    example = prompt(
        "g",
        Check(id="a", text="Is it?"),
        Check(id="b", text="How many?", answer_type="integer", expected="3"),
        Check(id="c", text="And is it?", after="a"),
        Check(id="d", text="How well?", answer_type="rating:1-5", expected="5", call="x"),
    )
    assert [ask.id for ask in negations(example, "g/image/0", 1)] == ["a~negated"]
    assert negations(example, "g/image/0", 0) == []


@pytest.mark.parametrize(("judge", "way"), [("oracle", 0), ("yes-bias?p=0.6", 1), ("no-bias?p=0.6", -1)])
def test_a_judge_leans_as_it_was_planted_to(judge: str, way: int, images: Images, tmp_path: Path) -> None:
    found = leans(images, tmp_path / "run", judge)
    assert found.pairs == 60
    value, low, high = found.leaning.value, found.leaning.low, found.leaning.high
    assert (value is not None, low is not None, high is not None) == (True, True, True)
    assert (value > 0) - (value < 0) == way  # type: ignore[operator]
    if way:
        assert low * high > 0, "it is beyond chance"  # type: ignore[operator]
        # Of the two replies one is against the bias by truth: it is bent with chance p.
        assert abs(value) == pytest.approx(0.6, abs=0.25)  # type: ignore[arg-type]


def test_denials_are_no_part_of_any_score(images: Images, tmp_path: Path) -> None:
    leans(images, tmp_path / "both", "yes-bias")
    judged(images, tmp_path / "plain", "yes-bias")
    both, plain = cb.t2i_score(tmp_path / "both"), cb.t2i_score(tmp_path / "plain")
    assert (both.columns, both.slices, both.counts) == (plain.columns, plain.slices, plain.counts)
    assert plain.leaning is None


def test_leanings_equal_counts_by_hand() -> None:
    replies = [("yes", "yes")] * 3 + [("no", "no")] + [("yes", "no")] * 4 + [("no", "yes")] * 2
    found = leaning([BothForms("s", *pair) for pair in replies])
    assert found is not None
    assert (found.pairs, found.both_yes.value, found.both_no.value) == (10, 0.3, 0.1)
    assert found.leaning.value == pytest.approx(0.2)
    assert found.leaning == paired_difference(0, 3, 1, 6)  # Newcombe's, of two shares of the same replies
    never = leaning([BothForms("s", "yes", "no")] * 40)
    assert never is not None
    assert (never.leaning.low, never.leaning.high) == pytest.approx((-0.0876, 0.0876), abs=1e-4)  # not [0.00, 0.00]
    assert leaning([]) is None


# ---- contradictions


def test_two_yeses_contradict_for_any_check_and_two_noes_for_single_things() -> None:
    texts = {
        "dog": "Is there a dog?",
        "dogs": "Are there dogs?",
        "red": "Is the dog red?",
        "two": "Are there two dogs?",
        "odd": "Is the dog about to leap?",
    }
    prompts = checklist([prompt("g", *(Check(id=id, text=text) for id, text in texts.items()))])
    yes, no = (both_ways(prompts, [BothForms("g/image/0", word, word, id) for id in texts]) for word in ("yes", "no"))
    assert yes.total == (5, 5)
    assert (no.total, no.contradicted["presence"], no.counts["presence"]) == ((1, 5), 1, 2)
    assert both_ways(prompts, [BothForms("g/image/0", "yes", "no", id) for id in texts]).total == (0, 5)


@pytest.mark.parametrize(("count", "total", "revokes"), [(20, 20, True), (7, 20, True), (6, 20, False), (0, 0, False)])
def test_a_judge_is_revoked_if_its_interval_lies_above_the_policys_bound(count: int, total: int, revokes: bool) -> None:
    """Of 20 at most 15 %: six or more have a chance of 6.7 %, seven of 2.2 %."""
    assert revoked_by_contradictions(BothWays({"presence": total}, {"presence": count}), 0.85) == ["all"] * revokes


@pytest.mark.parametrize(("count", "total", "revoked"), [(5, 8, ["count"]), (4, 8, []), (7, 7, [])])
def test_a_skill_is_revoked_alone_from_eight_checks_adjusted_for_skills(
    count: int, total: int, revoked: list[str]
) -> None:
    """Of eight at most 15 %: four or more have a chance of 2.1 %, which is too much for one of three skills."""
    totals = {"presence": 100, "colour": 100, "count": total}
    assert revoked_by_contradictions(BothWays(totals, {"presence": 0, "colour": 0, "count": count}), 0.85) == revoked
