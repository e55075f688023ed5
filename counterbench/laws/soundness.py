"""Whether a law can be used: everything that its pictures, checks and words must keep, in one setting.

Run by the tests for every law; run it on a law of your own (docs/laws.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from counterbench.errors import CounterbenchError
from counterbench.laws.base import Law, Setting
from counterbench.laws.layout import overlaps
from counterbench.laws.outcomes import bystanders, checks_of, facts, outcome, programs, references
from counterbench.scene.programs.facts import Fact
from counterbench.scene.seeds import Stream

ALTERED_AT_LEAST = 4
_MOST_FACTS = 6


def problems(law: Law, seed: int, index: int) -> Iterator[str]:
    """Everything wrong with `law` in one setting, in words; nothing if it can be used."""
    setting = law.setting(seed, index)
    names = [v.name for v in law.variants]
    if len(set(names)) != len(names):
        yield "two variants have the same name"
    if not 1 <= len(law.variants) - len(law.altered) <= 2 or len(law.altered) < ALTERED_AT_LEAST:
        yield f"it needs 1 or 2 real variants and at least {ALTERED_AT_LEAST} altered ones"
    try:
        yield from _scenes(law, setting)
        yield from _facts(law, setting)
        yield from _references(law, setting, Stream(seed, "soundness", law.name, index))
    except CounterbenchError as error:
        yield str(error)
    yield from _words(law, setting)


def _scenes(law: Law, setting: Setting) -> Iterator[str]:
    for variant in law.variants:
        scene = outcome(law, setting, variant.name)
        if scene != outcome(law, setting, variant.name):
            yield f"{variant.name}: not deterministic"
        for message in overlaps(scene):
            yield f"{variant.name}: {message}"


def _facts(law: Law, setting: Setting) -> Iterator[str]:
    known: dict[str, tuple[Fact, ...]] = {}
    for variant in law.variants:
        subject, around = facts(law, setting, variant.name)
        known[variant.name] = (*subject, *around)
        if len({fact.skill for fact in subject}) != 1:
            yield "its subject's observations are of more than one skill"
        if not around or len(subject) + len(around) > _MOST_FACTS:
            yield f"it needs 1 to {_MOST_FACTS} things to look at, and one of its surroundings"
    for a, b in combinations(law.variants, 2):
        if known[a.name] == known[b.name] and not (a.real and b.real):
            yield f"{a.name} and {b.name} give the same facts"
    if not bystanders(law, setting):
        yield "nothing that it looks at stays the same under every variant"


def _references(law: Law, setting: Setting, stream: Stream) -> Iterator[str]:
    for variant in law.variants:
        found = programs(law, setting, variant.name)
        scenes = references(law, setting, variant.name, stream.child(variant.name))
        for name, scene in scenes.items():
            for message in overlaps(scene):
                yield f"{variant.name}, {name}: {message}"
        truths = {n: {c: p.holds(s) for c, p in checks_of(found).items()} for n, s in scenes.items()}
        expected = {
            "right": (True, True, True, False),
            "habit": (True, False, False, True),
            "fracture": (True, True, False, False),
            "neither": (True, False, False, None),
            "stray": (True, True, False, False),
            "damaged": (False, True, True, False),
        }
        for name, truth in truths.items():
            for (check, value), wanted in zip(truth.items(), expected[name], strict=False):
                if wanted is not None and value != wanted:
                    yield f"{variant.name}: check {check} is {value} of its {name} picture"


def _words(law: Law, setting: Setting) -> Iterator[str]:
    texts = [*law.starts, law.finish, *(v.rule for v in law.variants), *(v.outcome for v in law.variants)]
    for text in texts:
        try:
            setting.fill(text)
        except (KeyError, ValueError, IndexError) as error:
            yield f"the text {text!r} cannot be filled: {error}"
            return
    for variant in law.variants:
        if variant.rule[:1].isupper() and not variant.rule.startswith(("I ", "{")):
            yield f"{variant.name}: the rule {variant.rule!r} is a clause: no capital"
        if variant.rule.endswith("."):
            yield f"{variant.name}: the rule {variant.rule!r} is a clause: no full stop"
        if not variant.outcome.endswith("."):
            yield f"{variant.name}: the outcome {variant.outcome!r} is a sentence: it ends with a full stop"
        told = setting.fill(f"{law.starts[0]} {law.finish}").lower()
        for fact in facts(law, setting, variant.name)[0]:
            if fact.statement.lower() in told:
                yield f"{variant.name}: the start gives the outcome away: {fact.statement}"
