"""What is said beneath the tables of text-to-image models: what a row rests on, why it is not certified, the legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from counterbench.cli.t2i_tables import cell_of, heading, lossy, uses
from counterbench.runs.names import short_names
from counterbench.stats.bootstrap import FEWEST
from counterbench.t2i.protocols.cf_eval import SCORINGS
from counterbench.t2i.scores.agreement import why_certify
from counterbench.t2i.scores.document import Difference, Document, stamp
from counterbench.t2i.scores.labels import LabelledMean
from counterbench.text import counted


def label_lines(generator: str, labelled: Mapping[str, LabelledMean]) -> list[str]:
    """What the labels' headline must not leave unsaid."""
    return [f"{generator}, {level}: {warning}" for level, of in labelled.items() for warning in of.warnings]


def counts_line(document: Document) -> str:
    """What a run's numbers are over."""
    scored, pictures = uses(document)["pictures"]
    laws = len(document.slices.get("law", ()))
    of = counted(pictures, "picture")
    about = f", {counted(laws, 'law')}" if laws else ""
    return f"{document.generator}: {counted(document.groups, _unit(document))}{about}, {scored} of {of} scored"


def rests_lines(document: Document) -> list[str]:
    """On how many groups each number rests, where it is not the same for all: data may lack levels, or lose some."""
    found = {name: document.rests_on[name] for name in document.headline if name in document.rests_on}
    if len(set(found.values())) < 2:
        return []
    told = ", ".join(f"{heading(name)} {count}" for name, count in found.items())
    units = counted(document.groups, _unit(document))
    rate = " (a rate: on those with both its levels)" if "prr" in found else ""
    return [f"{document.generator}: of {units} the numbers rest on: {told}{rate}"]


def legend_lines(
    documents: Sequence[Document], differences: Sequence[Difference] = (), sliced: bool = False
) -> list[str]:
    """What the names in the tables mean, a line each; `sliced`: tables of the slices were printed too."""
    lines = []
    if lost := lossy(documents):
        lines.append(f"{', '.join(lost)}: how many of all there are the numbers rest on")
    for signature in [of.signature for of in documents if "prr" in of.headline][:1]:
        readme = SCORINGS[signature.scoring].rates == "readme"
        prr, rrr = ("S_L2 / S_L1", "S_L3² / S_L2") if readme else ("S_L2 / √S_L1", "S_L3 / √S_L2")
        lines.append(f"PRR (prior resistance) = {prr}; RRR (reasoning retention) = {rrr}")
        lines.append(f"gated away: share with S_L1 below {signature.threshold:g}, whose L2 and L3 count 0")
    if any(name.startswith("habit_") for of in documents for name in of.columns):
        lines.append("habit: share of pictures that show the real law's outcome, not the one asked for")
    if any(of.leaning is not None for of in documents):
        lines.append("leans to yes: the share of yes to both less that of no to both; 0: it leans to neither")
    shown = [*(of.columns for of in documents), *(of.columns for of in differences)]
    if sliced:
        shown += [part for of in documents for parts in of.slices.values() for part in parts.values()]
    if any(number.value is not None and number.low is None for of in shown for number in of.values()):
        what = (
            "laws (of one law: groups)" if any(of.slices.get("law") for of in documents) else f"{_unit(documents[0])}s"
        )
        lines.append(f"no interval: from fewer than {FEWEST} {what} it would be too narrow")
    return lines


def note_lines(document: Document, verbose: bool = False) -> list[str]:
    """What the tables must not leave unsaid; of what makes a run uncertified the first reason, with `verbose` all."""
    name, lines = document.generator, []
    for reason in document.reasons if verbose else document.reasons[:1]:
        more = f" (and {len(document.reasons) - 1} more: -v)" if not verbose and len(document.reasons) > 1 else ""
        lines.append(f"{name}: {stamp(document)}: {reason}{more}")
    if document.left_out:
        told = admission(len(document.slices.get("law", ())), document.left_out, document.covered or 0, verbose)
        lines.append(f"{name}: judge {told}")
    if not document.complete:
        counts = document.counts.values()
        gone = sum(of.statuses["missing"] + of.statuses["unreadable"] for of in counts)
        unasked = sum(of.outcomes["failed"] + of.outcomes["unasked"] for of in counts)
        lines.append(
            f"{name}: INCOMPLETE, {counted(gone, 'picture')} missing or unreadable, "
            f"{counted(unasked, 'check')} failed or not asked"
        )
    lost = _lost(document)
    if lost:
        lines.append(f"{name}: {', '.join(lost)}")
    if document.unverified:
        lines.append(f"{name}: {100 * document.unverified:.1f} % of the weight rests on unverified checks")
    for column, both in document.columns.items():
        if column.startswith("both_") and both.value:
            lines.append(
                f"{name}: at {column.removeprefix('both_')} the judge affirms habit's outcome and the asked one in a "
                f"share of {cell_of(both).plain} of pictures; no picture can show both, so it says yes too readily"
            )
    if "rrr" in document.headline and not document.references:
        lines.append(f"{name}: RRR is not monotone; it says nothing without those of turkey and literal beside it")
    return lines


