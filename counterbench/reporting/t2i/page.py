"""The page about models: templates filled with the gathered data, for any protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from counterbench.reporting import words as common
from counterbench.reporting.figures import Plot
from counterbench.reporting.frame import render
from counterbench.reporting.t2i.cards import OUTCOMES, SHOWS, GroupCard
from counterbench.reporting.t2i.gather import ModelData
from counterbench.reporting.t2i.plots import main_number
from counterbench.stats.intervals import Estimate
from counterbench.t2i import words
from counterbench.t2i.protocols.cf_eval.gate import LEVELS, SHOWN
from counterbench.t2i.run_scores import scored_part
from counterbench.t2i.scores.document import Numbers, stamp
from counterbench.text import counted

# Cards in the document at a time; each card has every picture of a group.
_CARDS = 8
# The columns of the table of habit, and the prefixes of columns that the first table leaves out.
_HABIT = (*SHOWN, "missing")
_APART = ("habit_", "missing_")


class ModelGallery(msgspec.Struct, frozen=True, kw_only=True):
    """The data for the gallery's script."""

    groups: list[GroupCard]
    runs: list[str]
    outcomes: dict[str, str]
    shows: dict[str, str]
    pictures: list[str]
    base: str  # comes before every source
    page: int = _CARDS


def model_page(data: ModelData, plots: Sequence[Plot], gallery: ModelGallery, notes: Sequence[str]) -> str:
    """The report as one HTML document; `notes`: sentences about its pictures."""
    documents = data.documents
    first = documents[0]
    habit = _habit(data)
    parts = {kind: _part_tables(data, kind) for kind in data.kinds}
    gate = [plot for plot in plots if plot.section == "gate"]
    truth = (
        any(run.band for run in data.runs)
        or any(run.by_people for run in data.runs)
        or any(of.leaning for of in documents)
    )
    contents = {
        "result": "Result",
        "habit": "Habit" if habit else "",
        "gate": "Gate" if gate else "",
        "parts": "Parts" if parts else "",
        "differences": "Differences" if len(documents) > 1 else "",
        "losses": "Losses",
        "truth": "People and errors" if truth else "",
        "judges": "Judge" if len({of.judge for of in documents}) == 1 else "Judges",
        "signatures": "Signatures",
        "gallery": "Gallery",
    }
    checks = [check for group in gallery.groups for level in group.levels for check in level.checks]
    samples = [sample for group in gallery.groups for level in group.levels for sample in level.samples]
    seen = {name for sample in samples for name in sample.outcomes}
    return render(
        "t2i/page.html",
        _FILTERS,
        styles=("style.css", "t2i/style.css"),
        scripts=("gallery.js", "t2i/groups.js"),
        gallery=gallery,
        base=gallery.base,
        plots=plots,
        title=_title(data),
        contents=[(id, name) for id, name in contents.items() if name],
        data=data,
        runs=data.runs,
        first=first,
        columns=[name for name in data.columns if not (habit and name.startswith(_APART))],
        uncertified=_uncertified(data),
        notes=_notes(data),
        models=_models(data),
        lossy=words.lossy(documents),
        references=data.references,
        intervals=any(number.low is not None for of in documents for number in of.columns.values()),
        legend=[*words.legend(documents), *words.no_interval(documents, [of.columns for of in documents])],
        habit=habit,
        parts_of=parts,
        truth=truth,
        levels=list(dict.fromkeys(level for of in documents for level in of.counts)),
        skills=sorted({check.skill for check in checks} - {""}),
        outcomes={name: label for name, label in OUTCOMES.items() if name in seen},
        shows={name: label for name, label in SHOWS.items() if any(sample.shows == name for sample in samples)},
        labelled=any(run.people for run in data.runs),
        statuses=_some("ok", (of.statuses for each in documents for of in each.counts.values())),
        replies=_some("answer", (of.outcomes for each in documents for of in each.counts.values())),
        picture_notes=notes,
    )


