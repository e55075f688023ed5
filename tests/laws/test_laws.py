"""What every law keeps: facts that tell its variants apart, definite checks, pictures that can be read."""

import re
from itertools import chain
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.judges.pixels import read_answer
from counterbench.laws import STANDARD, Law, all_laws, law
from counterbench.laws.base import stage
from counterbench.laws.flaws import damaged
from counterbench.laws.outcomes import REFERENCES, bystanders, checks, ends_as_it_began, fractured, outcome, references
from counterbench.laws.soundness import problems
from counterbench.scene.figures import Damage
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.named import matching
from counterbench.scene.programs.observations import Observation
from counterbench.scene.seeds import Stream

LAWS = tuple(all_laws().values())
every = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
FALLING = law("falling")


def test_the_standard_laws_are_found_and_come_first() -> None:
    assert tuple(all_laws())[: len(STANDARD)] == STANDARD
    assert {law(name).discipline for name in STANDARD} == {*("physics", "biology", "chemistry", "geography", "society")}


def test_most_altered_rules_need_reasoning_and_few_subjects_stay_unchanged() -> None:
    altered = [variant for law in LAWS for variant in law.altered]
    assert 8 * sum(variant.depth == "stated" for variant in altered) <= len(altered)
    assert max(sum(ends_as_it_began(law, law.setting(0, 0), v.name) for v in law.altered) for law in LAWS) <= 1


def test_every_skill_is_asked_for_by_some_law() -> None:
    skills = {p.skill for law in LAWS for p in checks(law, law.setting(0, 0), law.real.name).values()}
    assert skills == {*(kind.skill for kind in get_args(Observation)), "integrity"}


@every
def test_each_law_is_sound(law: Law) -> None:
    assert list(problems(law, 3, 0)) == []


@pytest.mark.slow
@every
@settings(max_examples=10)
@given(seed=st.integers(0, 2**63 - 1), index=st.integers(0, 2**30))
def test_each_law_is_sound_in_any_setting(law: Law, seed: int, index: int) -> None:
    assert list(problems(law, seed, index)) == []


@pytest.mark.slow
@every
def test_the_pixel_reader_agrees_on_every_known_picture(law: Law) -> None:
    setting = law.setting(11, 1)
    for variant in law.variants:
        programs = checks(law, setting, variant.name)
        for name, scene in references(law, setting, variant.name, Stream(variant.name)).items():
            image = render(scene)
            for number, (check, program) in enumerate(programs.items()):
                if check != "integrity" and name == "twice":  # what is there twice is not asked about
                    continue
                words = program.phrasings()
                answer = read_answer(image, words[number % len(words)])
                assert (answer == "yes") == program.holds(scene), f"{variant.name}, {name}, {check}"


@every
def test_damage_avoids_things_that_another_check_asks_about(law: Law) -> None:
    setting = law.setting(11, 1)
    things = [thing for aspect in chain(*law.observations(setting)) for thing in aspect.named]
    for variant in law.variants:
        scene = references(law, setting, variant.name, Stream(variant.name))["damaged"]
        (damage,) = [element for element in scene.elements if isinstance(element, Damage)]
        assert [figure for thing in things for figure in matching(scene, thing) if damage.box.touches(figure.box)] == []


@every
def test_a_setting_is_deterministic_and_neighbours_differ(law: Law) -> None:
    assert law.setting(5, 8) == law.setting(5, 8)
    assert len({str(law.setting(5, index)) for index in range(12)}) > 6
    scene = stage(law.start(law.setting(5, 8)))
    assert scene == stage(law.start(law.setting(5, 8)))


def test_only_an_altered_variant_has_a_prior_reference() -> None:
    setting = FALLING.setting(0, 0)
    assert set(references(FALLING, setting, "far-side", Stream(0))) == set(REFERENCES)
    assert set(references(FALLING, setting, "down", Stream(0))) == set(REFERENCES) - {"prior"}


def test_nearly_every_law_has_a_stray_picture() -> None:
    strays = {law.name for law in LAWS for i in range(3) if _has_stray(law, i)}
    assert len(strays) >= len(LAWS) - 3


def _has_stray(law: Law, index: int) -> bool:
    return "stray" in references(law, law.setting(2, index), law.altered[0].name, Stream(index))


def test_a_stray_differs_in_a_bystander_alone() -> None:
    setting = FALLING.setting(4, 0)
    right, stray = outcome(FALLING, setting, "up"), references(FALLING, setting, "up", Stream(1))["stray"]
    assert [e.id for e, other in zip(right.elements, stray.elements, strict=True) if e != other] == ["fixed"]
    assert [aspect.thing.noun for aspect in bystanders(FALLING, setting)] == [setting["fixed"].noun]


def test_a_fracture_takes_the_subject_from_one_outcome_and_the_rest_from_the_other() -> None:
    setting = FALLING.setting(0, 0)
    mixed = fractured(FALLING, setting, "up", "down")
    up, down = outcome(FALLING, setting, "up"), outcome(FALLING, setting, "down")
    assert mixed.element("subject") == up.element("subject")
    assert mixed.element("companion") == down.element("companion")


@pytest.mark.slow
@given(st.integers(0, 10**6))
def test_damage_spares_the_given_things_and_is_visible(seed: int) -> None:
    setting = FALLING.setting(seed, 0)
    scene = outcome(FALLING, setting, "far-side")
    for spared in ((), (setting["subject"],), tuple(setting.things.values())):
        whole = damaged(scene, Stream(seed), spared)
        (new,) = whole.elements[len(scene.elements) :]
        assert isinstance(new, Damage)
        assert [figure for thing in spared for figure in matching(scene, thing) if new.box.touches(figure.box)] == []
        off = np.abs(np.asarray(render(whole), int) - np.asarray(render(scene), int)).max(axis=2)
        assert (off > 40).sum() >= 60
        assert not off[: new.box.top].any()
        assert not off[:, : new.box.left].any()


@every
def test_things_that_a_law_counts_have_a_plural_description(law: Law) -> None:
    for role in re.findall(r"\{(\w+)s\}", " ".join(v.outcome for v in law.variants)):
        if role in law.roles:
            assert [noun for noun in law.roles[role].nouns if not NOUNS[noun].described_many] == [], role


def test_an_unknown_law_is_refused_with_the_choices() -> None:
    with pytest.raises(InputError, match="did you mean 'falling'"):
        law("faling")
    with pytest.raises(InputError, match=r"variant of law 'falling'.*down"):
        FALLING.variant("sideways")


def test_a_setting_fills_names_into_texts() -> None:
    setting = FALLING.setting(0, 3)
    subject = setting["subject"]
    name = f"{subject.colour} {subject.noun}"
    assert setting.fill("the {subject}") == f"the {name}"
    article = "an" if name[0] in "aeiou" else "a"
    assert setting.fill("{A_subject}, {a_subject}") == f"{article.capitalize()} {name}, {article} {name}"
    assert subject.noun not in setting.fill("{subject}", described=True).split()
