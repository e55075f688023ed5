"""Prompt files in TOML: laws, abstract rules, or groups written out."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from counterbench.scene.seeds import Seed
from counterbench.t2i.prompts.from_laws import Length, Style

PROMPTS_FORMAT: Literal["counterbench.prompts/1"] = "counterbench.prompts/1"
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}\Z"

Name = Annotated[str, msgspec.Meta(pattern=NAME)]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Base(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """Fields of every prompt file."""

    format: Literal["counterbench.prompts/1"]
    name: Name
    description: str = ""


class LawsFile(_Base, frozen=True, tag="laws"):
    """Every altered variant of the laws (none: the standard ones) in some settings.

    `described`: see CF-World, 5.3. `length`: "short" ones are for text encoders that cut long prompts.
    """

    seed: Seed = 0
    settings: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    laws: tuple[str, ...] = ()
    style: Style = "flat"
    described: bool = False
    length: Length = "long"


class RuleVariant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule, real or altered, and the question whose answer is yes if a picture obeys it.

    Without a question it is a variant of the standard law that the rule is called after, told of symbols: see `Rule`.
    """

    name: Name
    rule: Text
    question: Text | None = None
    real: bool = False


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An abstract rule over symbols, in its variants (CF-World, section 5.1).

    Where its variants are those of the law of its `name`, its words may name things by that law's roles: {subject}.
    """

    name: Name
    discipline: Text
    start: Text
    finish: Text
    variant: Annotated[tuple[RuleVariant, ...], msgspec.Meta(min_length=1)]


class RulesFile(_Base, frozen=True, tag="rules"):
    """Rules over abstract symbols: one prompt for each variant, no levels, no gate. `seed`: of the laws' settings."""

    rule: Annotated[tuple[Rule, ...], msgspec.Meta(min_length=1)]
    seed: Seed = 0


class WrittenCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check as it is written out; see `Check`. `levels`: where it is asked (none named: at all).

    Without a `weight` it is 1, of what is asked without being scored 0; without `expected`, the usual right answer.
    """

    id: Name
    text: Text
    dimension: str = ""
    skill: str = ""
    tags: tuple[str, ...] = ()
    weight: float | None = None
    answer_type: str = "yes-no"
    expected: str = ""
    criterion: str = ""
    criteria: str = ""
    call: str = ""
    after: str = ""
    levels: tuple[str, ...] = ()


class WrittenGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group as it is written out. `outcome`: phrases that L3 must not say, less what `rule` says."""

    id: Name
    prompts: Annotated[dict[Name, Text], msgspec.Meta(min_length=1)]
    check: tuple[WrittenCheck, ...] = ()
    category: str = ""
    discipline: str = ""
    law: str = ""
    variant: str = ""
    rule: str = ""
    outcome: tuple[Text, ...] = ()


class GroupsFile(_Base, frozen=True, tag="groups"):
    """Groups written out by hand, each with its prompts by level and its checks.

    Without `levels`, those that groups have. Without `protocol`, CF-Eval if a check is an assessment point of it, else
    a checklist.
    """

    group: Annotated[tuple[WrittenGroup, ...], msgspec.Meta(min_length=1)]
    levels: tuple[Name, ...] = ()
    protocol: str = ""


PromptFile = LawsFile | RulesFile | GroupsFile
KINDS: dict[str, type[PromptFile]] = {"laws": LawsFile, "rules": RulesFile, "groups": GroupsFile}
