"""Scores of text-to-image models as tables for people: fractions with two decimals, as in CF-World's Table 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from counterbench.cli.grid import Cell, Table, cell
from counterbench.cli.written import flat
from counterbench.runs.names import short_names
from counterbench.stats.bootstrap import FEWEST
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.agreement import why_certify
from counterbench.t2i.scores.document import Bounds, Difference, Document, Part, Rates, Reference
from counterbench.t2i.scores.labels import LabelledMean
from counterbench.t2i.scores.rules import scoring
from counterbench.text import counted

RATES = {"s_l1": "S_L1", "s_l2": "S_L2", "s_l3": "S_L3", "prr": "PRR", "rrr": "RRR"}
_NONE = "–"
# What judges are certified on; other styles are another domain.
CERTIFIED_STYLE = "flat"
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
    lost = _lossy(documents)
    _numbers(table, (*lost, *_SHORT, *_HABIT))
    blank = [""] * len(lost)
    for document in documents:
        table.add_row(_name(document, documents), *_used(document, lost), *_short(document))
        if document.ungated is not None:
            table.add_row("  ungated", *blank, *_rates(document.ungated, _WITH_INTERVAL), style="dim")
    _add_references(table, documents, blank)
    return table


def _lossy(documents: Sequence[Document]) -> list[str]:
    """The columns that say on how much a row rests: those in which some row does not rest on all there is."""
    uses = [_uses(document) for document in documents]
    return [name for name in ("pictures", "replies") if any(used < of for used, of in (use[name] for use in uses))]


def _uses(document: Document) -> dict[str, tuple[int, int]]:
    """How many pictures have a score, and checks of the pictures that are there an answer; of how many."""
    counts = document.counts.values()
    return {
        "pictures": (sum(of.pictures_scored for of in counts), sum(of.pictures for of in counts)),
        "replies": (sum(of.outcomes["answer"] for of in counts), sum(sum(of.outcomes.values()) for of in counts)),
    }


def _used(document: Document, columns: Sequence[str]) -> list[str]:
    uses = _uses(document)
    return ["{}/{}".format(*uses[name]) for name in columns]


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
    lost = _lossy(documents)
    _numbers(table, (*lost, *levels, *(["change"] if changes else [])))
    for document in documents:
        change = [_number(document.change, signed=True)] if changes else []
        numbers = [_number(document.levels[level]) for level in levels]
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
        cells = _short(part) if gated else [_number(part.levels[level]) for level in levels]
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
            numbers = (_number(document.assessment_levels.get(level)) for level in levels)
            table.add_row(_name(document, documents), *numbers)
    return table


def sweep_table(document: Document) -> Table:
    """The gated rates at other thresholds of the gate."""
    table = _table(f"{document.generator}: other thresholds of the gate", [document])
    _numbers(table, ("S_L1 at least", "gated away", *RATES.values()))
    for swept in document.sweep:
        table.add_row(f"{swept.threshold:g}", _number(swept.share_gated), *_rates(swept))
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
        headline = _number(people)
        around = _number(corrected)
        labels = _NONE if people is None else f"{people.labels}/{people.labels + people.others}"
        table.add_row(level, headline, labels, _number(judged), around)
    return table


def label_lines(generator: str, labelled: Mapping[str, LabelledMean]) -> list[str]:
    """What the labels' headline must not leave unsaid."""
    return [f"{generator}, {level}: {warning}" for level, of in labelled.items() for warning in of.warnings]


