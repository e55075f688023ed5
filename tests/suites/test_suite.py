"""Suites: `suite[i]` is a pure function, digests name what they should, shipped ones hold what they promise."""

import json
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenery import suite_of
from sweeping import swept

from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.scene.interventions import IRRELEVANT
from counterbench.scene.pairs import Pair
from counterbench.suites.families import FAMILIES
from counterbench.suites.families.control import BASES, STANDARD
from counterbench.suites.suite import Suite, load_suite, suite_of_families

LAWS = ("laws", "law-control", "law-treated")  # asked as yes/no only
NAMES = [name for name in FAMILIES if name != "one-sided"]  # which suites of comparisons alone have


def entry(name: str, count: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "count": count, **({"forms": ["yes-no"]} if name in LAWS else {}), **more}


@lru_cache
def shipped_suite(name: str) -> Suite:
    return load_suite(name)


@lru_cache
def all_pairs(name: str) -> tuple[Pair, ...]:
    return tuple(shipped_suite(name))


@given(
    st.slices(18) | st.builds(slice, st.none() | st.integers(-40, 40), st.none() | st.integers(-40, 40), st.just(-3))
)
def test_slices_are_those_of_a_list(index: slice) -> None:
    assert shipped_suite("smoke")[index] == list(all_pairs("smoke"))[index]


@pytest.mark.parametrize("index", [18, -19])
def test_positions_out_of_range_are_index_errors(index: int) -> None:
    with pytest.raises(IndexError, match=f"18 pairs; there is no pair {index}"):
        shipped_suite("smoke")[index]


def test_ids_are_unique_and_name_the_family_and_an_index_that_counts_from_zero() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for pair in all_pairs("counterbench-550"):
        assert pair.id == f"{pair.family}-{pair.index:06d}"
        found[pair.family].append(pair.id)
    for family, ids in found.items():
        assert ids == [f"{family}-{index:06d}" for index in range(len(ids))]


@st.composite
def selections(draw: st.DrawFn) -> list[dict[str, Any]]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    return [entry(name, draw(st.integers(1, 6))) for name in names]


@lru_cache
def item(seed: int, name: str, index: int) -> Pair:
    suite = suite_of(entry(name, 6), seed=seed)
    return suite[index]


@settings(max_examples=25)
@given(families=selections(), seed=st.sampled_from((0, 1, 2**63 - 1)))
def test_other_families_counts_and_order_do_not_change_an_item(families: list[dict[str, Any]], seed: int) -> None:
    for pair in suite_of(*families, seed=seed):
        assert pair == item(seed, pair.family, pair.index)


def test_neighbouring_seeds_share_no_scene() -> None:
    families = [entry(name, 6) for name in NAMES]
    scenes = [
        {
            pair.original.digest
            for pair in suite_of(*families, seed=seed)
            if pair.original and pair.original.elements[1:]
        }
        for seed in range(4)
    ]
    assert len(set().union(*scenes)) == sum(map(len, scenes))


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(InputError, match=r"--seed must be from 0 to 2\*\*63 - 1"):
        load_suite("smoke", seed=seed)


@given(counts=st.lists(st.integers(1, 12), min_size=1, max_size=8), limit=st.integers(1, 100))
def test_a_limit_takes_items_from_every_family_in_turn(counts: list[int], limit: int) -> None:
    suite = suite_of(*(entry(name, count) for name, count in zip(NAMES, counts, strict=False)))
    turns = [(k, part.family) for k in range(12) for part in suite.parts if k < part.count]
    taken = [(index, part.family) for part, index in map(suite.locate, suite.positions(limit))]
    assert sorted(taken) == sorted(turns[:limit])
    assert list(suite.positions(limit)) == sorted(suite.positions(limit))


def test_an_enormous_suite_is_opened_at_no_cost() -> None:
    suite = suite_of(entry("counting", 10_000_000), entry("arrow", 10_000_000))
    assert len(suite.positions()) == 20_000_000
    assert [suite.locate(p) for p in suite.positions(3)] == [
        (suite.parts[0], 0),
        (suite.parts[0], 1),
        (suite.parts[1], 0),
    ]
    assert suite[19_999_999].id == "arrow-9999999"


