"""What there is to choose from, each with a line on it: for `counterbench list` and for people with a Python prompt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from counterbench.files import catalog

if TYPE_CHECKING:
    from counterbench.suites.families import Parameters


def suites() -> dict[str, str]:
    """The shipped suites."""
    from counterbench.suites.suite import load_suite

    loaded = {name: load_suite(name) for name in catalog.names("scenes")}
    return {name: f"{len(suite)} pairs: {suite.description}" for name, suite in loaded.items()}


def families() -> dict[str, str]:
    """The families, with their parameters and defaults."""
    from counterbench.suites.families import FAMILIES

    return {f.name: f"{f.summary} ({parameters(f.params_type())})" for f in FAMILIES}


def parameters(params: Parameters) -> str:
    """A family's parameters as they would stand in a suite file."""
    given = msgspec.structs.asdict(params).items()
    return ", ".join(f"{name} = {list(value) if isinstance(value, tuple) else value}" for name, value in given)


def laws() -> dict[str, str]:
    """The laws, with their disciplines and variants."""
    from counterbench.laws import all_laws

    return {
        one.name: f"{one.title} ({one.discipline}: {one.branch}; "
        f"{', '.join(f'{v.name} (real)' if v.real else v.name for v in one.variants)})"
        for one in all_laws().values()
    }


def prompts() -> dict[str, str]:
    """The shipped prompt sets."""
    from counterbench.t2i.prompts.files import load_prompts, names

    loaded = {name: load_prompts(name) for name in names()}
    return {
        name: f"{len(found.groups)} groups, {len(found.prompts)} prompts at {', '.join(found.levels)}"
        for name, found in loaded.items()
    }


def generators() -> dict[str, str]:
    """The kinds of generators, and the planted ones."""
    from counterbench.t2i.generators import KINDS
    from counterbench.t2i.generators.planted import PLANTED

    return KINDS | {f"planted:{name}": summary for name, (_, summary) in PLANTED.items()}


def protocols() -> dict[str, str]:
    """The ways of scoring generated pictures."""
    from counterbench.t2i.protocols import PROTOCOLS

    return PROTOCOLS


def judges() -> dict[str, str]:
    """The kinds of judges, and the planted ones with their default doses."""
    from counterbench.judges import KINDS
    from counterbench.judges.planted import PLANTED

    planted = {f"planted:{name}": f"{judge.summary} (p = {judge.p})" for name, judge in PLANTED.items()}
    return KINDS | planted


def wordings() -> dict[str, str]:
    """The shipped wordings."""
    from counterbench.runs.wordings import load_wording

    return {name: load_wording(name).description for name in catalog.names("probes/wordings")}


def policies() -> dict[str, str]:
    """The shipped policies."""
    from counterbench.certificate.policies import load_policy

    return {name: load_policy(name).description for name in catalog.names("probes/policies")}


def scorings() -> dict[str, str]:
    """The ways of holding a reply against its key."""
    return {
        "default": "colour and shape synonyms are accepted (turquoise for cyan)",
        "strict": "only the eight colour names and four shape names",
        "as-released": "the released CounterBench code's rule, its arrow bug included",
    }


def imports() -> dict[str, str]:
    """The formats that can be imported."""
    from counterbench.interop import IMPORTS

    return IMPORTS


LISTS: dict[str, Callable[[], dict[str, str]]] = {
    "suites": suites,
    "families": families,
    "laws": laws,
    "prompts": prompts,
    "generators": generators,
    "protocols": protocols,
    "judges": judges,
    "wordings": wordings,
    "policies": policies,
    "scorings": scorings,
    "imports": imports,
}