def differences_table(found: Sequence[Difference], certified: bool) -> Table:
    """Every two generators: the first's numbers less the second's, under the same draws of laws."""
    table = _titled("First less second, paired [95 %]", certified, keys=2)
    for name in ("first", "second"):
        table.add_column(name)
    gated = all(each.ungated is not None for each in found)
    levels = list(dict.fromkeys(level for each in found for level in each.levels))
    _numbers(table, ("groups", "left out", *(RATES.values() if gated else levels)))
    for each in found:
        numbers = [getattr(each, rate) for rate in RATES] if gated else [each.levels.get(level) for level in levels]
        cells = [_number(number, signed=True) for number in numbers]
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
        run |= {"scoring": s.scoring, "certified": document.certified, "complete": document.complete}
        whole = {"": Part(**{name: getattr(document, name) for name in Part.__struct_fields__})}
        slices = {"discipline": document.disciplines, "law": document.laws, "variant": document.variants}
        for what, parts in ({"overall": whole} | slices).items():
            rows += [run | {"part": what, "name": n} | flat(msgspec.to_builtins(part)) for n, part in parts.items()]
    return rows


def counts_line(document: Document) -> str:
    """What a run's numbers are over."""
    scored, pictures = _uses(document)["pictures"]
    laws = f", {counted(len(document.laws), 'law')}" if document.laws else ""
    of = counted(pictures, "picture")
    return f"{document.generator}: {counted(document.groups, 'group')}{laws}, {scored} of {of} scored"


def legend_lines(
    documents: Sequence[Document], differences: Sequence[Difference] = (), parts: Iterable[Part] = ()
) -> list[str]:
    """What the names in the tables mean, a line each; `parts` are those that a table was printed of."""
    lines = []
    if lost := _lossy(documents):
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
        lines.append(f"{name}: UNCERTIFIED: {reason}{more}")
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
    style = document.signature.style
    if style not in ("", CERTIFIED_STYLE):
        lines.append(
            f"{name}: the prompts ask for a {style}; judges are certified on {CERTIFIED_STYLE} drawings, another domain"
        )
    if document.unverified:
        lines.append(f"{name}: {100 * document.unverified:.1f} % of the weight rests on unverified checks")
    for level, habit in document.habit.items():
        if habit.both.value:
            lines.append(
                f"{name}: at {level} the judge affirms habit's outcome and the asked one in a share of "
                f"{_number(habit.both).plain} of pictures; no picture can show both, so it says yes too readily"
            )
    if document.ungated is not None and not document.references:
        lines.append(f"{name}: RRR is not monotone; it says nothing without those of turkey and literal beside it")
    return lines


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


def _short(part: Part) -> list[Cell]:
    """The cells under _SHORT and _HABIT: intervals for the rates alone."""
    habit = [part.habit[level].reverted if level in part.habit else None for level in _HABIT.values()]
    return [*_rates(part, _WITH_INTERVAL), *(_number(number, interval=False) for number in (part.share_gated, *habit))]


def _name(document: Document, among: Sequence[Document]) -> str:
    """The generator, and the judge where `among` has several."""
    judges = {
        each.signature.judge: name for each, name in zip(among, short_names([d.signature for d in among]), strict=True)
    }
    marks = [] if document.certified else ["UNCERTIFIED"]
    marks += ["prompt shown"] if document.signature.prompt_shown else []
    marks += [] if document.complete else ["incomplete"]
    judge = f" by {judges[document.signature.judge]}" if len(judges) > 1 else ""
    return document.generator + judge + (f" ({', '.join(marks)})" if marks else "")


def _numbers(table: Table, headers: Iterable[str]) -> None:
    """Add columns of numbers."""
    for header in headers:
        table.add_column(header, _SHORTER.get(header, ""), justify="right")


def _table(title: str, documents: Iterable[Document]) -> Table:
    return _titled(title, all(document.certified for document in documents))


def _titled(title: str, certified: bool, keys: int = 1) -> Table:
    stamped = title if certified else f"UNCERTIFIED: {title}"
    return Table(stamped, keys)


def _rates(of: Rates, with_interval: Iterable[str] = RATES) -> list[Cell]:
    return [_number(getattr(of, rate), interval=rate in with_interval) for rate in RATES]


def _number(number: Estimate | None, signed: bool = False, interval: bool = True) -> Cell:
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
