"""What is said beneath the tables of text-to-image models: what a row rests on, why it is not certified, the legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from counterbench.cli.t2i_slices import shown_slices
from counterbench.cli.t2i_tables import cell_of, heading, lossy, uses
from counterbench.laws.base import STILL
from counterbench.runs.names import short_names
from counterbench.stats.bootstrap import FEWEST
from counterbench.stats.intervals import Estimate
from counterbench.t2i.protocols.cf_eval import SCORINGS, CFEval
from counterbench.t2i.scores.agreement import why_certify
from counterbench.t2i.scores.document import Difference, Document, SoftCounts, stamp
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


def apart_lines(document: Document) -> list[str]:
    """How many groups are left out of the headline since nothing happens in them, and what they score."""
    still = document.slice_units.get("depth", {}).get(STILL, 0)
    if still in (0, document.groups):
        return []
    numbers = document.slices["depth"][STILL]
    shown = [name for name in ("s_l3", "rrr") if name in numbers] or document.headline
    told = ", ".join(f"{heading(name)} {cell_of(numbers[name], interval=False).plain}" for name in shown)
    return [f"{document.generator}: of these {counted(still, f'still {_unit(document)}')} counted apart: {told}"]


def rests_lines(document: Document) -> list[str]:
    """On how many groups each number rests, where it is not the same for all: data may lack levels, or lose some."""
    shown = [name for name in (*document.headline, *document.beside) if not name.startswith("missing_")]  # of some laws
    found = {name: document.rests_on[name] for name in shown if name in document.rests_on}
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
    if any(name.startswith("missing_") for of in documents for name in of.columns):
        lines.append("missing: share of pictures in which the subject is not there, as the presence check says")
    if any("still" in of.slices.get("depth", ()) for of in documents):
        lines.append("still: the subject ends as it began, so that a model which draws the start passes")
    if any(of.leaning is not None for of in documents):
        lines.append("leans to yes: the share of yes to both less that of no to both; 0: it leans to neither")
    shown: list[Mapping[str, Estimate]] = [*(of.columns for of in documents), *(of.columns for of in differences)]
    if sliced:
        parts = [shown_slices(of, documents).values() for of in documents]
        shown += [numbers for of in parts for each in of for numbers in each.values()]
    known = [number for of in shown for number in of.values() if number.value is not None]
    if any(number.low is None for number in known):
        some = " in some rows" if any(number.low is not None for number in known) else ""
        what = (
            "laws (of one law: groups)" if any(of.slices.get("law") for of in documents) else f"{_unit(documents[0])}s"
        )
        lines.append(f"no interval{some}: from fewer than {FEWEST} {what} it would be too narrow")
    return lines


def notes_of_all(documents: Sequence[Document], verbose: bool = False) -> list[str]:
    """The notes that every one of several runs has."""
    first, *others = [_notes(document, verbose) for document in documents]
    return [note for note in first if others and all(note in each for each in others)]


def note_lines(document: Document, verbose: bool = False, said: Sequence[str] = ()) -> list[str]:
    """What the tables must not leave unsaid, without what was `said` of all runs."""
    return [f"{document.generator}: {note}" for note in _notes(document, verbose) if note not in said]


def _notes(document: Document, verbose: bool) -> list[str]:
    """Of what makes a run uncertified the first reason, with `verbose` all."""
    lines = []
    for reason in document.reasons if verbose else document.reasons[:1]:
        more = f" (and {len(document.reasons) - 1} more: -v)" if not verbose and len(document.reasons) > 1 else ""
        lines.append(f"{stamp(document)}: {reason}{more}")
    if document.left_out:
        told = admission(len(document.slices.get("law", ())), document.left_out, document.covered or 0, verbose)
        lines.append(f"judge {told}")
    if not document.complete:
        counts = document.counts.values()
        gone = sum(of.statuses["missing"] + of.statuses["unreadable"] for of in counts)
        unasked = sum(of.outcomes["failed"] + of.outcomes["unasked"] for of in counts)
        lines.append(
            f"INCOMPLETE, {counted(gone, 'picture')} missing or unreadable, "
            f"{counted(unasked, 'check')} failed or not asked"
        )
    lost = _lost(document)
    if lost:
        lines.append(f"{', '.join(lost)}")
    if document.soft is not None:
        lines.append(soft_line(document.soft))
    if document.unverified:
        lines.append(f"{100 * document.unverified:.1f} % of the weight rests on unverified checks")
    for column, both in document.columns.items():
        if column.startswith("both_") and both.value:
            lines.append(
                f"at {column.removeprefix('both_')} the judge affirms habit's outcome and the asked one in a "
                f"share of {cell_of(both).plain} of pictures; no picture can show both, so it says yes too readily"
            )
    if "rrr" in document.headline and not document.references:
        lines.append("RRR is not monotone; it says nothing without those of turkey, literal and starter beside it")
    return lines


def soft_line(of: SoftCounts) -> str:
    """What a scoring by probability rests on, and how much of it is on neither yes nor no."""
    if not of.answers:
        return "soft: no answer to a yes/no check; grades count as they are"
    told = f"soft: {of.told} of {counted(of.answers, 'yes/no answer')} with probabilities"
    lost = " (the others are lost)" if of.told < of.answers else ""
    neither = "" if of.neither is None else f"; {of.neither:.3f} of their mass is on neither yes nor no"
    return told + lost + neither


def fused_lines(documents: Sequence[Document]) -> list[str]:
    """Which judges were taken for one."""
    named = ((of.signature.name, of.judge.partition(": ")[2]) for of in documents)
    return [f"{name}: {judges}; a check counts where each has an answer" for name, judges in named]


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


# What tells runs apart that have one name.
_APART: tuple[Callable[[Document], str], ...] = (
    lambda of: f"on {of.signature.prompts}",
    lambda of: f"under {of.protocol}",
    lambda of: f"in {Path(of.run).name}",
    lambda of: f"in {of.run}",
)


def told_apart(documents: Sequence[Document], brief: bool = True) -> list[Document]:
    """The documents, each called as nothing else on the page: by its generator and what else differs.

    `brief`: generators have short names, for tables; their signatures have the whole ones.
    """
    signed = [document.signature for document in documents]
    judges = short_names(signed)
    generators = [document.generator for document in documents]
    if brief:
        called = zip(generators, signed, strict=True)
        generators = short_names([_Generator(generator, s.generator_name) for generator, s in called])
    names = [
        " ".join([name, *([f"by {judge}"] if len(set(judges)) > 1 else []), *(["(prompt shown)"] * s.prompt_shown)])
        for name, judge, s in zip(generators, judges, signed, strict=True)
    ]
    for what in _APART:
        more = [f"{name} {what(document)}" for name, document in zip(names, documents, strict=True)]
        kinds: dict[str, set[str]] = {}
        for name, longer in zip(names, more, strict=True):
            kinds.setdefault(name, set()).add(longer)
        names = [longer if len(kinds[name]) > 1 else name for name, longer in zip(names, more, strict=True)]
    return [msgspec.structs.replace(of, generator=name) for of, name in zip(documents, names, strict=True)]


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


def closing_lines(documents: Sequence[Document]) -> list[str]:
    """The reason for certifying judges, for under the tables: it is about CF-World's numbers."""
    return [why_certify()] if any(of.protocol == CFEval.name for of in documents) else []


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
