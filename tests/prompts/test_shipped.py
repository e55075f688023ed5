"""The prompt sets that are shipped: complete, well-formed, and nobody else's words."""

import json
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from published import UPSTREAM, needing

from counterbench.laws import STANDARD, law
from counterbench.pictures.protocols.pw_agent.author import EXTRACTOR, FORMULATOR
from counterbench.prompts.from_laws import genuine, references_of
from counterbench.prompts.prompt_set import PromptSet

RELEASE, PAPER = UPSTREAM / "CF-World", UPSTREAM.parent / "papers" / "picworld.txt"

LAWS = [law(name) for name in STANDARD]
LAW_SETS = {"laws": 2, "laws-short": 2, "laws-described": 1, "laws-photo": 1}  # and in how many settings


@pytest.mark.parametrize("name", LAW_SETS)
def test_law_sets_have_every_altered_variant_of_the_standard_laws_in_each_setting(
    name: str, shipped: dict[str, PromptSet]
) -> None:
    wanted = {(law.name, v.name, i) for law in LAWS for v in law.altered for i in range(LAW_SETS[name])}
    groups = [group["l1"] for group in shipped[name].groups.values()]
    assert {(p.law, p.variant, p.setting) for p in groups} == wanted
    assert len(groups) == len(wanted)
    assert {p.style for p in groups} == {"photo" if name == "laws-photo" else "flat"}


def test_the_described_set_differs_from_laws_only_at_l2(shipped: dict[str, PromptSet]) -> None:
    plain, described = shipped["laws"].by_id, shipped["laws-described"]
    for prompt in described.prompts:
        same = plain[prompt.id]
        assert (prompt.text == same.text) == (prompt.level != "l2"), prompt.id
        assert prompt.checks == same.checks, prompt.id


def test_half_of_the_checks_of_rules_and_attributes_expect_no(shipped: dict[str, PromptSet]) -> None:
    """And in every picture, as parts of one point: who always gives the same answer gets nothing."""
    for prompts in (shipped["rules"], shipped["attributes"]):
        for prompt in prompts.prompts:
            assert Counter(check.expected for check in prompt.checks) == dict.fromkeys(
                ("yes", "no"), len(prompt.checks) // 2
            ), prompt.id
            assert len({check.point for check in prompt.checks}) == 1
            assert [check for check in prompt.checks if not check.point] == []


def test_a_rules_checks_all_hold_for_the_right_picture_only(
    shipped: dict[str, PromptSet],
) -> None:
    rules = shipped["rules"]
    assert genuine(rules) is rules
    for prompt in rules.prompts:
        known = references_of(rules, prompt)
        for name in ("right", *({"prior", "neither", "bare"} & known.keys())):
            answers = [check.program.answer(known[name]) == check.expected for check in prompt.checks if check.program]
            assert len(answers) == len(prompt.checks)
            assert all(answers) == (name == "right"), (prompt.id, name, answers)


@needing("OUR WORDS ARE NOT COMPARED WITH CF-WORLD'S", "CF-World/prompt_ablation")
def test_no_prompt_is_one_of_cf_worlds(shipped: dict[str, PromptSet]) -> None:
    theirs = {words_of(text) for path in RELEASE.rglob("*.json") for text in texts(json.loads(path.read_text("utf-8")))}
    assert len(theirs) > 1000
    ours = {p.text for prompts in shipped.values() for p in prompts.prompts}
    ours |= {check.text for prompts in shipped.values() for p in prompts.prompts for check in p.checks}
    ours |= {sentence for text in ours for sentence in re.split(r"(?<=[.?]) ", text)}
    assert not {text for text in ours if words_of(text) in theirs}


@pytest.mark.skipif(
    not PAPER.is_file(), reason=f"OUR WORDS ARE NOT COMPARED WITH PICWORLD'S: no {PAPER.name} in {PAPER.parent}"
)
def test_no_six_words_in_a_row_are_picworlds(shipped: dict[str, PromptSet]) -> None:
    """Neither in the prompts nor in what an author is told."""
    theirs = sixes(PAPER.read_text("utf-8"))
    assert len(theirs) > 5000
    instructions = "".join(line for line in f"{EXTRACTOR}\n{FORMULATOR}".splitlines(True) if '"phenomenon"' not in line)
    ours = [instructions, *(prompt.text for prompt in shipped["picworld-own"].prompts)]
    assert not [six for text in ours for six in sixes(text) & theirs]


def sixes(text: str) -> set[str]:
    words = words_of(text).split()
    return {" ".join(words[i : i + 6]) for i in range(len(words) - 5)}


def texts(value: object) -> Iterator[str]:
    """All strings in a JSON value."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from texts(inner)
        case list():
            for inner in value:
                yield from texts(inner)


def words_of(text: str) -> str:
    """A text's words alone."""
    return " ".join(re.findall(r"[a-z0-9'-]+", text.lower()))
