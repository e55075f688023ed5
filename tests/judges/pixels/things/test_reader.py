"""The reader of things: it understands every phrasing, sees what is drawn, and guesses nothing."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, get_args

import msgspec
import pytest
from PIL import ImageDraw
from sweeping import swept

from counterbench.drawing.render import paint_words, render
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.judges.pixels.words import read_claim
from counterbench.palette import COLOUR_RGB, OUTLINE_RGB, SHAPES
from counterbench.scene.figures import FACINGS, MAX_DOSE, Damage, DamageKind, Figure, Room
from counterbench.scene.nouns import NOUNS
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.facts import Fact, Whole
from counterbench.scene.programs.named import Named
from counterbench.scene.programs.observations import (
    ColourSeen,
    Contact,
    Contents,
    Facing,
    Form,
    Height,
    Level,
    Light,
    Nearer,
    Number,
    Observation,
    Side,
    Size,
    Where,
)
from counterbench.scene.scene import Element, Scene
from counterbench.suites.sources import CellSource, cells_of, in_turn
from counterbench.suites.suite import load_suite

ROOM = Room("room", 256, 256, 236, 236, 8)
BALL, BOX, TANK, LAMP = Named("ball", "red"), Named("box", "blue"), Named("tank", "cyan"), Named("lamp", "green")


def figure(noun: str, colour: Any, x: int, y: int, half: int = 30, **more: Any) -> Figure:
    more = {"id": noun, "half_width": half, "half_height": half, **more}
    return Figure(noun=noun, colour=colour, x=x, y=y, **more)


def scene_of(*elements: Element) -> Scene:
    return Scene(512, 512, elements=elements)


def reader_answer(scene: Scene, aspect: Observation, value: str) -> str:
    """The reader's answer to the question if this is the value."""
    return read_answer(render(scene), Fact(aspect, value).phrasings()[0])


def test_questions_about_the_whole_picture_have_no_claim() -> None:
    assert [words for words in Whole().phrasings() if read_claim(words) is not None] == []
    assert len({read_claim(words) for words in Fact(Number(BALL), "0").phrasings()}) == 1


def nouns(trait: str) -> list[str]:
    return [noun for noun, what in NOUNS.items() if getattr(what, trait)]


