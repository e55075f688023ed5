"""Scores of text-to-image models as tables for people: fractions with two decimals, as in CF-World's Table 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from counterbench.cli.grid import Cell, Table, cell
from counterbench.cli.written import flat
from counterbench.runs.names import short_names
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.document import Bounds, Difference, Document, Part, Rates, Reference, stamp
from counterbench.t2i.scores.labels import LabelledMean

RATES = {"s_l1": "S_L1", "s_l2": "S_L2", "s_l3": "S_L3", "prr": "PRR", "rrr": "RRR"}
_NONE = "–"
_SHORT = ("S_L1", "S_L2", "S_L3", "PRR [95 %]", "RRR [95 %]", "gated away")
_HABIT = {"habit at L2": "l2", "habit at L3": "l3"}
_SHORTER = {
    "gated away": "gated",
    "habit at L2": "hab L2",
    "habit at L3": "hab L3",
    "groups scored": "groups",
    "pictures scored": "pictures",
    "judge unparsed": "unparsed",
    "judge refused": "j.refused",
    "judge failed": "j.failed",
}
_WITH_INTERVAL = ("prr", "rrr")


def headline_tables(documents: Sequence[Document]) -> list[Table]:
    """What each generator scores, a table for each prompt set and scoring, with what turkey and literal score there."""
    sets: dict[tuple[str, str], list[Document]] = {}
    for document in documents:
        sets.setdefault((document.signature.prompts_digest, document.signature.scoring), []).append(document)
    return [_rates_headline(of) if of[0].ungated else _levels_headline(of) for of in sets.values()]


def _rates_headline(documents: Sequence[Document]) -> Table:
    signature = documents[0].signature
    table = _table(
        f"CF-Eval on {signature.prompts}, {signature.scoring} scoring, gate at S_L1 of {signature.threshold:g}",
        documents,
    )
    table.add_column("generator")
    lost = lossy(documents)
    _numbers(table, (*lost, *_SHORT, *_HABIT))
    blank = [""] * len(lost)
    for document in documents:
        table.add_row(_name(document, documents), *_used(document, lost), *_short(document))
        if document.ungated is not None:
            table.add_row("  ungated", *blank, *_rates(document.ungated, _WITH_INTERVAL), style="dim")
    _add_references(table, documents, blank)
    return table


def lossy(documents: Sequence[Document]) -> list[str]:
    """The columns that say on how much a row rests: those in which some row does not rest on all there is."""
    rests = [uses(document) for document in documents]
    return [name for name in ("pictures", "replies") if any(used < of for used, of in (one[name] for one in rests))]


def uses(document: Document) -> dict[str, tuple[int, int]]:
    """How many pictures have a score, and checks of the pictures that are there an answer; of how many."""
    counts = document.counts.values()
    return {
        "pictures": (sum(of.pictures_scored for of in counts), sum(of.pictures for of in counts)),
        "replies": (sum(of.outcomes["answer"] for of in counts), sum(sum(of.outcomes.values()) for of in counts)),
    }


def _used(document: Document, columns: Sequence[str]) -> list[str]:
    rests = uses(document)
    return ["{}/{}".format(*rests[name]) for name in columns]


def rates_tables(documents: Sequence[Document]) -> list[Table]:
    """Every rate of every generator with its interval, gated and not, of sets with the three levels; if any has one."""
    rows = [of for document in documents if document.ungated is not None for of in (document, document.ungated)]
    numbers = [getattr(of, rate) for of in rows for rate in RATES]
    if all(number is None or number.low is None for number in numbers):
        return []
    table = _table("CF-Eval with intervals [95 %]", documents)
    table.add_column("generator")
    _numbers(table, RATES.values())
    for document in documents:
        if document.ungated is not None:
            table.add_row(_name(document, documents), *_rates(document))
            table.add_row("  ungated", *_rates(document.ungated), style="dim")
    return [table]


def _add_references(table: Table, documents: Sequence[Document], blank: Sequence[str]) -> None:
    """The true lines of the planted models; each once, unless the runs were given different ones."""
    shown: list[tuple[str, Reference]] = []
    for document in documents:
        for name, line in document.references.items():
            if (name, line) not in shown:
                shown.append((name, line))
    if shown:
        table.add_section()
    for name, line in shown:
        habit = [_plain(line.reversion.get(level)) for level in ("l2", "l3")]
        cells = [_plain(getattr(line, rate)) for rate in RATES]
        table.add_row(f"{name} (planted, true)", *blank, *cells, _NONE, *habit, style="italic")


def _levels_headline(documents: Sequence[Document]) -> Table:
    signature = documents[0].signature
    levels = list(documents[0].levels)
    table = _table(f"Mean S on {signature.prompts}, {signature.scoring} scoring, no gate [95 %]", documents)
    table.add_column("generator")
    changes = any(document.change is not None for document in documents)
    lost = lossy(documents)
    _numbers(table, (*lost, *levels, *(["change"] if changes else [])))
    for document in documents:
        change = [cell_of(document.change, signed=True)] if changes else []
        numbers = [cell_of(document.levels[level]) for level in levels]
        table.add_row(_name(document, documents), *_used(document, lost), *numbers, *change)
    return table


def parts_table(document: Document, what: str, parts: Mapping[str, Part]) -> Table:
    """One generator's numbers by discipline, law or variant."""
    table = _table(f"{document.generator} by {what}", [document])
    table.add_column(what)
    gated = document.ungated is not None
    levels = list(document.levels)
    _numbers(table, ("groups", *((*_SHORT, *_HABIT) if gated else levels)))
    for name, part in parts.items():
        cells = _short(part) if gated else [cell_of(part.levels[level]) for level in levels]
        table.add_row(name, str(part.groups), *cells)
    return table


