"""The command `list`: the choices of each kind, with a line on each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import typer

from counterbench.cli.options import AsJson
from counterbench.cli.printing import print_json
from counterbench.errors import unknown
from counterbench.files import catalog
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.suites.families import Parameters
    from counterbench.t2i.prompts.prompt_set import PromptSet

LISTS = {
    "suites": "pairs to test judges on",
    "families": "kinds of pairs, with their parameters, for suites of your own",
    "laws": "rules of small worlds, real and altered",
    "prompts": "prompt sets for text-to-image models",
    "generators": "ways to reach a text-to-image model, and planted ones",
    "protocols": "ways to score generated pictures",
    "judges": "ways to reach a judge, and planted ones with known faults",
    "templates": "ways to ask a judge",
    "styles": "ways to draw the same pairs",
    "policies": "what a judge must show to be certified",
    "scorings": "what counts as the right answer",
    "imports": "data sets of others that can be read",
    "exports": "formats of others that pairs can be written in",
}


def list_(
    what: str = typer.Argument("", metavar="WHAT", help="One of the lists; without it, what lists there are."),
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


def listed(what: str) -> dict[str, str]:
    """A line on each thing of one of LISTS, by its name; InputError with the valid choices."""
    match what:
        case "suites":
            from counterbench.suites.suite import load_suite

            suites = {name: load_suite(name) for name in catalog.names("scenes")}
            return {name: f"{len(suite)} pairs: {suite.description}" for name, suite in suites.items()}
        case "families":
            from counterbench.suites.families import FAMILIES

            return {f.name: f"{f.summary} ({parameters(f.params_type())})" for f in FAMILIES.values()}
        case "laws":
            from counterbench.laws import all_laws

            laws = all_laws().values()
            named = {law.name: ", ".join(v.name + " (real)" * v.real for v in law.variants) for law in laws}
            return {law.name: f"{law.title} ({law.discipline}: {law.branch}; {named[law.name]})" for law in laws}
        case "prompts":
            from counterbench.t2i.prompts.files import load_prompts, names

            return {name: _said_of(load_prompts(name)) for name in names()}
        case "judges":
            from counterbench import judges
            from counterbench.judges.planted import PLANTED

            planted = ((name, PLANTED[name]) for name in sorted(PLANTED))
            return judges.KINDS | {f"planted:{name}": f"{judge.summary} (p = {judge.p})" for name, judge in planted}
        case "generators":
            from counterbench.t2i import generators
            from counterbench.t2i.generators import card
            from counterbench.t2i.generators import planted as models

            known = {f"planted:{name}": of.summary for name, of in models.PLANTED.items()}
            return generators.KINDS | known | {f"planted:{card.KIND}": card.SUMMARY}
        case "protocols":
            from counterbench.t2i.protocols import PROTOCOLS

            return {
                name: f"{one.summary}\nasks: {one.asks}\ncalls a picture: {one.calls}\nneeds: {one.needs}\n"
                f"version {one.version}; template: {one.template}; scoring: {', '.join(one.scorings)}"
                for name, one in PROTOCOLS.items()
            }
        case "templates":
            from counterbench.runs.queries import load_template

            return {name: load_template(name).description for name in catalog.names("probes/templates")}
        case "styles":
            from counterbench.drawing.styles import SUMMARIES

            return SUMMARIES
        case "policies":
            from counterbench.certificate.policies import load_policy

            return {name: load_policy(name).description for name in catalog.names("probes/policies")}
        case "scorings":
            return {
                "default": "colour and shape synonyms are accepted (turquoise for cyan)",
                "strict": "only the eight colour names and four shape names",
                "as-released": "the released CounterBench code's rule, its arrow bug included",
            }
        case "imports":
            from counterbench.interop import IMPORTS
            from counterbench.t2i.prompts.imports import PROMPT_IMPORTS

            return IMPORTS | PROMPT_IMPORTS
        case "exports":
            from counterbench.interop.exports import EXPORTS

            return {name: format_.summary for name, format_ in EXPORTS.items()}
        case _:
            raise unknown("list", what, LISTS)


def _said_of(prompts: PromptSet) -> str:
    """Size of a prompt set; with groups and levels if a group has more than one prompt."""
    drawn = counted(len(prompts.prompts), "prompt")
    if len(prompts.levels) > 1:
        return f"{counted(len(prompts.groups), 'group')}, {drawn} at {', '.join(prompts.levels)}"
    return f"{drawn}, {counted(sum(len(prompt.checks) for prompt in prompts.prompts), 'check')}"


def parameters(params: Parameters) -> str:
    """A family's parameters as they would stand in a suite file."""
    given = msgspec.structs.asdict(params).items()
    return ", ".join(f"{name} = {list(value) if isinstance(value, tuple) else value}" for name, value in given)