BASE: dict[str, Any] = {
    "seed": 3,
    "width": 400,
    "height": 300,
    "background": 240,
    "family": [
        {"name": "counting", "count": 4, "forms": ["open"], "params": {"count": [2, 5], "gap": 3}},
        {"name": "arrow", "count": 2},
    ],
}


def digest_of(changes: dict[str, Any] | None = None, first: dict[str, Any] | None = None) -> str:
    top = BASE | (changes or {})
    families = top.pop("family")
    return suite_of(families[0] | (first or {}), *families[1:], **top).digest


@swept(
    ("changes", "first"),
    [
        ({"seed": 4}, {}),
        ({"name": "yours"}, {}),
        ({"width": 401}, {}),
        ({"height": 301}, {}),
        ({"background": 241}, {}),
        ({"family": BASE["family"][::-1]}, {}),
        ({"family": BASE["family"][:1]}, {}),
        ({}, {"name": "occlusion", "params": {}}),
        ({}, {"count": 5}),
        ({}, {"forms": ["yes-no"]}),
        ({}, {"forms": ["open", "yes-no"]}),
        ({}, {"forms": ["yes-no", "open"]}),
        ({}, {"params": {"count": [2, 6], "gap": 3}}),
    ],
)
def test_the_digest_changes_with_everything_pairs_depend_on(changes: dict[str, Any], first: dict[str, Any]) -> None:
    assert digest_of(changes, first) != digest_of()


@swept("name", NAMES)
def test_the_digest_changes_with_every_parameter(name: str) -> None:
    plain = suite_of(entry(name))
    defaults = json.loads(json.dumps(plain.definition))["families"][0]["params"]
    others = {
        "relations": ["left"], "descriptions": ["kind"], "bases": ["counting"], "laws": ["falling"],
        "interventions": ["shift-all"], "changes": ["added"], "treatments": ["jpeg"],
        "base_params": {"arrow": {"gap": 4}}, "signs": [2, 2], "namings": ["named"], "broken": ["presence"],
        "clauses": [1, 2],
    }  # fmt: skip
    for key, value in defaults.items():
        if key in others:
            changed: Any = others[key]
        elif isinstance(value, list):
            changed = [value[0], value[1] + 1] if key != "count" or name != "occlusion" else [value[0], value[1] - 1]
        else:
            changed = value + 1
        assert suite_of(entry(name, params={key: changed})).digest != plain.digest, key
        assert suite_of(entry(name, params={key: value})).digest == plain.digest, key  # a default, written out


def test_the_yes_no_version_is_recorded_only_with_yes_no_items() -> None:
    both = suite_of(entry("occlusion", forms=["open", "yes-no"])).definition["families"][0]
    assert (both["version"], both["yes_no_version"]) == (1, 3)
    assert "yes_no_version" not in suite_of(entry("occlusion")).definition["families"][0]


def test_every_shipped_file_loads_as_the_suite_of_its_name() -> None:
    for name in catalog.names("scenes"):
        assert shipped_suite(name).name == name
        assert shipped_suite(name).description


def test_smoke_has_two_items_of_each_family() -> None:
    pairs = all_pairs("smoke")
    assert Counter(pair.family for pair in pairs) == dict.fromkeys((*STANDARD, "control"), 2)


def test_counterbench_550_has_the_composition_of_the_paper() -> None:
    pairs = all_pairs("counterbench-550")
    assert Counter(pair.family for pair in pairs) == {
        "spatial": 100, "attribute": 100, "counting": 100, "containment": 100,
        "arrow": 34, "occlusion": 33, "composition": 33, "control": 50,
    }  # fmt: skip
    assert Counter(pair.category for pair in pairs) == {
        "spatial": 100, "attribute": 100, "counting": 100, "containment": 100, "causal": 100, "control": 50,
    }  # fmt: skip
    for pair in pairs:
        scene = pair.original
        assert (scene.width, scene.height) == (512, 512)
        asked_openly = pair.family in ("attribute", "counting", "arrow", "occlusion", "control")
        assert pair.form == ("open" if asked_openly else "yes-no")
        if pair.family == "control":  # a shape's colour asked, among others, and a small shape added far away
            assert 4 <= len(scene.shapes) <= 6
            assert (pair.intervention, pair.answer_type) == ("far-distractor", "colour")
    spatial = [pair for pair in pairs if pair.family == "spatial"]
    assert Counter(pair.original_answer for pair in spatial) == {"yes": 50, "no": 50}


