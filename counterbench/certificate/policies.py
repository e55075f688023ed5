"""Policies: what a judge must show, skill by skill, to be certified. TOML files in `probes/policies/`, or one's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.files import catalog, formats

POLICY_FORMAT: Literal["counterbench.policy/1"] = "counterbench.policy/1"
DEFAULT = "standard"

# What the lower end of a 95 % interval must reach. No number of pairs shows 1.
Bound = Annotated[float, msgspec.Meta(ge=0, lt=1)]
Pairs = Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Conditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one skill must show: at least `pairs` pairs; the others bound the lower end of a 95 % Wilson interval.

    `ccs`: of right on both. `sensitivity`, `specificity`: of right on the yes/no questions whose truth is yes, and
    no; they ask nothing where a suite has no yes/no questions of the skill.
    """

    pairs: Pairs
    ccs: Bound
    sensitivity: Bound
    specificity: Bound


class Override(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What differs for one skill; what is left out is as in the default conditions."""

    pairs: Pairs | None = None
    ccs: Bound | None = None
    sensitivity: Bound | None = None
    specificity: Bound | None = None


class ControlConditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the pairs whose truth stays must show, all skills together: the same answer twice, and right on both.

    A constant judge is perfectly stable, so stability alone shows nothing.
    """

    pairs: Pairs
    stability: Bound
    accuracy: Bound


class OutcomeLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most questions without an answer, by outcome, as shares of all questions."""

    unparsed: Share
    refused: Share
    failed: Share


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A policy file. `complete` is always true; `one_model`: the server named one model for all replies of the run."""

    format: Literal["counterbench.policy/1"]
    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=80)]
    description: str = ""
    complete: bool = True
    one_model: bool = True
    default: Conditions
    skills: dict[str, Override] = {}
    control: ControlConditions
    outcomes: OutcomeLimits

    @property
    def digest(self) -> str:
        """A hex digest of the name and of what must be shown; not of the description."""
        plain = msgspec.to_builtins(self)
        demanded = {key: value for key, value in plain.items() if key not in ("format", "description")}
        return hashlib.blake2b(msgspec.json.encode(demanded, order="sorted"), digest_size=16).hexdigest()

    def for_skills(self, skills: Iterable[str]) -> dict[str, Conditions]:
        """The conditions of each of a run's skills; InputError if the policy has some for a skill that is not there.

        So a misspelt skill is never passed over in silence.
        """
        names = list(skills)
        for name in self.skills:
            if name not in names:
                raise unknown("skill", name, names or ["(the run has none)"], f"policy {self.name!r}, [skills]")
        return {name: self._of(self.skills.get(name, Override())) for name in names}

    def _of(self, override: Override) -> Conditions:
        given = {key: value for key, value in msgspec.structs.asdict(override).items() if value is not None}
        return msgspec.structs.replace(self.default, **given)


def load_policy(name: str = DEFAULT) -> Policy:
    """A shipped policy by its bare name, or a policy file; InputError names the file, the key and the valid keys."""
    path: Path = catalog.find("probes/policies", "policy", name)
    policy = formats.read_typed_toml(path, Policy, POLICY_FORMAT)
    if not policy.complete:
        raise InputError(f"{path}: complete must be true: a run with questions left is never certified")
    if usurps(policy):
        raise InputError(
            f"{path}: calls itself {policy.name!r}, the name of a shipped policy, but asks for something else; give it "
            "a name of its own"
        )
    return policy


def usurps(policy: Policy) -> bool:
    """Whether a policy has the name of a shipped one, and other conditions than that has in this version."""
    if policy.name not in catalog.names("probes/policies"):
        return False
    shipped = formats.read_typed_toml(catalog.find("probes/policies", "policy", policy.name), Policy, POLICY_FORMAT)
    return shipped.digest != policy.digest


def laxer(policy: Policy, than: Policy, skills: Iterable[str]) -> list[str]:
    """Where a policy asks for less than another of these skills, the controls and the outcomes; in words."""
    found = []
    asked, wanted = ({s: p._of(p.skills.get(s, Override())) for s in skills} for p in (policy, than))
    for skill in asked:
        found += _below(asked[skill], wanted[skill], f"{skill}: ")
    found += _below(policy.control, than.control, "controls: ")
    for name in OutcomeLimits.__struct_fields__:
        mine, theirs = getattr(policy.outcomes, name), getattr(than.outcomes, name)
        if mine > theirs:
            found.append(f"{name} up to {mine:g}, not {theirs:g}")
    if than.one_model and not policy.one_model:
        found.append("more than one model")
    return found


def _below(one: msgspec.Struct, other: msgspec.Struct, where: str) -> list[str]:
    names = one.__struct_fields__
    return [
        f"{where}{name} {getattr(one, name):g}, not {getattr(other, name):g}"
        for name in names
        if getattr(one, name) < getattr(other, name)
    ]
