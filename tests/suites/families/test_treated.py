"""Control pairs whose picture is treated after it was drawn, or has words painted into it."""

from collections import Counter
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.drawing import png
from counterbench.drawing.render import render
from counterbench.drawing.styles import draw
from counterbench.errors import InputError
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.runs.pair_queries import keys_of
from counterbench.scene.interventions import Paint, Treat, diff
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.base import is_at_edge
from counterbench.scene.programs.facts import Fact
from counterbench.scene.programs.named import matching
from counterbench.scene.scene import SMALL, TREATMENTS, Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families import family
from counterbench.suites.families.changes import EDGE, TREATED
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import Part, Suite, load_suite
from counterbench.verification.checks import check_pair

PLAIN = Scene(elements=(Shape("a", "circle", "red", 200, 260, 60),))


def controls(suite: str, family: str, count: int) -> list[Pair]:
    drawn = load_suite(suite)
    part = next(part for part in drawn.parts if part.family == family)
    return [drawn.sample(part, index) for index in range(count)]


@pytest.mark.parametrize("treatment", [name for name in TREATMENTS if name != SMALL])
def test_a_treatment_is_one_declared_change_and_touches_pixels_alone(treatment: str) -> None:
    edit = Treat(treatment)
    after = edit.apply(PLAIN)
    assert diff(PLAIN, after) == edit.declare(PLAIN)
    assert [e.field for e in diff(PLAIN, after).edits] == ["treatment"]
    assert after.elements == PLAIN.elements
    assert msgspec.json.decode(msgspec.json.encode(after), type=Scene) == after
    assert png.pixel_digest(draw(after)) == png.pixel_digest(draw(after)) != png.pixel_digest(draw(PLAIN))
    assert png.pixel_digest(render(after)) == png.pixel_digest(render(PLAIN))


def test_an_unknown_treatment_is_refused() -> None:
    with pytest.raises(InputError, match=r"unknown treatment 'jpg'.*jpeg"):
        Scene(treatment="jpg")


@pytest.mark.slow
@pytest.mark.parametrize(("suite", "family"), [("certify", "treated"), ("laws", "law-treated")])
def test_treated_controls_verify_and_the_reader_declines_unreadable_ones(suite: str, family: str) -> None:
    source, declined = SuiteSource(load_suite(suite)), 0
    for pair in controls(suite, family, 21):
        assert list(check_pair(pair, source.pictures(pair), same_renderer=True)) == []
        # Among things, black letters are letters and nothing more: they can be read past.
        if isinstance(pair.edit, Treat) or (isinstance(pair.edit, Paint) and suite == "certify"):
            with pytest.raises(CannotRead):
                read_answer(draw(pair.scenes[1]), pair.question)
            declined += 1
    assert declined > 5


def test_no_control_has_an_empty_scene() -> None:
    """Nothing cannot be moved, and words in an empty picture are all that it shows."""
    pairs = controls("certify", "control", 256) + controls("certify", "treated", 448)
    empty = [pair.id for pair in pairs if not pair.scenes[0].elements]
    assert empty == []


@pytest.mark.parametrize(("suite", "family"), [("certify", "treated"), ("laws", "law-treated")])
def test_a_painted_label_lies_and_an_instruction_asks_for_a_wrong_answer(suite: str, family: str) -> None:
    ids = set()
    for pair in controls(suite, family, 90):
        if isinstance(pair.edit, Paint):
            words = pair.edit.words
            ids.add(words.id)
            assert words.says != pair.answers[1]
            assert (words.says == "") == (words.id == "label")
    assert ids == {"label", "writing"}


@cache
def treated(suite: str, small: int | None = 256) -> tuple[Suite, Part]:
    whole = load_suite(suite).with_smallest(small)
    return whole, next(part for part in whole.parts if part.family.endswith("treated"))


def lies_at_edge(pair: Pair) -> bool:
    """Whether something that the question asks about lies in the outer tenth of the second picture."""
    scene, program = pair.scenes[1], pair.program
    if scene.figures:
        named = program.of.named if isinstance(program, Fact) else ()
        figures = [f for thing in named for f in matching(scene, thing)] if named else list(scene.figures)
        return any(is_at_edge(figure.x, figure.y, scene) for figure in figures)
    return any(is_at_edge(s.x, s.y, scene) for s in scene.shapes if program.asks_about(s, scene))


@pytest.mark.parametrize("suite", ["certify", "laws"])
@given(index=st.integers(0, 100_000))
def test_a_treated_pair_keeps_its_truth_and_its_cell_names_the_treatment(suite: str, index: int) -> None:
    whole, part = treated(suite)
    pair = whole.sample(part, index)
    kinds = (*TREATED, SMALL)
    assert pair.cell == f"{part.family}/{kinds[index % len(kinds)]}"
    assert pair.answers[0] == pair.answers[1]
    assert pair.answers == tuple(pair.program.answer(scene) for scene in pair.scenes)
    first, second = keys_of(pair, "flat")
    assert "treatment" not in first.traits
    assert second.traits["treatment"] == pair.cell.rpartition("/")[2]
    assert (second.traits.get("edge") == "yes") or not pair.cell.endswith(EDGE)
    assert not pair.cell.endswith(EDGE) or lies_at_edge(pair)
    size = whole.size_at(whole.side_of(pair.scenes[1]))
    assert size == ((256, 256) if pair.cell.endswith(SMALL) else (512, 512))


@pytest.mark.parametrize("suite", ["certify", "laws"])
@given(seed=st.integers(0, 2**32), count=st.integers(1, 900))
@settings(max_examples=15)
def test_the_answers_of_every_treatment_are_balanced(suite: str, seed: int, count: int) -> None:
    """Those of each form, base and treatment are; so yes and no of a treatment differ by one for each base at most."""
    part = treated(suite)[1]
    kind = family(part.family)
    root = Stream(seed, kind.name, kind.version)
    by_stratum: dict[str, Counter[str]] = {}
    yes: Counter[int] = Counter()
    for index in range(count):
        plan = kind.plan(root, index, part.forms, part.params)
        own = by_stratum.setdefault(plan.stratum, Counter(dict.fromkeys(kind.alphabet(part.params, plan.stratum), 0)))
        own[plan.answer] += 1
        yes[index % (len(TREATED) + 1)] += {"yes": 1, "no": -1}.get(plan.answer, 0)
        assert suite == "laws" or max(own.values()) - min(own.values()) <= 1
    most = 2 if suite == "laws" else len(part.params.bases)
    assert [difference for difference in yes.values() if abs(difference) > most] == []