def point_table(documents: Sequence[Document]) -> Table:
    """The assessment point alone, beside the weighted score."""
    table = _table("The assessment point alone", documents)
    table.add_column("generator")
    gated = all(document.assessment_point is not None for document in documents)
    levels = list(dict.fromkeys(level for document in documents for level in document.levels))
    _numbers(table, RATES.values() if gated else levels)
    for document in documents:
        if gated and (point := document.assessment_point) is not None:
            table.add_row(_name(document, documents), *_rates(point))
            table.add_row("  ungated", *_rates(point.ungated), style="dim")
        else:
            numbers = (cell_of(document.assessment_levels.get(level)) for level in levels)
            table.add_row(_name(document, documents), *numbers)
    return table


def sweep_table(document: Document) -> Table:
    """The gated rates at other thresholds of the gate."""
    table = _table(f"{document.generator}: other thresholds of the gate", [document])
    _numbers(table, ("S_L1 at least", "gated away", *RATES.values()))
    for swept in document.sweep:
        table.add_row(f"{swept.threshold:g}", cell_of(swept.share_gated), *_rates(swept))
    return table


def bounds_table(document: Document) -> Table:
    """What the losses could do at most: as if all were wrong, left out, or right."""
    table = _table(f"{document.generator}: worst and best that the lost pictures and replies could make it", [document])
    table.add_column("")
    gated = document.ungated is not None
    ends = ("worst", "dropped", "best")
    _numbers(table, (*ends, *(f"{end}, ungated" for end in ends if gated)))
    for name, of in document.bounds.items():
        ungated = _ends(document.ungated_bounds[name]) if gated else []
        table.add_row(RATES.get(name, name), *_ends(of), *ungated)
    return table


def lost_table(documents: Sequence[Document]) -> Table:
    """What there is of pictures and replies at every level."""
    table = _table("Pictures, and the judge's replies to their checks", documents)
    table.keys = 2
    table.add_column("generator")
    table.add_column("level")
    first = next(iter(documents[0].counts.values()))
    replies = [name if name == "answer" else f"judge {name}" for name in first.outcomes]
    _numbers(table, ("groups scored", "pictures scored", *first.statuses, *replies))
    for document in documents:
        for place, (level, of) in enumerate(document.counts.items()):
            scored = (f"{of.groups_scored}/{of.groups}", f"{of.pictures_scored}/{of.pictures}")
            counts = (*of.statuses.values(), *of.outcomes.values())
            table.add_row(_name(document, documents) if place == 0 else "", level, *scored, *map(str, counts))
    return table


def truth_table(
    document: Document, labelled: Mapping[str, LabelledMean], bands: Mapping[str, Estimate | None]
) -> Table:
    """The ungated mean of each level: by people's labels where there are any, as judged, and the band beside it.

    Either may be empty; a level that it lacks has a dash.
    """
    table = _table(f"{document.generator}: ungated means of S, and how far the judge may be off [95 %]", [document])
    table.add_column("level")
    _numbers(table, ("people (PPI++)", "labels", "as judged", "band (Rogan-Gladen)"))
    for level, judged in document.levels.items():
        people, corrected = labelled.get(level), bands.get(level)
        headline = cell_of(people)
        around = cell_of(corrected)
        labels = _NONE if people is None else f"{people.labels}/{people.labels + people.others}"
        table.add_row(level, headline, labels, cell_of(judged), around)
    return table


