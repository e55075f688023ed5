"""Pairs about laws: the checks that generated pictures are asked, on pictures whose answers are known."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from sweeping import swept

from counterbench.drawing.things import NOUN_DRAWINGS_VERSION
from counterbench.errors import InputError, NoRoomError
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.laws import STANDARD, SYMBOLS_SUFFIX, law
from counterbench.laws.base import SIDE
from counterbench.laws.outcomes import bystanders, checks
from counterbench.prompts.files import load_prompts
from counterbench.runs.pair_queries import keys
from counterbench.scene.figures import MAX_DOSE, Damage, Room, Writing
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.facts import Fact, Whole
from counterbench.scene.programs.named import matching
from counterbench.scene.programs.observations import Number
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream
from counterbench.suites.families import Canvas, family, sample
from counterbench.suites.families.base import read_params
from counterbench.suites.families.laws import LawParams, checks_by_cell
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

CANVAS = Canvas(SIDE, SIDE)


@cache
def item(name: str, index: int, seed: int = 0, laws: tuple[str, ...] = ()) -> Pair:
    chosen = family(name)
    params = read_params(chosen, {"laws": list(laws)} if laws else {})
    return sample(chosen, params, ("yes-no",), CANVAS, seed, index)


def items(name: str, count: int, seed: int = 0) -> list[Pair]:
    return [item(name, index, seed) for index in range(count)]


def answers_of(pair: Pair) -> tuple[str, ...]:
    return tuple(pair.program.answer(scene) for scene in pair.scenes)


CELLS = tuple(checks_by_cell())
ROUND = 2 * len(CELLS)  # every cell with both answers


def test_every_check_of_every_law_is_a_cell() -> None:
    found = {
        (option.law, option.variant) for options_of_cell in checks_by_cell().values() for option in options_of_cell
    }
    assert found == {(tested.name, variant.name) for tested in map(law, STANDARD) for variant in tested.variants}
    assert {cell.split("/")[0] for cell in CELLS} == {*STANDARD}
    kinds = ("integrity", "presence", "assessment", "moved", "unaffected")
    assert {cell.split("/")[1] for cell in CELLS} == {*kinds}
    for name in STANDARD:
        assert {f"{name}/{kind}" for kind in ("integrity", "assessment", "unaffected")} <= {*CELLS}, name
    # What prior would draw is asked for as an assessment is.
    found = {(option.check, option.variant) for option in checks_by_cell()["falling/assessment"]}
    assert found == {("assessment", v.name) for v in law("falling").variants} | {
        ("contrast", v.name) for v in law("falling").altered
    }


@pytest.mark.parametrize("suite", ["laws", "rules"])
def test_every_law_but_one_has_a_presence_question_about_its_subject(suite: str) -> None:
    """Dividing cells are counted alone."""
    params = load_suite(suite).parts[0].params
    found = checks_by_cell(params.laws)
    names = {cell.split("/")[0] for cell in found}
    assert len(names) == len(STANDARD)
    lacking = {name for name in names if f"{name}/presence" not in found}
    assert {name.removesuffix(SYMBOLS_SUFFIX) for name in lacking} == {"dividing-cells"}


@swept("name", [name for name in STANDARD if name != "dividing-cells"])
def test_presence_is_not_asked_about_unaffected_things(name: str) -> None:
    tested = law(name)
    setting = tested.setting(3, 1)
    presence = checks(tested, setting, tested.real.name)["presence"]
    (subject,) = presence.of.named
    assert presence.value == "1"
    assert subject not in {aspect.named[0] for aspect in bystanders(tested, setting)}


@pytest.mark.slow
def test_cells_take_turns_and_answers_are_balanced() -> None:
    pairs = items("laws", ROUND)
    assert [pair.cell for pair in pairs] == [*CELLS] * 2
    assert [pair for pair in pairs if pair.cell.split("/")[0] != pair.law] == []
    for first, second in zip(pairs, pairs[len(CELLS) :], strict=False):
        assert {first.original_answer, second.original_answer} == {"yes", "no"}
    answers = Counter(pair.original_answer for pair in pairs[:-1])
    assert abs(answers["yes"] - answers["no"]) <= 1


def test_the_answer_is_the_programs_and_changes_with_the_law() -> None:
    for pair in items("laws", ROUND):
        assert (pair.original_answer, pair.intervened_answer) == answers_of(pair)
        assert pair.relevant
        assert {pair.original_answer, pair.intervened_answer} == {"yes", "no"}
        assert (pair.category, pair.form, pair.answer_type) == ("law", "yes-no", "yes-no")
        assert isinstance(pair.program, Fact | Whole)  # one fact a question
        assert pair.skill == ("presence" if pair.cell.endswith("/presence") else pair.program.skill)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes"),
    [("law-control", {"background-shade", "shift-all"}), ("law-treated", {"paint", "treat", "shift-all"})],
)
def test_a_control_keeps_its_answer(name: str, changes: set[str]) -> None:
    kinds = set()
    for pair in items(name, ROUND):
        assert answers_of(pair) == (pair.original_answer, pair.intervened_answer)
        assert not pair.relevant
        assert pair.original_answer == pair.intervened_answer
        assert pair.category == "control"
        kinds.add(pair.intervention)
        shown = pair.scenes[1]
        for words in (e.box for e in shown.elements if isinstance(e, Writing)):
            assert [e for e in shown.elements if isinstance(e, Room) and not words.within(e.interior)] == []
            assert [figure for figure in shown.figures if words.grown(1).touches(figure.box)] == []
    assert kinds == changes


def broken(scene: Scene) -> list[Damage]:
    return [element for element in scene.elements if isinstance(element, Damage)]


def test_integrity_is_asked_of_damaged_pictures_and_whole_ones() -> None:
    pairs = [pair for pair in items("laws", ROUND) if isinstance(pair.program, Whole)]
    assert len(pairs) == 2 * len(STANDARD)
    for pair in pairs:
        assert [bool(broken(scene)) for scene in pair.scenes] == [answer == "no" for answer in pair.answers]
        assert pair.difficulty["dose"] in range(1, MAX_DOSE + 1)
    assert len({broken(scene)[0].kind for pair in pairs for scene in pair.scenes if broken(scene)}) >= 6


@pytest.mark.slow
def test_damage_reveals_no_answer_and_spares_the_things_asked_about() -> None:
    """Both pictures of a pair, of which one is yes and the other no, are damaged in the same way or not at all."""
    pairs = [pair for pair in items("laws", 2 * ROUND) if not isinstance(pair.program, Whole)]
    for pair in pairs:
        first, second = ([(d.kind, d.dose) for d in broken(scene)] for scene in pair.scenes)
        assert first == second
        for scene in pair.scenes:
            figures = [f for thing in pair.program.of.named for f in matching(scene, thing)]
            assert [figure for d in broken(scene) for figure in figures if d.box.touches(figure.box)] == []
    assert 0.1 < sum(bool(broken(pair.scenes[0])) for pair in pairs) / len(pairs) < 0.3


def lacking(pair: Pair, scene: Scene) -> bool:
    return any(not matching(scene, thing) for thing in pair.program.of.named)


def another(pair: Pair) -> bool:
    """Whether the picture whose answer is no shows another value of what is asked, and does not lack it.

    Asked whether a thing is there, it is there in another colour, or one of the pictures has it twice.
    """
    if isinstance(pair.program, Whole):
        return True
    if not pair.cell.endswith("/presence"):
        return not any(lacking(pair, scene) for scene in pair.scenes)
    (thing,) = pair.program.of.named
    return all(any(figure.noun == thing.noun for figure in scene.figures) for scene in pair.scenes)


def share_of_another(suite: str, cell: str, count: int) -> float:
    part = load_suite(suite).parts[0]
    cells = list(checks_by_cell(part.params.laws))
    places = [(seed, cells.index(cell) + len(cells) * (seed % 2)) for seed in range(count)]
    pairs = [load_suite(suite, seed).sample(part, at) for seed, at in places]
    assert {pair.cell for pair in pairs} == {cell}
    return sum(map(another, pairs)) / count


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["laws", "rules"])
def test_every_cell_tests_what_its_name_says(suite: str) -> None:
    """Where every no lacks a thing, who says yes wherever a vessel is there is right, whatever its colour."""
    params = load_suite(suite).parts[0].params
    shares = {cell: share_of_another(suite, cell, 60) for cell in checks_by_cell(params.laws)}
    assert {cell: share for cell, share in shares.items() if share < 1 / 3} == {}


@pytest.mark.slow
def test_a_few_laws_show_every_kind_of_wrong_picture_often_enough_to_be_decided() -> None:
    """Of 26 pairs of each cell of `laws-few`: two things in each other's colour, none, two, one in another colour."""
    counts: Counter[str] = Counter()
    part = load_suite("laws").parts[0]
    needed = set().union(*needed_cells(load_prompts("laws-few").prompts).values())
    for at, cell in enumerate(CELLS):
        if cell not in needed or cell.endswith("/integrity"):
            continue
        for seed in range(26):
            pair = load_suite("laws", seed).sample(part, at + len(CELLS) * (seed % 2))
            before, after = ([(f.noun, f.colour) for f in scene.figures] for scene in pair.scenes)
            nouns = [Counter(noun for noun, _ in things) for things in (before, after)]
            colours = [Counter(colour for _, colour in things) for things in (before, after)]
            same = nouns[0] == nouns[1]
            counts["swapped"] += same and colours[0] == colours[1] and sorted(before) != sorted(after)
            counts["bare"] += min(len(before), len(after)) <= 1  # a stranger at most
            counts["recoloured"] += same and colours[0] != colours[1]
    assert min(counts.values()) >= 26, counts


