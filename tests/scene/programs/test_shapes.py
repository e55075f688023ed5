"""Questions about shapes: answers that follow the picture however it is turned, words, and what misreads them."""

import re
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import RELATIONS, a_shift, aimed_scenes, flipped, mirrored, questions, recoloured, rotated

from counterbench.errors import AmbiguousError
from counterbench.palette import COLOURS, Colour, ShapeKind
from counterbench.scene.programs import Program
from counterbench.scene.programs.base import OpenProgram
from counterbench.scene.programs.shapes import (
    ArrowTarget,
    ColourOf,
    Count,
    CountInside,
    Equals,
    Exists,
    Further,
    IsInside,
    Relates,
    SpatialRelation,
)
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
from counterbench.scene.visibility import CLEAR_OFFSET_PERCENT, Description, is_absent

Question = tuple[Scene, Program]
AMBIGUOUS = "(ambiguous)"
# These look the same upside down and on their side; a triangle does not.
SYMMETRIC: tuple[ShapeKind, ...] = ("circle", "square", "diamond")

OPPOSITE: dict[SpatialRelation, SpatialRelation] = {
    "left": "right",
    "right": "left",
    "above": "below",
    "below": "above",
}
MIRRORED: dict[str, str] = {"left": "right", "right": "left", "leftmost": "rightmost", "rightmost": "leftmost"}
FLIPPED: dict[str, str] = {"above": "below", "below": "above", "topmost": "bottommost", "bottommost": "topmost"}
ROTATED: dict[str, str] = {
    "left": "above",
    "above": "right",
    "right": "below",
    "below": "left",
    "leftmost": "topmost",
    "topmost": "rightmost",
    "rightmost": "bottommost",
    "bottommost": "leftmost",
}
many = settings(max_examples=120)


def outcome(program: Program, scene: Scene) -> str:
    try:
        return program.answer(scene)
    except AmbiguousError:
        return AMBIGUOUS


def with_words(program: Any, words: Mapping[str, str], field: str = "") -> Any:
    """The program with every relation, place and colour replaced as `words` says."""
    if isinstance(program, msgspec.Struct):
        changed = {f: with_words(getattr(program, f), words, f) for f in program.__struct_fields__}
        return type(program)(**changed)
    if isinstance(program, str) and field != "letter":
        return " ".join(words.get(word, word) for word in program.split(" "))
    return program


def agrees(first: str, second: str) -> bool:
    """Equal, or one of them ambiguous: integer rounding may push a borderline case over the limit, never further."""
    return first == second or AMBIGUOUS in (first, second)


def turned_answers(program: Program, scene: Scene) -> list[str]:
    """The answers on the scene mirrored, upside down and, if square, on its side, each to the matching question."""
    ways = [(MIRRORED, mirrored(scene)), (FLIPPED, flipped(scene))]
    ways += [(ROTATED, rotated(scene))] if scene.width == scene.height else []
    return [outcome(with_words(program, words), shown) for words, shown in ways]


# ---- answers


@many
@given(questions(apart=True, arrows=0))
def test_a_mirrored_or_turned_picture_has_the_matching_answer(question: Question) -> None:
    scene, program = question
    assert set(turned_answers(program, scene)) == {outcome(program, scene)}


@many
@given(questions(arrows=0, kinds=SYMMETRIC))
def test_shapes_that_overlap_get_no_contradicting_answer(question: Question) -> None:
    scene, program = question
    assert [answer for answer in turned_answers(program, scene) if not agrees(answer, outcome(program, scene))] == []


@many
@given(aimed_scenes(), st.randoms(use_true_random=True))
def test_an_arrow_keeps_its_target_however_the_picture_is_turned_or_moved(scene: Scene, random: Random) -> None:
    truth = outcome(ArrowTarget(), scene)
    answers = turned_answers(ArrowTarget(), scene)
    matching = answers if {s.kind for s in scene.shapes} <= {*SYMMETRIC} else answers[:1]
    assert [answer for answer in matching if not agrees(answer, truth)] == []
    assert outcome(ArrowTarget(), a_shift(random, scene).apply(scene)) == truth


@many
@given(questions(), st.permutations(COLOURS))
def test_a_recoloured_picture_has_the_recoloured_answer(question: Question, colours: list[Colour]) -> None:
    scene, program = question
    new = dict(zip(COLOURS, colours, strict=True))
    words = {str(k): str(v) for k, v in new.items()}
    expected = with_words(outcome(program, scene), words)
    assert outcome(with_words(program, words), recoloured(scene, new)) == expected


