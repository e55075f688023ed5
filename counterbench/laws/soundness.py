"""Checks of a law: is it defined rightly (`mistakes`), and do its pictures, questions and words serve (`problems`)?

`mistakes` reads the definition alone, whenever a law is loaded. `problems` also simulates the law in one setting; the
tests run it for every law, and you run it on a law of your own (docs/extending/law.md).
"""

import re
from collections.abc import Iterator
from itertools import combinations

from counterbench.errors import CounterbenchError, unknown
from counterbench.laws.base import Law, Setting, Variant, overlaps, role_of, stage
from counterbench.laws.outcomes import Reference, bystanders, checks, facts, kind_of, outcome, references
from counterbench.palette import COLOURS
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.base import NUMBER_WORDS
from counterbench.scene.programs.facts import Fact
from counterbench.scene.seeds import Stream

ALTERED_AT_LEAST = 4
# Beginnings of words that tell an outcome (see `named_outcome`).
_TELLING = (
    *("left", "right", "up", "down", "floor", "ceiling", "above", "below", "top", "foot", "inside", "outside"),
    *("empty", "quarter", "half", "full", "lit", "dark", "larger", "smaller", "taller", "shorter", "touch", "apart"),
    *("nearer", "round", "square", "triang", "diamond", *COLOURS, *NUMBER_WORDS),
)
_MAX_FACTS = 6  # of a variant's outcome, about the subject and its surroundings
# By kind of picture and kind of check: True if all such checks must hold of the picture, False if one must not.
_EXPECTED: dict[Reference, dict[str, bool]] = {
    "right": {"integrity": True, "presence": True, "assessment": True, "moved": True, "unaffected": True}
    | {"contrast": False},
    "prior": {"integrity": True, "assessment": False, "contrast": True, "unaffected": True},
    "fracture": {"integrity": True, "assessment": True, "contrast": False},
    "neither": {"integrity": True, "assessment": False},
    "stray": {"integrity": True, "assessment": True, "moved": True, "unaffected": False},
    "missing": {"integrity": True, "presence": False, "assessment": False},
    "bare": {"integrity": True, "presence": False},
    "damaged": {"integrity": False, "assessment": True, "moved": True, "unaffected": True},
}
# The most words of the short form of a start (the names of its roles are not counted), and of the brief form of a rule.
_SHORT, _BRIEF = 14, 12
_ATTRIBUTES = ("title", "branch", "roles", "variants", "starts", "finish", "subject", "surroundings")


def mistakes(law: Law) -> list[str]:
    """The mistakes in the definition of `law`, in words that say what to do; none if it can be run."""
    label = f"law {law.name!r}"
    missing = [name for name in _ATTRIBUTES if not hasattr(law, name)]
    if missing:
        return [f"{label} has no {', '.join(missing)}"]
    wrong = [*_variant_mistakes(law, label), *_role_mistakes(law, label)]
    if wrong:
        return wrong
    try:
        setting = law.setting(0, 0)
        of_variants = (text for v in law.variants for text in (v.rule, v.brief, v.outcome))
        for text in (*law.starts, law.short, law.finish, *of_variants):
            setting.fill(text)
    except CounterbenchError as error:
        return [str(error)]
    return []


def _variant_mistakes(law: Law, label: str) -> Iterator[str]:
    """Mistakes in the variants of a law, each a text that begins with `label`: names used twice, too few variants."""
    names = [variant.name for variant in law.variants]
    for twice in sorted({name for name in names if names.count(name) > 1}):
        yield f"{label}: two variants have the name {twice!r}"
    if (count := len(law.altered)) < ALTERED_AT_LEAST:
        yield f"{label}: it needs at least {ALTERED_AT_LEAST} altered variants after the real one; it has {count}"


def _role_mistakes(law: Law, label: str) -> Iterator[str]:
    """Mistakes in the roles of a law, each a text that begins with `label`: unknown nouns, colours and roles."""
    for role, part in law.roles.items():
        where = f"{label}, role {role!r}"
        if not part.nouns or not part.colours:
            yield f"{where}: it needs at least one noun and one colour"
        yield from (str(unknown("noun", noun, NOUNS, where)) for noun in part.nouns if noun not in NOUNS)
        yield from (str(unknown("colour", c, COLOURS, where)) for c in part.colours if c not in COLOURS)
    looked_at = [role for _, *roles in (*law.subject, *law.surroundings) for role in roles]
    for role in dict.fromkeys([*looked_at, *map(role_of, law.subject_roles), *filter(None, [law.present])]):
        if role not in law.roles:
            yield str(unknown("role", role, law.roles, label))


def problems(law: Law, seed: int, index: int) -> Iterator[str]:
    """Everything wrong with `law` in one setting, in words; nothing if it can be used."""
    wrong = mistakes(law)
    if wrong:
        yield from wrong
        return
    setting = law.setting(seed, index)
    try:
        yield from _scene_problems(law, setting)
        yield from _fact_problems(law, setting)
        yield from _reference_problems(law, setting, Stream(seed, "soundness", law.name, index))
        yield from _word_problems(law, setting)
        yield from _short_form_problems(law)
        yield from _depth_problems(law, setting)
    except CounterbenchError as error:
        yield str(error)


