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
    """Every altered variant of the laws in some settings."""

    seed: Seed = 0
    settings: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    laws: tuple[str, ...] = ()  # empty: the standard ones
    style: Style = "flat"
    described: bool = False  # see CF-World, 5.3
    length: Length = "long"  # "short": for text encoders that cut long prompts


class RuleVariant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule, real or altered."""

    name: Name
    rule: Text
    # The answer is yes if a picture obeys the rule. Without a question it is a variant, in symbols, of the standard law
    # with the rule's name: see `Rule`.
    question: Text | None = None
    real: bool = False


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An abstract rule over symbols, in its variants (CF-World, section 5.1).

    If its variants are those of the law of its `name`, its words may name things by that law's roles: {subject}.
    """

    name: Name
    discipline: Text
    start: Text
    finish: Text
    variant: Annotated[tuple[RuleVariant, ...], msgspec.Meta(min_length=1)]


class RulesFile(_Base, frozen=True, tag="rules"):
    """Rules over abstract symbols: one prompt for each variant, no levels, no gate."""

    rule: Annotated[tuple[Rule, ...], msgspec.Meta(min_length=1)]
    seed: Seed = 0  # of the laws' settings


class WrittenCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check as it is written out; see `Check`."""

    id: Name
    text: Text
    dimension: str = ""
    skill: str = ""
    tags: tuple[str, ...] = ()
    weight: float | None = None  # None: 1, or 0 for a check that is asked and not scored
    answer_type: str = "yes-no"
    expected: str = ""  # empty: the usual right answer
    criterion: str = ""
    criteria: str = ""
    call: str = ""
    after: str = ""
    levels: tuple[str, ...] = ()  # at which it is asked; empty: at all


class WrittenGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group as it is written out."""

    id: Name
    prompts: Annotated[dict[Name, Text], msgspec.Meta(min_length=1)]
    check: tuple[WrittenCheck, ...] = ()
    category: str = ""
    discipline: str = ""
    law: str = ""
    variant: str = ""
    rule: str = ""
    outcome: tuple[Text, ...] = ()  # phrases that L3 must not say, except in the words of `rule`


class GroupsFile(_Base, frozen=True, tag="groups"):
    """Groups written out by hand, each with its prompts by level and its checks."""

    group: Annotated[tuple[WrittenGroup, ...], msgspec.Meta(min_length=1)]
    levels: tuple[Name, ...] = ()  # empty: the levels of the groups
    protocol: str = ""  # empty: CF-Eval if a check is of its assessment point, else a checklist


PromptFile = LawsFile | RulesFile | GroupsFile
KINDS: dict[str, type[PromptFile]] = {"laws": LawsFile, "rules": RulesFile, "groups": GroupsFile}
