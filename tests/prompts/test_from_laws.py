"""Laws to prompts: what each level says and does not say, over all laws, seeds and settings."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeping import swept

from counterbench.errors import InputError
from counterbench.laws import Law, all_laws, law
from counterbench.laws.outcomes import bystanders, facts, kind_of
from counterbench.prompts.from_laws import (
    _OPENINGS,
    LEVELS,
    WEIGHTS,
    is_short,
    law_prompts,
    outcome_of,
    references_of,
)
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.facts import Fact, Whole

FEW = settings(max_examples=20)  # an example is every altered variant of a law, at all levels
seeds = st.integers(0, 2**63 - 1)
LAWS = tuple(all_laws().values())
laws = st.sampled_from(LAWS)


def groups(law: Law, seed: int, described: bool = False) -> list[dict[str, Prompt]]:
    prompts = PromptSet("drawn", LEVELS, list(law_prompts((law,), seed, 1, described=described)), seed)
    return list(prompts.groups.values())


@FEW
@given(laws, seeds)
def test_every_level_tells_its_law_and_only_l2_the_outcome(law: Law, seed: int) -> None:
    setting = law.setting(seed, 0)
    for group in groups(law, seed):
        variant = law.variant(group["l1"].variant)
        real, rule = setting.fill(law.real.rule), setting.fill(variant.rule)
        outcome = setting.fill(variant.outcome)
        assert not variant.real
        has = {words: [level for level in LEVELS if words in group[level].text] for words in (real, rule, outcome)}
        assert has[rule] == ["l2", "l3"]
        assert has[outcome] == ["l2"]
        assert has[real] == (["l1"] if real not in rule else ["l1", "l2", "l3"])
        assert group["l2"].text.replace(f" {outcome}", "", 1) == group["l3"].text


@FEW
@given(laws, seeds)
def test_the_start_and_the_checks_words_are_the_same_at_all_levels(law: Law, seed: int) -> None:
    setting = law.setting(seed, 0)
    starts = [setting.fill(start) for start in law.starts]
    for group in groups(law, seed):
        texts = [group[level].text for level in LEVELS]
        opening = next(o for o in _OPENINGS["flat"] if texts[0].startswith(o))
        start = next(s for s in starts if texts[0].startswith(f"{opening} {s} "))
        assert [text for text in texts if not text.startswith(f"{opening} {start} ")] == []
        assert [text for text in texts if not text.endswith(setting.fill(law.finish))] == []
        first, with_outcome, alone = (group[level].checks for level in LEVELS)
        assert with_outcome == alone
        by_kind = {level: by_kinds(checks) for level, checks in (("l1", first), ("l3", with_outcome))}
        assert by_kind["l1"].keys() == by_kind["l3"].keys() - {"contrast"}
        assert first[0] == with_outcome[0]
        for checks in (first, with_outcome):
            for dimension, weight in WEIGHTS.items():
                assert sum(check.weight for check in checks if check.dimension == dimension) == pytest.approx(weight)
            assert [check for check in checks if check.dimension in ("presence", "contrast") and check.weight] == []
        # What prior would draw is what L1 asks for.
        prior = {check.program for check in by_kind["l3"]["contrast"]}
        assert prior <= {check.program for check in by_kind["l1"]["assessment"]}
        assert {c.expected for c in with_outcome if c.dimension == "contrast"} == {"no"}


@swept("law", LAWS)
def test_the_variants_of_a_law_have_one_l1_in_a_setting(law: Law) -> None:
    for length in ("long", "short"):
        prompts = list(law_prompts((law,), 7, 2, length=length))  # type: ignore[arg-type]
        firsts = {(p.setting, p.text, p.checks) for p in prompts if p.level == "l1"}
        assert len(firsts) == 2
        others = {(p.setting, p.text) for p in prompts if p.level != "l1"}
        assert len(others) == 2 * 2 * len(law.altered)


@FEW
@given(laws, seeds)
def test_short_prompts_state_start_and_rule_and_l2_the_outcome(law: Law, seed: int) -> None:
    setting = law.setting(seed, 0)
    short = PromptSet("short", LEVELS, list(law_prompts((law,), seed, 1, length="short")), seed)
    for long, group in zip(groups(law, seed), short.groups.values(), strict=True):
        variant = law.variant(group["l1"].variant)
        first, with_outcome, alone = (group[level].text for level in LEVELS)
        start, finish = setting.fill(law.short), "Flat drawing of the outcome."
        assert first == f"{start} As usual, {setting.fill(law.real.brief)}. {finish}"
        assert alone == f"{start} Suppose {setting.fill(variant.brief)}. {finish}"
        stated = with_outcome.removeprefix(alone.removesuffix(finish)).removesuffix(f" {finish}")
        subject = [fact.statement for fact in facts(law, setting, variant.name)[0]]
        whole = stated == setting.fill(variant.outcome)
        assert whole or subject[: stated.count(";") + 1] == (stated[0].lower() + stated[1:-1]).split("; ")
        assert [text for text in (first, with_outcome, alone) if not is_short(text)] == []
        for level in LEVELS:
            assert msgspec.structs.replace(group[level], text=long[level].text) == long[level]


def by_kinds(checks: tuple[Check, ...]) -> dict[str, list[Check]]:
    found: dict[str, list[Check]] = {}
    for check in checks:
        assert isinstance(check.program, Fact | Whole)  # one fact a question
        found.setdefault(kind_of(check.id), []).append(check)
    return found


@FEW
@given(laws, seeds)
def test_no_fact_is_asked_twice_and_unaffected_things_are_asked_apart(law: Law, seed: int) -> None:
    setting = law.setting(seed, 0)
    still = bystanders(law, setting)
    for group in groups(law, seed):
        checks = by_kinds(group["l3"].checks)
        programs = [c.program for kind, checks_of_kind in checks.items() if kind != "contrast" for c in checks_of_kind]
        assert len(set(programs)) == len(programs)
        assert [c for c in checks["unaffected"] if c.program.of not in still] == []  # type: ignore[union-attr]
        assert [c for c in checks.get("moved", []) if c.program.of in still] == []  # type: ignore[union-attr]
        assert len({check.text for check in group["l3"].checks}) == len(group["l3"].checks)


@FEW
@given(laws, seeds)
def test_the_known_pictures_of_a_group_are_of_one_setting(law: Law, seed: int) -> None:
    prompts = PromptSet("drawn", LEVELS, list(law_prompts((law,), seed, 1)), seed)
    for group in prompts.groups.values():
        known = {level: references_of(prompts, group[level]) for level in LEVELS}
        assert "prior" not in known["l1"]
        for level, pictures in known.items():
            assert outcome_of(prompts, group[level]) == pictures["right"]
            assert outcome_of(prompts, group[level], prior=True) == pictures.get("prior")
        assert known["l2"]["prior"] == known["l3"]["prior"] == known["l1"]["right"]
        assert known["l2"]["right"] == known["l3"]["right"] != known["l1"]["right"]


@swept("law", LAWS)
@swept("seed", [0, 7])
def test_described_outcomes_name_none_of_the_things(law: Law, seed: int) -> None:
    setting = law.setting(seed, 0)
    nouns = {named.noun for named in setting.things.values()}
    names = {name for noun in nouns for name in (noun, NOUNS[noun].plural or f"{noun}s")}
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
    for plain, described in zip(groups(law, seed), groups(law, seed, described=True), strict=True):
        variant = law.variant(plain["l1"].variant)
        stated = setting.fill(variant.outcome, described=True)
        assert stated in described["l2"].text
        found = pattern.search(stated)
        assert found is None, f"{law.name}, {variant.name}: {stated!r} names {found and found[0]!r}"
        assert (plain["l1"].text, plain["l3"].text) == (described["l1"].text, described["l3"].text)
        assert plain["l2"].checks == described["l2"].checks


# ---- the search for giveaways


def test_a_law_whose_start_or_finish_reveals_an_outcome_is_refused() -> None:
    falling = type(law("falling"))
    tells = law("falling").altered[0].outcome

    class Tells(falling):  # type: ignore[misc,valid-type]
        finish = f"{falling.finish} {tells}"

    class Starts(falling):  # type: ignore[misc,valid-type]
        starts = (f"{falling.starts[0]} {tells}",)

    for spoilt in (Tells(), Starts()):
        with pytest.raises(InputError, match=r"\S+\.\S+\.00/l3 states its outcome: '.*'; L3 gives the law alone"):
            list(law_prompts((spoilt,), 7, 1))