@pytest.mark.slow
def test_absent_things_are_asked_about_and_the_answer_is_no() -> None:
    pairs = [pair for pair in items("laws", 2 * ROUND) if not isinstance(pair.program, Whole)]
    cases = [(pair, scene, answer) for pair in pairs for scene, answer in zip(pair.scenes, pair.answers, strict=True)]
    absent = [(pair, answer) for pair, scene, answer in cases if lacking(pair, scene)]
    assert len(absent) > 0.1 * len(cases)
    for pair, answer in absent:
        none = isinstance(pair.program.of, Number) and pair.program.value == "0"
        assert answer == ("yes" if none else "no")


@pytest.mark.slow
def test_things_are_missing_as_often_for_yes_as_for_no() -> None:
    """The number of things in a picture does not tell what is answered."""
    by_answer: dict[str, list[int]] = {"yes": [], "no": []}
    for pair in items("laws", 4 * ROUND):
        if not isinstance(pair.program, Whole) and not pair.cell.endswith("/presence"):
            most = max(len(scene.figures) for scene in pair.scenes)
            for scene, answer in zip(pair.scenes, pair.answers, strict=True):
                by_answer[answer].append(most - len(scene.figures))
    shares = {answer: sum(map(bool, found)) / len(found) for answer, found in by_answer.items()}
    assert abs(shares["yes"] - shares["no"]) < 0.06, shares


