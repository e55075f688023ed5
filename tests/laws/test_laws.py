"""What every law keeps: facts that tell its variants apart, definite checks, pictures that can be read."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.judges.pixels import read_answer
from counterbench.laws import LAWS, Law, law
from counterbench.laws.base import stage
from counterbench.laws.outcomes import (
    REFERENCES,
    bystanders,
    checks_of,
    damaged,
    facts,
    fractured,
    outcome,
    programs,
    references,
)
from counterbench.laws.soundness import problems
from counterbench.scene.programs.observations import Observation
from counterbench.scene.seeds import Stream

every = pytest.mark.parametrize("one", LAWS, ids=lambda one: one.name)
FALLING = law("falling")


def test_there_are_at_least_33_laws_in_198_variants_over_all_disciplines() -> None:
    assert len(LAWS) >= 33
    assert sum(len(one.variants) for one in LAWS) >= 198
    assert len({one.name for one in LAWS}) == len(LAWS)
    assert Counter(one.discipline for one in LAWS).keys() == {
        *("physics", "biology", "chemistry", "geography", "society")
    }
    branches = {one.branch for one in LAWS if one.discipline == "physics"}
    assert branches == {"mechanics", "optics", "heat", "astronomy", "electromagnetism"}


def test_every_skill_is_asked_for_by_some_law() -> None:
    asked = {p.skill for one in LAWS for p in checks_of(programs(one, one.setting(0, 0), one.real.name)).values()}
    assert asked == {*(kind.skill for kind in get_args(Observation)), "integrity", "obeys-everything"}


@every
def test_a_law_is_sound_in_many_settings(one: Law) -> None:
    for index in range(25):
        assert list(problems(one, 3, index)) == []


@every
@settings(max_examples=10)
@given(seed=st.integers(0, 2**63 - 1), index=st.integers(0, 2**30))
def test_a_law_is_sound_in_any_setting(one: Law, seed: int, index: int) -> None:
    assert list(problems(one, seed, index)) == []


@every
def test_the_pixel_reader_agrees_on_every_known_picture(one: Law) -> None:
    setting = one.setting(11, 1)
    for variant in one.variants:
        asked = checks_of(programs(one, setting, variant.name))
        for name, scene in references(one, setting, variant.name, Stream(variant.name)).items():
            image = render(scene)
            for check, program in asked.items():
                seen = read_answer(image, program.wordings()[0])
                assert (seen == "yes") == program.holds(scene), f"{variant.name}, {name}, {check}"


@every
def test_a_setting_is_the_same_each_time_and_neighbours_differ(one: Law) -> None:
    assert one.setting(5, 8) == one.setting(5, 8)
    assert len({str(one.setting(5, index)) for index in range(12)}) > 6
    scene = stage(one.start(one.setting(5, 8)))
    assert scene == stage(one.start(one.setting(5, 8)))


def test_references_of_an_altered_variant_and_of_the_real_one() -> None:
    setting = FALLING.setting(0, 0)
    assert set(references(FALLING, setting, "left", Stream(0))) == set(REFERENCES)
    assert set(references(FALLING, setting, "down", Stream(0))) == set(REFERENCES) - {"habit"}


def test_nearly_every_law_has_a_picture_in_which_something_strays() -> None:
    strays = {one.name for one in LAWS for i in range(3) if _has_stray(one, i)}
    assert len(strays) >= len(LAWS) - 3


def _has_stray(one: Law, index: int) -> bool:
    return "stray" in references(one, one.setting(2, index), one.altered[0].name, Stream(index))


def test_a_stray_differs_in_a_bystander_alone() -> None:
    setting = FALLING.setting(4, 0)
    right, stray = outcome(FALLING, setting, "up"), references(FALLING, setting, "up", Stream(1))["stray"]
    assert [e.id for e, other in zip(right.elements, stray.elements, strict=True) if e != other] == ["fixed"]
    assert [of.thing.noun for of in bystanders(FALLING, setting)] == [setting["fixed"].noun]  # type: ignore[union-attr]


def test_a_fracture_takes_the_subject_from_one_outcome_and_the_rest_from_the_other() -> None:
    setting = FALLING.setting(0, 0)
    mixed = fractured(FALLING, setting, "up", "down")
    up, down = outcome(FALLING, setting, "up"), outcome(FALLING, setting, "down")
    assert mixed.element("subject") == up.element("subject")
    assert mixed.element("companion") == down.element("companion")


@given(st.integers(0, 10**6))
def test_damage_lies_beside_the_figures(seed: int) -> None:
    scene = outcome(FALLING, FALLING.setting(seed, 0), "left")
    broken = damaged(scene, Stream(seed))
    added = broken.elements[len(scene.elements) :]
    assert 1 <= len(added) <= 3
    assert not any(d.box.touches(f.box) for d in added for f in scene.figures)  # type: ignore[union-attr]


def test_falling_by_hand() -> None:
    setting = FALLING.setting(0, 0)
    places = {v.name: tuple(f.value for of in facts(FALLING, setting, v.name) for f in of) for v in FALLING.variants}
    assert places == {
        "down": ("floor", "floor", "mid-air"),
        "up": ("ceiling", "ceiling", "mid-air"),
        "left": ("left wall", "left wall", "mid-air"),
        "right": ("right wall", "right wall", "mid-air"),
        "nowhere": ("mid-air", "mid-air", "mid-air"),
        "apart": ("left wall", "right wall", "mid-air"),
    }


def test_names_are_looked_up_with_the_choices_in_the_error() -> None:
    with pytest.raises(InputError, match="did you mean 'falling'"):
        law("faling")
    with pytest.raises(InputError, match=r"variant of law 'falling'.*down"):
        FALLING.variant("sideways")


def test_a_setting_fills_its_names_into_texts() -> None:
    setting = FALLING.setting(0, 3)
    subject = setting["subject"]
    name = f"{subject.colour} {subject.noun}"
    assert setting.fill("the {subject}") == f"the {name}"
    article = "an" if name[0] in "aeiou" else "a"
    assert setting.fill("{A_subject}, {a_subject}") == f"{article.capitalize()} {name}, {article} {name}"
    assert subject.noun not in setting.fill("{subject}", described=True).split()
