"""Prompts from laws at three levels, with the checks of their pictures; and the known pictures of laws.

A law is a rule of a small world; it has one real variant and several altered ones. Its setting says which things play
its roles. A group is the prompts of one altered variant in one setting: L1 states the real law; L2 the altered law and
its outcome; L3 the altered law alone (CF-World, section 3.1). The setting and its template are the same at all levels
of a group, and so are the checks' words. A check is a question about a picture; its program answers it for a scene.

Two jobs, in this order: `law_prompts` makes prompts with `checks`, `rule_checks` the checks of a rule in symbols;
`references_of`, `outcome_of` and `start_of` give the scenes of pictures that are known for a prompt (right, wrong, …).
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Literal

from msgspec.structs import replace

from counterbench.errors import CounterbenchError, InputError
from counterbench.laws import SYMBOLS_SUFFIX, outcomes
from counterbench.laws import law as law_named
from counterbench.laws.base import NO_CHANGE, Law, Setting, Variant
from counterbench.laws.outcomes import RULED, Reference, beginning, facts, kind_of, outcome, references, skill_of
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.scene.nouns import SYMBOLS
from counterbench.scene.programs.facts import Fact
from counterbench.scene.programs.shapes import with_article
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

PromptStyle = Literal["flat", "photo"]
Length = Literal["long", "short"]
LEVELS = ("l1", "l2", "l3")

ASSESSMENT = "assessment-point"
# The variant of a rule in symbols that holds in the real world.
FACTUAL = "factual"
# Symbols that everybody knows by their names.
_FAMILIAR = frozenset({"disc", "cross", "star", "bar", "slash", "patch"})

# The dimension of each kind of check.
_DIMENSIONS: dict[str, str] = {
    "integrity": "visual-integrity",
    "presence": "presence",
    "assessment": "assessment-point",
    "moved": "logic-consistency",
    "unaffected": "logic-consistency",
    "contrast": "contrast",
}
# The weights of CF-World (section 3.3.1; the released questions have 3, 15 and 8), each of a whole dimension: the
# checks of a dimension are the parts of one point, which is right if all are, and share its weight. Checks of presence
# and of the prior's (the usual) outcome have no weight.
WEIGHTS: dict[str, float] = {"visual-integrity": 3, "assessment-point": 15, "logic-consistency": 8}
_OPENINGS: dict[PromptStyle, tuple[str, ...]] = {
    "flat": ("A simple flat illustration on a light background.", "Draw a plain, flat picture on a light background."),
    "photo": ("A realistic photograph.", "A photo with natural light."),
}
_REAL: tuple[str, ...] = ("As in the real world, {rule}.", "As in our own world, {rule}.")
_ALTERED: tuple[str, ...] = (
    "In this world, {rule}.",
    "Imagine a world where {rule}.",
    "Unlike in our own world, {rule}.",
)
# Short prompts: the words before the rule, their ends, and the most words and punctuation marks. CLIP reads 77 tokens,
# start and end included; of 8,400 such prompts none has more than 74.
_SHORT_REAL, _SHORT_ALTERED = "As usual, {rule}.", "Suppose {rule}."
_SHORT_FINISH: dict[PromptStyle, str] = {"flat": "Flat drawing of the outcome.", "photo": "Photo of the outcome."}
MAX_SHORT = 66


def law_prompts(
    laws: tuple[Law, ...],
    seed: int,
    settings: int,
    style: PromptStyle = "flat",
    described: bool = False,
    length: Length = "long",
) -> Iterator[Prompt]:
    """The prompts of every altered variant of `laws`, each in so many `settings`; laws take turns.

    `described`: L2 tells its outcome in words that do not name the things (CF-World, section 5.3). `length`: "short"
    prompts have `MAX_SHORT` words and marks at most, so that CLIP reads them to their end. InputError for both
    together: no short prompt has room for descriptions.
    """
    if described and length == "short":
        raise InputError("described prompts are long: leave out described or length")
    max_variants = max(len(law.altered) for law in laws)
    for index, turn in product(range(settings), range(max_variants)):
        for law in laws:
            if turn < len(law.altered):
                yield from _group_prompts(law, law.altered[turn], seed, index, style, described, length)


def _group_prompts(
    law: Law, variant: Variant, seed: int, index: int, style: PromptStyle, described: bool, length: Length
) -> Iterator[Prompt]:
    """The prompts of one variant of a law in its setting number `index`, one for each level.

    `described`: L2 tells the outcome by descriptions of the things, without their names. InputError if L3, which must
    state the law alone, tells the outcome, too.
    """
    setting = law.setting(seed, index)
    stream = Stream(seed, "words", law.name, index)  # without the variant: all variants have the same L1
    # All but the opening are patterns, which `setting.fill` fills with the names of things.
    opening, start, real = stream.choice(_OPENINGS[style]), stream.choice(law.starts), stream.choice(_REAL)
    altered = stream.child(variant.name).choice(_ALTERED)
    group = f"{law.name}.{variant.name}.{index:02d}"

    for level in LEVELS:
        ruling, pattern = (law.real, real) if level == "l1" else (variant, altered)
        rule = setting.fill(pattern.format(rule=ruling.rule))
        result = setting.fill(variant.outcome, described) if level == "l2" else ""
        if length == "short":
            text = _short_text(law, setting, variant, level, _SHORT_FINISH[style])
        else:
            parts = opening, setting.fill(start), rule, result, setting.fill(law.finish)
            text = " ".join(part for part in parts if part)
        if level == "l3":
            rule = setting.fill(variant.brief if length == "short" else variant.rule)
            stated = [fact.statement for fact in facts(law, setting, variant.name)[0]]
            for phrase in (*stated, setting.fill(variant.outcome)):
                if given_away(phrase, text, rule):
                    raise InputError(f"{group}/l3 states its outcome: {phrase!r}; L3 gives the law alone")
        yield Prompt.at(
            group,
            level,
            text,
            checks=tuple(checks(law, setting, ruling.name)),
            discipline=law.discipline,
            law=law.name,
            variant=variant.name,
            setting=index,
            style=style,
            depth=NO_CHANGE if outcomes.ends_as_it_began(law, setting, variant.name) else variant.depth,
        )


def checks(law: Law, setting: Setting, variant: str) -> Iterator[Check]:
    """The checks of a picture of this variant: a question for each fact of its outcome.

    The checks of one dimension are the parts of one point. The phrasing is drawn from law, setting and check, so it is
    the same at all levels.
    """
    programs = outcomes.checks(law, setting, variant)
    part_counts = Counter(_DIMENSIONS[kind_of(name)] for name in programs)
    for name, program in programs.items():
        kind = kind_of(name)
        dimension = _DIMENSIONS[kind]
        yield Check(
            id=name,
            dimension=dimension,
            text=Stream("phrasing", law.name, *setting.numbers.values(), name).choice(program.phrasings()),
            expected="no" if dimension == "contrast" else "yes",
            weight=WEIGHTS.get(dimension, 0) / part_counts[dimension],
            skill=skill_of(name, program),
            tags=(kind,) if kind in ("moved", "unaffected") else (),
            point=dimension if part_counts[dimension] > 1 else "",
            program=program,
        )


def legend(setting: Setting) -> str:
    """A sentence that explains the symbols of a setting whose names do not tell their look; "" if there are none."""
    nouns = [noun for noun in SYMBOLS if noun not in _FAMILIAR and any(t.noun == noun for t in setting.things.values())]
    meanings = [f"{with_article(noun)} is {with_article(SYMBOLS[noun].described)}" for noun in nouns]
    *others, last = meanings or [""]
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{listed[0].upper()}{listed[1:]}." if listed else ""


def rule_checks(law: Law, setting: Setting, variant: str) -> Iterator[Check]:
    """The checks of pictures of a rule in symbols (CF-World, section 5.1).

    They ask if the subject is there, once and not twice, and if each thing that the rule moves has its outcome. Each
    outcome is asked as this variant has it and as another variant has it, so half of the right answers are no. All are
    parts of one point, which counts only if all are right: so a judge that always gives the same answer never gets it.
    """
    facts_of = {v.name: outcomes.checks(law, setting, v.name).items() for v in law.variants}
    ruled_facts = {
        ruling: {name: fact for name, fact in named_facts if kind_of(name) in RULED and isinstance(fact, Fact)}
        for ruling, named_facts in facts_of.items()
    }
    facts_to_ask: list[tuple[str, Fact, str]] = []  # id, fact, right answer
    for name, fact in ruled_facts[variant].items():
        stream = Stream("rule", law.name, *setting.numbers.values(), variant, name)
        values = {"2"} if kind_of(name) == "presence" else {by_name[name].value for by_name in ruled_facts.values()}
        other_values = sorted(values - {fact.value})
        facts_to_ask.append((name, fact, "yes"))
        if other_values:
            facts_to_ask.append((f"{name}-not", Fact(fact.of, stream.choice(other_values)), "no"))
    for name, fact, expected in facts_to_ask:
        yield Check(
            id=name,
            dimension=ASSESSMENT,
            text=Stream("phrasing", law.name, *setting.numbers.values(), name).choice(fact.phrasings()),
            expected=expected,
            weight=1 / len(facts_to_ask),
            skill=skill_of(name, fact),
            point=ASSESSMENT,
            program=fact,
        )


def _short_text(law: Law, setting: Setting, variant: Variant, level: str, finish: str) -> str:
    """A short prompt; at L2 with the variant's outcome if it fits, else with as many facts of the subject as fit."""
    rule = _SHORT_REAL.format(rule=law.real.brief) if level == "l1" else _SHORT_ALTERED.format(rule=variant.brief)
    begins = f"{setting.fill(law.short)} {setting.fill(rule)}"
    if level != "l2":
        return f"{begins} {finish}"
    statements = [fact.statement for fact in facts(law, setting, variant.name)[0]]
    parts = ("; ".join(statements[:count]) for count in range(len(statements), 0, -1))
    sentences = [setting.fill(variant.outcome), *(f"{part[0].upper()}{part[1:]}." for part in parts)]
    texts = [f"{begins} {sentence} {finish}" for sentence in sentences]
    return next(filter(is_short, texts), texts[-1])


