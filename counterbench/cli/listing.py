"""The command `list`: the choices of each kind, with a line on each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import typer

from counterbench.cli.options import AsJson
from counterbench.cli.printing import print_json
from counterbench.errors import chosen
from counterbench.files import catalog
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.laws import Law
    from counterbench.prompts.prompt_set import PromptSet
    from counterbench.suites.families import Parameters

LISTS = {
    "suites": "pairs to test judges on",
    "families": "kinds of pairs, with their parameters, for suites of your own",
    "laws": "rules of small worlds, real and altered",
    "prompts": "prompt sets for text-to-image models",
    "generators": "ways to reach a text-to-image model, and planted ones",
    "protocols": "ways to score generated pictures",
    "judges": "ways to reach a judge, and planted ones with known faults",
    "templates": "ways to ask a judge",
    "rewrites": "ways to put prompts into other words",
    "styles": "ways to draw the same pairs",
    "policies": "what a judge must show to be certified",
    "scorings": "what counts as the right answer",
    "imports": "data sets of others that can be read",
    "exports": "formats of others that pairs and scores can be written in",
}
_SCORINGS = {
    "default": "colour and shape synonyms are accepted (turquoise for cyan)",
    "strict": "only the eight colour names and four shape names",
    "as-released": "the released CounterBench code's rule, its arrow bug included",
}


def list_(
    what: str = typer.Argument("", metavar="WHAT", help="The list to print; without it, the names of all lists."),
    as_json: AsJson = False,
) -> None:
    """List the choices of each kind, with a line on each.

    Example: counterbench list suites
    """
    from counterbench.cli.grid import show_list

    entries = listed(what) if what else LISTS
    if as_json:
        print_json({what or "lists": [{"name": name, "summary": summary} for name, summary in entries.items()]})
        return
    show_list(entries)


def listed(list_name: str) -> dict[str, str]:
    """The names in the list `list_name` of LISTS, each with a line on it; InputError with the valid choices."""
    from counterbench import judges
    from counterbench.drawing import styles
    from counterbench.evidence.policies import load_policy
    from counterbench.interop import IMPORTS
    from counterbench.interop.exports import EXPORTS, RUN_EXPORTS
    from counterbench.judges.planted import PLANTED
    from counterbench.laws import all_laws
    from counterbench.pictures import generators
    from counterbench.pictures.generators import card, planted
    from counterbench.pictures.protocols import PROTOCOLS
    from counterbench.pictures.rewriting import load_rewrite
    from counterbench.prompts.files import load_prompts, names
    from counterbench.prompts.imports import PROMPT_IMPORTS
    from counterbench.runs.queries import load_template
    from counterbench.suites.families import FAMILIES
    from counterbench.suites.suite import load_suite

    lists: dict[str, Callable[[], dict[str, str]]] = {
        "suites": lambda: {
            name: f"{len(suite)} pairs: {suite.description}"
            for name, suite in ((name, load_suite(name)) for name in catalog.names("scenes"))
        },
        "families": lambda: {f.name: f"{f.summary} ({parameters(f.params_type())})" for f in FAMILIES.values()},
        "laws": lambda: {law.name: _law(law) for law in all_laws().values()},
        "prompts": lambda: {name: _size(load_prompts(name)) for name in names()},
        "judges": lambda: (
            judges.KINDS | {f"planted:{n}": f"{judge.summary} (p = {judge.p})" for n, judge in sorted(PLANTED.items())}
        ),
        "generators": lambda: (
            generators.KINDS
            | {f"planted:{name}": generator.summary for name, generator in planted.PLANTED.items()}
            | {f"planted:{card.KIND}": card.SUMMARY}
        ),
        "protocols": lambda: {
            name: f"{spec.summary}\nasks: {spec.asks}\ncalls a picture: {spec.calls}\nneeds: {spec.needs}\n"
            f"version {spec.version}; template: {spec.template}; scoring: {', '.join(spec.scorings)}"
            for name, spec in PROTOCOLS.items()
        },
        "templates": lambda: {name: load_template(name).description for name in catalog.names("probes/templates")},
        "rewrites": lambda: {name: load_rewrite(name).description for name in catalog.names("probes/rewrites")},
        "styles": lambda: styles.SUMMARIES,
        "policies": lambda: {name: load_policy(name).description for name in catalog.names("probes/policies")},
        "scorings": lambda: _SCORINGS,
        "imports": lambda: IMPORTS | PROMPT_IMPORTS,
        "exports": lambda: {name: format_.summary for name, format_ in (EXPORTS | RUN_EXPORTS).items()},
    }
    return chosen("list", list_name, lists)()


def _law(law: Law) -> str:
    """A line on a law: its title, its discipline, and the names of its variants."""
    variants = ", ".join(variant.name + (" (real)" if variant.real else "") for variant in law.variants)
    return f"{law.title} ({law.discipline}: {law.branch}; {variants})"


def _size(prompts: PromptSet) -> str:
    """The size of a prompt set in words; with groups and levels if a group has more than one prompt."""
    drawn = counted(len(prompts.prompts), "prompt")
    if len(prompts.levels) > 1:
        return f"{counted(len(prompts.groups), 'group')}, {drawn} at {', '.join(prompts.levels)}"
    return f"{drawn}, {counted(sum(len(prompt.checks) for prompt in prompts.prompts), 'check')}"


def parameters(params: Parameters) -> str:
    """A family's parameters as they would stand in a suite file."""
    values = msgspec.structs.asdict(params).items()
    return ", ".join(f"{name} = {list(value) if isinstance(value, tuple) else value}" for name, value in values)
