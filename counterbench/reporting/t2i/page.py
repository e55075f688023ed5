"""The page about models: templates filled with the gathered data, for any protocol."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from counterbench.reporting import words as common
from counterbench.reporting.frame import Fact, Filter, Plot, render
from counterbench.reporting.pictures import Placed
from counterbench.reporting.t2i.cards import OUTCOMES, SHOWS, GroupCard
from counterbench.reporting.t2i.gather import ModelData
from counterbench.reporting.words import counted
from counterbench.stats.intervals import Estimate
from counterbench.t2i import words
from counterbench.t2i.comparing.judges import COLUMNS, NOTE
from counterbench.t2i.protocols.cf_eval.gate import LEVELS, SHOWN
from counterbench.t2i.scores.document import Document, Numbers, stamp
from counterbench.text import listed

# Cards in the document at a time; each card has every picture of a group.
_CARDS = 8
# The columns of the table of priors, and the prefixes of columns that the first table leaves out.
_PRIOR = (*SHOWN, "missing")
_APART = ("prior_", "missing_")


def model_page(
    data: ModelData, plots: Sequence[Plot], groups: Sequence[GroupCard], placed: Placed, notes: Sequence[str]
) -> str:
    """The report as one HTML document; `notes`: sentences about its pictures."""
    documents = data.documents
    first, s = documents[0], documents[0].provenance
    several = len(documents) > 1
    prior = _prior(data)
    parts = {kind: _part_table(data, kind) for kind in data.kinds}
    truth = any(run.by_people or run.document.leaning for run in data.runs)
    counts = [of for each in documents for of in each.counts.values()]
    replies = _some("answer", [of.outcomes for of in counts])
    models = len({(run.run.kept.model.generator, run.run.kept.model.images) for run in data.runs})
    named = data.runs[0].label if not several else "One model" if models == 1 else f"{models} models"
    protocols = list(dict.fromkeys(of.protocol for of in documents))
    views = (("by", "judge", len({run.judge for run in data.runs})), ("under", "protocol", len(protocols)))
    named += "".join(f" {by} {counted(count, what)}" for by, what, count in views if count > 1)
    several_samples = sorted({of.provenance.samples for of in documents})
    samples = f"{listed(list(map(str, several_samples)), 'or')} picture{'s' * (several_samples != [1])}"
    judges = listed(list(dict.fromkeys(common.named(run.judge) for run in data.runs)))
    return render(
        "models",
        _FILTERS,
        script="groups.js",
        gallery={
            "groups": groups,
            "runs": [run.label for run in data.runs],
            "shows": SHOWS,
            "pictures": [source for of in placed.sources for source in of],
            "base": placed.base,
            "page": _CARDS,
        },
        plots=plots,
        contents={
            "result": "Result",
            "prior": "Prior" if prior else "",
            "parts": "Parts" if parts else "",
            "differences": "Differences" if several else "",
            "losses": "Losses",
            "truth": "People and errors" if truth else "",
            "judges": "Judge" if len({of.judge for of in documents}) == 1 else "Judges",
            "provenance": "Provenance",
            "gallery": "Gallery",
        },
        title=f"{named} on {s.prompts}",
        lede=f"Pictures by {counted(models, 'text-to-image model')}, for {counted(first.groups, words.unit(first))}"
        f"{'' if words.unit(first) == 'prompt' else ' of prompts'}: {samples} of each prompt, "
        f"judged by {judges}. The protocol is {listed(protocols)}.",
        stamp=[
            f"prompts {s.prompts} {s.prompts_digest[:8]}",
            *dict.fromkeys(f"protocol {of.protocol} {of.provenance.protocol_version}" for of in documents),
            f"scoring {s.scoring}",
            *([f"gate at {s.threshold:g}"] if s.threshold is not None else []),
            f"counterbench {s.version}",
        ],
        data=data,
        first=first,
        several=several,
        ranks=_ranks(data),
        agreement=[line for each in data.compared.agreement for line in (*each.turns, NOTE)],
        agreement_columns=COLUMNS,
        columns=[name for name in data.columns if not (prior and name.startswith(_APART))],
        uncertified=_uncertified(data),
        notes=_notes(data),
        lossy=words.lossy(documents),
        intervals=any(number.low is not None for of in documents for number in of.columns.values()),
        legend=[*words.legend(documents), *words.no_interval(documents, [of.columns for of in documents])],
        prior=prior,
        parts_of=parts,
        statuses=_some("ok", [of.statuses for of in counts]),
        replies=replies,
        reply_headings=["answers" if name == "answer" else f"judge {name}" for name in replies],
        judges=[(run, list(_certification(run.document))) for run in data.runs],
        provenance=[(run.label, list(_provenance(run.document))) for run in data.runs],
        filters=list(_filters(data, groups)),
        picture_notes=notes,
    )


def _filters(data: ModelData, groups: Sequence[GroupCard]) -> Iterator[Filter]:
    """The gallery's filters: those among whose values there is a choice."""
    levels = [level for group in groups for level in group.levels]
    samples = [sample for level in levels for sample in level.samples]
    seen = {name for sample in samples for name in sample.outcomes}
    shows = {sample.shows for sample in samples}
    skills = sorted({check.skill for level in levels for check in level.checks} - {""})
    names = list(dict.fromkeys(level for of in data.documents for level in of.counts))
    if len(names) > 1:
        yield "level", "Level", "all levels", [(name, name) for name in names]
    if len(data.runs) > 1:
        yield "run", "Model", "any model", [(str(n), run.label) for n, run in enumerate(data.runs)]
    yield "outcome", "Outcome", "any outcome", [(name, label) for name, label in OUTCOMES.items() if name in seen]
    if shows - {""}:
        yield "shows", "Shows", "anything", [(name, label) for name, label in SHOWS.items() if name in shows]
    if skills:
        yield "skill", "Skill of the check", "any skill", [(name, name) for name in skills]
    if any(run.people for run in data.runs):
        said = [("disagree", "judge and person disagree"), ("labelled", "labelled by a person")]
        yield "people", "Judge and person", "any picture", said