def is_short(text: str) -> bool:
    """True if a prompt has no more words and punctuation marks than a short one may have."""
    return len(re.findall(r"\w+|[^\w\s]", text)) <= MAX_SHORT


def given_away(phrase: str, text: str, rule: str) -> bool:
    """True if `text` has the words of `phrase` outside of `rule`, a part of it that may have them."""
    wanted, text_words, rule_words = (" ".join(words.lower().split()).rstrip(".") for words in (phrase, text, rule))
    return wanted in (text_words.replace(rule_words, " ") if rule_words else text_words)


def genuine(prompts: PromptSet) -> PromptSet:
    """The set, in which only checks that its laws ask in these very words keep their programs.

    A program answers a check about a drawn scene. A file may name any program for any question, so other programs are
    removed: a judge's certificate is about the questions of the laws alone.
    """
    all_prompts = []
    for prompt in prompts.prompts:
        if any(check.program for check in prompt.checks):
            questions = _questions(prompt.law, prompts.seed, prompt.setting, "" if is_real(prompt) else prompt.variant)
            checks_left = (c if _without_scoring(c) in questions else replace(c, program=None) for c in prompt.checks)
            prompt = replace(prompt, checks=tuple(checks_left))
        all_prompts.append(prompt)
    return prompts if all_prompts == list(prompts.prompts) else prompts.holding(all_prompts)


