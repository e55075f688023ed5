"""What is said beneath the tables of text-to-image models: what a row rests on, why it is not certified, the legend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from counterbench.cli.t2i_tables import cell_of, lossy, uses
from counterbench.runs.names import short_names
from counterbench.stats.bootstrap import FEWEST
from counterbench.t2i.scores.agreement import why_certify
from counterbench.t2i.scores.document import Difference, Document, Part, stamp
from counterbench.t2i.scores.labels import LabelledMean
from counterbench.t2i.scores.rules import scoring
from counterbench.text import counted


def label_lines(generator: str, labelled: Mapping[str, LabelledMean]) -> list[str]:
    """What the labels' headline must not leave unsaid."""
    return [f"{generator}, {level}: {warning}" for level, of in labelled.items() for warning in of.warnings]


def counts_line(document: Document) -> str:
    """What a run's numbers are over."""
    scored, pictures = uses(document)["pictures"]
    laws = f", {counted(len(document.laws), 'law')}" if document.laws else ""
    of = counted(pictures, "picture")
    return f"{document.generator}: {counted(document.groups, 'group')}{laws}, {scored} of {of} scored"


def legend_lines(
    documents: Sequence[Document], differences: Sequence[Difference] = (), parts: Iterable[Part] = ()
) -> list[str]:
    """What the names in the tables mean, a line each; `parts` are those that a table was printed of."""
    lines = []
    if lost := lossy(documents):
        lines.append(f"{', '.join(lost)}: how many of all there are the numbers rest on")
    for signature in [document.signature for document in documents if document.ungated is not None][:1]:
        readme = scoring(signature.scoring).rates == "readme"
        prr, rrr = ("S_L2 / S_L1", "S_L3² / S_L2") if readme else ("S_L2 / √S_L1", "S_L3 / √S_L2")
        lines.append(f"PRR (prior resistance) = {prr}; RRR (reasoning retention) = {rrr}")
        lines.append(f"gated away: share with S_L1 below {signature.threshold:g}, whose L2 and L3 count 0")
    if any(document.habit for document in documents):
        lines.append("habit: share of pictures that show the real law's outcome, not the one asked for")
    shown: list[Part | Difference] = [*documents, *differences, *parts]
    if any(number.value is not None and number.low is None for of in shown for number in of.levels.values()):
        lines.append(f"no interval: from fewer than {FEWEST} laws (of one law: groups) it would be too narrow")
    return lines


def note_lines(document: Document, verbose: bool = False) -> list[str]:
    """What the tables must not leave unsaid; of what makes a run uncertified the first reason, with `verbose` all."""
    name, lines = document.generator, []
    for reason in document.reasons if verbose else document.reasons[:1]:
        more = f" (and {len(document.reasons) - 1} more: -v)" if not verbose and len(document.reasons) > 1 else ""
        lines.append(f"{name}: {stamp(document)}: {reason}{more}")
    if document.left_out:
        told = admission(len(document.laws), document.left_out, document.covered or 0, verbose)
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
    for level, habit in document.habit.items():
        if habit.both.value:
            lines.append(
                f"{name}: at {level} the judge affirms habit's outcome and the asked one in a share of "
                f"{cell_of(habit.both).plain} of pictures; no picture can show both, so it says yes too readily"
            )
    if document.ungated is not None and not document.references:
        lines.append(f"{name}: RRR is not monotone; it says nothing without those of turkey and literal beside it")
    return lines


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
        f"{s.scoring} scoring · {s.draws} draws of laws · counterbench {s.version}"
    )


def closing_line() -> str:
    """The reason for certifying judges, for under the tables."""
    return why_certify()


def _lost(document: Document) -> list[str]:
    of = document.counts.values()
    pictures = {status: sum(each.statuses[status] for each in of) for status in ("refused", "blank")}
    replies = {outcome: sum(each.outcomes[outcome] for each in of) for outcome in ("unparsed", "refused")}
    return [
        *(f"{counted(count, 'picture')} {status}" for status, count in pictures.items() if count),
        *(f"{counted(count, 'reply', 'replies')} {outcome}" for outcome, count in replies.items() if count),
    ]
