"""Prompt sets from files: a set of laws, abstract rules, groups written out, or pairs of concepts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from counterbench.answers import answer_type
from counterbench.errors import InputError, unknown
from counterbench.files import catalog, formats
from counterbench.laws import STANDARD, law
from counterbench.scene.programs.observations import Skill
from counterbench.scene.seeds import Seed
from counterbench.t2i.prompts.from_laws import LEVELS, Style, checks, given_away, law_prompts
from counterbench.t2i.prompts.lines import is_prompt_set, read_prompt_set
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet

PROMPTS_FORMAT: Literal["counterbench.prompts/1"] = "counterbench.prompts/1"
FOLDER = "probes/t2i"
SKILLS: tuple[str, ...] = get_args(Skill)

Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=80)]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Base(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What every prompt file has."""

    format: Literal["counterbench.prompts/1"]
    name: Name
    description: str = ""


class LawsFile(_Base, frozen=True, tag="laws"):
    """Every altered variant of the laws (none: the standard ones) in some settings. `described`: see CF-World, 5.3."""

    seed: Seed = 0
    settings: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    laws: tuple[str, ...] = ()
    style: Style = "flat"
    described: bool = False


class RuleVariant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule, real or altered, and the question whose answer is yes if a picture obeys it."""

    name: Name
    rule: Text
    question: Text
    real: bool = False


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An abstract rule over symbols, in its variants (CF-World, section 5.1)."""

    name: Name
    discipline: Text
    start: Text
    finish: Text
    variant: Annotated[tuple[RuleVariant, ...], msgspec.Meta(min_length=1)]


class RulesFile(_Base, frozen=True, tag="rules"):
    """Rules over abstract symbols: one prompt and one question for each variant, no levels, no gate."""

    rule: Annotated[tuple[Rule, ...], msgspec.Meta(min_length=1)]


class WrittenCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check as it is written out. `levels`: where it is asked (none named: at all)."""

    id: Name
    dimension: str
    text: Text
    skill: str
    weight: float
    answer_type: str = "yes-no"
    expected: str = ""
    levels: tuple[str, ...] = ()


class WrittenGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group as it is written out. `outcome`: phrases that L3 must not say, less what `rule` says."""

    id: Name
    prompts: dict[str, Text]
    check: Annotated[tuple[WrittenCheck, ...], msgspec.Meta(min_length=1)]
    discipline: str = ""
    law: str = ""
    variant: str = ""
    rule: str = ""
    outcome: tuple[Text, ...] = ()


class GroupsFile(_Base, frozen=True, tag="groups"):
    """Groups written out by hand, each with its prompts by level and its checks."""

    group: Annotated[tuple[WrittenGroup, ...], msgspec.Meta(min_length=1)]
    levels: tuple[str, ...] = LEVELS


