"""What every family promises, over forms, parameters and canvases; and what each promises of its own scenes."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.drawing.render import render
from counterbench.errors import InputError, NoRoomError
from counterbench.scene.geometry import Box
from counterbench.scene.interventions import IRRELEVANT, diff, kind_of
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.shapes import ArrowTarget, ColourOf, Count, CountInside, Equals, Relates
from counterbench.scene.questions import FORMS, Form
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import arrow_target, visible_percent
from counterbench.suites.families import FAMILIES, Canvas, Family, family, sample
from counterbench.suites.families.base import check_forms, read_params
from counterbench.suites.families.control import BASES, NEVER
from counterbench.suites.families.laws import LawFamily

# Families of plain shapes; laws have tests of their own (test_laws.py).
SHAPED: tuple[Family, ...] = tuple(f for f in FAMILIES if not isinstance(f, LawFamily))
N = 120
OPEN: tuple[Form, ...] = ("open",)
YES_NO: tuple[Form, ...] = ("yes-no",)
BOTH: tuple[Form, ...] = ("open", "yes-no")


class Case(NamedTuple):
    """A family with parameters, on a canvas."""

    family: str
    params: str = "{}"  # JSON, so that a case is hashable
    width: int = 512
    height: int = 512

    def __str__(self) -> str:
        return f"{self.family} {self.params} {self.width}x{self.height}"


CASES: tuple[Case, ...] = (
    *(Case(f.name) for f in SHAPED),
    *(Case(f.name, width=800, height=400) for f in SHAPED),
    Case("spatial", '{"relations": ["left", "above"], "offset": [12, 30], "distractors": [1, 3]}'),
    Case("spatial", '{"shape_size": [4, 6], "gap": 1, "offset": [10, 80], "distractors": [0, 4]}', 400, 700),
    Case("spatial", '{"gap": 1, "shape_size": [7, 9], "distractors": [2, 4]}', 128, 128),
    Case("attribute", '{"distractors": [0, 0]}'),
    Case("attribute", '{"descriptions": ["place"], "distractors": [4, 8], "shape_size": [4, 7]}', 300, 300),
    Case("attribute", '{"descriptions": ["size"], "shape_size": [3, 12]}', 1024, 1024),
    Case("counting", '{"count": [1, 1], "distractors": [0, 0]}'),
    Case("counting", '{"count": [1, 12], "distractors": [0, 8], "shape_size": [3, 4], "gap": 1}', 640, 480),
    Case(
        "containment", '{"container": [30, 40], "count": [1, 2], "distractors": [1, 2], "shape_size": [4, 5]}', 300, 400
    ),
    Case("arrow", '{"shapes": [6, 9], "gap": 3, "shape_size": [4, 7], "length": 10, "tip_gap": 1}'),
    Case("arrow", '{"tip_gap": 6, "length": 20}', 700, 500),
    Case("occlusion", '{"count": [2, 3], "covered": [30, 50], "shape_size": [8, 10]}', 300, 300),
    Case("composition", '{"distractors": [2, 5], "offset": [10, 30], "shape_size": [4, 6]}', 400, 300),
    Case("control", '{"interventions": ["far-distractor"]}'),
    Case("control", '{"bases": ["counting", "arrow"], "interventions": ["change-unasked", "shift-all"]}'),
    Case("control", '{"bases": ["occlusion"], "interventions": ["background-shade"]}'),
)
cases = pytest.mark.parametrize("case", CASES, ids=str)
both_forms = pytest.mark.parametrize("forms", [OPEN, YES_NO], ids="+".join)


def of(*names: str) -> Any:
    return pytest.mark.parametrize("case", [c for c in CASES if c.family in names], ids=str)


def setting(case: Case) -> tuple[Family, Any, Canvas]:
    chosen = family(case.family)
    return chosen, read_params(chosen, msgspec.json.decode(case.params)), Canvas(case.width, case.height)


@cache
def item(case: Case, forms: tuple[Form, ...], index: int, seed: int = 0) -> Pair:
    chosen, params, canvas = setting(case)
    return sample(chosen, params, forms, canvas, seed, index)


def items(case: Case, forms: tuple[Form, ...], count: int = N) -> list[Pair]:
    return [item(case, forms, i) for i in range(count)]


def all_items(case: Case) -> list[Pair]:
    return items(case, OPEN) + items(case, YES_NO)


def program_of(pair: Pair) -> Any:
    """The open program behind a pair's question."""
    program = pair.program
    return program.program if isinstance(program, Equals) else program


# ---- every family