def _provenance(of: Document) -> Iterator[Fact]:
    s = of.provenance
    seed = f"{counted(s.samples, 'sample')} of each prompt, seed {s.generator_seed}"
    yield "generator", seed, common.named(s.generator)
    yield "prompts", s.prompts, s.prompts_digest
    yield "template", s.template + (", prompt shown" if s.prompt_shown else ""), s.template_digest
    intervals = f"intervals over {counted(of.clusters, 'cluster')}"
    versions = f"parser {s.parser}, counterbench {s.version}"
    yield "protocol", f"{s.protocol} {s.protocol_version}, {s.scoring} scoring, {intervals}, {versions}", ""
    yield "run", of.run, ""


def _certification(of: Document) -> Iterator[Fact]:
    s = of.provenance
    yield "judge", "", common.named(s.judge)
    yield "certificate", f"policy {s.policy}" if s.certificate else "none", s.certificate
    if of.domain:
        yield "pictures", of.domain.text, ""
    if of.covered is not None:
        yield "weight of admitted laws", f"{100 * of.covered:.1f} %", ""
    for name, share in of.not_tested.items():
        yield "not tested", f"{name}, {100 * share:.1f} % of the weight", ""
    if of.left_out:
        yield "laws left out", ", ".join(f"{law} ({why})" for law, why in of.left_out.items()), ""


def _prior(data: ModelData) -> list[tuple[str, str, list[Estimate | None]]]:
    """Model, level, and the shares of its pictures by the outcome shown, and of those without the subject."""
    named: list[tuple[str, Mapping[str, Estimate]]] = [(run.label, run.document.columns) for run in data.runs]
    for name, line in data.references.items():
        named.append((f"{name} (planted)", {column: Estimate(value, None, None) for column, value in line.items()}))
    levels = [level for level in LEVELS if any(f"prior_{level}" in of for _, of in named)]
    return [
        (name, level.upper(), [of.get(f"{what}_{level}") for what in _PRIOR]) for name, of in named for level in levels
    ]


def _ranks(data: ModelData) -> dict[str, str]:
    """The rank of each compared run by its main number, in words."""
    main = {of.run: words.main_number(of) for of in data.documents}
    return {
        run.run: f"rank {rank.span} of {len(one.runs)}"
        for one in data.compared.comparisons
        for run in one.runs
        for rank in one.ranks[main[run.run]]
        if one.contrasts and rank.model == run.model
    }


def _uncertified(data: ModelData) -> list[tuple[str, list[str]]]:
    """The runs whose numbers are not certified, with the reasons; runs with the same reasons together."""
    by_reasons: dict[tuple[str, ...], list[str]] = {}
    for run in data.runs:
        if said := stamp(run.document):
            by_reasons.setdefault((said, *run.document.reasons), []).append(run.label)
    return [(f"{listed(labels)}, {said}", reasons) for (said, *reasons), labels in by_reasons.items()]


def _part_table(data: ModelData, kind: str) -> dict[str, Any]:
    """Numbers by part: columns, their headings, and by a part's name a label, units and numbers for each run."""
    by_run = [of.slices.get(kind, {}) for of in data.documents]
    there = list(dict.fromkeys(name for parts in by_run for part in parts.values() for name in part))
    known = [*data.columns, *(name for name in there if name.startswith("neither_"))]
    columns = [name for name in known if name in there]
    columns = columns or [name for name in there if name.startswith("ungated_s_")]
    rows: dict[str, list[tuple[str, int, Numbers]]] = {}
    for run, parts in zip(data.runs, by_run, strict=True):
        for name, numbers in parts.items():
            rows.setdefault(name, []).append((run.label, run.document.slice_units[kind][name], numbers))
    headings = ["ungated " * name.startswith("ungated_") + words.heading(name) for name in columns]
    return {"columns": columns, "headings": headings, "rows": rows}


def _some(first: str, counts: Sequence[Mapping[str, int]]) -> list[str]:
    """The names with a count above 0 anywhere, and `first` always."""
    return [name for name in counts[0] if name == first or any(of[name] for of in counts)]


def _notes(data: ModelData) -> list[tuple[str, str]]:
    """The runs' labels and the notes that their numbers need, except for reasons of no certification."""
    by_note: dict[str, list[str]] = {}
    for run in data.runs:
        document = run.document
        for note in (*words.notes(document), *words.apart_lines(document), *words.rests_lines(document)):
            by_note.setdefault(note, []).append(run.label)
    return [("All" if 1 < len(labels) == len(data.runs) else listed(labels), note) for note, labels in by_note.items()]


_FILTERS: dict[str, Any] = {
    "has_losses": words.losses,
    "heading": words.heading,
    "main_number": words.main_number,
    "p_value": common.p_value,
    "plain": words.plain,
    "stamp": stamp,
    "signed": lambda name: name in words.SIGNED,
    "unit": words.unit,
    "uses": words.uses,
}
