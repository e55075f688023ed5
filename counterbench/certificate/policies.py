"""Policies: what a judge must show, cell by cell, to be admitted. TOML files in `probes/policies/`, or one's own."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.files import catalog, formats
from counterbench.runs.wordings import Wording, load_wording

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
    certificate rests on. `one_model`: the server named one model for all replies. `max_flip_rate`: the largest share of
    questions whose answer may hang on the wording, if the judge is to be asked under several. `wordings`: the shipped
    ones under which, if any are named; the share is then over these and the run's own.
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
    max_flip_rate: Bound | None = None
    wordings: tuple[str, ...] = ()

    def further(self, first: Wording) -> list[Wording]:
        """The wordings that it names, beside the one that a run is under."""
        return [one for one in map(load_wording, self.wordings) if one.digest != first.digest]

    @property
    def digest(self) -> str:
        """A hex digest of the name and of what must be shown; not of the description."""
        plain = msgspec.to_builtins(self)
        demanded = {
            key: value
            for key, value in plain.items()
            if key not in ("format", "description") and value not in (None, ())
        }
        return hashlib.blake2b(msgspec.json.encode(demanded, order="sorted"), digest_size=16).hexdigest()


def load_policy(name: str = DEFAULT) -> Policy:
    """A shipped policy by its bare name, or a policy file; InputError names the file, the key and the valid keys."""
    path: Path = catalog.find("probes/policies", "policy", name)
    policy = formats.read_typed_toml(path, Policy, POLICY_FORMAT)
    if usurps(policy):
        raise InputError(
            f"{path}: calls itself {policy.name!r}, the name of a shipped policy, but asks for something else; give it "
            "a name of its own"
        )
    refuse_wordings(policy, str(path))
    return policy


def refuse_wordings(policy: Policy, where: str) -> None:
    """InputError unless the wordings that a policy names, if any, are shipped ones whose flip rate it bounds."""
    shipped, place = catalog.names("probes/wordings"), f"{where}, wordings"
    said: dict[str, str] = {}
    for name in policy.wordings:
        if name not in shipped:
            raise unknown("shipped wording", name, shipped, place)
        asks = msgspec.structs.replace(load_wording(name), shows_prompt=False).digest  # what certifies has no prompts
        if asks in said:
            raise InputError(
                f"{place}: {said[asks]!r} and {name!r} ask about pairs in the same words; name one of them, once"
            )
        said[asks] = name
    if len(policy.wordings) == 1:
        raise InputError(f"{place}: nothing flips under {policy.wordings[0]!r} alone; name two or more, or none")
    if policy.wordings and policy.max_flip_rate is None:
        raise InputError(f"{place}: nothing is asked of them; give max_flip_rate as well, such as 0.1")


def usurps(policy: Policy) -> bool:
    """Whether a policy has the name of a shipped one, and other conditions than that has in this version."""
    if policy.name not in catalog.names("probes/policies"):
        return False
    shipped = formats.read_typed_toml(catalog.find("probes/policies", "policy", policy.name), Policy, POLICY_FORMAT)
    return shipped.digest != policy.digest


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
    if than.max_flip_rate is not None and (policy.max_flip_rate or 1) > than.max_flip_rate:
        allowed = "any flip rate" if policy.max_flip_rate is None else f"flip rate up to {policy.max_flip_rate:g}"
        found.append(f"{allowed}, not {than.max_flip_rate:g}")
    if unnamed := [name for name in than.wordings if name not in policy.wordings]:
        found.append(f"not under the wordings {', '.join(unnamed)}")
    return found