def test_the_families_are_the_eight_and_found_by_name() -> None:
    names = [f.name for f in SHAPED]
    assert names == ["spatial", "attribute", "counting", "containment", "arrow", "occlusion", "composition", "control"]
    assert [f.name for f in FAMILIES] == [*names, "laws", "law-control"]
    assert all(family(f.name) is f for f in FAMILIES)
    assert {f.category for f in SHAPED} == {"spatial", "attribute", "counting", "containment", "causal", "control"}
    with pytest.raises(InputError, match=r"did you mean 'spatial'\?.*arrow, attribute"):
        family("spatail")


@cases
@both_forms
def test_a_pair_says_what_it_is(case: Case, forms: tuple[Form, ...]) -> None:
    chosen, _, canvas = setting(case)
    for i, pair in enumerate(items(case, forms)):
        assert (pair.index, pair.family, pair.category) == (i, case.family, chosen.category)
        assert pair.id == f"{case.family}-{i:06d}"
        assert pair.form == forms[0]
        assert pair.truth == "computed"
        original, intervened = pair.scenes
        for scene in (original, intervened):
            assert (scene.width, scene.height) == (canvas.width, canvas.height)
            assert all(scene.box_of(e).within(scene.box) for e in scene.elements)
        assert original.background == canvas.background
        assert pair.digests is not None
        assert (pair.digests.original_scene, pair.digests.intervened_scene) == (original.digest, intervened.digest)
        assert pair.program is not None
        assert pair.answer_type == pair.program.answer_type
        assert (pair.answer_type == "yes-no") == (pair.form == "yes-no")
        assert pair.skill
        assert all(isinstance(v, int) for v in pair.difficulty.values())


@cases
@both_forms
def test_the_truths_are_those_of_the_program_and_differ_exactly_when_relevant(
    case: Case, forms: tuple[Form, ...]
) -> None:
    for pair in items(case, forms):
        assert pair.program is not None
        assert tuple(pair.program.answer(scene) for scene in pair.scenes) == pair.answers
        assert pair.relevant == (pair.original_answer != pair.intervened_answer) == (case.family != "control")


@cases
@both_forms
def test_the_difference_is_the_declared_one(case: Case, forms: tuple[Form, ...]) -> None:
    for pair in items(case, forms):
        original, intervened = pair.scenes
        assert pair.edit is not None
        assert pair.change == pair.edit.declare(original) == diff(original, intervened)
        assert pair.edit.apply(original) == intervened != original
        assert pair.intervention == kind_of(pair.edit)
        assert (pair.intervention in IRRELEVANT) == (case.family == "control")


@cases
def test_a_pair_survives_json(case: Case) -> None:
    for pair in items(case, BOTH, 12):
        assert msgspec.json.decode(msgspec.json.encode(pair), type=Pair) == pair


@cases
def test_sampling_is_pure_whatever_the_order(case: Case) -> None:
    chosen, params, canvas = setting(case)
    for i in reversed(range(0, 30, 3)):
        assert sample(chosen, params, BOTH, canvas, 0, i) == item(case, BOTH, i)


