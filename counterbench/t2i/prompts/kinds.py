"""Prompt files in TOML: laws, or laws told of symbols."""

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
    """The rule of one variant of a law, told of symbols."""

    name: Name  # of the law's variant
    rule: Text


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A law told of abstract symbols, in its variants (CF-World, section 5.1).

    Its words may name things by the law's roles: {subject}.
    """

    name: Name  # of a standard law
    discipline: Text
    start: Text
    finish: Text
    variant: Annotated[tuple[RuleVariant, ...], msgspec.Meta(min_length=1)]


class RulesFile(_Base, frozen=True, tag="rules"):
    """Rules over abstract symbols: one prompt for each variant, no levels, no gate."""

    rule: Annotated[tuple[Rule, ...], msgspec.Meta(min_length=1)]
    seed: Seed = 0  # of the laws' settings


PromptFile = LawsFile | RulesFile
KINDS: dict[str, type[PromptFile]] = {"laws": LawsFile, "rules": RulesFile}