def disowned(prompts: PromptSet) -> int:
    """The number of checks of prompts about laws that have no program, since no law asks them in these words."""
    of_laws = [prompt for prompt in prompts.prompts if prompt.law and prompts.seed is not None]
    return sum(check.program is None for prompt in of_laws for check in prompt.checks)


@lru_cache(4096)  # two levels and all samples of a prompt need the same
def _questions(name: str, seed: int | None, index: int, variant: str) -> frozenset[Check]:
    """The checks, without their scoring, of a law's variant ("": the real one) in setting `index`.

    Empty if there is no such law or variant.
    """
    try:
        law = law_named(name)
        setting = law.setting(seed or 0, index)
        asking = rule_checks if name.endswith(SYMBOLS_SUFFIX) else checks
        return frozenset(map(_without_scoring, asking(law, setting, variant or law.real.name)))
    except (CounterbenchError, KeyError, ValueError):
        return frozenset()


def _without_scoring(check: Check) -> Check:
    """A copy of the check without the fields that only say how it is counted, to be compared with others."""
    return replace(check, dimension="", weight=1.0, skill="", tags=(), criterion="")


def references_of(prompts: PromptSet, prompt: Prompt) -> dict[Reference, Scene]:
    """The known pictures for a prompt about a law, as scenes by name ("right", "prior", "start" and wrong ones).

    See `laws.outcomes` for the names. At L1 there is no "prior". InputError for a prompt that we cannot draw.
    """
    law, seed = _law_of(prompts, prompt)
    variant = law.real.name if is_real(prompt) else prompt.variant
    return references(
        law, law.setting(seed, prompt.setting), variant, Stream(seed, "references", law.name, *prompt.drawn_as)
    )


def outcome_of(prompts: PromptSet, prompt: Prompt, prior: bool = False) -> Scene | None:
    """The `right` picture of `references_of`, or its `prior` (None where the real law rules); the same errors."""
    law, seed = _law_of(prompts, prompt)
    if prior and is_real(prompt):
        return None
    return _outcome(law.name, seed, prompt.setting, law.real.name if prior or is_real(prompt) else prompt.variant)


def is_real(prompt: Prompt) -> bool:
    """True if a prompt is ruled by the real law: at L1, and where its level or its variant is "factual"."""
    return prompt.level in ("l1", FACTUAL) or prompt.variant == FACTUAL


def start_of(prompts: PromptSet, prompt: Prompt) -> Scene | None:
    """The `start` of `references_of`; None for a law without one. It raises the same errors."""
    law, seed = _law_of(prompts, prompt)
    return beginning(law, law.setting(seed, prompt.setting))


@lru_cache(4096)  # several levels and several planted models need the same outcome
def _outcome(name: str, seed: int, index: int, variant: str) -> Scene:
    """The outcome of a law's variant in setting `index` under `seed`."""
    law = law_named(name)
    return outcome(law, law.setting(seed, index), variant)


def _law_of(prompts: PromptSet, prompt: Prompt) -> tuple[Law, int]:
    """The law of a prompt and the seed of its settings; InputError if it is about no law."""
    if prompts.seed is None or not prompt.law:
        raise InputError(f"prompt {prompt.id!r} of {prompts.name!r} is about no law: its pictures are not known")
    return law_named(prompt.law), prompts.seed