def _title(data: ModelData) -> str:
    prompts, runs = data.documents[0].signature.prompts, len(data.runs)
    if runs == 1:
        return f"{data.runs[0].label} on {prompts}"
    return f"One model by {runs} judges on {prompts}" if _models(data) == 1 else f"{runs} models on {prompts}"


def _models(data: ModelData) -> int:
    """The number of models of the runs: several judges may have looked at one model's pictures."""
    return len({(run.run.kept.info.generator, run.run.kept.info.images) for run in data.runs})


def _habit(data: ModelData) -> list[tuple[str, str, list[Estimate | None]]]:
    """Model, level, and the shares of its pictures by the outcome shown, and of those without the subject."""
    named: list[tuple[str, Mapping[str, Estimate]]] = [(run.label, run.document.columns) for run in data.runs]
    for name, line in data.references.items():
        named.append((f"{name} (planted)", {column: Estimate(value, None, None) for column, value in line.items()}))
    levels = [level for level in LEVELS if any(f"habit_{level}" in of for _, of in named)]
    return [
        (name, level.upper(), [of.get(f"{what}_{level}") for what in _HABIT]) for name, of in named for level in levels
    ]


def _uncertified(data: ModelData) -> list[tuple[str, list[str]]]:
    """The runs whose numbers are not certified, with the reasons; runs with the same reasons together."""
    by_reasons: dict[tuple[str, ...], list[str]] = {}
    for run in data.runs:
        if said := stamp(run.document):
            by_reasons.setdefault((said, *run.document.reasons), []).append(run.label)
    return [(f"{common.listed(labels)}, {said}", reasons) for (said, *reasons), labels in by_reasons.items()]


class PartTable(msgspec.Struct, frozen=True):
    """Numbers by part."""

    columns: list[str]
    rows: dict[str, list[tuple[str, int, Numbers]]]  # by a part's name: a label, units and numbers for each run


def _part_tables(data: ModelData, kind: str) -> PartTable:
    by_run = [of.slices.get(kind, {}) for of in data.documents]
    there = list(dict.fromkeys(name for parts in by_run for part in parts.values() for name in part))
    known = [*data.columns, *(name for name in there if name.startswith("neither_"))]
    columns = [name for name in known if name in there]
    columns = columns or [name for name in there if name.startswith("ungated_s_")]
    rows = {
        name: [
            (run.label, run.document.slice_units[kind][name], parts[name])
            for run, parts in zip(data.runs, by_run, strict=True)
            if name in parts
        ]
        for name in dict.fromkeys(name for parts in by_run for name in parts)
    }
    return PartTable(columns, rows)


def _some(first: str, counts: Iterable[Mapping[str, int]]) -> list[str]:
    """The names with a count above 0 anywhere, and `first` always."""
    known = list(counts)
    return [name for name in known[0] if name == first or any(of[name] for of in known)]


def _notes(data: ModelData) -> list[tuple[str, str]]:
    """The runs' labels and the notes that their numbers need, except for reasons of no certification."""
    by_note: dict[str, list[str]] = {}
    for run in data.runs:
        document = run.document
        said = [note for note in words.notes(document, True) if not note.startswith(f"{stamp(document)}: ")]
        lines = (*words.apart_lines(document), *words.rests_lines(document))
        rests = (line.removeprefix(f"{document.generator}: ") for line in lines)
        for note in (*said, *rests):
            by_note.setdefault(note, []).append(run.label)
    return [
        ("All" if 1 < len(labels) == len(data.runs) else common.listed(labels), note)
        for note, labels in by_note.items()
    ]


_FILTERS: dict[str, Any] = {
    "counted": counted,
    "has_losses": words.has_losses,
    "heading": words.heading,
    "listed": common.listed,
    "main_number": main_number,
    "named": common.named,
    "plain": words.plain,
    "scored_part": scored_part,
    "sentence": common.sentence,
    "signed": lambda name: name in words.SIGNED,
    "stamp": stamp,
    "unit": words.unit,
    "uses": words.uses,
}
