"""Cards: a made-up truth at stated rates, the same everywhere."""

import hashlib

import msgspec
import pytest
from pictures.carded import checklist, mixed, prompt
from sweeping import swept

from counterbench.errors import InputError
from counterbench.pictures.generators import open_generator
from counterbench.pictures.generators.card import CardGenerator
from counterbench.pictures.protocols.asks import credit
from counterbench.prompts.prompt_set import Check, PromptSet

PROMPTS = mixed()


def card_answers(spec: str, prompts: PromptSet = PROMPTS, sample: int = 0) -> dict[tuple[str, str], str]:
    card = CardGenerator(spec, prompts)
    return {(p.id, id): answer for p in prompts.prompts for id, answer in card.answers(p, sample).items()}


def rights(spec: str, sample: int = 0) -> dict[str, float]:
    """By level, dimension and tags ("easy looks pos") the share of checks with a right picture's answer."""
    found: dict[str, list[bool]] = {}
    for (id, name), answer in card_answers(spec, sample=sample).items():
        check = next(check for check in PROMPTS.by_id[id].checks if check.id == name)
        kind = " ".join((PROMPTS.by_id[id].level, check.dimension, *check.tags))
        found.setdefault(kind, []).append(credit(check, answer) == 1)
    return {kind: sum(results) / len(results) for kind, results in found.items()}


def test_a_card_is_right_about_exactly_the_stated_share() -> None:
    for sample in range(3):
        assert set(rights("card", sample).values()) == {0.7}
        assert set(rights("card?rate=0.33", sample).values()) == {0.3, 0.35}  # to the nearest whole number, of 10 or 20
        assert set(rights("card?rate=0", sample).values()) == {0}
        assert set(rights("card?rate=1", sample).values()) == {1}


def test_a_rate_by_tag_precedes_one_by_dimension_and_that_one_by_level() -> None:
    found = rights("card?rate=0.1&hard=0.3&looks=0.5&neg=0.9")
    assert found == {
        "easy looks pos": 0.5, "easy looks neg": 0.9, "easy looks": 0.5, "easy logic": 0.1,
        "hard looks pos": 0.5, "hard looks neg": 0.9, "hard looks": 0.5, "hard logic": 0.3,
    }  # fmt: skip


def test_a_cards_table_is_the_same_on_any_machine_and_in_any_order() -> None:
    data = msgspec.json.encode(sorted(card_answers("card").items()))
    assert hashlib.blake2b(data, digest_size=8).hexdigest() == DIGEST
    assert card_answers("card", PromptSet("mine", PROMPTS.levels, PROMPTS.prompts[::-1])) == card_answers("card")


DIGEST = "9f39cb0d41cba68f"


def test_a_cards_wrong_answer_is_readable_and_earns_no_credit() -> None:
    right = {"yes-no": "no", "rating:1-5": "1", "grade": "1", "colour": "red", "text": "cat"}
    checks = (Check(id=id, text="?", answer_type=k, expected=right[k]) for id, k in zip("abcde", right, strict=True))
    prompts = checklist([prompt("g", *checks)])
    answers = CardGenerator("card?rate=0", prompts).answers(prompts.prompts[0], 0)
    assert (answers["a"], answers["b"], answers["c"]) == ("yes", "5", "0")
    assert {credit(check, answers[check.id]) for check in prompts.prompts[0].checks} == {0}


@swept(
    ("spec", "message"),
    [
        ("card?rate=1.5", r"planted:card\?rate=1\.5: rate: Expected `float` <= 1.0"),
        ("card?pos=often", "pos: Expected `float`, got `str`"),
        ("card?rate=nan", "rate: Expected `float` >= 0.0"),
        ("card?poz=0.5", r"unknown option 'poz' \(did you mean 'pos'\?\); choose from: .*rate, seed"),
        ("card?seed=-1", "option 'seed': expected int >= 0"),
    ],
)
def test_unknown_options_of_a_card_are_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_generator(f"planted:{spec}", PROMPTS)


def test_rates_of_factual_and_altered_rules_are_exact_also_where_they_are_the_same() -> None:
    """As for CF-World's Table 3, Rule Decoupling: one level, and the rule is real or altered by its variant."""
    variants = ["factual" if i < 10 else f"cf-{i}" for i in range(20)]
    bare = [prompt(f"g{i}", Check(id="assessment", text="Does it obey the rule?")) for i in range(20)]
    rules = [msgspec.structs.replace(p, law="fall", variant=name) for p, name in zip(bare, variants, strict=True)]
    for factual, altered in ((0.6, 0.3), (0.4, 0.4)):
        answers = [*card_answers(f"card?factual={factual}&altered={altered}", checklist(rules)).values()]
        assert (answers[:10].count("yes"), answers[10:].count("yes")) == (10 * factual, 10 * altered)


def test_the_first_level_of_laws_is_factual_and_a_set_of_one_world_has_no_such_rates() -> None:
    check = Check(id="a", text="?")
    by_level = checklist([prompt("g", check, level=level) for level in ("l1", "l2", "l3")], ("l1", "l2", "l3"))
    answers = CardGenerator("card?factual=1&altered=0&l3=1", by_level)
    assert [answers.answers(p, 0)["a"] for p in by_level.prompts] == ["yes", "no", "yes"]
    with pytest.raises(InputError, match=r"unknown option 'altered'.*choose from: image, rate, seed"):
        CardGenerator("card?altered=0", checklist([prompt("g", check)]))
