"""Policies: what a judge must show, cell by cell, to be admitted. TOML files in `probes/policies/`, or one's own."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from counterbench.files import catalog, formats

POLICY_FORMAT: Literal["counterbench.policy/2"] = "counterbench.policy/2"
DEFAULT = "standard"

# What is to be shown of a share; no number of pairs shows 0 or 1.
Bound = Annotated[float, msgspec.Meta(gt=0, lt=1)]
Count = Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class OutcomeLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most questions without an answer, by outcome, as shares of those that were asked."""

    unparsed: Share
    refused: Share
    failed: Share


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A policy file.

    `ccs`: what the CCS of every cell is to be shown to exceed; `control`: what the accuracy on the pairs whose truth
    stays is, all together. `alpha`: how likely at most a run admits any law of which a cell does not exceed it.
    `most`: so many pairs of a cell are asked before it is left undecided. `days`: how old replies may be that a
    certificate rests on. `one_model`: the server named one model for all replies.
    """

    format: Literal["counterbench.policy/2"]
    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=80)]
    description: str = ""
    ccs: Bound
    control: Bound
    alpha: Annotated[float, msgspec.Meta(gt=0, le=0.5)]
    most: Annotated[int, msgspec.Meta(ge=1, le=5000)]
    days: Count
    one_model: bool = True
    outcomes: OutcomeLimits

    @property
    def digest(self) -> str:
        """A hex digest of the name and of what must be shown; not of the description."""
        plain = msgspec.to_builtins(self)
        demanded = {key: value for key, value in plain.items() if key not in ("format", "description")}
        return hashlib.blake2b(msgspec.json.encode(demanded, order="sorted"), digest_size=16).hexdigest()


def load_policy(name: str = DEFAULT) -> Policy:
    """A shipped policy by its bare name, or a policy file; InputError names the file, the key and the valid keys."""
    path: Path = catalog.find("probes/policies", "policy", name)
    return formats.read_typed_toml(path, Policy, POLICY_FORMAT)


def laxer(policy: Policy, than: Policy) -> list[str]:
    """Where a policy asks for less than another, in words."""
    found = [
        f"{name} {mine:g}, not {theirs:g}"
        for name in ("ccs", "control")
        if (mine := getattr(policy, name)) < (theirs := getattr(than, name))
    ]
    found += [
        f"{name} up to {mine:g}, not {theirs:g}"
        for part, other, names in (
            (policy, than, ("alpha", "days")),
            (policy.outcomes, than.outcomes, OutcomeLimits.__struct_fields__),
        )
        for name in names
        if (mine := getattr(part, name)) > (theirs := getattr(other, name))
    ]
    if than.one_model and not policy.one_model:
        found.append("more than one model")
    return found