@many
@given(questions(), st.randoms(use_true_random=True), st.integers(0, 255))
def test_shifting_background_and_ids_change_no_answer(question: Question, random: Random, grey: int) -> None:
    scene, program = question
    truth = outcome(program, scene)

    def renamed(e: Any) -> Any:
        new = msgspec.structs.replace(e, id=f"zz-{e.id}")
        return msgspec.structs.replace(new, of=f"zz-{e.of}") if isinstance(e, Label) else new

    assert outcome(program, a_shift(random, scene).apply(scene)) == truth
    assert outcome(program, Scene(scene.width, scene.height, grey, scene.elements)) == truth
    assert outcome(program, scene.with_elements(*map(renamed, scene.elements))) == truth


@many
@given(questions(apart=True), st.randoms(use_true_random=True))
def test_the_drawing_order_of_separate_shapes_changes_no_answer(question: Question, random: Random) -> None:
    scene, program = question
    labels = [e for e in scene.elements if isinstance(e, Label)]  # a letter under its own shape would be hidden
    scene = scene.with_elements(*(e for e in scene.elements if e not in labels), *labels)
    rest = iter(random.sample(scene.shapes, len(scene.shapes)))
    shuffled = scene.with_elements(*(next(rest) if isinstance(e, Shape) else e for e in scene.elements))
    assert outcome(program, shuffled) == outcome(program, scene)


def said_as_yes_or_no(program: OpenProgram, scene: Scene) -> None:
    truth = outcome(program, scene)
    for value in {truth, *(s.name for s in scene.shapes), "red", "blue", "0", "3", "nothing"}:
        answer = outcome(Equals(program, value), scene)
        if truth == AMBIGUOUS and answer == "no":  # what it names is not there
            assert Equals(program, value).misreadings(scene) == {"agreeable": "yes"}
            continue
        assert answer == (AMBIGUOUS if truth == AMBIGUOUS else "yes" if value == truth else "no")


@given(questions(), aimed_scenes())
def test_program_equals_says_yes_exactly_when_the_open_one_says_the_value(question: Question, aimed: Scene) -> None:
    scene, program = question
    if isinstance(program, OpenProgram):
        said_as_yes_or_no(program, scene)
    said_as_yes_or_no(ArrowTarget(), aimed)


@many
@given(questions())
def test_a_relation_is_the_opposite_seen_from_the_other_shape(question: Question) -> None:
    scene, program = question
    if isinstance(program, Relates):
        turned = Relates(program.second, OPPOSITE[program.relation], program.first)
        assert outcome(turned, scene) == outcome(program, scene)
        other = outcome(Relates(program.first, OPPOSITE[program.relation], program.second), scene)
        found = {other, outcome(program, scene)}
        assert found in ({"yes", "no"}, {AMBIGUOUS}) or is_absent(scene, program.first, program.second)
        assert found in ({"yes", "no"}, {AMBIGUOUS}, {"no"})
    if isinstance(program, Further):
        assert outcome(Further(program.second, program.relation, program.first), scene) == outcome(program, scene)


@many
@given(questions())
def test_answers_are_of_the_stated_type_and_canonical(question: Question) -> None:
    scene, program = question
    truth = outcome(program, scene)
    if truth == AMBIGUOUS:
        return
    match program.answer_type:
        case "yes-no":
            assert truth in ("yes", "no")
        case "integer":
            assert truth == str(int(truth))
            assert 0 <= int(truth) <= len(scene.shapes)
        case "colour":
            assert truth in COLOURS
        case kind:
            assert kind == "colour-shape"
            assert [s.name for s in scene.shapes].count(truth) == 1


