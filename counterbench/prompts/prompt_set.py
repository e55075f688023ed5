"""Prompts for a text-to-image model, and the checks of its pictures. Data, no I/O.

A `PromptSet` has `Prompt`s, and each prompt has `Check`s: questions about its pictures, with right answers and weights.
A group is the prompts about one subject, one at each level of the set ("l1", "l2", …); many sets have one level. Some
prompts are about a law, a rule of a small world, in one of its variants and settings (`prompts.from_laws`). A protocol
says how checks are asked and counted. Sets with the same `digest` ask the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, zip_longest
from typing import Annotated, Any

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.laws.outcomes import law_cell
from counterbench.scene.programs import Program

# The pattern of names that may be parts of paths.
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}\Z"
# A larger weight is a mistake, and sums of such weights may be infinite.
HEAVIEST = 1_000_000


class Check(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One question about a generated picture; a protocol decides the meaning of `dimension`, `skill` and `tags`."""

    id: str
    text: str
    dimension: str = ""
    answer_type: str = "yes-no"
    expected: str = "yes"  # the answer about a right picture: full credit
    weight: Annotated[float, msgspec.Meta(ge=0)] = 1.0  # its share in the picture's score; 0: asked and not scored
    skill: str = ""
    tags: tuple[str, ...] = ()
    criterion: str = ""  # a name for the question, if many prompts have the same
    criteria: str = ""  # the meaning of each grade, for the judge
    point: str = ""  # checks of a picture with the same point are its parts; it is right if all of them are
    call: str = ""  # checks of a picture with the same call are asked in one question
    after: str = ""  # the id of the check whose reply is put before this question
    needs: tuple[str, ...] = ()  # the ids of checks that must be right for this one to count (see `asks.unmet`)
    program: Program | None = None  # computes the answer for a drawn scene; None if we cannot draw what it asks about


class Prompt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One prompt, at one level of its group, with the checks of its pictures."""

    id: str  # "<group>/<level>"
    group: str
    level: str
    text: str
    checks: tuple[Check, ...] = ()  # may be empty: the prompt is drawn, and nothing is asked
    category: str = ""
    discipline: str = ""
    law: str = ""
    variant: str = ""
    setting: int = 0  # the index of its law's setting
    style: str = ""  # the style that it asks for
    # The distance from an altered rule to its outcome (`laws.base.Depth`), or "no-change" if it ends as it began.
    depth: str = ""

    @classmethod
    def at(cls, group: str, level: str, text: str, **fields: Any) -> Prompt:
        """A prompt of the group at the level, with the id that this gives; `fields`: its other fields."""
        return cls(id=f"{group}/{level}", group=group, level=level, text=text, **fields)

    @property
    def digest(self) -> str:
        """A hex digest of the words that a generator is given."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).hexdigest()

    @property
    def drawn_as(self) -> tuple[str, int, str]:
        """The key of a prompt's pictures: prompts of a set with the same words and level are drawn once.

        The setting is part of the key, since things may stand elsewhere although the words are the same.
        """
        return self.level, self.setting, self.digest


@dataclass(frozen=True, repr=False)
class PromptSet:
    """Prompts under one name. InputError if they contradict one another.

    `levels`: all levels in their order; a group may lack some. `seed`: of the laws' settings, if the prompts are about
    laws that we can draw; else None. `protocol`: the name of the one that judges its pictures unless another is named.
    `variant_of`: the digest of the set whose items it holds in other words, with their ids and checks; empty for a set
    that is no variant. It is not part of the digest, since it changes nothing that is asked.
    """

    name: str
    levels: Sequence[str]
    prompts: Sequence[Prompt]
    seed: int | None = None
    protocol: str = "cf-eval"
    variant_of: str = ""

    def __post_init__(self) -> None:
        for name in ("levels", "prompts"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _validate(self)

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """A hex digest of all prompts and checks: two sets with the same digest ask the same."""
        parts = [self.levels, list(map(_digested, self.prompts))]
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).hexdigest()

    def holding(self, prompts: Sequence[Prompt]) -> PromptSet:
        """A copy of this set with these prompts in place of its own; InputError if there are none."""
        return replace(self, prompts=prompts)

    def first(self, limit: int | None) -> list[Prompt]:
        """The prompts of `limit` groups (None: of all), at all their levels, in the order of the set.

        Disciplines (or categories) take turns, so that a few groups represent all; for laws, which take turns already,
        the first groups.
        """
        groups_by_field: dict[str, list[str]] = {}
        for group, levels in self.groups.items():
            prompt = next(iter(levels.values()))
            groups_by_field.setdefault("" if prompt.law else prompt.discipline or prompt.category, []).append(group)
        turns = (group for turn in zip_longest(*groups_by_field.values()) for group in turn if group is not None)
        chosen_groups = {*islice(turns, limit)}
        return [prompt for group, levels in self.groups.items() if group in chosen_groups for prompt in levels.values()]

    @cached_property
    def by_id(self) -> dict[str, Prompt]:
        """The prompts, each under its id."""
        return {prompt.id: prompt for prompt in self.prompts}

    @cached_property
    def checks(self) -> dict[tuple[str, str], Check]:
        """Every check by its prompt's id and its own."""
        return {(prompt.id, check.id): check for prompt in self.prompts for check in prompt.checks}

    @cached_property
    def groups(self) -> dict[str, dict[str, Prompt]]:
        """The prompts of each group by level."""
        by_group: dict[str, dict[str, Prompt]] = {}
        for prompt in self.prompts:
            by_group.setdefault(prompt.group, {})[prompt.level] = prompt
        return by_group


