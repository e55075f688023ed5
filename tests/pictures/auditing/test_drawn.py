"""The drawn questions that try relations: their truth is the scenes', and they tell who cannot read an edit."""

from collections import Counter

import numpy as np

from counterbench.answers.outcomes import Answer
from counterbench.pictures.auditing.drawn import PICTURES, drawn_questions, tried
from counterbench.pictures.auditing.relations import RELATIONS
from counterbench.pictures.protocols.asks import Said

EVERY = [*RELATIONS]
ITEMS = drawn_questions(EVERY).items
TRUTH = {item.id: item.truth for item in ITEMS}


def test_each_relation_asks_one_question_a_picture_and_the_questions_themselves_are_shared() -> None:
    asked = Counter(item.asked.name.partition(".")[0] for item in ITEMS)
    assert {name: asked[name] for name in EVERY} == dict.fromkeys(EVERY, PICTURES)
    assert len(ITEMS) == len(TRUTH) == 540
    assert len(drawn_questions(["denied"])) == 2 * PICTURES


def test_the_questions_themselves_are_balanced() -> None:
    asked = Counter((item.asked.name, item.truth) for item in ITEMS if item.asked.name.endswith(".asked"))
    assert {role for role, _ in asked} == {f"{kind}.asked" for kind in ("present", "count", "beside", "coloured")}
    assert all(0.3 <= asked[role, "yes"] / (asked[role, "yes"] + asked[role, "no"]) <= 0.7 for role, _ in asked)


def test_the_truth_counts_for_every_relation() -> None:
    assert all(of.holds for of in tried(EVERY, lambda id: Said(Answer(TRUTH[id]))).values())


def test_a_judge_that_cannot_read_an_edit_is_told_by_its_relation_alone() -> None:
    def replied(id: str) -> Said:
        return Said(Answer("yes" if "/gone." in id else TRUTH[id]))

    of = tried(EVERY, replied)
    assert [name for name in EVERY if not of[name].holds] == ["gone"]
    assert (of["gone"].original, of["gone"].edited) == (1.0, 0.0)


def test_three_of_sixty_more_errors_are_borne_and_four_are_not() -> None:
    changed = [item.id for item in ITEMS if "/denied." in item.id]
    for errors, counts in ((3, True), (4, False)):
        wrong = {id: "no" if TRUTH[id] == "yes" else "yes" for id in changed[:errors]}
        said = {**TRUTH, **wrong}
        assert tried(["denied"], lambda id, said=said: Said(Answer(said[id])))["denied"].holds is counts  # type: ignore[misc]


def test_a_judge_that_guesses_reads_no_relation_and_one_that_is_often_right_reads_all() -> None:
    """A guess is as often right about a changed picture as about the one itself, so nothing seems to be lost."""
    source = np.random.default_rng(3)
    for share, counts in ((0.5, False), (0.85, True)):
        right = {id: bool(source.random() < share) for id in TRUTH}
        said = {id: truth if right[id] else "no" if truth == "yes" else "yes" for id, truth in TRUTH.items()}
        of = tried(EVERY, lambda id, said=said: Said(Answer(said[id])))  # type: ignore[misc]
        assert {each.sees for each in of.values()} == {counts}
        assert any(each.holds for each in of.values()) is counts


def test_a_judge_that_always_says_yes_reads_no_relation() -> None:
    assert not any(of.holds for of in tried(EVERY, lambda id: Said(Answer("yes"))).values())


def test_pictures_are_drawn_as_they_are_asked_about() -> None:
    by_role = {item.asked.name: item for item in ITEMS}
    plain = by_role["present.asked"].picture.image()
    assert by_role["two-in-one.together"].picture.image().size[0] > 2 * plain.size[0]
    assert len(by_role["gone.grey"].picture.image().getcolors() or ()) == 1
    assert by_role["mirror.mirrored"].picture.image().size == plain.size
