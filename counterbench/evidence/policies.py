"""Policies: the conditions for admitting a judge. TOML files in `probes/policies/`, or files of the user."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from counterbench.files import catalog, formats

DEFAULT = "standard"

# The fewest replies by which a limit is broken, and the chance that a judge within it seems to break it.
_ENOUGH, _CHANCE = 20, 1e-5
# A bound that a share must be shown to exceed; no number of pairs shows 0 or 1.
Bound = Annotated[float, msgspec.Meta(gt=0, lt=1)]
Fraction = Annotated[float, msgspec.Meta(ge=0, le=1)]


class OutcomeLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most questions without an answer, by outcome, as shares of those that were asked."""

    unparsed: Fraction
    refused: Fraction
    failed: Fraction

    def lost(self, outcomes: Mapping[str, int]) -> str:
        """The reason why a run with these replies by outcome can no longer keep a limit; empty while it can.

        A judge that just keeps the limit gives so many such replies less than once in 100,000 runs.
        """
        replies = sum(outcomes.get(name, 0) for name in ("answer", "unparsed", "refused"))
        for name in ("unparsed", "refused"):
            count, most = outcomes.get(name, 0), getattr(self, name)
            if replies >= _ENOUGH and count > most * replies:
                from scipy.special import bdtrc

                if bdtrc(count - 1, replies, most) < _CHANCE:
                    share = f"{count} of {replies} replies {name}, at most {100 * most:g} % are allowed"
                    return f"{share}: more replies cannot mend that; look at the replies, or ask with another template"
        return ""


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bounds that a judge must exceed, and the limits of a test: the content of a policy file."""

    format: Literal["counterbench.policy/2"]
    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=80)]
    description: str = ""
    ccs: Bound  # the CCS of every cell must be shown to exceed this
    control: Bound  # the accuracy on all control pairs together, and on painted words, must be shown to exceed this
    treatment: Bound = 0.7  # the accuracy on control pairs with each other treatment must be shown to exceed this
    alpha: Annotated[float, msgspec.Meta(gt=0, le=0.5)]  # the highest probability to admit any law wrongly
    most: Annotated[int, msgspec.Meta(ge=1, le=5000)]  # pairs asked of a cell before it is left undecided
    days: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]  # the greatest age of the replies of a certificate
    one_model: bool = True  # all replies must name the same model
    outcomes: OutcomeLimits

    @property
    def digest(self) -> str:
        """A hex digest of the name and the conditions, without the description."""
        plain = msgspec.to_builtins(self)
        demanded = {key: value for key, value in plain.items() if key not in ("format", "description")}
        return hashlib.blake2b(msgspec.json.encode(demanded, order="sorted"), digest_size=16).hexdigest()


def load_policy(name: str = DEFAULT) -> Policy:
    """A shipped policy by its bare name, or a policy file; InputError names the file, the key and the valid keys."""
    path: Path = catalog.find("probes/policies", "policy", name)
    return formats.read_typed_toml(path, Policy, "counterbench.policy/2")


def laxer(policy: Policy, other: Policy) -> list[str]:
    """The fields in which a policy asks for less than another, in words."""
    weaker = [
        f"{name} {lax:g}, not {strict:g}"
        for name in ("ccs", "control", "treatment")
        if (lax := getattr(policy, name)) < (strict := getattr(other, name))
    ]
    weaker += [
        f"{name} up to {lax:g}, not {strict:g}"
        for weak, firm, names in (
            (policy, other, ("alpha", "days")),
            (policy.outcomes, other.outcomes, OutcomeLimits.__struct_fields__),
        )
        for name in names
        if (lax := getattr(weak, name)) > (strict := getattr(firm, name))
    ]
    if other.one_model and not policy.one_model:
        weaker.append("more than one model")
    return weaker