# The oldest fields of prompts and checks. A digest always has them, and younger ones only if they are not the default:
# so a new field leaves the digests of old sets as they are.
_OLDEST: dict[type[msgspec.Struct], tuple[str, ...]] = {
    Prompt: ("id", "group", "level", "text", "checks", "discipline", "law", "variant", "setting", "style"),
    Check: ("id", "dimension", "text", "answer_type", "expected", "weight", "skill", "program"),
}
_YOUNGER = {
    kind: {field.name: field.default for field in msgspec.structs.fields(kind) if field.name not in oldest}
    for kind, oldest in _OLDEST.items()
}


def _digested(thing: Prompt | Check) -> dict[str, object]:
    """The fields that a digest is made of, by name; equal prompts or checks give the same, made or read in any way."""
    fields: dict[str, object] = {name: getattr(thing, name) for name in _OLDEST[type(thing)]}
    if isinstance(thing, Prompt):
        fields["checks"] = list(map(_digested, thing.checks))
    elif thing.weight == int(thing.weight):
        fields["weight"] = int(thing.weight)
    younger = {name: getattr(thing, name) for name in _YOUNGER[type(thing)]}
    return fields | {name: value for name, value in younger.items() if value != _YOUNGER[type(thing)][name]}


def cell_of(prompt: Prompt, check: Check) -> str:
    """The cell of a certificate that a check needs: "<law>/<check>"; "" for a check without a program."""
    return law_cell(prompt.law, check.id) if check.program is not None else ""


def _validate(prompts: PromptSet) -> None:
    """InputError unless ids are unique, levels known, and the checks of every prompt valid."""
    where = f"prompt set {prompts.name!r}"
    if not prompts.prompts:
        raise InputError(f"{where} has no prompts")
    if len(set(prompts.levels)) != len(prompts.levels):
        raise InputError(f"{where}: a level is named twice: {', '.join(prompts.levels)}")
    if len(prompts.by_id) != len(prompts.prompts):
        id, _ = Counter(prompt.id for prompt in prompts.prompts).most_common(1)[0]
        raise InputError(f"{where}: two prompts have the id {id!r}")
    for prompt in prompts.prompts:
        if prompt.level not in prompts.levels:
            raise unknown("level", prompt.level, prompts.levels, f"{where}, prompt {prompt.id!r}")
        check_prompt(prompt, f"{where}, prompt {prompt.id!r}")


def check_prompt(prompt: Prompt, where: str) -> None:
    """InputError unless the ids of a prompt's checks are unique, their weights usable, and their order possible."""
    ids = {check.id for check in prompt.checks}
    if len(ids) != len(prompt.checks):
        raise InputError(f"{where}: two checks have the same id")
    for check in prompt.checks:
        if not 0 <= check.weight <= HEAVIEST:
            raise InputError(
                f"{where}, check {check.id!r}: its weight must be from 0 to {HEAVIEST:,}, not {check.weight}"
            )
    if prompt.checks and sum(check.weight for check in prompt.checks) <= 0:
        raise InputError(f"{where}: the weights of its checks sum to 0; give at least one a weight above 0")
    reserved = {question for check in prompt.checks for question in (f"call.{check.call}", f"{check.id}~negated")}
    if taken := reserved & ids:
        raise InputError(f"{where}: rename the check {min(taken)!r}: this id is reserved for another question")
    for check in prompt.checks:
        for need in check.needs:
            if need not in ids or need == check.id:
                raise unknown("check", need, ids - {check.id}, f"{where}, check {check.id!r}, needs")
    _check_order(prompt, where)


def _check_order(prompt: Prompt, where: str) -> None:
    """InputError if a check comes after one that is missing, or (by a chain of checks) after itself."""
    after = {check.id: check.after for check in prompt.checks}
    for id in after:
        chain = [id]
        while before := after[chain[-1]]:
            if before not in after:
                raise unknown("check", before, after, f"{where}, check {chain[-1]!r}, after")
            if before in chain:
                raise InputError(f"{where}: check {before!r} comes after itself")
            chain.append(before)