def test_the_margin_is_six_per_cent_of_the_shorter_side() -> None:
    first, second = Description(colour="red"), Description(colour="blue")
    for side in (64, 500, 2048):
        least = -(-CLEAR_OFFSET_PERCENT * side // 100)
        for relation, (dx, dy) in {"left": (-1, 0), "right": (1, 0), "above": (0, -1), "below": (0, 1)}.items():
            for distance, expected in ((least, "yes"), (least - 1, AMBIGUOUS), (-least, "no"), (1 - least, AMBIGUOUS)):
                at = (side // 2 + dx * distance, side // 2 + dy * distance)
                cross = (20, 0) if dx == 0 else (0, 20)  # beside each other, so that the two do not overlap
                back = Shape("b", "square", "blue", side // 2 + cross[0], side // 2 + cross[1], 6)
                scene = Scene(side, side, elements=(back, Shape("a", "circle", "red", *at, 6)))
                case = (side, relation, distance)
                assert outcome(Relates(first, relation, second), scene) == expected, case
                ahead = {"yes": "red circle", "no": "blue square"}.get(expected, AMBIGUOUS)
                assert outcome(Further(first, relation, second), scene) == ahead, case


def test_a_program_needs_no_more_than_its_own_part_of_the_scene() -> None:
    red, blue = Shape("a", "circle", "red", 100, 100, 40), Shape("b", "square", "blue", 400, 400, 40)
    scene = Scene(elements=(red, blue))
    with pytest.raises(AmbiguousError, match="0 elements of type container"):
        IsInside(Description(kind="circle")).answer(scene)
    with pytest.raises(AmbiguousError, match="0 elements of type arrow"):
        ArrowTarget().answer(scene)
    two = scene.with_elements(*scene.elements, Arrow("x", 200, 200, 250, 250), Arrow("y", 250, 200, 300, 250))
    with pytest.raises(AmbiguousError, match="2 elements of type arrow"):
        ArrowTarget().answer(two)
    assert Count().answer(two) == "2"


@pytest.mark.slow
def test_generated_questions_reach_every_kind_of_answer() -> None:
    """The relations above would prove little on scenes that are all ambiguous, or all alike."""
    counts: Counter[tuple[str, str]] = Counter()

    @settings(max_examples=600, database=None, derandomize=True, phases=[Phase.generate])
    @given(questions(apart=True, least=1), aimed_scenes())
    def look(question: Question, aimed: Scene) -> None:
        truth = outcome(question[1], question[0])
        counts[type(question[1]).__name__, "unclear" if truth == AMBIGUOUS else truth] += 1
        counts["aimed", "unclear" if outcome(ArrowTarget(), aimed) == AMBIGUOUS else "clear"] += 1

    look()
    for op in ("ColourOf", "Relates", "Further", "Count", "IsInside", "CountInside", "Equals"):
        assert sum(n for (name, truth), n in counts.items() if name == op and truth != "unclear") >= 5, op
    for expected in (("Relates", "yes"), ("Relates", "no"), ("IsInside", "no")):
        assert counts[expected], expected
    assert counts["aimed", "clear"] >= 30
    assert counts["aimed", "unclear"] >= 30


# ---- words

A, B = Description(letter="A"), Description(kind="square", colour="blue", letter="B")
OPEN: list[Any] = [
    ColourOf(Description(kind="square", place="leftmost")),
    Further(A, "left", B),
    Count("square", "pink"),
    Count(),
    CountInside(),
    ArrowTarget(),
]
CLOSED: list[Program] = [
    *(Relates(A, relation, B) for relation in RELATIONS),
    IsInside(Description(kind="circle", colour="red")),
    Exists("circle", "orange"),
    Exists("circle", "red", none=True),
    *(
        Equals(program, value)
        for program, value in zip(OPEN, ["red", "red circle", "4", "4", "4", "red circle"], strict=True)
    ),
    *(Equals(program, "1") for program in (Count("square", "pink"), Count(), CountInside())),
]


def test_every_program_has_several_complete_templates() -> None:
    for program in (*OPEN, *CLOSED):
        found = program.phrasings()
        assert len(set(found)) == len(found) >= 2, program
        for words in found:
            assert words.endswith("?"), words
            assert words[0].isupper(), words
            assert not re.search(r"[{}]|  |None|\bthe the\b", words), words


def test_exactly_one_is_phrased_in_the_singular() -> None:
    for program in (Count("square", "pink"), Count(), CountInside()):
        for words in Equals(program, "1").phrasings():
            assert "exactly one" in words
            assert not re.search(r"\b(shapes|squares|are)\b", words, re.IGNORECASE)
    assert "Are there exactly four pink squares?" in Equals(Count("square", "pink"), "4").phrasings()
    assert "Are there exactly ten pink squares?" in Equals(Count("square", "pink"), "10").phrasings()
    assert "Are there exactly 11 pink squares?" in Equals(Count("square", "pink"), "11").phrasings()


def test_both_shapes_are_named_as_they_are_described() -> None:
    phrasings = Relates(A, "left", B).phrasings()
    assert any("shape A" in words and "the blue square (labeled B)" in words for words in phrasings), phrasings


# ---- misreadings

# The arrow points from the lower left at the far red circle; the blue square is beside its tail, the large green
# triangle stands in the middle, and the pink diamond is nowhere near anything.
SCENE = Scene(
    elements=(
        Shape("a", "circle", "red", 430, 90, 30),
        Shape("b", "square", "blue", 60, 440, 30),
        Shape("c", "triangle", "green", 256, 330, 60),
        Shape("d", "diamond", "pink", 100, 100, 30),
        Arrow("arrow", 120, 380, 380, 130),
    )
)


def test_an_arrow_question_has_the_misreadings_of_arrow_blindness() -> None:
    assert ArrowTarget().answer(SCENE) == "red circle"
    found = {"nearest-tail": "blue square", "most-central": "green triangle", "largest": "green triangle"}
    assert ArrowTarget().misreadings(SCENE) == found
    turned = Scene(elements=(*SCENE.shapes, Arrow("arrow", 120, 380, 120, 150)))
    assert ArrowTarget().answer(turned) == "pink diamond"
    assert ArrowTarget().misreadings(turned) == found
    for nothing in (SCENE.shapes, SCENE.elements[-1:]):
        with pytest.raises(AmbiguousError):
            ArrowTarget().misreadings(Scene(elements=nothing))


def test_misreadings_are_a_count_one_off_and_a_confused_colour() -> None:
    two = Scene(elements=(Shape("a", "circle", "red", 100, 100, 30), Shape("b", "circle", "red", 300, 300, 30)))
    assert Count(kind="circle", colour="red").misreadings(two) == {"off-by-one": "3", "off-by-minus-one": "1"}
    none = Scene(elements=(Shape("a", "square", "red", 100, 100, 30),))
    assert Count(kind="circle", colour="red").misreadings(none) == {"off-by-one": "1"}
    assert ColourOf(Description(kind="square")).misreadings(none) == {"colour-confusion": "orange"}


def test_a_yes_no_question_is_misread_as_its_open_form_is() -> None:
    program = Equals(ArrowTarget(), "red circle")
    assert program.misreadings(SCENE) == {"nearest-tail": "no", "most-central": "no", "largest": "no"}
    assert Equals(ArrowTarget(), "blue square").misreadings(SCENE)["nearest-tail"] == "yes"
    assert Equals(Count(), "5").misreadings(SCENE) == {"off-by-one": "yes", "off-by-minus-one": "no"}


CIRCLE, SQUARE = Description(kind="circle"), Description(kind="square")


def test_misreadings_swap_left_and_right_or_answer_the_first_mentioned() -> None:
    assert Relates(CIRCLE, "left", SQUARE).misreadings(SCENE) == {"left-right": "yes"}
    assert Relates(CIRCLE, "right", SQUARE).misreadings(SCENE) == {"left-right": "no"}
    further = Further(CIRCLE, "left", SQUARE)
    assert further.answer(SCENE) == "blue square"
    assert further.misreadings(SCENE) == {"first-mentioned": "red circle", "left-right": "red circle"}
    assert Equals(further, "blue square").misreadings(SCENE) == {"first-mentioned": "no", "left-right": "no"}
    assert Further(SQUARE, "left", CIRCLE).misreadings(SCENE)["first-mentioned"] == "blue square"
    for program in (Relates(CIRCLE, "above", SQUARE), IsInside(CIRCLE)):
        assert program.misreadings(SCENE) == {}
    assert Further(SQUARE, "above", CIRCLE).misreadings(SCENE) == {"first-mentioned": "blue square"}


def test_yes_no_questions_about_absent_shapes_are_answered_no() -> None:
    box = Container("box", 400, 400, 90, 90)
    scene = Scene(elements=(Shape("a", "circle", "blue", 100, 100, 30), Shape("b", "square", "red", 300, 120, 30), box))
    gone, present = Description(kind="circle", colour="red"), Description(kind="square", colour="red")
    programs: list[Program] = [
        Exists("circle", "red"),
        Relates(gone, "left", present),
        Relates(present, "right", gone),
        IsInside(gone),
        Equals(ColourOf(Description(kind="diamond")), "red"),
        Equals(Further(gone, "left", present), "red circle"),
        Equals(Count("circle", "red"), "1"),
        Equals(Count("circle", "red"), "2"),
    ]
    nothing = Scene(elements=(box,))
    for program in programs:
        for shown in (scene, nothing):
            assert program.answer(shown) == "no", program
            assert program.misreadings(shown)["agreeable"] == "yes", program
            program.traits(shown)
            assert not any(program.asks_about(shape, shown) for shape in shown.shapes if shape.id == "a"), program
    assert Count("circle", "red").answer(scene) == Count().answer(nothing) == "0"
    none = Exists("circle", "red", none=True)
    assert (none.answer(scene), none.misreadings(scene)["agreeable"]) == ("yes", "yes")
    assert (Exists("square", "red").answer(scene), Exists("square", "red").misreadings(scene)) == ("yes", {})
    for program in (ColourOf(gone), Further(gone, "left", present)):
        assert outcome(program, scene) == AMBIGUOUS


def test_a_hidden_shape_is_absent_and_several_matches_are_ambiguous() -> None:
    under, over = Shape("a", "circle", "red", 200, 200, 20), Shape("b", "square", "blue", 200, 200, 60)
    circle = Exists("circle", "red")
    assert (circle.answer(Scene(elements=(over, under))), circle.answer(Scene(elements=(under, over)))) == ("yes", "no")
    half = Scene(elements=(under, msgspec.structs.replace(over, x=264)))
    assert outcome(circle, half) == "yes"
    two = Scene(elements=(under, msgspec.structs.replace(under, id="c", x=400)))
    assert circle.answer(two) == "yes"
    assert outcome(IsInside(Description("circle", "red")), two) == AMBIGUOUS


def test_an_arrow_does_not_point_to_an_absent_shape() -> None:
    program = Equals(ArrowTarget(), "pink circle")
    assert (program.answer(SCENE), program.misreadings(SCENE)["agreeable"]) == ("no", "yes")
    assert "agreeable" not in Equals(ArrowTarget(), "red circle").misreadings(SCENE)
    assert outcome(program, Scene(elements=SCENE.shapes)) == AMBIGUOUS


def test_a_count_above_four_is_misread_as_four() -> None:
    six = Scene(elements=tuple(Shape(f"s{i}", "circle", "red", 40 + 80 * i, 100, 30) for i in range(6)))
    assert Count().misreadings(six) == {"off-by-one": "7", "off-by-minus-one": "5", "at-most-four": "4"}
    assert Equals(Count(), "6").misreadings(six)["at-most-four"] == "no"
    assert Equals(Count(), "4").misreadings(six)["at-most-four"] == "yes"


# ---- traits


def test_a_questions_traits_describe_its_first_shape() -> None:
    circle = {"size": "medium", "column": "right", "row": "top", "colour": "red"}
    square = {"size": "medium", "column": "left", "row": "bottom", "colour": "blue"}
    triangle = {"size": "large", "column": "middle", "row": "middle", "colour": "green"}
    assert ColourOf(CIRCLE).traits(SCENE) == IsInside(CIRCLE).traits(SCENE) == ArrowTarget().traits(SCENE) == circle
    assert ColourOf(Description(kind="triangle")).traits(SCENE) == triangle
    assert Equals(ColourOf(SQUARE), "red").traits(SCENE) == square
    assert Relates(SQUARE, "left", CIRCLE).traits(SCENE) == square | {"side": "left or right"}
    assert Further(SQUARE, "left", CIRCLE).traits(SCENE) == square | {"side": "left or right", "mentioned": "first"}
    assert Further(SQUARE, "above", CIRCLE).traits(SCENE) == square | {"side": "above or below", "mentioned": "second"}
    assert Count().traits(SCENE) == {"count": "4"}
    assert Equals(Count(colour="red"), "3").traits(SCENE) == {"count": "1", "colour": "red"}


@pytest.mark.parametrize(("size", "named"), [(25, "small"), (26, "medium"), (51, "medium"), (52, "large")])
def test_small_shapes_span_less_than_a_tenth_of_the_picture_and_large_ones_over_a_fifth(size: int, named: str) -> None:
    scene = Scene(elements=(Shape("a", "circle", "red", 100, 100, size),))
    assert ColourOf(Description()).traits(scene)["size"] == named
