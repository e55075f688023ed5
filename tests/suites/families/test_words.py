"""Words on signs: one letter of one word differs, in either picture alike; and judges with known faults."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import counterbench as cb
from counterbench.answers import Answer, parse
from counterbench.drawing.render import _letter_mask, render
from counterbench.errors import InputError, NoRoomError
from counterbench.scene.figures import Sign, sign_half_width
from counterbench.scene.interventions import Edit, Reword
from counterbench.scene.pairs import Pair, QuestionForm
from counterbench.scene.programs.shapes import Equals
from counterbench.scene.programs.signs import Reads
from counterbench.scene.scene import Scene, Shape
from counterbench.suites.families import Canvas, family, sample
from counterbench.suites.families.base import read_params
from counterbench.suites.families.words import PAIRS
from counterbench.suites.suite import suite_of_families

WORDS = family("words")
PLAIN = Canvas()
EVERY = [word for pair in PAIRS for word in pair]


def item(index: int, form: QuestionForm, seed: int = 0, canvas: Canvas = PLAIN) -> Pair:
    return sample(WORDS, read_params(WORDS, {}), (form,), canvas, seed, index)


def signs(scene: Scene) -> dict[str, Sign]:
    return {e.id: e for e in scene.elements if isinstance(e, Sign)}


def test_words_come_in_pairs_that_differ_in_one_letter() -> None:
    assert len({*EVERY}) == len(EVERY) == 2 * len(PAIRS) > 100
    places: Counter[str] = Counter()
    for word, neighbour in PAIRS:
        assert 3 <= len(word) == len(neighbour) <= 6
        (place,) = (i for i, (a, b) in enumerate(zip(word, neighbour, strict=True)) if a != b)
        places["first" if place == 0 else "last" if place == len(word) - 1 else "within"] += 1
    assert min(places.values()) >= 10, places
    assert [word for word in EVERY if parse(word.upper(), "word") != Answer(word)] == []


def test_a_control_asks_about_the_sign_with_the_planned_word() -> None:
    """About another sign the answer could be "no" alone, and the words of the question would tell it."""
    control = family("control")
    params, asked_by_place = read_params(control, {"bases": ["words"]}), 0
    for index in range(80):
        pair = sample(control, params, ("yes-no",), PLAIN, 5, index)
        read = pair.program.program.answer(pair.scenes[0])
        assert pair.program.value in (read, *(word for two in PAIRS if read in two for word in two)), pair.question
        asked_by_place += "most" in pair.question
    assert asked_by_place > 10


@given(st.integers(0, 10_000), st.sampled_from(("open", "yes-no")), st.integers(0, 2**32), st.sampled_from((256, 512)))
def test_the_word_of_one_sign_is_all_that_differs(index: int, form: QuestionForm, seed: int, side: int) -> None:
    pair = item(index, form, seed, Canvas(side, side))
    before, after = (signs(scene) for scene in pair.scenes)
    word, other = before["sign0"].word, after["sign0"].word
    assert (word.lower(), other.lower()) in {*PAIRS, *(pair[::-1] for pair in PAIRS)}
    assert pair.change.edits == (Edit("sign0", "word", word, other),)
    assert not pair.change.added + pair.change.removed
    if form == "open":
        assert pair.answers == (word.lower(), other.lower())
    else:
        assert pair.answers == tuple("yes" if w.lower() == pair.program.value else "no" for w in (word, other))
        assert f'"{pair.program.value.upper()}"' in pair.question
    for sign in before.values():
        wide = sum(_letter_mask(letter, sign.height).width + sign.height // 6 for letter in sign.word)
        assert sign.height >= 10
        assert wide + sign.height // 2 < 2 * sign.half_width


def test_each_word_is_as_often_in_the_original_as_in_the_intervened_picture() -> None:
    pairs = [item(index, "open") for index in range(len(EVERY))]
    before, after = (Counter(pair.answers[role] for pair in pairs) for role in (0, 1))
    assert before == after == dict.fromkeys(EVERY, 1)
    # Asked for a word, the original has it as often as the other; and the asked word is either of the two.
    closed = [item(index, "yes-no") for index in range(200)]
    assert sum(pair.original_answer == "yes" for pair in closed) == 100
    first = {word for word, _ in PAIRS}
    for answer in ("yes", "no"):
        words = [p.program.value for p in closed if isinstance(p.program, Equals) and p.original_answer == answer]
        assert 30 <= sum(word in first for word in words) <= 70


def test_signs_that_do_not_fit_their_words_are_refused() -> None:
    for off in (
        lambda: Scene(elements=(Sign("s", "BOLT", "white", 100, 100, 20, 14),)),
        lambda: Scene(elements=(Sign("s", "BO", "white", 100, 100, 90, 14),)),
        lambda: Scene(elements=(Sign("s", "BOLT", "blue", 100, 100, 90, 14),)),
        lambda: Reword("a", "BOLD").apply(Scene(elements=(Shape("a", "circle", "red", 90, 90, 20),))),
    ):
        with pytest.raises(InputError):
            off()
    with pytest.raises(NoRoomError, match="letters"):
        item(0, "open", canvas=Canvas(100, 100))


def test_an_unclear_sign_is_ambiguous() -> None:
    wide = sign_half_width(20, "BOLT", "FARM")
    bolt, farm = Sign("a", "BOLT", "white", 150, 100, wide, 20), Sign("b", "FARM", "pink", 170, 300, wide, 20)
    scene = Scene(elements=(bolt, farm))
    assert Reads(colour="pink").answer(scene) == "farm"
    assert Reads(place="topmost").answer(scene) == "bolt"
    assert Equals(Reads(colour="cyan"), "bolt").answer(scene) == "no"
    covered = scene.with_elements(*scene.elements, Shape("c", "circle", "red", 170, 310, 20))
    for program, where in ((Reads(), scene), (Reads(place="leftmost"), scene), (Reads(colour="pink"), covered)):
        with pytest.raises(cb.CounterbenchError):
            program.answer(where)


def test_another_word_changes_no_pixel_beside_its_sign() -> None:
    pair = item(0, "open")
    images = [render(scene) for scene in pair.scenes]
    box = signs(pair.scenes[0])["sign0"].box
    for image in images:
        image.paste((0, 0, 0), (box.left, box.top, box.right + 1, box.bottom + 1))
    assert images[0] == images[1]


@pytest.mark.parametrize(
    ("judge", "ccs"),
    [("planted:oracle", 1), pytest.param("pixels", 1, marks=pytest.mark.slow), ("planted:sticky?p=1", 0)],
)
def test_judges_with_known_faults_score_as_expected(judge: str, ccs: float, tmp_path: Path) -> None:
    suite = suite_of_families(["words"], 20)
    run = cb.probe(suite, judge, out=tmp_path / "run")
    assert cb.score(run.path).overall.ccs.value == ccs
