"""What every family promises, over forms, parameters and canvases; and what each promises of its own scenes."""

import hashlib
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal

from counterbench.answers import canonical
from counterbench.errors import InputError, NoRoomError
from counterbench.scene.interventions import IRRELEVANT, SwapPlaces, diff, kind_of
from counterbench.scene.pairs import FORMS, Pair, QuestionForm
from counterbench.scene.programs.shapes import CountInside, Equals
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import arrow_target, visible_percent
from counterbench.suites.families import FAMILIES, Canvas, Family, family, sample
from counterbench.suites.families.base import check_forms, read_params
from counterbench.suites.families.changes import TREATED
from counterbench.suites.families.control import BASES, STANDARD, OneSided
from counterbench.suites.families.counting import planned_counts
from counterbench.suites.families.laws import LawFamily
from counterbench.suites.families.presence import _counts_and_question
from counterbench.suites.families.priors import PriorFamily
from counterbench.suites.families.whole_prompts import WholePrompt

# Families of plain shapes; the others have tests of their own (test_laws.py, …).
SHAPED: tuple[Family, ...] = tuple(
    f for f in FAMILIES.values() if not isinstance(f, LawFamily | PriorFamily | WholePrompt | OneSided)
)
CONTROLS = ("control", "treated")  # whose change must not matter
N = 32  # items of each case and form
OPEN: tuple[QuestionForm, ...] = ("open",)
YES_NO: tuple[QuestionForm, ...] = ("yes-no",)
BOTH: tuple[QuestionForm, ...] = ("open", "yes-no")


class Case(NamedTuple):
    """A family with parameters, on a canvas."""

    family: str
    params: str = "{}"  # JSON, so that a case is hashable
    width: int = 512
    height: int = 512


DEFAULTS: tuple[Case, ...] = tuple(Case(f.name) for f in SHAPED)
CASES: tuple[Case, ...] = (
    *DEFAULTS,
    Case("spatial", '{"relations": ["left", "above"], "offset": [12, 30], "distractors": [1, 3]}', 800, 400),
    Case("spatial", '{"shape_size": [4, 6], "gap": 1, "offset": [10, 80], "distractors": [0, 4]}', 400, 700),
    Case("spatial", '{"gap": 1, "shape_size": [7, 9], "distractors": [2, 4]}', 128, 128),
    Case("attribute", '{"distractors": [0, 0]}'),
    Case("attribute", '{"descriptions": ["place"], "distractors": [4, 8], "shape_size": [4, 7]}', 600, 300),
    Case("attribute", '{"descriptions": ["size"], "shape_size": [3, 12]}', 1024, 1024),
    Case("counting", '{"count": [1, 1], "distractors": [0, 0]}'),
    Case("counting", '{"count": [1, 12], "distractors": [0, 8], "shape_size": [3, 4], "gap": 1}', 640, 480),
    Case(
        "containment", '{"container": [30, 40], "count": [1, 2], "distractors": [1, 2], "shape_size": [4, 5]}', 300, 400
    ),
    Case("arrow", '{"shapes": [6, 9], "gap": 3, "shape_size": [4, 7], "length": 10, "tip_gap": 1}'),
    Case("arrow", '{"tip_gap": 6, "length": 20}', 700, 500),
    Case("occlusion", '{"count": [2, 3], "covered": [30, 50], "shape_size": [8, 10]}', 400, 300),
    Case("composition", '{"distractors": [2, 5], "offset": [10, 30], "shape_size": [4, 6]}', 400, 300),
    Case("counting", '{"count": [0, 2], "distractors": [0, 1]}'),
    Case("composition", '{"absent": 100, "distractors": [0, 5]}'),
    Case("presence", '{"alone": 0, "distractors": [6, 9], "shape_size": [3, 5], "gap": 1}', 400, 700),
    Case("presence", '{"alone": 100}'),
    Case("control", '{"interventions": ["far-distractor"]}', 800, 400),
    Case("control", '{"bases": ["presence"]}'),
    Case(
        "words",
        '{"letters": [3, 12], "signs": [2, 2], "distractors": [1, 8], "shape_size": [3, 5], "gap": 1}',
        400,
        700,
    ),
    Case("control", '{"bases": ["words"]}'),
    Case("control", '{"bases": ["counting", "arrow"], "interventions": ["change-unasked", "shift-all"]}'),
)


