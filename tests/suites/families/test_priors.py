"""Familiar things: one part is altered and nothing else; question or picture alone say no answer; the pixels say it."""

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.drawing.picture import Picture
from counterbench.errors import AmbiguousError, InputError, NoRoomError
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.judges.pixels.familiar import parts_question
from counterbench.scene.familiar_things import ALTERED, FAMILIAR, USUAL, Familiar
from counterbench.scene.pairs import FORMS, Pair, QuestionForm
from counterbench.scene.programs.familiar import NAMINGS, LightOf, PartsOf, shown
from counterbench.scene.programs.shapes import Equals
from counterbench.scene.scene import Scene
from counterbench.suites.families import Canvas, family, sample
from counterbench.suites.families.base import read_params
from counterbench.suites.families.priors import PRIORS
from counterbench.verification.checks import FLATLY, check_pair

NAMES = tuple(PRIORS)
COUNTED = tuple(name for name in NAMES if name != "prior-light")


@cache
def item(name: str, index: int, forms: tuple[QuestionForm, ...] = FORMS, seed: int = 0, side: int = 512) -> Pair:
    chosen = family(name)
    return sample(chosen, chosen.params_type(), forms, Canvas(side, side), seed, index)


def items(name: str, count: int, form: QuestionForm) -> list[Pair]:
    return [item(name, index, (form,)) for index in range(count)]


def parts_program(pair: Pair) -> Any:
    return pair.program.program if isinstance(pair.program, Equals) else pair.program


indices = st.integers(0, 2**20)


@given(name=st.sampled_from(NAMES), index=indices, seed=st.integers(0, 9))
def test_a_pair_is_a_usual_thing_and_one_altered_in_its_parts_only(name: str, index: int, seed: int) -> None:
    pair = item(name, index, seed=seed)
    assert {*pair.kinds} == {(USUAL,), (ALTERED,)}
    assert [(edit.element, edit.field) for edit in pair.change.edits] == [("thing", "parts")]
    assert not pair.change.added + pair.change.removed
    assert not pair.change.reordered
    usual, altered = (pair.scenes[pair.kinds.index((kind,))] for kind in (USUAL, ALTERED))
    assert parts_program(pair).answer(usual) == parts_program(pair).usual != parts_program(pair).answer(altered)
    assert pair.prior_answer == pair.answers[pair.kinds.index((USUAL,))] != pair.answers[pair.kinds.index((ALTERED,))]


@given(name=st.sampled_from(COUNTED), index=indices)
def test_an_altered_thing_has_one_part_more_or_fewer(name: str, index: int) -> None:
    pair = item(name, index)
    counts = [shown(scene, parts_program(pair).thing).count for scene in pair.scenes]
    assert abs(counts[0] - counts[1]) == 1
    if pair.form == "open":
        assert list(pair.answers) == [str(count) for count in counts]


@given(index=indices)
def test_altered_traffic_lights_change_places_and_lose_none(index: int) -> None:
    parts = (shown(scene, "traffic light").parts for scene in item("prior-light", index).scenes)
    altered, usual = sorted(parts, key="ryg".find)
    assert usual == "ryg"
    assert sorted(altered) == sorted(usual)
    assert altered != usual


@pytest.mark.slow
@given(name=st.sampled_from(NAMES), index=indices, side=st.sampled_from((256, 384, 512, 800)))
def test_every_pair_verifies_including_by_the_pixel_reader(name: str, index: int, side: int) -> None:
    pair = item(name, index, side=side)
    pictures = [Picture(scene.image, pair.id) for scene in pair.scenes]
    assert list(check_pair(pair, pictures, True, FLATLY)) == []


