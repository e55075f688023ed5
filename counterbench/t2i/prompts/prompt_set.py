"""What a text-to-image model is asked to draw, and what a judge is then asked about its pictures. Data, no I/O."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.scene.programs import Program

Dimension = Literal["visual-integrity", "assessment-point", "logic-consistency", "contrast"]


class Check(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One question about a generated picture.

    `expected` is the answer of a picture that is right: full credit. `weight` is its share in the picture's score
    (CF-World, section 3.3.1); 0 for a contrast check, which asks for what habit would draw. `program` answers it for a
    drawn scene; None where nothing can be drawn, and the check cannot be verified.
    """

    id: str
    dimension: Dimension
    text: str
    answer_type: str = "yes-no"
    expected: str = "yes"
    weight: Annotated[float, msgspec.Meta(ge=0)]
    skill: str
    program: Program | None = None


class Prompt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One prompt, at one level of its group, with the checks of its pictures. `id` is "<group>/<level>".

    `setting`: which of its law's settings it plays in; `style`: how it asks to be drawn.
    """

    id: str
    group: str
    level: str
    text: str
    checks: tuple[Check, ...]
    discipline: str = ""
    law: str = ""
    variant: str = ""
    setting: int = 0
    style: str = ""

    @property
    def digest(self) -> str:
        """A hex digest of the words that a generator is given."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).hexdigest()


class PromptSet:
    """Prompts under one name; `levels` in their order, every group at each of them. Raises InputError where not.

    `seed`: of the laws' settings, where the prompts are about laws that can be drawn; None elsewhere.
    """

    def __init__(self, name: str, levels: Sequence[str], prompts: Sequence[Prompt], seed: int | None = None) -> None:
        self.name = name
        self.levels = tuple(levels)
        self.prompts = tuple(prompts)
        self.seed = seed
        _check(self)

    @cached_property
    def digest(self) -> str:
        """A hex digest of all prompts and checks: two sets with the same digest ask the same."""
        return hashlib.blake2b(msgspec.json.encode((self.levels, self.prompts)), digest_size=16).hexdigest()

    def without(self, laws: Collection[str]) -> PromptSet:
        """The prompts that are not about these laws, as a set; InputError if there is none."""
        kept = [prompt for prompt in self.prompts if prompt.law not in laws]
        return PromptSet(self.name, self.levels, kept, self.seed)

    @cached_property
    def by_id(self) -> dict[str, Prompt]:
        """The prompts by id."""
        return {prompt.id: prompt for prompt in self.prompts}

    @cached_property
    def groups(self) -> dict[str, dict[str, Prompt]]:
        """The prompts of each group by level."""
        found: dict[str, dict[str, Prompt]] = {}
        for prompt in self.prompts:
            found.setdefault(prompt.group, {})[prompt.level] = prompt
        return found


def cell_of(prompt: Prompt, check: Check) -> str:
    """The cell that a check asks for, as pairs of the suite `laws` test it; "" where nothing can be drawn for it."""
    return f"{prompt.law}/{check.id}" if check.program is not None else ""


def _check(prompts: PromptSet) -> None:
    """Ids are unique, levels complete, weights usable."""
    if not prompts.prompts:
        raise InputError(f"prompt set {prompts.name!r} has no prompts")
    if len(set(prompts.levels)) != len(prompts.levels):
        raise InputError(f"prompt set {prompts.name!r}: a level is named twice: {', '.join(prompts.levels)}")
    if len(prompts.by_id) != len(prompts.prompts):
        seen: set[str] = set()
        twice = next(p.id for p in prompts.prompts if p.id in seen or seen.add(p.id))  # type: ignore[func-returns-value]
        raise InputError(f"prompt set {prompts.name!r}: two prompts have the id {twice!r}")
    for prompt in prompts.prompts:
        where = f"prompt set {prompts.name!r}, prompt {prompt.id!r}"
        if prompt.level not in prompts.levels:
            raise unknown("level", prompt.level, prompts.levels, where)
        if len({check.id for check in prompt.checks}) != len(prompt.checks):
            raise InputError(f"{where}: two checks have the same id")
        for check in prompt.checks:
            if not 0 <= check.weight < math.inf:
                raise InputError(f"{where}, check {check.id!r}: its weight must be 0 or more, not {check.weight}")
        if sum(check.weight for check in prompt.checks) <= 0:
            raise InputError(f"{where}: the weights of its checks sum to 0; give at least one a weight above 0")
    for group, levels in prompts.groups.items():
        missing = [level for level in prompts.levels if level not in levels]
        if missing:
            raise InputError(f"prompt set {prompts.name!r}: group {group!r} has no level {', '.join(missing)}")
