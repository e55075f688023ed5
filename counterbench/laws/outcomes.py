"""Outcomes of a law's variant: the pictures to compare with, and the checks that tell them apart.

right       the outcome of the variant
prior       the outcome of the real law
fracture    the subject obeys the variant, its surroundings the real law
neither     the outcome of a third variant
start       nothing has happened
stray       right, but a thing has changed that no variant changes
missing, swapped, twice, bare   right, but with wrong things: see `flaws`
damaged     right, with a part spoilt that no other check is about

Not every law has room for each of these `references`.
"""

from functools import lru_cache
from typing import Literal, get_args

from counterbench.errors import AmbiguousError, InputError
from counterbench.laws.base import Law, Setting, overlaps, stage
from counterbench.laws.flaws import bare, damaged, doubled, strayed, swapped, without
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.facts import Fact, FactProgram, Whole, observed
from counterbench.scene.programs.named import Named
from counterbench.scene.programs.observations import Number, Observation, Skill
from counterbench.scene.scene import Element, Scene
from counterbench.scene.seeds import Stream

Reference = Literal[
    "right", "prior", "fracture", "neither", "start", "stray", "missing", "swapped", "twice", "bare", "damaged"
]
REFERENCES: tuple[Reference, ...] = get_args(Reference)
# The kinds of checks (see `checks`) about the presence and the state of things that the law changes; in symbols these
# alone are asked.
RULED = ("presence", "assessment", "moved")


# A cache: a variant's scene is needed for all other variants of its setting, and for each level of its prompts.
_cached = lru_cache(maxsize=64)


@_cached
def outcome(law: Law, setting: Setting, variant: str) -> Scene:
    """The scene that a variant of the law gives."""
    return stage(law.run(setting, law.variant(variant).does))


def beginning(law: Law, setting: Setting) -> Scene | None:
    """The scene before anything has happened; None if things overlap in it."""
    start = stage(law.start(setting))
    return None if any(overlaps(start)) else start


@_cached
def facts(law: Law, setting: Setting, variant: str) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """The facts of the subject, and those of its surroundings, in a variant's outcome."""
    scene = outcome(law, setting, variant)
    subject, around = law.observations(setting)
    return tuple(observed(item, scene) for item in subject), tuple(observed(item, scene) for item in around)


def ends_as_it_began(law: Law, setting: Setting, variant: str) -> bool:
    """True if the subject's facts under a variant are true of the start already."""
    start = stage(law.start(setting))
    try:
        return all(fact.holds(start) for fact in facts(law, setting, variant)[0])
    except AmbiguousError:
        return False


def checks(law: Law, setting: Setting, variant: str) -> dict[str, FactProgram]:
    """The checks of a variant's pictures by name, one fact each; further ones of a kind are "moved-2" …

    integrity       nothing is spoilt
    presence        the thing that the rule is about is there, once
    assessment      the state of the subject
    moved           the state of other things that the law changes
    unaffected      the state of things that no variant changes
    contrast        the state of the subject under the real law; the real law has no such check
    """
    subject, around = facts(law, setting, variant)
    unaffected = bystanders(law, setting)
    kinds: dict[str, list[FactProgram]] = {
        "integrity": [Whole()],
        "presence": [observed(Number(thing), outcome(law, setting, variant)) for thing in _main_thing(law, setting)],
        "assessment": [*subject],
        "moved": [fact for fact in around if fact.of not in unaffected],
        "unaffected": [fact for fact in around if fact.of in unaffected],
        "contrast": [],
    }
    if not law.variant(variant).real:
        kinds["contrast"] = [fact for fact in facts(law, setting, law.real.name)[0] if fact not in subject]
    return {
        f"{kind}-{number}" if number > 1 else kind: program
        for kind, programs in kinds.items()
        for number, program in enumerate(programs, 1)
    }


def kind_of(check: str) -> str:
    """The kind of a check, without its number: "moved" for "moved-2"."""
    return check.partition("-")[0]