def test_sampling_is_the_same_in_another_process_and_with_another_hash_seed() -> None:
    code = (
        "import hashlib, msgspec\n"
        "from counterbench.suites.families import FAMILIES, Canvas, sample\n"
        "from counterbench.suites.families.base import read_params\n"
        "for f in FAMILIES:\n"
        "    h = hashlib.sha256()\n"
        "    forms = ('yes-no',) if 'law' in f.name else ('open', 'yes-no')\n"
        "    for i in (31, 5, 17, 2):\n"
        "        h.update(msgspec.json.encode(sample(f, read_params(f, {}), forms, Canvas(), 4, i)))\n"
        "    print(f.name, h.hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            timeout=120,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
    assert len(seen.pop().splitlines()) == len(FAMILIES)


@cases
@pytest.mark.parametrize("forms", [OPEN, YES_NO, BOTH], ids="+".join)
def test_the_planned_answers_are_balanced_within_one_after_every_item(case: Case, forms: tuple[Form, ...]) -> None:
    chosen, params, _ = setting(case)
    for seed, count in ((0, 700), (1, 200), (12345, 200)):
        root = Stream(seed, chosen.name, chosen.version)
        strata: dict[str, Counter[str]] = {}
        yes_no: Counter[str] = Counter(yes=0, no=0)
        for i in range(count):
            plan = chosen.plan(root, i, forms, params)
            assert (plan.index, plan.form) == (i, forms[i % len(forms)])
            if plan.stratum not in strata:
                base = BASES[plan.stratum.split("/")[1]] if case.family == "control" else chosen
                own = params.base(*plan.stratum.split("/")[1:]) if case.family == "control" else params
                strata[plan.stratum] = Counter(dict.fromkeys(base.answers(own, plan.form), 0))
            counts = strata[plan.stratum]
            assert plan.answer in counts
            counts[plan.answer] += 1
            assert max(counts.values()) - min(counts.values()) <= 1
            if plan.form == "yes-no":
                yes_no[plan.answer] += 1
                assert abs(yes_no["yes"] - yes_no["no"]) <= 1


@cases
@pytest.mark.parametrize("forms", [OPEN, YES_NO, BOTH], ids="+".join)
def test_every_item_has_its_planned_answer(case: Case, forms: tuple[Form, ...]) -> None:
    chosen, params, _ = setting(case)
    root = Stream(0, chosen.name, chosen.version)
    for pair in items(case, forms, N if len(forms) == 1 else 20):
        plan = chosen.plan(root, pair.index, forms, params)
        assert (pair.form, pair.original_answer, pair.stratum) == (plan.form, plan.answer, plan.stratum)


@cases
def test_forms_take_turns(case: Case) -> None:
    assert [pair.form for pair in items(case, BOTH, 10)] == ["open", "yes-no"] * 5


@cases
@both_forms
def test_the_original_answers_vary(case: Case, forms: tuple[Form, ...]) -> None:
    _, params, _ = setting(case)
    answers = {pair.original_answer for pair in items(case, forms)}
    if forms == YES_NO:
        assert answers == {"yes", "no"}
    elif "count" in params.__struct_fields__:
        low, high = params.count
        assert answers == {str(n) for n in range(low, high + 1)}
    else:
        assert len(answers) >= (4 if "occlusion" in case.params else 8)


@cases
@both_forms
def test_an_answer_says_nothing_about_the_other(case: Case, forms: tuple[Form, ...]) -> None:
    """Counts go up and down, so that neither "one more" nor "one less" pays."""
    if forms == OPEN and case.family in ("counting", "occlusion", "containment"):
        steps = Counter(int(p.intervened_answer) - int(p.original_answer) for p in items(case, forms))
        assert set(steps) <= {-1, 1}
        _, params, _ = setting(case)
        if params.count[1] > 1:
            assert min(steps[1], steps[-1]) >= N // 5


@cases
@both_forms
def test_every_wording_is_used(case: Case, forms: tuple[Form, ...]) -> None:
    used: dict[tuple[str, ...], Counter[int]] = defaultdict(Counter)
    for pair in items(case, forms):
        assert pair.program is not None
        choices = pair.program.wordings()
        assert pair.question in choices
        inner = program_of(pair)
        one = isinstance(pair.program, Equals) and pair.program.value == "1"
        any_shape = isinstance(inner, Count) and inner.kind is None
        key = (type(pair.program).__name__, type(inner).__name__, str(one), str(any_shape), str(len(choices)))
        used[key][choices.index(pair.question)] += 1
    for (*_, choices_), counts in used.items():
        if sum(counts.values()) >= 40:
            assert set(counts) == set(range(int(choices_)))


@cases
def test_questions_are_sentences(case: Case) -> None:
    for pair in all_items(case):
        assert pair.question[0].isupper()
        assert pair.question.endswith("?")
        assert not any(sign in pair.question for sign in ("  ", "{", "}", "None", " ,"))


@cases
def test_no_two_pairs_are_the_same(case: Case) -> None:
    seen = {(p.digests, p.question) for p in all_items(case)}
    assert len(seen) == 2 * N


@pytest.mark.parametrize("chosen", SHAPED, ids=lambda f: f.name)
def test_neighbouring_seeds_share_no_items(chosen: Family) -> None:
    drawn = [
        sample(chosen, read_params(chosen, {}), BOTH, Canvas(), seed, i).digests
        for seed in range(3)
        for i in range(100)
    ]
    assert len({(d.original_scene, d.intervened_scene) for d in drawn if d is not None}) == 300


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


@cases
def test_shapes_do_not_overlap_except_the_front_one_of_occlusion(case: Case) -> None:
    for pair in all_items(case):
        original, intervened = pair.scenes
        if case.family == "occlusion" or "/occlusion/" in pair.stratum:
            over = [covering(scene) for scene in pair.scenes]
            fronts = [[c for c in o if c[0] == "front"] for o in over]
            assert over == fronts
            if case.family == "occlusion":
                assert sorted(map(len, over)) == [0, 1]
                assert [len(o) for o in over] == [int("front" in {s.id for s in sc.shapes}) for sc in pair.scenes]
            else:
                assert len(over[0]) == len(over[1]) <= 1
        else:
            assert not overlapping(original), pair.id
            assert not overlapping(intervened), pair.id


@cases
def test_shapes_can_be_named_at_a_glance(case: Case) -> None:
    for pair in all_items(case):
        for scene in pair.scenes:
            assert all(s.size >= 8 for s in scene.shapes)
            assert all(visible_percent(scene, s) >= 30 for s in scene.shapes)


@cases
def test_sizes_and_gaps_are_within_the_parameters(case: Case) -> None:
    _, params, canvas = setting(case)
    if case.family == "control":
        pytest.skip("control takes them from its bases")
    low, high = (canvas.px(p) for p in params.shape_size)
    gap = canvas.px(params.gap)
    for pair in all_items(case):
        for scene in pair.scenes:
            inner = scene.box.grown(-gap)
            for shape in scene.shapes:
                assert low <= shape.size <= high
                assert shape.box.within(inner)
            if case.family != "occlusion":
                for a, b in combinations(scene.shapes, 2):
                    assert not a.box.grown(gap).touches(b.box), (pair.id, a.id, b.id)


@cases
def test_no_two_shapes_have_the_name_that_is_the_answer(case: Case) -> None:
    for pair in all_items(case):
        if pair.answer_type == "colour-shape":
            for scene, answer in zip(pair.scenes, pair.answers, strict=True):
                assert [s.name for s in scene.shapes].count(answer) == 1


@lru_cache(maxsize=64)
def letter_reach(letter: str, height: int) -> Box:
    """The box of a letter's ink around the middle of its label, from its picture."""
    bare = Scene(400, 400, elements=(Shape("a", "circle", "yellow", 350, 350, 20),))
    drawn = bare.with_elements(*bare.elements, Label("l", letter, "a", -200, -200, height))
    ink = (np.asarray(render(drawn)) != np.asarray(render(bare))).any(axis=2)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    return Box(int(columns[0]) - 150, int(rows[0]) - 150, int(columns[-1]) - 150, int(rows[-1]) - 150)


@of("spatial", "control")
def test_labels_are_legible_and_over_no_other_shape(case: Case) -> None:
    seen = 0
    for pair in all_items(case):
        for scene in pair.scenes:
            places: list[Box] = []
            for label in (e for e in scene.elements if isinstance(e, Label)):
                seen += 1
                assert label.height >= 22
                own = scene.shape(label.of)
                reach = letter_reach(label.text, label.height)
                assert reach.bottom - reach.top + 1 >= 22
                x, y = own.x + label.dx, own.y + label.dy
                ink = Box(x + reach.left, y + reach.top, x + reach.right, y + reach.bottom)
                places.append(ink)
                others = [s for s in scene.shapes if s is not own]
                assert not any(ink.touches(s.box) for s in others), pair.id
                corners = ((ink.left, ink.top), (ink.right, ink.top), (ink.left, ink.bottom), (ink.right, ink.bottom))
                inside = all(own.contains(c) for c in corners) or own.kind in ("triangle", "diamond")
                assert inside if ink.touches(own.box) else ink.bottom < own.box.top
                drawn_after = scene.elements[scene.elements.index(label) :]
                assert own not in drawn_after
            assert not any(a.touches(b) for a, b in combinations(places, 2))
    assert seen or "bases" in case.params


@pytest.mark.parametrize("case", [c for c in CASES if c.family == "spatial" and c.width >= 400], ids=str)
def test_a_letter_above_its_shape_is_nearer_to_it_than_to_any_other(case: Case) -> None:
    for pair in all_items(case):
        for scene in pair.scenes:
            for label in (e for e in scene.elements if isinstance(e, Label)):
                own = scene.shape(label.of)
                reach = letter_reach(label.text, label.height)
                x, y = own.x + label.dx, own.y + label.dy
                ink = Box(x + reach.left, y + reach.top, x + reach.right, y + reach.bottom)
                if not ink.touches(own.box):
                    near = ink.grown(own.box.top - ink.bottom)
                    assert not any(near.touches(s.box) for s in scene.shapes if s is not own), pair.id


# ---- each family's own promises


@of("spatial", "composition")
def test_offsets_are_within_the_parameters(case: Case) -> None:
    _, params, canvas = setting(case)
    low, high = (canvas.px(p) for p in params.offset)
    for pair in all_items(case):
        for scene in pair.scenes:
            a, b = scene.shape("a"), scene.shape("b")
            relation = program_of(pair).relation
            dx, dy = abs(a.x - b.x), abs(a.y - b.y)
            along, across = (dx, dy) if relation in ("left", "right") else (dy, dx)
            assert low <= along <= high
            assert across <= along // 2
            assert along == pair.difficulty["offset"]
            assert pair.skill == ("left-right" if relation in ("left", "right") else "above-below")
        assert pair.difficulty["distractors"] == len(pair.scenes[0].shapes) - 2
        assert pair.difficulty["size"] == min(a.size, b.size)
        low_d, high_d = params.distractors
        assert low_d <= pair.difficulty["distractors"] <= high_d


@of("spatial", "composition")
def test_each_relation_is_as_often_true_as_false(case: Case) -> None:
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in items(case, YES_NO):
        assert isinstance(pair.program, Relates)
        seen[pair.program.relation][pair.original_answer] += 1
    _, params, _ = setting(case)
    assert set(seen) == set(getattr(params, "relations", ("above", "below")))
    assert all(abs(c["yes"] - c["no"]) <= 1 for c in seen.values())


@of("attribute")
def test_the_description_matches_exactly_one_shape_in_both_pictures(case: Case) -> None:
    keys = {
        "leftmost": lambda s: s.x,
        "rightmost": lambda s: -s.x,
        "topmost": lambda s: s.y,
        "bottommost": lambda s: -s.y,
    }
    for pair in all_items(case):
        asked = program_of(pair)
        assert isinstance(asked, ColourOf)
        d = asked.target
        for scene in pair.scenes:
            of_kind = [s for s in scene.shapes if s.kind == d.kind]
            if d.place is None:
                assert len(of_kind) == 1
                target = of_kind[0]
            elif d.place in ("largest", "smallest"):
                ranked = sorted(of_kind, key=lambda s: s.size, reverse=d.place == "largest")
                target = ranked[0]
                small, large = sorted((ranked[0].size, ranked[1].size))
                assert large * 100 >= small * 125
            else:
                ranked = sorted(of_kind, key=keys[d.place])
                target = ranked[0]
                assert (keys[d.place](ranked[1]) - keys[d.place](target)) * 100 >= 6 * scene.side
            assert pair.change is not None
            assert [(e.element, e.field) for e in pair.change.edits] == [(target.id, "colour")]
            assert pair.difficulty["size"] == target.size
            assert pair.difficulty["same_kind"] == len(of_kind) - 1
            assert pair.difficulty["distractors"] == len(scene.shapes) - 1


@of("attribute")
def test_each_description_is_used(case: Case) -> None:
    places = {program_of(pair).target.place for pair in all_items(case)}
    _, params, _ = setting(case)
    if params.distractors == (0, 0):
        assert places == {None}
        return
    expected: set[str | None] = set()
    for how in params.descriptions:
        expected |= {
            "kind": {None},
            "place": {"leftmost", "rightmost", "topmost", "bottommost"},
            "size": {"largest", "smallest"},
        }[how]
    assert places == expected


@of("counting")
def test_counting_never_goes_below_one_and_distractors_share_one_trait(case: Case) -> None:
    _, params, _ = setting(case)
    for pair in all_items(case):
        asked = program_of(pair)
        assert isinstance(asked, Count)
        counts = [sum(s.kind == asked.kind and s.colour == asked.colour for s in sc.shapes) for sc in pair.scenes]
        assert abs(counts[0] - counts[1]) == 1
        assert min(counts) >= 1
        assert params.count[0] <= counts[0] <= params.count[1]
        assert pair.difficulty["count"] == counts[0]
        others = [s for s in pair.scenes[0].shapes if (s.kind, s.colour) != (asked.kind, asked.colour)]
        assert pair.difficulty["distractors"] == len(others)
        assert params.distractors[0] <= len(others) <= params.distractors[1]
        assert all((s.kind == asked.kind) != (s.colour == asked.colour) for s in others)
        assert {s.size for s in pair.scenes[0].shapes} == {pair.difficulty["size"]}
        if isinstance(pair.program, Equals):
            assert int(pair.program.value) in counts


@of("containment")
def test_shapes_are_clearly_in_or_out_in_both_pictures(case: Case) -> None:
    for pair in all_items(case):
        inside = []
        for scene in pair.scenes:
            container = next(e for e in scene.elements if isinstance(e, Container))
            within = [s.box.within(container.interior) for s in scene.shapes]
            outside = [not s.box.touches(container.box) for s in scene.shapes]
            assert all(a != b for a, b in zip(within, outside, strict=True))
            inside.append(sum(within))
        assert abs(inside[0] - inside[1]) == 1
        assert pair.difficulty["inside"] == inside[0]
        assert pair.difficulty["shapes"] == len(pair.scenes[0].shapes)
        if isinstance(pair.program, CountInside):
            assert [str(n) for n in inside] == list(pair.answers)


@of("occlusion")
def test_occlusion_counts_what_shows_and_hides_what_it_says(case: Case) -> None:
    _, params, _ = setting(case)
    for pair in all_items(case):
        counts = [len(scene.shapes) for scene in pair.scenes]
        assert abs(counts[0] - counts[1]) == 1
        assert min(counts) >= 1
        assert pair.difficulty["count"] == counts[0]
        both = max(pair.scenes, key=lambda sc: len(sc.shapes))
        assert len({s.colour for s in both.shapes}) == len(both.shapes)
        shares = [100 - visible_percent(both, s) for s in both.shapes]
        assert max(shares) == pair.difficulty["covered"]
        assert params.covered[0] <= max(shares) <= params.covered[1]
        assert sorted(shares)[:-1] == [0] * (len(shares) - 1)


def arrow_of(scene: Scene) -> Arrow:
    return next(e for e in scene.elements if isinstance(e, Arrow))


def arrow_body(arrow: Arrow) -> list[tuple[int, int]]:
    """Points about a pixel apart along both edges of the shaft and of the head, as they are drawn."""
    dx, dy = arrow.tip_x - arrow.x, arrow.tip_y - arrow.y
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    head = min(arrow.head, length)
    points = []
    for step in range(int(length) + 1):
        to_tip = length - step
        half = arrow.width / 2 if to_tip > head else (arrow.head / 2) * to_tip / head
        for side in (-half, half):
            points.append((round(arrow.x + ux * step - uy * side), round(arrow.y + uy * step + ux * side)))
    return points


def over(points: list[tuple[int, int]], shape: Shape) -> bool:
    """Whether one of the points lies in the shape; most lie not even in its box, which is quicker to say."""
    box = shape.box
    return any(box.left <= x <= box.right and box.top <= y <= box.bottom and shape.contains((x, y)) for x, y in points)


@of("arrow")
def test_the_arrow_crosses_nothing_in_either_picture(case: Case) -> None:
    touched = []
    for pair in all_items(case):
        for role, scene in enumerate(pair.scenes):
            arrow = arrow_of(scene)
            target = arrow_target(scene, arrow)
            points = arrow_body(arrow)
            for shape in scene.shapes:
                assert not shape.meets(arrow.tail, arrow.tip)
                if shape is not target and over(points, shape):
                    touched.append((pair.form, pair.index, role, shape.id))
    assert not touched, "shaft or head is drawn over a shape (form, index, role, shape)"


@of("arrow")
def test_the_arrow_ends_before_its_target(case: Case) -> None:
    touched = []
    for pair in all_items(case):
        for role, scene in enumerate(pair.scenes):
            arrow = arrow_of(scene)
            target = arrow_target(scene, arrow)
            if over(arrow_body(arrow), target):
                touched.append((pair.form, pair.index, role))
    assert not touched, "the head is drawn over its own target (form, index, role)"


@of("arrow")
def test_arrows_are_as_long_as_asked_and_point_at_the_answer(case: Case) -> None:
    _, params, canvas = setting(case)
    for pair in all_items(case):
        lengths = []
        for scene in pair.scenes:
            arrow = arrow_of(scene)
            lengths.append(math.isqrt((arrow.x - arrow.tip_x) ** 2 + (arrow.y - arrow.tip_y) ** 2))
        assert min(lengths) >= canvas.px(params.length) - 1
        assert pair.difficulty["length"] == min(lengths)
        assert pair.difficulty["shapes"] == len(pair.scenes[0].shapes)
        assert params.shapes[0] <= pair.difficulty["shapes"] <= params.shapes[1]
        assert pair.difficulty["size"] == min(s.size for s in pair.scenes[0].shapes)
        names = [s.name for s in pair.scenes[0].shapes]
        assert len(set(names)) == len(names)
        assert isinstance(program_of(pair), ArrowTarget)


@of("control")
def test_control_takes_every_base_and_intervention_in_turn(case: Case) -> None:
    _, params, _ = setting(case)
    cells = params.cells()
    assert not set(cells) & NEVER
    assert cells == [(b, i) for i in params.interventions for b in params.bases if (b, i) not in NEVER]
    for forms in (OPEN, YES_NO):
        for pair in items(case, forms):
            form, base, intervention = pair.stratum.split("/")
            assert (base, intervention) == cells[pair.index % len(cells)]
            assert (form, intervention) == (pair.form, pair.intervention)


# ---- parameters


QUICK = 5.0  # seconds


def items_until_error(chosen: Family, params: Any, canvas: Canvas) -> None:
    """One item of each form."""
    for i in range(2):
        sample(chosen, params, BOTH, canvas, 0, i)


IMPOSSIBLE: list[tuple[str, dict[str, Any], tuple[int, int], tuple[str, ...]]] = [
    *((f.name, {}, (64, 64), ("shape_size",)) for f in SHAPED),
    ("spatial", {"shape_size": [40, 45]}, (512, 512), ("shape_size", "offset")),
    ("spatial", {"offset": [90, 90]}, (512, 512), ("offset",)),
    ("spatial", {"distractors": [8, 8], "shape_size": [15, 18]}, (512, 512), ("distractors",)),
    ("attribute", {"distractors": [12, 12], "shape_size": [20, 25]}, (512, 512), ("distractors", "shape_size")),
    ("attribute", {"descriptions": ["size"], "shape_size": [8, 8]}, (512, 512), ("descriptions", "shape_size")),
    ("counting", {"count": [30, 30], "distractors": [30, 30], "shape_size": [10, 12]}, (512, 512), ("count",)),
    ("counting", {"count": [29, 30], "distractors": [29, 30], "shape_size": [6, 6]}, (512, 512), ("count", "gap")),
    ("containment", {"count": [8, 8], "shape_size": [8, 9]}, (512, 512), ("count", "container")),
    ("containment", {"container": [70, 70], "shape_size": [14, 15]}, (512, 512), ("container",)),
    ("arrow", {"length": 80, "shapes": [12, 12]}, (512, 512), ("length", "shapes")),
    ("arrow", {"gap": 30}, (512, 512), ("gap",)),
    ("occlusion", {"shape_size": [30, 45], "count": [5, 6]}, (512, 512), ("shape_size", "count")),
    ("composition", {"offset": [88, 90], "shape_size": [10, 10]}, (512, 512), ("offset",)),
    (
        "control",
        {"bases": ["counting"], "base_params": {"counting": {"shape_size": [30, 30]}}},
        (512, 512),
        ("base_params",),
    ),
]


@pytest.mark.parametrize(("name", "given_params", "size", "named"), IMPOSSIBLE, ids=str)
def test_what_cannot_be_placed_is_refused_quickly_with_the_parameters(
    name: str, given_params: dict[str, Any], size: tuple[int, int], named: tuple[str, ...]
) -> None:
    chosen = family(name)
    params = read_params(chosen, given_params)
    start = time.perf_counter()
    with pytest.raises(NoRoomError) as caught:
        items_until_error(chosen, params, Canvas(*size))
    assert time.perf_counter() - start < 2 * QUICK
    assert all(word in str(caught.value) for word in named)
    if not given_params and size == (64, 64):
        assert "64" in str(caught.value)


LIMITS: dict[str, dict[str, tuple[int, int]]] = {
    "spatial": {"offset": (8, 90), "distractors": (0, 8)},
    "attribute": {"distractors": (0, 12)},
    "counting": {"count": (1, 30), "distractors": (0, 30)},
    "containment": {"container": (16, 70), "distractors": (0, 8), "count": (1, 8)},
    "arrow": {"shapes": (3, 12), "length": (8, 80), "tip_gap": (1, 6)},
    "occlusion": {"count": (1, 6), "covered": (5, 65)},
    "composition": {"offset": (8, 90), "distractors": (0, 8)},
    "control": {},
}
for _limits in LIMITS.values():
    _limits.update({"shape_size": (1, 45), "gap": (1, 30)})
WHOLE = ("gap", "length", "tip_gap")  # the others are spans [low, high]


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


def test_the_table_of_limits_names_every_numeric_parameter() -> None:
    for f in SHAPED:
        lists = {"relations", "descriptions", "bases", "interventions", "base_params"}
        assert set(f.params_type.__struct_fields__) - lists == set(LIMITS[f.name])


@pytest.mark.parametrize(("name", "parameter", "value", "text"), bad_values(), ids=str)
def test_a_bad_value_is_refused_with_the_parameter_and_its_range(
    name: str, parameter: str, value: Any, text: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_params(family(name), {parameter: value}, "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml: ")
    assert f"'{parameter}'" in message
    assert f"'{name}'" in message
    assert text in message


@pytest.mark.parametrize("value", ["wide", None, 2.5, [1], [1, 2, 3], ["a", "b"], {"low": 1}, [1.5, 2]])
@pytest.mark.parametrize("name", list(LIMITS))
def test_a_value_of_another_type_is_refused_with_its_parameter(name: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        read_params(family(name), {"shape_size": value}, "mine.toml")
    assert "mine.toml" in str(caught.value)
    assert "shape_size" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "given_params", "words"),
    [
        ("spatial", {"relations": []}, ("relations", "left, right, above, below")),
        ("spatial", {"relations": ["left", "left"]}, ("relations", "without repeats")),
        ("spatial", {"relations": ["beside"]}, ("relations", "left")),
        ("attribute", {"descriptions": ["name"]}, ("descriptions", "kind, place, size")),
        ("containment", {"container": [16, 70], "shape_size": [6, 7]}, ("container", "shape_size")),
        ("control", {"bases": ["control"]}, ("bases", "spatial")),
        ("control", {"interventions": ["swap"]}, ("interventions", "far-distractor")),
        ("control", {"bases": ["occlusion"], "interventions": ["far-distractor"]}, ("bases", "interventions")),
        ("control", {"bases": ["arrow"], "base_params": {"spatial": {}}}, ("base_params", "spatial")),
        ("control", {"base_params": {"arrow": {"lenght": 9}}}, ("base_params", "lenght", "length")),
        ("control", {"base_params": {"arrow": {"length": 7}}}, ("base_params", "length", "8 to 80")),
    ],
    ids=str,
)
def test_choices_and_combinations_are_checked(name: str, given_params: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        read_params(family(name), given_params, "mine.toml")
    assert all(word in str(caught.value) for word in ("mine.toml", name, *words))


@pytest.mark.parametrize("chosen", SHAPED, ids=lambda f: f.name)
def test_an_unknown_parameter_is_refused_with_the_choices(chosen: Family) -> None:
    with pytest.raises(InputError) as caught:
        read_params(chosen, {"shape_sise": [6, 9]}, "mine.toml")
    message = str(caught.value)
    assert all(field in message for field in chosen.params_type.__struct_fields__)
    assert "mine.toml" in message
    assert "did you mean 'shape_size'?" in message


@pytest.mark.parametrize("forms", [[], ["open", "open"], ["closed"], ["open", "yesno"]])
def test_bad_forms_are_refused(forms: list[str]) -> None:
    with pytest.raises(InputError, match=r"'forms'.*open, yes-no"):
        check_forms(forms)
    check_forms(list(FORMS))


@pytest.mark.parametrize("size", [(63, 512), (512, 2049)])
def test_a_bad_canvas_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="64 to 2048"):
        Canvas(*size)


@pytest.mark.parametrize("base", ["counting", "attribute"])
def test_control_does_not_run_out_of_colours(base: str) -> None:
    """Many distractors can use up all eight colours of a kind; then another shape or draw must serve."""
    chosen = family("control")
    sizes = {"distractors": [12, 12], "shape_size": [2, 3]}
    if base == "counting":
        sizes["distractors"] = [24, 30]
    params = read_params(
        chosen, {"bases": [base], "interventions": ["change-unasked"], "base_params": {base: {**sizes, "gap": 1}}}
    )
    for i in range(40):
        pair = sample(chosen, params, BOTH, Canvas(), 0, i)
        assert pair.original_answer == pair.intervened_answer


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
    if name == "control":
        base = draw(st.sampled_from(list(BASES)))
        chosen["bases"] = [base]
        chosen["interventions"] = [draw(st.sampled_from(IRRELEVANT))]
        chosen["base_params"] = {base: draw(settings_of(base))}
    return chosen


@pytest.mark.parametrize("name", list(LIMITS))
@given(data=st.data())
@settings(max_examples=25)
def test_any_parameters_give_a_valid_pair_or_say_why_not(name: str, data: st.DataObject) -> None:
    chosen = family(name)
    given_params = data.draw(settings_of(name))
    side = st.sampled_from((64, 128, 200, 320, 512, 900))
    canvas = Canvas(data.draw(side), data.draw(side), data.draw(st.integers(225, 255)))
    index, seed = data.draw(st.integers(0, 10_000)), data.draw(st.integers(0, 2**64))
    start = time.perf_counter()
    try:
        params = read_params(chosen, given_params)
        pair = sample(chosen, params, data.draw(st.sampled_from((OPEN, YES_NO, BOTH))), canvas, seed, index)
    except (InputError, NoRoomError):
        pass  # refused, and quickly: see below
    else:
        original, intervened = pair.scenes
        assert pair.edit is not None
        assert pair.program is not None
        assert diff(original, intervened) == pair.edit.declare(original)
        assert tuple(pair.program.answer(scene) for scene in pair.scenes) == pair.answers
        assert pair.relevant == (name != "control")
        if "occlusion" not in (name, *given_params.get("bases", ())):
            assert not overlapping(original)
            assert not overlapping(intervened)
    assert time.perf_counter() - start < QUICK


def test_labels_of_neighbouring_items_differ() -> None:
    scenes = [item(Case("spatial"), BOTH, i).scenes[0] for i in range(10)]
    assert all(a.digest != b.digest for a, b in pairwise(scenes))