def _scene_problems(law: Law, setting: Setting) -> Iterator[str]:
    """Problems of the outcomes: scenes that differ from run to run, and figures that overlap."""
    for variant in law.variants:
        scene = outcome(law, setting, variant.name)
        if scene != stage(law.run(setting, variant.does)):  # a fresh one: outcomes are kept
            yield f"{variant.name}: not deterministic"
        for message in overlaps(scene):
            yield f"{variant.name}: {message}"


def _fact_problems(law: Law, setting: Setting) -> Iterator[str]:
    """Problems of the facts of a law: too many, none that all variants share, two variants with all the same."""
    known: dict[str, tuple[Fact, ...]] = {}
    for variant in law.variants:
        subject, around = facts(law, setting, variant.name)
        known[variant.name] = (*subject, *around)
        if len({fact.skill for fact in subject}) != 1:
            yield "its subject's observations are of more than one skill"
        if not around or len(subject) + len(around) > _MAX_FACTS:
            yield f"it needs 1 to {_MAX_FACTS} things to look at, and one of its surroundings"
    for a, b in combinations(law.variants, 2):
        if known[a.name] == known[b.name]:
            yield f"{a.name} and {b.name} give the same facts"
    if not bystanders(law, setting):
        yield "nothing that it looks at stays the same under every variant"


def _reference_problems(law: Law, setting: Setting, stream: Stream) -> Iterator[str]:
    """Problems of a law's pictures: overlaps, and checks that do not tell a picture from the right one."""
    for variant in law.variants:
        by_check = checks(law, setting, variant.name)
        scenes = references(law, setting, variant.name, stream.child(variant.name))
        for name, scene in scenes.items():
            for message in overlaps(scene) if name not in ("twice", "swapped") else ():
                yield f"{variant.name}, {name}: {message}"
        for name, wanted in _EXPECTED.items():
            for kind, value in wanted.items():
                programs = [program for check, program in by_check.items() if kind_of(check) == kind]
                if name in scenes and programs and all(p.holds(scenes[name]) for p in programs) != value:
                    yield f"{variant.name}: the check {kind} is {not value} for its {name} picture, and must be {value}"
        if {"prior", "fracture"} <= scenes.keys():
            around = [by_check[check] for check in by_check if kind_of(check) in ("moved", "unaffected")]
            if all(program.holds(scenes["fracture"]) for program in around):
                yield f"{variant.name}: nothing but its subject tells it from the real law"


def _word_problems(law: Law, setting: Setting) -> Iterator[str]:
    """Problems of a law's texts: their form, and outcomes that they give away."""
    for variant in law.variants:
        if variant.rule[:1].isupper() and not variant.rule.startswith(("I ", "{")):
            yield f"{variant.name}: the rule {variant.rule!r} is a clause: no capital"
        if variant.rule.endswith("."):
            yield f"{variant.name}: the rule {variant.rule!r} is a clause: no full stop"
        if not variant.outcome.endswith("."):
            yield f"{variant.name}: the outcome {variant.outcome!r} is a sentence: it ends with a full stop"
        texts = {"the start": f"{law.starts[0]} {law.finish}", "its short form": f"{law.short} {variant.brief}"}
        for part, text in texts.items():
            for fact in facts(law, setting, variant.name)[0]:
                if fact.statement.lower() in setting.fill(text).lower():
                    yield f"{variant.name}: {part} gives the outcome away: {fact.statement}"


def _short_form_problems(law: Law) -> Iterator[str]:
    """Problems of the short forms of the start and of every rule."""
    words = re.findall(r"[\w'-]+", re.sub(r"\{\w+\}('s|s)?", "", law.short))
    if not 0 < len(words) <= _SHORT or not law.short.endswith("."):
        yield f"short must be the start in one sentence of 1 to {_SHORT} words beside its roles; it has {len(words)}"
    for variant in law.variants:
        count, brief = len(variant.brief.split()), variant.brief
        if not 0 < count <= _BRIEF or brief.endswith(".") or brief[:1].isupper():
            yield f"{variant.name}: brief must be its rule as a clause of 1 to {_BRIEF} words; {brief!r} has {count}"


def _depth_problems(law: Law, setting: Setting) -> Iterator[str]:
    """Problems of altered variants with a wrong `depth`."""
    for variant in law.altered:
        named = named_outcome(law, setting, variant)
        if named and variant.depth == "one step":
            yield f"{variant.name}: its rule names the outcome ({named!r}); reword it, or give it the depth 'stated'"
    if not any(variant.depth == "two steps" for variant in law.altered):
        yield 'no variant has the depth "two steps"; give it one whose outcome has to be worked out'


def named_outcome(law: Law, setting: Setting, variant: Variant) -> str:
    """The word of the rule or its brief form that names the state of the subject: its side, colour …

    Words are compared by their beginnings: "upwards" names what is "up", "triangle" what is "triangular".
    """
    rule = re.findall("[a-z]+", setting.fill(f"{variant.rule} {variant.brief}").lower())
    for fact in facts(law, setting, variant.name)[0]:
        state = fact.of.clause(fact.value).rest.lower()
        for start in (start for start in _TELLING if re.search(rf"\b{start}", state)):
            if word := next((word for word in rule if word.startswith(start)), ""):
                return word
    return ""