def test_presence_is_asked_about_none_one_and_two_things() -> None:
    pairs = [item("laws", index) for index in range(4 * ROUND) if CELLS[index % len(CELLS)].endswith("/presence")]
    values = Counter(pair.program.value for pair in pairs)
    assert set(values) == {"0", "1", "2"}
    assert min(values.values()) > len(pairs) / 20
    # Where one is right, as many are asked for one as for another number.
    assert 0.4 < values["1"] / len(pairs) < 0.6


def test_the_priors_answer_to_unaffected_checks_is_yes_about_half_the_time() -> None:
    """Else a picture is told by its kind: of what no variant moves, whatever is another way would always be no."""
    pairs = [pair for pair in items("laws", 2 * ROUND) if pair.cell.endswith("/unaffected") and pair.prior_answer]
    by_prior = [pair.prior_answer for pair in pairs]
    assert 0.35 < by_prior.count("yes") / len(by_prior) < 0.65


def test_the_answer_of_one_cell_does_not_predict_anothers() -> None:
    chosen, found = family("laws"), set()
    for seed in range(12):
        plans = [chosen.plan(Stream(seed), index, ("yes-no",), LawParams()) for index in (0, 2)]
        found.add(tuple(plan.answer for plan in plans))
    assert len(found) == 4


def test_a_prior_bound_judge_gives_the_priors_answer() -> None:
    known_keys = list(keys(SuiteSource(load_suite("laws"), 160)))
    bound = [key for key in known_keys if "prior-bound" in key.misreadings]
    assert len(bound) > len(known_keys) / 5
    assert [key for key in bound if key.misreadings["prior-bound"] == key.expected] == []
    # Of a damaged picture it sees the whole one that prior would have drawn.
    assert {key.misreadings["prior-bound"] for key in bound if key.skill == "integrity"} == {"yes"}


def test_no_borderline_side_is_asked_about() -> None:
    """What is above and a little to the left is not asked to be to the left, or it is and the answer is yes."""
    for pair in items("laws", 2 * ROUND):
        if isinstance(pair.program, Fact):
            assert [scene for scene in pair.scenes if not pair.program.plain(scene)] == [], pair.id


def test_parameters_choose_laws() -> None:
    chosen = family("laws")
    params = read_params(chosen, {"laws": ["falling", "wind"]})
    pairs = [sample(chosen, params, ("yes-no",), CANVAS, 3, i) for i in range(10)]
    assert {pair.cell for pair in pairs} == set(checks_by_cell(("falling", "wind")))
    assert set(chosen.basis(params)) == {"falling", "wind", "glyphs"}
    assert chosen.basis(params)["glyphs"] == NOUN_DRAWINGS_VERSION
    assert chosen.basis(params) != chosen.basis(read_params(chosen, {"laws": ["falling"]}))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"laws": ["faling"]}, r"family 'laws': parameter 'laws' .* some of: falling, .*; not \['faling'\]"),
        ({"law": ["falling"]}, "law"),
        ({"laws": "falling"}, "laws"),
    ],
)
def test_unknown_parameters_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_params(family("laws"), params)


def test_laws_refuse_another_canvas() -> None:
    with pytest.raises(NoRoomError, match="laws are drawn on 512×512 pixels"):
        sample(family("laws"), LawParams(), ("yes-no",), Canvas(640, 480), 0, 0)