def skill_of(check: str, program: FactProgram) -> Skill:
    """The skill that a judge needs to answer a check: that of its program.

    A check of presence counts one thing, so its program has the skill of counting; its skill is presence all the same.
    """
    return "presence" if kind_of(check) == "presence" else program.skill


def law_cell(law: str, check: str) -> str:
    """The cell of a law's check: the questions that are scored together, as "<law>/<kind>".

    A check of the kind contrast belongs to the cell of assessment: both are about the state of the subject.
    """
    kind = kind_of(check)
    return f"{law}/{'assessment' if kind == 'contrast' else kind}"


def _main_thing(law: Law, setting: Setting) -> list[Named]:
    """The thing that the rule is about, as a list of one: the law names it, else it is the first that is observed.

    Things that are counted are passed over, as are things that always have the same colour, such as a shadow. The list
    is empty if the law only counts things: then their number is asked anyway.
    """
    observations = [item for part in law.observations(setting) for item in part]
    named = [item.named[0] for item in observations if not isinstance(item, Number)]
    candidates = [setting[law.present]] if law.present else named
    return [thing for thing in candidates if not NOUNS[thing.noun].plain][:1]


def references(law: Law, setting: Setting, variant: str, stream: Stream) -> dict[Reference, Scene]:
    """The scenes to compare with, by kind (see the top of this module); a kind that the law has no room for is missing.

    The real law has no `prior`. Its `fracture` mixes it with an altered variant, drawn from `stream`.
    """
    real = law.variant(variant).real
    against = stream.choice(law.altered).name if real else law.real.name
    own_facts = facts(law, setting, variant)[0]
    others = (outcome(law, setting, v.name) for v in law.altered if v.name not in (variant, against))
    third_scenes = [scene for scene in others if not all(fact.holds(scene) for fact in own_facts)]
    if not third_scenes:
        raise InputError(f"law {law.name!r}, variant {variant!r}: no third variant gives its subject another outcome")
    right = outcome(law, setting, variant)
    scenes: dict[Reference, Scene | None] = {
        "right": right,
        "fracture": fractured(law, setting, variant, against),
        "neither": stream.choice(third_scenes),
        "start": beginning(law, setting),
        "prior": None if real else outcome(law, setting, against),
    }
    unaffected = bystanders(law, setting)
    subject, around = law.observations(setting)
    main = _main_thing(law, setting)
    observed_things = [*main, *(thing for item in (*subject, *around) for thing in item.named)]
    scenes["damaged"] = damaged(right, stream, observed_things)  # so that these can still be seen
    scenes["stray"] = strayed(
        right, unaffected, [*subject, *(item for item in around if item not in unaffected)], stream
    )
    scenes |= {
        "missing": without(right, own_facts[0].of.named[0], *main),
        "swapped": swapped(right, named_things(law, setting), stream),
        "twice": doubled(right, main[0], stream) if main else None,
        "bare": bare(right),
    }
    return {name: scene for name in REFERENCES if (scene := scenes[name]) is not None}


def named_things(law: Law, setting: Setting) -> list[Named]:
    """The things that are named by their colour, so that no question asks for that colour."""
    return [named for named in setting.things.values() if named.colour and not NOUNS[named.noun].plain]


def bystanders(law: Law, setting: Setting) -> list[Observation]:
    """The observations of the surroundings with the same value under every variant."""
    values = [facts(law, setting, variant.name)[1] for variant in law.variants]
    return [row[0].of for row in zip(*values, strict=True) if len({fact.value for fact in row}) == 1]


def fractured(law: Law, setting: Setting, variant: str, against: str) -> Scene:
    """The scene with the subject as under `variant` and everything else as under `against`."""

    def is_of_subject(element: Element) -> bool:
        """True if the element is one of the subject's figures."""
        return any(element.id == role or element.id.startswith(f"{role}-") for role in law.subject_roles)

    obeying, other = outcome(law, setting, variant).elements, outcome(law, setting, against).elements
    return stage([*(e for e in other if not is_of_subject(e)), *(e for e in obeying if is_of_subject(e))])