def setting(case: Case) -> tuple[Family, Any, Canvas]:
    chosen = family(case.family)
    return chosen, read_params(chosen, msgspec.json.decode(case.params)), Canvas(case.width, case.height)


@cache
def item(case: Case, forms: tuple[QuestionForm, ...], index: int, seed: int = 0) -> Pair:
    chosen, params, canvas = setting(case)
    return sample(chosen, params, forms, canvas, seed, index)


def items(case: Case, forms: tuple[QuestionForm, ...], count: int = N) -> list[Pair]:
    return [item(case, forms, i) for i in range(count)]


def all_items(case: Case) -> list[Pair]:
    return [pair for form in family(case.family).forms for pair in items(case, (form,))]


def items_of(*names: str) -> Iterator[tuple[Case, Pair]]:
    """Every item of every case of these families (none: of all)."""
    for case in CASES:
        if not names or case.family in names:
            yield from ((case, pair) for pair in all_items(case))


def scenes_of(*names: str) -> Iterator[tuple[Case, Pair, Scene]]:
    """Both scenes of every item of every case of these families (none: of all)."""
    return ((case, pair, scene) for case, pair in items_of(*names) for scene in pair.scenes)


def program_of(pair: Pair) -> Any:
    """The open program behind a pair's question."""
    program = pair.program
    return program.program if isinstance(program, Equals) else program


def test_the_truths_are_those_of_the_program_and_differ_exactly_when_relevant() -> None:
    for case, pair in items_of():
        assert tuple(pair.program.answer(scene) for scene in pair.scenes) == pair.answers, (case, pair.id)
        assert pair.relevant == (pair.original_answer != pair.intervened_answer), case
        assert pair.relevant == (case.family not in CONTROLS), case


def test_the_scenes_differ_exactly_as_declared() -> None:
    for case, pair in items_of():
        original, intervened = pair.scenes
        assert pair.change == pair.edit.declare(original) == diff(original, intervened), (case, pair.id)
        assert pair.edit.apply(original) == intervened != original, (case, pair.id)
        assert pair.intervention == kind_of(pair.edit)
        assert (pair.intervention in IRRELEVANT) == (case.family == "control"), case


def test_every_misreading_has_the_questions_answer_type() -> None:
    for case, pair in items_of():
        for scene in pair.scenes:
            for name, answer in pair.program.misreadings(scene).items():
                assert canonical(answer, pair.answer_type) == answer, (case, pair.id, name)


def test_the_planned_answers_are_balanced_within_one_after_every_item() -> None:
    for case in (
        *DEFAULTS,
        *(c for c in CASES if '"count": [1, 12]' in c.params or '["counting", "arrow"]' in c.params),
    ):
        chosen, params, _ = setting(case)
        for forms, seed, count in ((OPEN, 0, 150), (YES_NO, 12345, 150), (BOTH, 1, 300)):
            if not {*forms} <= {*chosen.forms}:
                continue
            root = Stream(seed, chosen.name, chosen.version)
            strata: dict[str, Counter[str]] = {}
            yes_no: dict[str, Counter[str]] = {}
            for i in range(count):
                plan = chosen.plan(root, i, forms, params)
                assert plan.index == i
                assert plan.form == forms[i % len(forms)] or (case.family == "treated" and plan.form in forms)
                if plan.stratum not in strata:
                    base = BASES[plan.stratum.split("/")[1]] if case.family in CONTROLS else chosen
                    own = params.base(*plan.stratum.split("/")[1:]) if case.family in CONTROLS else params
                    answers = base.answers(own, plan.form)
                    assert tuple(chosen.alphabet(params, plan.stratum)) == tuple(answers), (case, plan.stratum)
                    strata[plan.stratum] = Counter(dict.fromkeys(answers, 0))
                counts = strata[plan.stratum]
                assert plan.answer in counts
                counts[plan.answer] += 1
                assert max(counts.values()) - min(counts.values()) <= 1, (case, forms, i)
                if plan.form == "yes-no" or (case.family == "treated" and {*counts} == {"yes", "no"}):
                    group = plan.stratum.split("/")[2] if case.family == "treated" else ""
                    tally = yes_no.setdefault(group, Counter(yes=0, no=0))
                    tally[plan.answer] += 1
                    assert abs(tally["yes"] - tally["no"]) <= 1, (case, forms, i)