def fused_lines(documents: Sequence[Document]) -> list[str]:
    """Which judges were taken for one."""
    named = ((of.signature.name, of.judge.partition(": ")[2]) for of in documents)
    return [f"{name}: {judges}; a check counts where each has an answer" for name, judges in named]


def uncompared_lines(documents: Sequence[Document], differences: Sequence[Difference]) -> list[str]:
    """Which runs on one prompt set have no difference, since no law is scored in both."""
    compared = {(each.first, each.second) for each in differences}
    named = zip(run_names(documents), documents, strict=True)
    return [
        f"{first} and {second} are not compared: their judges are admitted to no law in common"
        for (first, one), (second, other) in combinations(named, 2)
        if one.signature.prompts_digest == other.signature.prompts_digest
        and (one.left_out or other.left_out)
        and (first, second) not in compared
    ]


def admission(laws: int, left_out: Mapping[str, str], covered: float, verbose: bool = False) -> str:
    """To how many laws a judge is admitted, how much of the weight these are, and to which it is not."""
    out = [f"{law} ({why})" for law, why in left_out.items()]
    shown = out if verbose else out[:3]
    more = f" and {len(out) - len(shown)} more (-v)" if len(out) > len(shown) else ""
    of = f"{laws} of {laws + len(left_out)} laws, {100 * covered:.1f} % of the weight"
    return f"admitted to {of}; not to {', '.join(shown)}{more}"


class _Generator(NamedTuple):
    judge: str  # as short_names takes what it is to shorten
    name: str


def briefly_called(documents: Sequence[Document]) -> list[Document]:
    """The documents under short names of their generators, for tables; their signatures have the whole ones."""
    names = short_names([_Generator(d.generator, d.signature.generator_name) for d in documents])
    return [msgspec.structs.replace(d, generator=name) for d, name in zip(documents, names, strict=True)]


def run_names(documents: Sequence[Document]) -> list[str]:
    """A name for each run: its generator's and, where runs share that, what else differs."""
    judges = short_names([document.signature for document in documents])
    names = []
    for document, judge in zip(documents, judges, strict=True):
        parts = [document.generator]
        parts += [f"by {judge}"] if len(set(judges)) > 1 else []
        parts += ["(prompt shown)"] if document.signature.prompt_shown else []
        names.append(" ".join(parts))
    return names


def has_losses(document: Document) -> bool:
    """Whether anything was lost, so that the bounds are worth a table."""
    return not document.complete or bool(_lost(document))


def signature_line(document: Document) -> str:
    """What the numbers of a run are numbers of."""
    s = document.signature
    certificate = f"certificate {s.certificate} ({s.policy})" if s.certificate else "no certificate"
    shown = " · prompt shown" if s.prompt_shown else ""
    return (
        f"prompts {s.prompts} {s.prompts_digest} · generator {s.generator} · {counted(s.samples, 'sample')} · "
        f"seed {s.generator_seed} · judge {s.judge} · "
        f"wording {s.wording} {s.wording_digest[:8]}{shown} · parser {s.parser} · {certificate} · {s.protocol}, "
        f"{s.scoring} scoring · {s.draws} draws · counterbench {s.version}"
    )


def closing_line() -> str:
    """The reason for certifying judges, for under the tables."""
    return why_certify()


def _unit(document: Document) -> str:
    """What a run's numbers are means over: prompts, where a group has but one."""
    return "group" if len(document.counts) > 1 else "prompt"


def _lost(document: Document) -> list[str]:
    of = document.counts.values()
    pictures = {status: sum(each.statuses[status] for each in of) for status in ("refused", "blank")}
    replies = {outcome: sum(each.outcomes[outcome] for each in of) for outcome in ("unparsed", "refused")}
    return [
        *(f"{counted(count, 'picture')} {status}" for status, count in pictures.items() if count),
        *(f"{counted(count, 'reply', 'replies')} {outcome}" for outcome, count in replies.items() if count),
    ]