def differences_table(found: Sequence[Difference], stamp: str) -> Table:
    """Every two generators: the first's numbers less the second's, under the same draws of laws."""
    table = _titled("First less second, paired [95 %]", stamp, keys=2)
    for name in ("first", "second"):
        table.add_column(name)
    gated = all(each.ungated is not None for each in found)
    levels = list(dict.fromkeys(level for each in found for level in each.levels))
    _numbers(table, ("groups", "left out", *(RATES.values() if gated else levels)))
    for each in found:
        numbers = [getattr(each, rate) for rate in RATES] if gated else [each.levels.get(level) for level in levels]
        cells = [cell_of(number, signed=True) for number in numbers]
        table.add_row(each.first, each.second, str(each.groups), str(each.left_out), *cells)
    return table


def score_rows(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Every number of every run for CSV, fractions: a row for the whole, each discipline, law and variant."""
    rows = []
    for document, judge in zip(documents, short_names([d.signature for d in documents]), strict=True):
        s = document.signature
        run: dict[str, Any] = {
            "run": document.run,
            "generator": document.generator,
            "judge": judge,
            "prompts": s.prompts,
        }
        run |= {
            "scoring": s.scoring,
            "admitted": document.admitted,
            "certified": document.certified,
            "complete": document.complete,
            "covered": document.covered,
            "unverified": document.unverified,
        }
        run |= flat({"domain": msgspec.to_builtins(document.domain)}) if document.domain is not None else {}
        whole = {"": Part(**{name: getattr(document, name) for name in Part.__struct_fields__})}
        slices = {"discipline": document.disciplines, "law": document.laws, "variant": document.variants}
        for what, parts in ({"overall": whole} | slices).items():
            rows += [run | {"part": what, "name": n} | flat(msgspec.to_builtins(part)) for n, part in parts.items()]
    return rows


def _short(part: Part) -> list[Cell]:
    """The cells under _SHORT and _HABIT: intervals for the rates alone."""
    habit = [part.habit[level].reverted if level in part.habit else None for level in _HABIT.values()]
    return [*_rates(part, _WITH_INTERVAL), *(cell_of(number, interval=False) for number in (part.share_gated, *habit))]


def _name(document: Document, among: Sequence[Document]) -> str:
    """The generator, and the judge where `among` has several."""
    judges = {
        each.signature.judge: name for each, name in zip(among, short_names([d.signature for d in among]), strict=True)
    }
    marks = [mark] if (mark := stamp(document)) else []
    out, laws = len(document.left_out), len(document.laws)
    marks += [f"{laws} of {laws + out} laws"] if out else []
    marks += ["prompt shown"] if document.signature.prompt_shown else []
    marks += [] if document.complete else ["incomplete"]
    judge = f" by {judges[document.signature.judge]}" if len(judges) > 1 else ""
    return document.generator + judge + (f" ({', '.join(marks)})" if marks else "")


def _numbers(table: Table, headers: Iterable[str]) -> None:
    """Add columns of numbers."""
    for header in headers:
        table.add_column(header, _SHORTER.get(header, ""), justify="right")


def _table(title: str, documents: Iterable[Document]) -> Table:
    return _titled(title, worst_stamp(documents))


def worst_stamp(documents: Iterable[Document]) -> str:
    """What stands over a table of several runs: the stamp of the least that any of them is."""
    stamps = {stamp(document) for document in documents} - {""}
    return max(stamps, key=str.isupper, default="")


def _titled(title: str, stamp: str, keys: int = 1) -> Table:
    return Table(f"{stamp}: {title}" if stamp else title, keys)


def _rates(of: Rates, with_interval: Iterable[str] = RATES) -> list[Cell]:
    return [cell_of(getattr(of, rate), interval=rate in with_interval) for rate in RATES]


def cell_of(number: Estimate | None, signed: bool = False, interval: bool = True) -> Cell:
    """A number with its interval; a dash where it is undefined."""
    if number is None or number.value is None:
        return cell(_NONE, "dim")
    form = "+.2f" if signed else ".2f"
    text = cell(_minus(format(number.value, form)))
    if interval and number.low is not None and number.high is not None:
        text.append(_minus(f" [{number.low:{form}}, {number.high:{form}}]"), style="dim")
    return text


def _minus(number: str) -> str:
    return number.replace("-", "−")


def _plain(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _ends(of: Bounds) -> list[str]:
    return [_plain(of.worst), _plain(of.dropped), _plain(of.best)]