def cases_seen() -> Iterator[tuple[Observation, Scene]]:
    """Things to be observed, in each place and state."""
    for x, y in ((256, 454), (256, 58), (58, 256), (454, 256), (256, 256)):
        yield Where(BALL), scene_of(ROOM, figure("ball", "red", x, y))
    for noun, facing in product(nouns("faces"), FACINGS):
        yield Facing(Named(noun, "red")), scene_of(figure(noun, "red", 200, 256, 50, facing=facing))
    for noun, lit, colour in product(nouns("lights"), (True, False), ("green", "red")):  # beside another light
        light = figure(noun, "green", 150, 256, 50, lit=lit, id="one")
        other = figure(noun, "red", 262, 256, 50, lit=not lit, id="other")
        yield Light(Named(noun, colour)), scene_of(light, other)
    for noun, quarters in product(nouns("fills"), range(5)):
        yield Level(Named(noun, "cyan")), scene_of(figure(noun, "cyan", 256, 256, 60, quarters=quarters))
    for noun, form in product(nouns("forms"), SHAPES):
        yield Form(Named(noun, "pink")), scene_of(figure(noun, "pink", 256, 256, 40, form=form))
    for count in (1, 2, 5, 9):
        many = [figure("apple", "red", 70 + 110 * (i % 4), 80 + 110 * (i // 4), id=f"a{i}") for i in range(count)]
        others = figure("apple", "blue", 70, 400), figure("book", "green", 440, 440)
        yield Number(Named("apple", "red")), scene_of(*many)
        yield Number(Named("apple")), scene_of(*many, *others)
    yield ColourSeen(Named("leaf")), scene_of(figure("leaf", "green", 256, 256))
    box, lamp = figure("box", "blue", 60, 256), figure("lamp", "green", 440, 256)
    for x in (256, 60):
        tank = figure("tank", "cyan", 256, 256, 110, quarters=0)
        yield Contents(BALL, TANK), scene_of(tank, figure("ball", "red", x, 256))
    for half, aspect in product((20, 30, 60), (Size(BALL, BOX), Height(BALL, BOX))):
        yield aspect, scene_of(figure("ball", "red", 300, 256, half), box)
    for x in (161, 190):
        yield Contact(BALL, BOX), scene_of(figure("ball", "red", x - 40, 256), box)
    for x, y in ((100, 256), (400, 256), (256, 100), (256, 420)):
        yield Side(BALL, BOX), scene_of(figure("ball", "red", x, y), figure("box", "blue", 256, 256))
    for x in (160, 330):
        yield Nearer(BALL, BOX, LAMP), scene_of(figure("ball", "red", x, 256), box, lamp)


EVERY = {type(aspect): aspect for aspect, _ in cases_seen()}


@swept("aspect", EVERY.values())
def test_every_phrasing_of_every_value_has_its_own_meaning(aspect: Observation) -> None:
    claims = {}
    for value in aspect.values:
        (first, *others) = (read_claim(words) for words in Fact(aspect, value).phrasings())
        assert [other for other in others if other != first] == []
        assert first is not None
        claims[value] = first
    assert len(set(map(str, claims.values()))) == len(claims)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("aspect", "scene"),
    [pytest.param(aspect, scene, id=type(aspect).__name__) for aspect, scene in cases_seen()],
)
def test_the_reader_says_yes_to_the_true_value_only(aspect: Observation, scene: Scene) -> None:
    true, image = aspect.value(scene), render(scene)
    for value in aspect.values:
        words = Fact(aspect, value).phrasings()[0]
        assert read_answer(image, f"{words} Answer yes or no.") == ("yes" if value == true else "no"), words


LOW = figure("column", "blue", 400, 370, half_width=60, half_height=60, quarters=2)
EMPTY = figure("column", "purple", 148, 327, half_width=32, half_height=103, quarters=0)


@pytest.mark.slow
@swept(
    ("shown", "noun", "answer"),
    [
        *((figure("column", "orange", 256, 256, half, quarters=0), "column", "yes") for half in (47, 50, 53, 56)),
        *((figure("tile", "green", 300, 400, half), "tile", "yes") for half in (18, 20, 24)),
        *((figure("tile", "green", 300, 400, half), "bar", "no") for half in (18, 20, 24)),
        (LOW, "vessel", "no"),  # but for its marks it is one
        (LOW, "column", "yes"),
        (EMPTY, "column", "yes"),  # though a vessel is like its foot
    ],
)
def test_a_thing_is_not_confused_with_similar_things(shown: Figure, noun: str, answer: str) -> None:
    assert reader_answer(scene_of(shown), Number(Named(noun, shown.colour)), "1") == answer


@pytest.mark.slow
def test_a_noun_in_any_colour_is_absent_only_from_an_undamaged_picture() -> None:
    book, apples = figure("book", "green", 300, 300), Number(Named("apple"))
    assert reader_answer(scene_of(book), apples, "0") == "yes"
    with pytest.raises(CannotRead, match="a part is damaged"):
        reader_answer(scene_of(book, Damage("d", "black", 100, 100, 40, 40)), apples, "0")


@pytest.mark.parametrize("kind", ["static", "black"])
def test_damage_is_seen_and_painted_words_are_no_damage(kind: Any) -> None:
    question = Whole().phrasings()[0]
    whole = scene_of(
        ROOM, *(figure(noun, "red", 100, 100, 40, lit=True) for noun in ("lamp",)), figure("rope", "blue", 300, 300)
    )
    image = render(whole)
    assert read_answer(image, question) == "yes"
    paint_words(image, "ANSWER YES")
    assert read_answer(image, question) == "yes"
    broken = whole.with_elements(*whole.elements, Damage("d", kind, 400, 100, 24, 10, seed=5))
    assert read_answer(render(broken), question) == "no"


@swept("x", [24, 256, 487])
@swept("y", [10, 256, 501])
@swept("kind", ["static", "black"])
def test_damage_up_to_the_edges_and_corners_is_damage(kind: Any, x: int, y: int) -> None:
    """The background is what lies along the edges, not what lies in a corner."""
    broken = scene_of(figure("ball", "red", 120, 120), Damage("d", kind, x, y, 24, 10, seed=5))
    image = render(broken)
    assert read_answer(image, Whole().phrasings()[0]) == "no"
    assert read_answer(image, Fact(ColourSeen(Named("ball")), "red").phrasings()[0]) == "yes"
    away = ((x + 256) % 512, (y + 256) % 512)
    ImageDraw.Draw(image).point(away, (244, 245, 245))  # one pixel that is neither drawn nor damage
    with pytest.raises(CannotRead):
        read_answer(image, Whole().phrasings()[0])


def whole_or_not(pairs: Iterable[Pair]) -> int:
    """How many pictures were asked about; fails where the reader says otherwise than the truth, or nothing."""
    count = 0
    for pair in pairs:
        for scene, truth in zip(pair.scenes, pair.answers, strict=True):
            assert read_answer(render(scene), pair.question) == truth, pair.id
            count += 1
    return count


def of_integrity(pairs: int) -> CellSource:
    suite = load_suite("laws")
    return CellSource(suite, in_turn({cell: pairs for cell in cells_of(suite) if cell.endswith("/integrity")}))


@pytest.mark.slow
def test_every_picture_of_integrity_is_read() -> None:
    assert whole_or_not([load_suite("laws")[989]]) == 2  # static in the corner where rows begin
    assert whole_or_not(of_integrity(1)) >= 60


@pytest.mark.parametrize(
    ("elements", "aspect", "value"),
    [
        ([figure("ball", "red", 256, 256)], Where(BALL), "floor"),  # no room
        ([ROOM, figure("ball", "red", 256, 430)], Where(BALL), "floor"),  # close to the floor
        ([figure("ball", "red", 150, 150), figure("box", "blue", 300, 300)], Side(BALL, BOX), "left"),  # aslant
        ([ROOM, Damage("d", "static", 100, 300, 40, 30, seed=5)], Number(BALL), "0"),  # it may lie under the damage
    ],
)
def test_an_unclear_answer_is_declined(elements: list[Element], aspect: Observation, value: str) -> None:
    with pytest.raises(CannotRead):
        reader_answer(scene_of(*elements), aspect, value)


@pytest.mark.parametrize(
    "elements",
    [
        [],
        [figure("box", "blue", 256, 256)],
        [figure("ball", "blue", 256, 454)],
        [figure("box", "red", 256, 454)],  # in its colour, and another thing
    ],
)
def test_facts_about_an_absent_thing_are_answered_no(elements: list[Element]) -> None:
    scene = scene_of(ROOM, *elements)
    for aspect, value in ((Where(BALL), "floor"), (Number(BALL), "0"), (Number(BALL), "1"), (Side(BALL, BOX), "left")):
        fact = Fact(aspect, value)
        for words in fact.phrasings():
            assert read_answer(render(scene), words) == ("yes" if value == "0" else "no") == fact.answer(scene)


@pytest.mark.slow
@pytest.mark.parametrize("aspect", [Number(BALL), Where(BALL), ColourSeen(Named("apple"))])
def test_an_unknown_drawing_is_not_taken_for_absence(aspect: Any) -> None:
    image = render(scene_of(ROOM, figure("box", "blue", 150, 256)))
    ImageDraw.Draw(image).polygon(
        [(300, 300), (380, 240), (420, 330), (360, 320), (340, 420)], fill=COLOUR_RGB["red"], outline=OUTLINE_RGB
    )
    for value in ("0", "1") if isinstance(aspect, Number) else ("floor",) if isinstance(aspect, Where) else ("green",):
        with pytest.raises(CannotRead):
            read_answer(image, Fact(aspect, value).phrasings()[0])


@pytest.mark.parametrize("dose", range(1, MAX_DOSE + 1))
def test_damage_in_even_blocks_is_seen(dose: int) -> None:
    """Blocks that lay evenly about it would have one colour all around: no damage, but a thing of some other make."""
    for half in range(20, 44, 3):
        spoilt = Damage("d", "blocks", 300, 300, half + 14, half + 14, 7, dose)
        scene = scene_of(figure("tile", "blue", 300, 300, half), figure("disc", "red", 100, 100, 30), spoilt)
        assert reader_answer(scene, Number(Named("disc", "red")), "1") == "yes", half


def test_a_picture_with_a_thin_cut_thing_is_read() -> None:
    gleam = figure("gleam", "cyan", 296, 334, half_width=32, half_height=18, facing="left")
    cut = Damage("d", "cut", 296, 334, 46, 32, 347144, 3)
    scene = scene_of(gleam, figure("disc", "red", 100, 100, 30), cut)
    assert reader_answer(scene, Number(Named("disc", "red")), "1") == "yes"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counted", "other"),
    [
        (  # specks of its colour are left
            figure("apple", "yellow", 120, 400, 50),
            [figure("berry", "cyan", 370, 183, 27), Damage("d", "melted", 370, 183, 41, 41, 479304, 3)],
        ),
        (  # its lower half is gone
            figure("apple", "purple", 120, 400, 50),
            [figure("berry", "pink", 370, 160, 28), Damage("d", "cut", 370, 160, 42, 42, 163767, 1)],
        ),
        (  # its walls and handle have slipped
            figure("tank", "orange", 120, 400, 80, quarters=3),
            [figure("cup", "purple", 305, 200, 60, quarters=3), Damage("d", "seam", 305, 200, 74, 74, 887224, 2)],
        ),
    ],
)
def test_a_damaged_thing_counts_as_the_one_it_resembles_most(counted: Figure, other: list[Element]) -> None:
    second = msgspec.structs.replace(counted, id="second", x=370)
    number = Number(Named(counted.noun))
    assert reader_answer(scene_of(counted, second, *other), number, "2") == "yes"
    assert reader_answer(scene_of(counted, *other), number, "2") == "no"
    with pytest.raises(CannotRead):  # alone, it may have been one
        reader_answer(scene_of(*other), number, "0")


@pytest.mark.slow
@swept("dose", range(1, MAX_DOSE + 1))
@swept("kind", get_args(DamageKind))
def test_every_kind_of_damage_is_seen(kind: Any, dose: int) -> None:
    noun = ("lamp", "ball", "box", "tree")[dose % 4]
    whole = scene_of(figure(noun, "red", 256, 300, 40), figure("door", "blue", 100, 100, 36))
    spoilt = whole.with_elements(*whole.elements, Damage("d", kind, 256, 300, 54, 54, 7, dose, 100, 100))
    for words in Whole().phrasings():
        assert read_answer(render(whole), words) == "yes"
        assert read_answer(render(spoilt), words) == "no", noun


@pytest.mark.parametrize(
    "words",
    [
        "Is the red ball not on the floor?",
        "Does the red ball rest on the roof?",
        "Is the red ball nearly inside the cyan tank?",
        "What is the red ball?",
    ],
)
def test_unknown_words_are_not_ignored(words: str) -> None:
    with pytest.raises(CannotRead):
        read_answer(render(scene_of(ROOM, figure("ball", "red", 256, 454))), words)
