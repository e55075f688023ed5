"""The drawn questions that try relations: their truth is the scenes', and they tell who cannot read an edit."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from counterbench.answers.outcomes import Answer
from counterbench.pictures.auditing.drawn import PICTURES, RelationTrial, drawn_questions, relation_trials
from counterbench.pictures.auditing.relations import RELATIONS
from counterbench.pictures.protocols.asks import CheckReply

EVERY = [*RELATIONS]
ITEMS = drawn_questions(EVERY).items
TRUTH = {item.id: item.truth for item in ITEMS}
WRONG = {"yes": "no", "no": "yes"}


def test_each_relation_adds_one_question_a_picture_to_the_shared_ones() -> None:
    counts = Counter(item.question.name.partition(".")[0] for item in ITEMS)
    assert {name: counts[name] for name in EVERY} == dict.fromkeys(EVERY, PICTURES)
    assert len(ITEMS) == len(TRUTH) == 540
    assert len(drawn_questions(["denied"])) == 2 * PICTURES


def test_the_shared_questions_are_balanced() -> None:
    counts = Counter((item.question.name, item.truth) for item in ITEMS if item.question.name.endswith(".asked"))
    assert {role for role, _ in counts} == {f"{kind}.asked" for kind in ("present", "count", "beside", "coloured")}
    shares = {role: counts[role, "yes"] / (counts[role, "yes"] + counts[role, "no"]) for role, _ in counts}
    assert {role: share for role, share in shares.items() if not 0.3 <= share <= 0.7} == {}


def trials_of(judge: Callable[[str], str], relations: Sequence[str] = EVERY) -> dict[str, RelationTrial]:
    """The trials of a judge that answers so, by the ids of questions."""
    return relation_trials(relations, lambda id: CheckReply(Answer(judge(id))))


@pytest.mark.parametrize(
    ("judge", "unread"),
    [
        (TRUTH.__getitem__, []),
        (lambda id: "yes" if "/gone." in id else TRUTH[id], ["gone"]),
        (lambda id: "yes", EVERY),  # which shows that it reads nothing
    ],
)
def test_a_relation_counts_for_a_judge_that_reads_its_questions(judge: Callable[[str], str], unread: list[str]) -> None:
    trials = trials_of(judge)
    assert [name for name in EVERY if not trials[name].holds] == unread
    assert trials["gone"].edited == (0.0 if unread else 1.0)


def test_a_relation_tolerates_three_more_errors_of_sixty_and_not_four() -> None:
    changed = [item.id for item in ITEMS if "/denied." in item.id]
    for errors, counts in ((3, True), (4, False)):
        answers = TRUTH | {id: WRONG[TRUTH[id]] for id in changed[:errors]}
        assert trials_of(answers.__getitem__, ["denied"])["denied"].holds is counts


def test_no_relation_counts_for_a_guessing_judge_and_all_for_a_good_one() -> None:
    """A guess is as often right about a changed picture as about the one itself, so nothing seems to be lost."""
    source = np.random.default_rng(3)
    for share, counts in ((0.5, False), (0.85, True)):
        right = {id: bool(source.random() < share) for id in TRUTH}
        trials = trials_of({id: truth if right[id] else WRONG[truth] for id, truth in TRUTH.items()}.__getitem__)
        assert {trial.sees for trial in trials.values()} == {counts}
        assert {trial.holds for trial in trials.values()} == {counts}


def test_pictures_are_drawn_with_their_relations_edit() -> None:
    by_role = {item.question.name: item for item in ITEMS}
    plain = by_role["present.asked"].picture.image()
    assert by_role["two-in-one.together"].picture.image().size[0] > 2 * plain.size[0]
    assert len(by_role["gone.grey"].picture.image().getcolors() or ()) == 1
    assert by_role["mirror.mirrored"].picture.image().size == plain.size