@pytest.mark.parametrize("halves", [(101,), pytest.param((66, 150, 233, 410), marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_every_alteration_is_read_at_every_size_and_look(name: str, halves: tuple[int, ...]) -> None:
    chosen = PRIORS[name]
    parts = {parts for alteration in chosen.alterations for parts in (*alteration.usual, *alteration.altered)}
    for n, (state, half) in enumerate(product(sorted(parts), halves)):
        across, down = (half * share // 100 for share in chosen.aspect)
        thing = Familiar(
            "a", chosen.thing, state, 450, 450, across, down, n % 4, 61 * n % 720, chosen.mirrored and n % 2 == 0
        )
        if name == "prior-clock":
            thing = thing.but(pose=60 * (n % 12) + (5 * (n % 12) + 30) % 60)
        scene = Scene(900, 900, elements=(thing,))
        if name == "prior-light":
            program: Any = LightOf("unnamed", "red", "top")
        else:
            program = PartsOf("unnamed", "9", chosen.thing)
        assert read_answer(scene.image(), program.phrasings()[0]) == program.answer(scene), (state, half)


@pytest.mark.slow
@swept("name", NAMES)
def test_namings_roles_and_answers_are_balanced(name: str) -> None:
    """So nothing but the picture and the question together says the answer."""
    for form in FORMS:
        pairs = items(name, 240, form)
        worded = Counter(parts_program(pair).naming for pair in pairs)
        assert {*worded} == {*NAMINGS}
        assert max(worded.values()) - min(worded.values()) <= len(PRIORS[name].alterations)
        first = Counter(pair.kinds[0][0] for pair in pairs)
        assert abs(first[USUAL] - 120) <= (12 if form == "open" else 36), first
        strata: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for pair in pairs:
            strata[pair.stratum][pair.original_answer] += 1
        for stratum, counts in strata.items():
            options = family(name).alphabet(family(name).params_type(), stratum)
            assert max(counts[o] for o in options) - min(counts[o] for o in options) <= 1, stratum


def test_neither_question_nor_picture_alone_gives_the_answer() -> None:
    """The best guess from the words, and from the parts and the thing, is right on about half of the originals."""
    words, pictures, total = Counter[tuple[Any, str]](), Counter[tuple[Any, str]](), 0
    for name in NAMES:
        for pair in items(name, 480, "yes-no"):
            question = re.sub(r"^Look at [^.]*\. ", "", pair.question)
            words[question, pair.original_answer] += 1
            thing = next(e for e in pair.scenes[0].elements if isinstance(e, Familiar))
            pictures[(thing.thing, thing.count, thing.parts), pair.original_answer] += 1
            total += 1
    for counts in (words, pictures):
        best = sum(max(counts[what, "yes"], counts[what, "no"]) for what in {what for what, _ in counts})
        assert best / total < 0.57


def test_a_question_names_the_thing_or_not_or_lies_about_it() -> None:
    for name, form in product(NAMES, FORMS):
        for pair in items(name, 30, form):
            noun, naming = PRIORS[name].thing, parts_program(pair).naming
            assert (noun in pair.question) == (naming != "unnamed"), pair.question
            assert pair.question.startswith("Like every ") == (naming == "lied to")
            assert parts_question(pair.question) is not None


def test_impossible_parameters_of_priors_are_refused() -> None:
    for thing, parts in zip(FAMILIAR, ("xx", "rry", "hh", "rr", "f", "n"), strict=True):
        with pytest.raises(InputError, match="cannot have the parts"):
            Scene(elements=(Familiar("a", thing, parts, 250, 250, 100, 100),))
    with pytest.raises(AmbiguousError, match="0 things of the kind dog"):
        PartsOf("named", "4", "dog").answer(Scene())
    with pytest.raises(NoRoomError, match="130 are needed"):
        item("prior-dog", 0, side=128)
    with pytest.raises(InputError, match="parameter 'size'"):
        read_params(family("prior-dog"), {"size": [90, 50]})
    with pytest.raises(InputError, match="parameter 'namings'"):
        read_params(family("prior-dog"), {"namings": []})
    dog = item("prior-dog", 0).scenes[0]
    for question in (
        "How many pips does it show?",
        "How many stripes does this flag have?",
        "What color is its top light?",
    ):
        with pytest.raises(CannotRead):
            read_answer(dog.image(), question)
    two = msgspec.structs.replace(dog, elements=(*dog.elements, dog.elements[0].but(id="b")))
    with pytest.raises(AmbiguousError, match="2 things"):
        PartsOf("named", "4", "dog").answer(two)