def test_every_item_has_its_planned_form_and_answer() -> None:
    for case in CASES:
        chosen, params, _ = setting(case)
        root = Stream(0, chosen.name, chosen.version)
        for forms, count in ((OPEN, N), (YES_NO, N), (BOTH, 4)):
            for i, pair in enumerate(items(case, forms, count) if {*forms} <= {*chosen.forms} else ()):
                plan = chosen.plan(root, i, forms, params)
                planned = (i, plan.form, plan.answer, plan.stratum)
                assert (pair.index, pair.form, pair.original_answer, pair.stratum) == planned, (case, forms)


def test_a_count_goes_up_as_often_as_down() -> None:
    """So that neither "one more" nor "one less" pays."""
    for case in CASES:
        if case.family in ("counting", "occlusion", "containment"):
            steps = Counter(int(p.intervened_answer) - int(p.original_answer) for p in items(case, OPEN))
            assert set(steps) <= {-1, 1}, case
            if setting(case)[1].count[1] > 1:
                assert min(steps[1], steps[-1]) >= N // 5, case


PINNED = {
    "spatial": "a3002fad58e253f7",
    "attribute": "1aec519a5c7e1d5d",
    "counting": "be9c43348bc67e68",
    "containment": "2532af83c079a465",
    "arrow": "07702ff8a88512e9",
    "occlusion": "4ecae4450834df15",
    "composition": "7ad4812d3a97308f",
    "presence": "80ed35676350bdf8",
    "words": "c63cd81ace5d648f",
    "control": "1666717da076304e",
}


def test_the_items_have_not_changed() -> None:
    """A family whose same index gives another item raises its version; only then may its digest here change."""
    found = {}
    for chosen in (family(name) for name in PINNED):
        pairs = [p for _, p in items_of(chosen.name)]
        drawn = [(p.question, p.answers, [s.digest for s in p.scenes], p.edit, p.difficulty) for p in pairs]
        found[chosen.name] = hashlib.sha256(msgspec.json.encode(drawn)).hexdigest()[:16]
        assert chosen.version == 1  # a new case of the family changes it, too
    assert found == PINNED


def test_no_two_pairs_are_the_same() -> None:
    for case in CASES:
        assert len({(p.digests, p.question) for p in all_items(case)}) == len(all_items(case)), case


# ---- scenes


def overlapping(scene: Scene) -> list[tuple[Shape, Shape]]:
    return [(a, b) for a, b in combinations(scene.shapes, 2) if a.box.touches(b.box)]


def covering(scene: Scene) -> list[tuple[str, str]]:
    """Which shapes lie truly over which, by their geometry."""
    found = []
    for a, b in overlapping(scene):
        alone = Scene(scene.width, scene.height, elements=(a, b))
        if visible_percent(alone, a) < 100:
            found.append((b.id, a.id))
    return found


def test_shapes_do_not_overlap_except_the_front_one_of_occlusion() -> None:
    for case, pair in items_of():
        if case.family == "occlusion" or "/occlusion/" in pair.stratum:
            over = [covering(scene) for scene in pair.scenes]
            assert {front for found in over for front, _ in found} <= {"front"}, (case, pair.id)
            if case.family == "occlusion":
                assert sorted(map(len, over)) == [0, 1], (case, pair.id)
                assert [len(o) for o in over] == [int("front" in {s.id for s in sc.shapes}) for sc in pair.scenes]
            else:
                assert len(over[0]) == len(over[1]) <= 1, (case, pair.id)
        else:
            assert not any(map(overlapping, pair.scenes)), (case, pair.id)