@pytest.mark.slow
def test_certify_has_200_relevant_pairs_for_every_skill_in_both_forms() -> None:
    pairs = all_pairs("certify")
    relevant = [pair for pair in pairs if pair.relevant]
    skills = Counter(pair.skill for pair in relevant)
    promised = {"left-right", "above-below", "colour", "count", "inside", "arrow-target", "visible-count"}
    promised |= {"presence", "whole prompt"}
    assert promised <= set(skills)
    assert min(skills.values()) >= 200, skills
    forms = Counter((pair.skill, pair.form) for pair in relevant)
    # "inside" asks "is it inside?" and "how many?"; a whole prompt is asked with yes or no alone. The others have as
    # many of one form as of the other.
    assert min(forms[skill, form] for skill in {*skills} - {"whole prompt"} for form in ("open", "yes-no")) >= 50, forms
    scenes = Counter(skill for skill, _ in {(pair.skill, pair.original) for pair in relevant})
    assert min(scenes.values()) >= 200, scenes


def test_controls_has_every_family_under_every_irrelevant_change() -> None:
    pairs = all_pairs("controls")
    assert len(pairs) == 600
    cells = Counter(tuple(pair.stratum.split("/")) for pair in pairs)
    expected = {
        (form, base, change)
        for form in ("open", "yes-no")
        for base in STANDARD
        for change in IRRELEVANT
        if change not in BASES[base].never
    }
    assert len(expected) == 60
    assert set(cells) == expected
    assert set(cells.values()) == {10}
    for pair in pairs:
        assert pair.stratum.split("/")[::2] == [pair.form, pair.intervention] or pair.form == "yes-no"
        assert pair.stratum.split("/")[2] == pair.intervention
        assert not pair.relevant


HEAD = 'format = "counterbench.suite/1"\nname = "x"\n'
FAMILY = '[[family]]\nname = "counting"\ncount = 2\n'
TOP_KEYS = ["background", "description", "family", "format", "height", "name", "seed", "width"]
BAD: dict[str, tuple[str, list[str]]] = {
    "unknown key at top": (HEAD + "sede = 3\n" + FAMILY, ["unknown key 'sede'", "did you mean 'seed'?", *TOP_KEYS]),
    "unknown key in a family": (
        HEAD + FAMILY + "[[family]]\nname = 'arrow'\nconut = 3\n",
        ["family 'arrow'", "unknown key 'conut'", "did you mean 'count'?", "forms", "params"],
    ),
    "unknown family": (
        HEAD + FAMILY + '[[family]]\nname = "spatail"\ncount = 1\n',
        ["family 2", "unknown family 'spatail'", "did you mean 'spatial'?", *NAMES],
    ),
    "count 0": (HEAD + FAMILY.replace("2", "0"), ["family[0].count", ">= 1"]),
    "no family": (HEAD, ["`family`"]),
    "families twice": (HEAD + FAMILY + FAMILY, ["family 'counting'", "is named twice"]),
    "span a number": (HEAD + FAMILY + "params = { count = 3 }\n", ["family 'counting'", "$.count", "array"]),
    "format newer": (
        HEAD.replace("suite/1", "suite/2") + "surprise = 1\n" + FAMILY,
        ["newer format 'counterbench.suite/2'", "update counterbench"],
    ),
    "name a path": (HEAD.replace('"x"', '"../x"') + FAMILY, ["$.name"]),
}


@swept("what", BAD)
def test_a_bad_file_is_an_input_error_that_names_file_place_and_choices(tmp_path: Path, what: str) -> None:
    text, fragments = BAD[what]
    path = tmp_path / "bad suite.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_suite(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    for words in fragments:
        assert words in message
    assert "\n" not in message


def test_a_suite_of_families_has_a_hundred_pairs_by_default() -> None:
    assert len(suite_of_families(["spatial", "counting", "arrow"])) == 100
    assert len(suite_of_families(["spatial", "counting"], 30)) == 30
