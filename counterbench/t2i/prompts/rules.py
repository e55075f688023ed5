"""Checks of pictures of a rule in symbols (CF-World, section 5.1); no is the right answer to half of them."""

from collections.abc import Iterator

from counterbench.laws.base import Law, Setting
from counterbench.laws.outcomes import RULED, checks, kind_of, skill_of
from counterbench.scene.nouns import SYMBOLS
from counterbench.scene.programs.facts import Fact
from counterbench.scene.seeds import Stream
from counterbench.t2i.prompts.prompt_set import Check

ASSESSMENT = "assessment-point"
# The variant of a rule that holds in the real world.
FACTUAL = "factual"
# Symbols that everybody knows by their names.
_PLAIN = frozenset({"disc", "cross", "star", "bar", "slash", "patch"})


def legend(setting: Setting) -> str:
    """A sentence with the meaning of a setting's symbols whose names do not tell it."""
    nouns = [noun for noun in SYMBOLS if noun not in _PLAIN and any(t.noun == noun for t in setting.things.values())]
    said = [f"{_article(noun)} is {_article(SYMBOLS[noun].described)}" for noun in nouns]
    *most, last = said or [""]
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"{listed[0].upper()}{listed[1:]}." if listed else ""


def _article(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def rule_checks(one: Law, setting: Setting, variant: str) -> Iterator[Check]:
    """Checks of a rule: its subject is there, once and not twice, and each thing that it moves has its outcome.

    Each outcome is asked as this variant has it and as another variant has it, so half of the answers are no. They are
    parts of one point: a judge that always gives the same answer never gets it.
    """
    ruled = {v.name: _ruled(one, setting, v.name) for v in one.variants}
    asked: list[tuple[str, Fact, str]] = []
    for name, fact in ruled[variant].items():
        stream = Stream("rule", one.name, *setting.numbers.values(), variant, name)
        known = {"2"} if kind_of(name) == "presence" else {of[name].value for of in ruled.values()}
        others = sorted(known - {fact.value})
        asked.append((name, fact, "yes"))
        if others:
            asked.append((f"{name}-not", Fact(fact.of, stream.choice(others)), "no"))
    for name, fact, expected in asked:
        yield Check(
            id=name,
            dimension=ASSESSMENT,
            text=Stream("phrasing", one.name, *setting.numbers.values(), name).choice(fact.phrasings()),
            expected=expected,
            weight=1 / len(asked),
            skill=skill_of(name, fact),
            point=ASSESSMENT,
            program=fact,
        )


def _ruled(one: Law, setting: Setting, variant: str) -> dict[str, Fact]:
    """The facts that are asked, by check."""
    facts = checks(one, setting, variant)
    return {name: fact for name, fact in facts.items() if kind_of(name) in RULED and isinstance(fact, Fact)}