def test_shapes_can_be_named_at_a_glance() -> None:
    for case, pair, scene in scenes_of():
        assert [s for s in scene.shapes if s.size < 8 or visible_percent(scene, s) < 30] == [], (case, pair.id)


def test_sizes_and_gaps_are_within_the_parameters() -> None:
    for case, pair, scene in scenes_of(*(f.name for f in SHAPED if f.name not in CONTROLS)):
        _, params, canvas = setting(case)
        low, high = (canvas.px(p) for p in params.shape_size)
        gap = canvas.px(params.gap)
        inner = scene.box.grown(-gap)
        wrong = [s for s in scene.shapes if not (low <= s.size <= high and s.box.within(inner))]
        assert wrong == [], (case, pair.id)
        if case.family != "occlusion":
            for a, b in combinations(scene.shapes, 2):
                assert not a.box.grown(gap).touches(b.box), (case, pair.id, a.id, b.id)


# ---- each family's own promises


def test_each_relation_is_as_often_true_as_false() -> None:
    for case in CASES:
        if case.family in ("spatial", "composition"):
            answers: dict[str, Counter[str]] = defaultdict(Counter)
            for pair in items(case, YES_NO):
                answers[pair.program.relation][pair.original_answer] += 1
            assert set(answers) == set(getattr(setting(case)[1], "relations", ("above", "below"))), case
            assert [c for c in answers.values() if abs(c["yes"] - c["no"]) > 1] == [], case


def test_the_first_answer_of_open_questions_is_as_often_a_as_b() -> None:
    letters: Counter[str] = Counter()
    for pair in (item(Case("spatial"), OPEN, index, 5) for index in range(120)):
        scene = pair.scenes[0]
        first = next(shape.id for shape in scene.shapes if shape.name == pair.original_answer)
        letters.update(e.text for e in scene.elements if isinstance(e, Label) and e.of == first)
    assert min(letters["A"], letters["B"]) > 40


def test_shapes_are_clearly_in_or_out_in_both_pictures() -> None:
    for case, pair in items_of("containment"):
        inside = []
        for scene in pair.scenes:
            container = next(e for e in scene.elements if isinstance(e, Container))
            within = [s.box.within(container.interior) for s in scene.shapes]
            touching = [s.box.touches(container.box) for s in scene.shapes]
            assert within == touching, (case, pair.id)
            inside.append(sum(within))
        assert abs(inside[0] - inside[1]) == (pair.form == "open"), (case, pair.id)
        assert pair.difficulty["inside"] == inside[0], (case, pair.id)
        assert pair.difficulty["shapes"] == len(pair.scenes[0].shapes), (case, pair.id)
        if isinstance(pair.program, CountInside):
            assert [str(n) for n in inside] == list(pair.answers), (case, pair.id)


def test_the_number_of_shapes_inside_gives_no_answer_away() -> None:
    """Of one that is inside and then outside, another takes the place: no rule about numbers is right on both."""
    pairs = [pair for _, pair in items_of("containment") if pair.form == "yes-no"]
    for pair in pairs:
        assert isinstance(pair.edit, SwapPlaces)
        container = next(e for e in pair.scenes[0].elements if isinstance(e, Container))
        before, after = ([s for s in scene.shapes if s.box.within(container.interior)] for scene in pair.scenes)
        assert len(before) == len(after), pair.id
        assert sorted(s.size for s in before) == sorted(s.size for s in after), pair.id
    assert {pair.difficulty["inside"] for pair in pairs} >= {1, 2, 3}


def test_the_color_asked_about_occurs_in_both_pictures() -> None:
    """So that who looks for the color alone is right on no pair."""
    for case, pair in items_of("attribute"):
        if isinstance(pair.program, Equals) and len(pair.scenes[0].shapes) > 1:
            counts = [sum(shape.colour == pair.program.value for shape in scene.shapes) for scene in pair.scenes]
            assert counts[0] == counts[1] > 0, (case, pair.id)


