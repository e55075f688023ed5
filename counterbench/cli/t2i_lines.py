"""Lines below the tables of text-to-image models: counts, reasons against a certificate, the legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from counterbench.cli.t2i_slices import shown_slices
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.document import Difference, Document
from counterbench.t2i.scores.labels import LabelledMean
from counterbench.t2i.words import legend, lossy, no_interval, notes, unit, uses
from counterbench.text import counted


def label_lines(generator: str, labelled: Mapping[str, LabelledMean]) -> list[str]:
    """Warnings about the headline numbers by people's labels."""
    return [f"{generator}, {level}: {warning}" for level, of in labelled.items() for warning in of.warnings]


def counts_line(document: Document) -> str:
    """A line with the groups, laws and pictures of a run's numbers."""
    scored, pictures = uses(document)["pictures"]
    laws = len(document.slices.get("law", ()))
    of = counted(pictures, "picture")
    about = f", {counted(laws, 'law')}" if laws else ""
    return f"{document.generator}: {counted(document.groups, unit(document))}{about}, {scored} of {of} scored"


def legend_lines(
    documents: Sequence[Document], differences: Sequence[Difference] = (), sliced: bool = False
) -> list[str]:
    """Lines that explain the names in the tables; `sliced`: tables of the slices were printed too."""
    lines = []
    if lost := lossy(documents):
        lines.append(f"{', '.join(lost)}: how many of all there are the numbers rest on")
    lines += legend(documents)
    shown: list[Mapping[str, Estimate]] = [*(of.columns for of in documents), *(of.columns for of in differences)]
    if sliced:
        parts = [shown_slices(of, documents).values() for of in documents]
        shown += [numbers for of in parts for each in of for numbers in each.values()]
    return lines + no_interval(documents, shown)


def notes_of_all(documents: Sequence[Document], verbose: bool = False) -> list[str]:
    """The notes that every one of several runs has."""
    first, *others = [notes(document, verbose) for document in documents]
    return [note for note in first if others and all(note in each for each in others)]


def note_lines(document: Document, verbose: bool = False, said: Sequence[str] = ()) -> list[str]:
    """Notes on a run's numbers, without those that were `said` of all runs."""
    return [f"{document.generator}: {note}" for note in notes(document, verbose) if note not in said]


def fused_lines(documents: Sequence[Document]) -> list[str]:
    """Lines that name the judges that were joined into one."""
    named = ((of.signature.name, of.judge.partition(": ")[2]) for of in documents)
    return [f"{name}: {judges}; a check counts where each has an answer" for name, judges in named]


def signature_line(document: Document) -> str:
    """A line with the settings and digests behind a run's numbers."""
    s = document.signature
    certificate = f"certificate {s.certificate} ({s.policy})" if s.certificate else "no certificate"
    shown = " · prompt shown" if s.prompt_shown else ""
    return (
        f"prompts {s.prompts} {s.prompts_digest} · generator {s.generator} · {counted(s.samples, 'sample')} · "
        f"seed {s.generator_seed} · judge {s.judge} · "
        f"wording {s.wording} {s.wording_digest[:8]}{shown} · parser {s.parser} · {certificate} · {s.protocol}, "
        f"{s.scoring} scoring · counterbench {s.version}"
    )