class ConceptPair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a JSON Lines prompt file: two concepts that are rarely, or commonly, seen together."""

    format: Literal["counterbench.concepts/1"] = "counterbench.concepts/1"
    id: Name
    level: Literal["common", "rare"]
    prompt: Text
    question: Text
    skill: str = "concepts"


PromptFile = LawsFile | RulesFile | GroupsFile
_KINDS: dict[str, type[PromptFile]] = {"laws": LawsFile, "rules": RulesFile, "groups": GroupsFile}


def names() -> list[str]:
    """The bare names of the shipped prompt sets."""
    return sorted([*catalog.names(FOLDER), *(path.stem for path in catalog.shipped(FOLDER).glob("*.jsonl"))])


def load_prompts(name: str | Path) -> PromptSet:
    """The prompt set in a file, or the shipped one of that name.

    Raises InputError that names the file, the place and the valid choices.
    """
    path = name if isinstance(name, Path) else _find(name)
    try:
        if path.suffix == ".jsonl":
            return read_prompt_set(path) if is_prompt_set(path) else _concepts(path)
        file = _read(path)
        match file:
            case LawsFile():
                chosen = tuple(law(name, f"{path}, laws") for name in file.laws or STANDARD)
                prompts = list(law_prompts(chosen, file.seed, file.settings, file.style, file.described))
                return PromptSet(file.name, LEVELS, prompts, file.seed)
            case RulesFile():
                return PromptSet(file.name, ("rule",), list(_rules(file)))
            case GroupsFile():
                return PromptSet(file.name, file.levels, list(_groups(file, str(path))))
    except InputError as error:
        raise error if str(error).startswith(str(path)) else InputError(f"{path}: {error}") from None


def law_cells(name: str) -> dict[str, list[str]]:
    """By law the cells that a shipped prompt set's checks ask for; none if nothing can be drawn for them.

    It writes no prompt, so it is quick: every setting of a law asks for the same.
    """
    path = _find(name)
    file = None if path.suffix == ".jsonl" else _read(path)
    if not isinstance(file, LawsFile):
        return {}
    found = {}
    for one in (law(name) for name in file.laws or STANDARD):
        setting = one.setting(file.seed, 0)
        ids = {c.id for variant in (one.real, *one.altered) for c in checks(one, setting, variant.name)}
        found[one.name] = sorted(f"{one.name}/{id}" for id in ids)
    return found


def _find(name: str) -> Path:
    if catalog.is_path(name) or name.endswith(".jsonl"):
        path = Path(name)
        if not path.is_file():
            raise InputError(f"{path}: there is no such prompt file")
        return path
    for suffix in ("toml", "jsonl"):
        path = catalog.shipped(FOLDER) / f"{name}.{suffix}"
        if path.is_file():
            return path
    raise unknown("prompt set", name, names())


def _read(path: Path) -> PromptFile:
    data = formats.read_toml(path)
    formats.refuse_other_format(data, PROMPTS_FORMAT, str(path))
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise unknown("kind of prompts", str(kind), _KINDS, str(path))
    return formats.convert(data, _KINDS[kind], str(path))


def _rules(file: RulesFile) -> Iterator[Prompt]:
    for rule in file.rule:
        for variant in rule.variant:
            group = f"{rule.name}.{variant.name}"
            check = Check(
                id="assessment", dimension="assessment-point", text=variant.question, weight=1, skill="symbols"
            )
            yield Prompt(
                id=f"{group}/rule",
                group=group,
                level="rule",
                text=f"{rule.start} The rule is: {variant.rule}. {rule.finish}",
                checks=(check,),
                discipline=rule.discipline,
                law=rule.name,
                variant="factual" if variant.real else variant.name,
            )


def _groups(file: GroupsFile, where: str) -> Iterator[Prompt]:
    for group in file.group:
        place = f"{where}, group {group.id!r}"
        for level in group.prompts:
            if level not in file.levels:
                raise unknown("level", level, file.levels, place)
        for check in group.check:
            for level in check.levels:
                if level not in file.levels:
                    raise unknown("level", level, file.levels, f"{place}, check {check.id!r}")
        for phrase in group.outcome:
            if "l3" in group.prompts and given_away(phrase, group.prompts["l3"], group.rule):
                raise InputError(f"{place}: l3 states its outcome: {phrase!r}; L3 gives the law alone")
        for level, text in group.prompts.items():
            yield Prompt(
                id=f"{group.id}/{level}",
                group=group.id,
                level=level,
                text=text,
                checks=tuple(_check(c, place) for c in group.check if not c.levels or level in c.levels),
                discipline=group.discipline,
                law=group.law,
                variant=group.variant,
            )


def _check(check: WrittenCheck, where: str) -> Check:
    place = f"{where}, check {check.id!r}"
    if check.skill not in SKILLS:
        raise unknown("skill", check.skill, SKILLS, place)
    if not 0 <= check.weight < float("inf"):
        raise InputError(f"{place}: its weight must be 0 or more, not {check.weight}")
    try:
        kind = answer_type(check.answer_type)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    usual = {"yes-no": "yes", "grade": "1", "score": "1"}
    if check.dimension == "contrast" and check.weight:
        raise InputError(f"{place}: a contrast check asks for what habit would draw; its weight must be 0")
    if check.dimension == "contrast":
        usual |= {"yes-no": "no"}  # of a right picture
    expected = check.expected or usual.get(check.answer_type, "")
    if not expected or (kind.alphabet and expected not in kind.alphabet):
        raise InputError(f"{place}: 'expected' must be the answer that gives full credit, not {expected!r}")
    return Check(
        id=check.id,
        dimension=check.dimension,
        text=check.text,
        answer_type=check.answer_type,
        expected=expected,
        weight=check.weight,
        skill=check.skill,
    )


def _concepts(path: Path) -> PromptSet:
    prompts: list[Prompt] = []
    for pair in formats.read_lines(path, ConceptPair):
        check = Check(id="assessment", dimension="assessment-point", text=pair.question, weight=1, skill=pair.skill)
        prompts.append(
            Prompt(
                id=f"{pair.id}/{pair.level}",
                group=pair.id,
                level=pair.level,
                text=pair.prompt,
                checks=(check,),
                law=pair.id,
            )
        )
    return PromptSet(path.stem, ("common", "rare"), prompts)