def test_presence_pairs_have_distractors_of_the_same_kind_and_colour() -> None:
    changes: dict[str, set[str]] = defaultdict(set)
    for case, pair in items_of("presence"):
        _, params, _ = setting(case)
        program = program_of(pair)
        counts = [sum((s.kind, s.colour) == (program.kind, program.colour) for s in sc.shapes) for sc in pair.scenes]
        assert (abs(counts[0] - counts[1]), counts[0]) == (1, pair.difficulty["count"]), (case, pair.id)
        assert set(counts) <= {0, 1, 2}, (case, pair.id)
        for scene in pair.scenes[counts[0] > counts[1] :][:1] if params.alone == 0 else ():  # that with fewer
            alike = {(s.kind == program.kind, s.colour == program.colour) for s in scene.shapes}
            assert alike >= {(True, False), (False, True)}, (case, pair.id)
        for scene, truth in zip(pair.scenes, pair.answers, strict=True):
            lacking = pair.form == "yes-no" and counts[pair.scenes.index(scene)] == 0
            assert ("agreeable" in pair.program.misreadings(scene)) == lacking, (case, pair.id, truth)
        changes[pair.form].add(pair.intervention)
    assert changes["open"] == changes["yes-no"] == {"add", "remove", "recolour", "swap-colours"}
    assert () in [scene.elements for _, _, scene in scenes_of("presence")]


def numbers_asked(name: str, params: dict[str, Any], count: int) -> Iterator[tuple[str, str]]:
    """What items of the yes/no form name as the number, with the answer for the original: plans alone, no pictures."""
    chosen = family(name)
    root = Stream(5, name, chosen.version)
    for i in range(count):
        plan = chosen.plan(root, i, YES_NO, read_params(chosen, params))
        before, after = planned_counts(root.child(i, 0), plan, params["count"])
        yield str(before if plan.answer == "yes" else after), plan.answer


@pytest.mark.parametrize(("name", "span"), [("occlusion", (1, 6)), ("occlusion", (1, 4)), ("counting", (0, 12))])
def test_the_number_asked_about_gives_no_answer_away(name: str, span: tuple[int, int]) -> None:
    found = Counter(numbers_asked(name, {"count": span}, 4000))
    numbers = {number for number, _ in found}
    assert numbers == {str(n) for n in range(span[0], span[1] + 1)}
    guessed = sum(max(found[n, "yes"], found[n, "no"]) for n in numbers)  # by whoever knows every count of this table
    assert guessed / 4000 < 0.53
    for n in numbers:
        yes, no = found[n, "yes"], found[n, "no"]
        assert abs(yes - no) < 5 * math.sqrt(yes + no), n


def test_words_and_number_of_shapes_do_not_reveal_presence() -> None:
    chosen = family("presence")
    root, params = Stream(5, "presence", 1), read_params(chosen, {})
    by_words: Counter[tuple[str, str]] = Counter()
    by_picture: Counter[tuple[int, str]] = Counter()
    for i in range(4000):
        plan = chosen.plan(root, i, YES_NO, params)
        before, _, program = _counts_and_question(root.child(i, 0), plan, ("red", "circle"))
        by_words[program.phrasings()[0], plan.answer] += 1
        by_picture[before, plan.answer] += 1
    for counts in (by_words, by_picture):
        for clue in {clue for clue, _ in counts}:
            yes, no = counts[clue, "yes"], counts[clue, "no"]
            assert abs(yes - no) < 5 * math.sqrt(yes + no), clue


def test_a_share_of_composition_pairs_lacks_a_shape_and_is_answered_no() -> None:
    lacking = 0
    for case, pair in items_of("composition"):
        absent = ["agreeable" in pair.program.misreadings(scene) for scene in pair.scenes]
        assert sum(absent) == (pair.form == "yes-no" and setting(case)[1].absent == 100), (case, pair.id)
        if any(absent):
            assert pair.answers[absent.index(True)] == "no"
            assert pair.intervention in ("add", "remove", "recolour")
            lacking += 1
    assert lacking == N


def arrow_of(scene: Scene) -> Arrow:
    return next(e for e in scene.elements if isinstance(e, Arrow))


def test_an_arrow_crosses_nothing_and_points_at_the_answer() -> None:
    for case, pair in items_of("arrow"):
        for scene, answer in zip(pair.scenes, pair.answers, strict=True):
            arrow = arrow_of(scene)
            target = arrow_target(scene, arrow)
            for shape in scene.shapes:  # its head is as wide as it is long
                near = 0 if shape is target else arrow.head // 2
                assert not shape.meets(arrow.tail, arrow.tip, near), (case, pair.id, shape.id)
            assert pair.form != "open" or target.name == answer, (case, pair.id)


def test_control_uses_every_base_and_intervention_in_turn() -> None:
    for case, pair in items_of("control"):
        _, params, _ = setting(case)
        cells = params.cells()
        assert cells == [(b, i) for i in params.interventions for b in params.bases if i not in BASES[b].never]
        form, base, intervention = pair.stratum.split("/")
        assert (base, intervention) == cells[pair.index % len(cells)], (case, pair.id)
        assert (form, intervention) == (pair.form, pair.intervention), (case, pair.id)


# ---- parameters


QUICK = 5.0  # seconds of this process, whatever else the machine does

IMPOSSIBLE: list[tuple[str, dict[str, Any], int, tuple[str, ...]]] = [
    *((name, {}, 64, ("shape_size", "64")) for name in (*STANDARD, "control")),
    ("words", {}, 64, ("letters", "64")),
    ("spatial", {"shape_size": [40, 45]}, 512, ("shape_size", "offset")),
    ("spatial", {"offset": [90, 90]}, 512, ("offset",)),
    ("attribute", {"descriptions": ["size"], "shape_size": [8, 8]}, 512, ("descriptions", "shape_size")),
    ("counting", {"count": [30, 30], "distractors": [30, 30], "shape_size": [10, 12]}, 512, ("count", "gap")),
    ("containment", {"container": [70, 70], "shape_size": [14, 15]}, 512, ("container",)),
    ("arrow", {"length": 80, "shapes": [12, 12]}, 512, ("length", "shapes")),
    ("occlusion", {"shape_size": [30, 45], "count": [5, 6]}, 512, ("shape_size", "count")),
    ("composition", {"offset": [88, 90], "shape_size": [10, 10]}, 512, ("offset",)),
    ("control", {"bases": ["counting"], "base_params": {"counting": {"shape_size": [30, 30]}}}, 512, ("base_params",)),
]


def test_an_impossible_layout_is_refused_quickly_with_the_parameters() -> None:
    for name, given_params, side, named in IMPOSSIBLE:
        chosen = family(name)
        params = read_params(chosen, given_params)
        start = time.process_time()
        message = refusal(lambda f=chosen, p=params, s=side: sample(f, p, OPEN, Canvas(s, s), 0, 0), NoRoomError)
        assert time.process_time() - start < QUICK, name
        assert [word for word in (name, *named) if word not in message] == [], (name, given_params, message)


LIMITS: dict[str, dict[str, tuple[int, int]]] = {
    f.name: {name: span for kind in f.params_type.__mro__ for name, span in vars(kind).get("limits", {}).items()}
    for f in SHAPED
}
WHOLE = ("absent", "alone", "gap", "length", "tip_gap")  # the others are spans [low, high]


def bad_values() -> list[tuple[str, str, Any, str]]:
    rows: list[tuple[str, str, Any, str]] = []
    for name, limits in LIMITS.items():
        for parameter, (low, high) in limits.items():
            text = f"from {low} to {high}"
            if parameter in WHOLE:
                rows += [(name, parameter, value, text) for value in (low - 1, high + 1)]
            else:
                values = ([low - 1, high], [low, high + 1], [high, low], [high + 1, high + 2])
                rows += [(name, parameter, list(v), text) for v in values]
    return rows


def test_a_bad_value_is_refused_with_the_parameter_and_its_range() -> None:
    for name, parameter, value, text in bad_values():
        message = refusal(lambda n=name, p=parameter, v=value: read_params(family(n), {p: v}, "mine.toml"), InputError)
        assert message.startswith("mine.toml: "), (name, parameter, value)
        assert [word for word in (f"'{parameter}'", f"'{name}'", text) if word not in message] == [], message


def test_choices_and_combinations_are_checked() -> None:
    for name, given_params, words in (
        ("spatial", {"relations": []}, ("relations", "left, right, above, below")),
        ("spatial", {"relations": ["left", "left"]}, ("relations", "without repeats")),
        ("spatial", {"relations": ["beside"]}, ("relations", "left")),
        ("attribute", {"descriptions": ["name"]}, ("descriptions", "kind, place, size")),
        ("containment", {"container": [18, 70], "shape_size": [6, 7]}, ("container", "shape_size")),
        ("control", {"bases": ["control"]}, ("bases", "spatial")),
        ("control", {"interventions": ["swap"]}, ("interventions", "far-distractor")),
        ("control", {"bases": ["occlusion"], "interventions": ["far-distractor"]}, ("bases", "interventions")),
        ("control", {"bases": ["arrow"], "base_params": {"spatial": {}}}, ("base_params", "spatial")),
        ("control", {"base_params": {"arrow": {"lenght": 9}}}, ("base_params", "lenght", "length")),
        ("control", {"base_params": {"arrow": {"length": 7}}}, ("base_params", "length", "8 to 80")),
    ):
        message = refusal(lambda n=name, g=given_params: read_params(family(n), g, "mine.toml"), InputError)
        assert [word for word in ("mine.toml", name, *words) if word not in message] == [], (given_params, message)


def test_bad_forms_and_a_bad_canvas_are_refused() -> None:
    for forms in ([], ["open", "open"], ["closed"], ["open", "yesno"]):
        with pytest.raises(InputError, match=r"'forms'.*open, yes-no"):
            check_forms(family("spatial"), forms)
    with pytest.raises(InputError, match=r"^mine\.toml: 'forms'"):
        check_forms(family("spatial"), [], "mine.toml")
    check_forms(family("spatial"), list(FORMS))
    for size in ((63, 512), (512, 2049)):
        with pytest.raises(InputError, match="64 to 2048"):
            Canvas(*size)
    assert (Canvas(64, 2048).width, Canvas(2048, 64).width) == (64, 2048)


@st.composite
def settings_of(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """Parameters of a family within their limits, some left at their defaults."""
    chosen: dict[str, Any] = {}
    for parameter, (low, high) in LIMITS[name].items():
        if parameter == "shape_size":
            high = draw(st.sampled_from((8, 12, 45)))
        if draw(st.booleans()):
            span = sorted((draw(st.integers(low, high)), draw(st.integers(low, high))))
            chosen[parameter] = span[0] if parameter in WHOLE else span
    if name in CONTROLS:
        base = draw(st.sampled_from(STANDARD))
        chosen["bases"] = [base]
        chosen["interventions"] = [draw(st.sampled_from(IRRELEVANT if name == "control" else TREATED))]
        chosen["base_params"] = {base: draw(settings_of(base))}
    return chosen


@pytest.mark.parametrize("name", list(LIMITS))
@given(data=st.data())
@settings(max_examples=10)
def test_any_parameters_give_a_valid_pair_or_say_why_not(name: str, data: st.DataObject) -> None:
    chosen = family(name)
    given_params = data.draw(settings_of(name))
    side = st.sampled_from((64, 128, 200, 320, 512, 900))
    canvas = Canvas(data.draw(side), data.draw(side), data.draw(st.integers(225, 255)))
    index, seed = data.draw(st.integers(0, 10_000)), data.draw(st.integers(0, 2**64))
    start = time.process_time()
    try:
        params = read_params(chosen, given_params)
        pair = sample(chosen, params, data.draw(st.sampled_from((OPEN, YES_NO, BOTH))), canvas, seed, index)
    except (InputError, NoRoomError):
        pass  # refused, and quickly: see below
    else:
        original, intervened = pair.scenes
        assert diff(original, intervened) == pair.edit.declare(original)
        assert tuple(pair.program.answer(scene) for scene in pair.scenes) == pair.answers
        assert pair.relevant == (name not in CONTROLS)
        if "occlusion" not in (name, *given_params.get("bases", ())):
            assert [scene for scene in pair.scenes if overlapping(scene)] == []
    assert time.process_time() - start < QUICK
