"""Prints the scores of judges on pairs: as tables and lines for people, as CSV rows or as JSON.

In go the folders of runs, one for each judge (`show_scores`, for the command `score`); the functions below take the
scores of a run as a `Document`. `_page` yields the tables and lines in the order in which they are printed.

*CCS* is the share of pairs that are right on both pictures. A *measure* is one of the numbers of a score, such as CCS
(`results.measures`); shares are printed in per cent. A *flip* is an answer that changes with the template (the words
around a question). Colours are those of Table 2 of the paper on CounterBench (Bansal and Gangwani): green from 90 %,
yellow from 70 %, red below.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.cli.amounts import basis_of, usd
from counterbench.cli.grid import GridCell, Table, cell, flat, number_cell, show_result
from counterbench.cli.options import OutputForm
from counterbench.cli.printing import command, say_next
from counterbench.cli.wide import WideCell, WideTable
from counterbench.drawing.styles import FLAT
from counterbench.judges.specs import is_by_order
from counterbench.results.flips import Flips, flips_of
from counterbench.results.measures import LEGEND, MEASURES, PERCENT
from counterbench.results.people import PersonBeside, people_beside
from counterbench.results.results import CONTROLS_OUT
from counterbench.results.rules import SoftScore
from counterbench.results.scores import Document, Provenance, Score, Share, band, in_order, score_runs, why_nothing
from counterbench.runs.folder import BY_CELLS
from counterbench.runs.usage import Called, Usage, answered_as, short_names
from counterbench.text import counted, listed

PeopleByRun = Mapping[str, Sequence[PersonBeside]]  # as `people_beside` gives them, by the run's folder
COLOUR_OF_BAND = {"high": "green", "middle": "yellow", "low": "red"}
LOST_OUTCOMES = ("unparsed", "refused", "failed")
MEASURES_SHOWN = [measure for measure in MEASURES if measure.header]
HEADERS = ("pairs", *(measure.header for measure in MEASURES_SHOWN))
_HEADERS_OF_ONE = [header + (" [95 %]" if header == "CCS" else "") for header in HEADERS]  # in a table of one run
# The outcomes of a reply without an answer, by name, in words.
_NO_ANSWER = {"unparsed": "could not be read as an answer (unparsed)", "refused": "declined (refused)"}


def show_scores(runs: Sequence[Path], scoring: str, form: OutputForm, verbose: bool, wide: bool = False) -> None:
    """Print the scores of the judges in some runs, in the given form.

    `scoring`: the rule by which an answer is right; `verbose`: a table for each run, also by family; `wide`: the layout
    of papers.
    """
    documents = score_runs(runs, scoring)
    flips = {str(run): found for run in runs if (found := flips_of(run, scoring)) is not None}
    people = {str(run): beside for run in runs if (beside := people_beside(run, scoring))}
    show_result(
        form,
        lambda: {"runs": documents} | ({"flips": flips} if flips else {}) | ({"people": people} if people else {}),
        lambda: score_rows(documents, people),
        lambda: _page(documents, flips, people, form is not OutputForm.TABLE, verbose, wide),
    )
    if form is OutputForm.TABLE:
        say_next(command("diagnose", *runs))


def _page(
    documents: Sequence[Document],
    flips: Mapping[str, Flips],
    people: PeopleByRun,
    whole: bool,
    verbose: bool,
    wide: bool,
) -> Iterator[Table | str]:
    """The tables, then the lines about them. `flips`, `people`: by run; `whole`: True to print judges' whole names."""
    with_names = list(zip(judge_names(documents, whole), documents, strict=True))
    if wide:
        yield from judges_in_rows(documents).page()
    elif len(documents) > 1:
        yield from (ccs_table(documents, whole), measures_table(documents, whole))
    if verbose or (len(documents) == 1 and not wide):
        yield from (detail_table(doc, name, verbose) for name, doc in with_names)
    yield from map(flip_table, flips.values())
    yield from (people_table(name, people[doc.run]) for name, doc in with_names if doc.run in people)
    yield from LEGEND[:2] if wide and not verbose else LEGEND
    if any(doc.overall.ccs.of < doc.overall.pairs for doc in documents):
        yield "pairs: with a reply to both pictures, of all pairs"
    for name, doc in with_names:
        yield from outcome_lines(name, doc)
        if doc.observed is not None:
            yield from snapshot_lines(name, doc)
            yield from observation_lines(name, doc.observed)
            yield from cost_lines(name, doc.observed)
        if is_by_order(doc.provenance.judge):
            yield f"{name}: {CONTROLS_OUT}"
        if doc.soft is not None:
            yield soft_line(name, doc.soft)
        if doc.run in flips:
            yield from (f"{name}: {line}" for line in flip_lines(flips[doc.run]))
        for person in people.get(doc.run, ()):
            answered = f"{person.answered} of {counted(person.of, 'pair')} answered"
            yield f"{person.person}: {answered}; by category: {command('score', person.run)}"
    why = why_nothing(documents[0].provenance.truth)
    yield from (f"{name}: every judge scores 0 here: {why}" for name in documents[0].suspect)
    provenances = [doc.provenance for doc in documents]
    yield from judge_lines([name for name, _ in with_names], provenances)
    yield from dict.fromkeys(map(provenance_line, provenances))


def percent(share: Share, interval: bool = False, banded: bool = True) -> GridCell:
    """The cell of a share in per cent, with its `interval` and in the colour of its band (`banded`) if these are True.

    It is a dash for an undefined share.
    """
    return number_cell(share, PERCENT, interval=interval, style=COLOUR_OF_BAND.get(band(share), "") if banded else "")


def ccs_table(documents: Sequence[Document], whole: bool = False) -> Table:
    """The table of CCS by category, with a row for each judge, as the paper's Table 2."""
    names = in_order({name for doc in documents for name in doc.categories})

    def cells(doc: Document) -> list[str | GridCell]:
        """The cells of a judge's row: CCS by category, then overall."""
        by_name = [percent(doc.categories[n].ccs) if n in doc.categories else cell("–") for n in names]
        return [*by_name, percent(doc.overall.ccs, interval=True)]

    return _by_judge("CCS by category (%)", documents, [*names, "overall [95 %]"], cells, whole)


def measures_table(documents: Sequence[Document], whole: bool = False) -> Table:
    """The table of all measures over all pairs, with a row for each judge; `ccs_table` has the intervals of CCS."""
    return _by_judge("Measures over all pairs (%)", documents, HEADERS, lambda doc: _score_cells(doc.overall), whole)


def judges_in_rows(documents: Sequence[Document]) -> WideTable:
    """The scores of runs in the layout of CounterBench's Tables 1 and 2: a row for each judge, in per cent."""
    overall = {"acc orig": "acc_original", "acc int": "acc_intervened", "both": "ccs", "CCS": "ccs"}
    categories = in_order({name for doc in documents for name in doc.categories})
    columns = [*(("all pairs", header) for header in overall), *(("CCS by category", name) for name in categories)]
    places = places_of([doc.provenance for doc in documents])
    table = WideTable("Scores (%)", ["judge", *places], columns, ["both: CCS again, as the paper's Table 1 has it"])
    for doc, judge in zip(documents, judge_names(documents, whole=True), strict=True):
        shares = [getattr(doc.overall, key) for key in overall.values()]
        shares += [doc.categories[name].ccs if name in doc.categories else None for name in categories]
        cells = [WideCell(share, PERCENT, not doc.complete) for share in shares]
        table.add((judge, *(getattr(doc.provenance, name) for name in places)), cells, doc.run)
    return table


def _by_judge(
    title: str,
    documents: Sequence[Document],
    headers: Sequence[str],
    cells: Callable[[Document], list[str | GridCell]],
    whole: bool,
) -> Table:
    """A table with a row for each judge, and columns for suite and style where these are needed (`places_of`).

    `headers`: those of the columns that `cells` fills for a run. `whole`: True to print judges' whole names.
    """
    places = places_of([doc.provenance for doc in documents])
    table = Table(title, ["judge", *places], headers)
    for doc, judge in zip(documents, judge_names(documents, whole), strict=True):
        mark = "" if doc.complete else " (incomplete)"
        table.add_row(judge + mark, *(getattr(doc.provenance, name) for name in places), *cells(doc))
    return table


def detail_table(doc: Document, judge: str, everything: bool = False) -> Table:
    """The table of the measures of one run, overall and by category; with `everything`, by family too.

    A family that is all of its category has no row, since it would repeat that of the category.
    """
    lost_outcomes = [name for name in LOST_OUTCOMES if doc.overall.outcomes[name]]
    title = f"{judge} on {doc.provenance.suite}, {doc.provenance.scoring} scoring (%)"
    table = Table(title, [""], [*_HEADERS_OF_ONE, *lost_outcomes])
    rows = [("overall", doc.overall), *doc.categories.items()]  # a user's own category may have that name
    alone = {n: families[0] for n, families in doc.families_of.items() if len(families) == 1}
    repeated = {family for n, family in alone.items() if doc.families[family].pairs == doc.categories[n].pairs}
    for i, (name, numbers) in enumerate(rows):
        table.add_row(name, *_score_cells(numbers, True, lost_outcomes))
        if i == 0:
            table.add_section()
        for family in doc.families_of.get(name, ()) if everything and i else ():
            if family not in repeated:
                table.add_row(f"· {family}", *_score_cells(doc.families[family], True, lost_outcomes))
    return table


def people_table(judge: str, people: Sequence[PersonBeside]) -> Table:
    """The table of people who answered a run's questions: a row for each, and one of the judge on the same pairs."""
    rows = [(name, numbers) for p in people for name, numbers in ((p.person, p.scores), (judge, p.judge_scores))]
    lost_outcomes = [name for name in LOST_OUTCOMES if any(numbers.outcomes[name] for _, numbers in rows)]
    title = "People, and the judge on the pairs that each of them answered (%)"
    table = Table(title, [""], [*_HEADERS_OF_ONE, *lost_outcomes])
    for i, (name, numbers) in enumerate(rows, 1):
        table.add_row(name, *_score_cells(numbers, True, lost_outcomes))
        if i % 2 == 0 and i < len(rows):
            table.add_section()
    return table


def _score_cells(numbers: Score, interval: bool = False, outcome_names: Sequence[str] = ()) -> list[str | GridCell]:
    """The cells of a row: the number of pairs, the measures, and the number of questions with each of some outcomes.

    `interval`: True to show the interval of CCS. Where replies are missing, the first cell is "with both replies/all".
    """
    pairs = str(numbers.pairs) if numbers.ccs.of == numbers.pairs else f"{numbers.ccs.of}/{numbers.pairs}"
    shares = (percent(getattr(numbers, m.key), interval and m.key == "ccs", m.is_banded) for m in MEASURES_SHOWN)
    return [pairs, *shares, *(str(numbers.outcomes[name]) for name in outcome_names)]


def judge_names(documents: Sequence[Document], whole: bool = False) -> list[str]:
    """The short name of each run's judge, or its whole one."""
    return short_names([doc.provenance for doc in documents], whole)


def judge_lines(names: Sequence[str], called: Sequence[Called]) -> list[str]:
    """A line for each judge whose name in tables is shortened, with the name by which it was asked for."""
    names_of = {name: run.judge for name, run in zip(names, called, strict=True) if run.judge != name}
    return [f"{name} is {judge}" for name, judge in names_of.items()]


def places_of(provenances: Sequence[Provenance]) -> list[str]:
    """The names of the fields to show beside each run: suite if the suites' names differ, style if any is not flat.

    If neither, it is suite if at least the suites' digests differ.
    """
    places = []
    if len({provenance.suite for provenance in provenances}) > 1:
        places.append("suite")
    if any(provenance.style != FLAT for provenance in provenances):
        places.append("style")
    digests = {provenance.suite_digest for provenance in provenances}
    return places or (["suite"] if len(digests) > 1 else [])


def provenance_line(provenance: Provenance) -> str:
    """A line with the settings and digests behind a run's numbers."""
    style = "" if provenance.style == FLAT else f" · style {provenance.style}"
    return (
        f"suite {provenance.suite} {provenance.suite_digest}{style} · template {provenance.template} "
        f"{provenance.template_digest[:8]} · parser {provenance.parser} · scoring {provenance.scoring} · "
        f"truth {provenance.truth} · counterbench {provenance.version}"
    )


def outcome_lines(judge: str, doc: Document) -> list[str]:
    """Warnings about a row of the table: an incomplete run, a run asked cell by cell, lost answers."""
    outcomes = doc.overall.outcomes
    lines = []
    if not doc.complete:
        lines.append(f"{judge}: INCOMPLETE, {doc.unfinished}")
    if doc.by_cells:
        lines.append(f"{judge}: {BY_CELLS}")
    lost = [f"{outcomes[name]} {name}" for name in LOST_OUTCOMES if outcomes[name]]
    if lost:
        lines.append(f"{judge}: of {counted(sum(outcomes.values()), 'question')} {', '.join(lost)}")
    return lines


def score_rows(documents: Sequence[Document], people: PeopleByRun) -> list[dict[str, Any]]:
    """Every number of every run for CSV, fractions: a row for the whole, each category and each family.

    Each person has a row, and one of the judge on the same pairs.
    """
    rows = []
    for doc, judge in zip(documents, judge_names(documents, whole=True), strict=True):
        s = doc.provenance
        run = {"run": doc.run, "judge": judge, "suite": s.suite, "suite_digest": s.suite_digest, "scoring": s.scoring}
        beside = people.get(doc.run, ())
        parts = {
            "overall": {"": doc.overall},
            "category": doc.categories,
            "family": doc.families,
            "person": {person.person: person.scores for person in beside},
            "judge on a person's pairs": {person.person: person.judge_scores for person in beside},
        }
        for part, scores in parts.items():
            for name, numbers in scores.items():
                rows.append(run | {"part": part, "name": name} | flat(msgspec.to_builtins(numbers)))
    return rows


def observation_lines(judge: str, usage: Usage) -> list[str]:
    """Lines on observations while a run was asked that matter for its numbers: changed model, failed tries, …"""
    lines = []
    if len(usage.models) > 1:
        lines.append(f"{judge}: THE MODEL CHANGED within the run; the server answered as {answered_as(usage.models)}")
    if usage.finishes.get("length"):
        cut = counted(usage.finishes["length"], "reply was", "replies were")
        lines.append(f"{judge}: {cut} cut off at the length limit; raise max_tokens")
    if usage.dropped:
        lines.append(f"{judge}: the server refused {', '.join(usage.dropped)}; requests leave them out")
    if usage.failed_attempts:
        kinds = ", ".join(f"{count} {kind}" for kind, count in usage.failed_attempts.items())
        failed = sum(usage.failed_attempts.values())
        lines.append(f"{judge}: {failed} of {counted(usage.attempts, 'try', 'tries')} failed: {kinds}")
    replies = usage.attempts - sum(usage.failed_attempts.values())
    for kind, example in usage.examples.items():
        if kind in _NO_ANSWER:
            lost = f"{usage.outcomes[kind]} of {counted(replies, 'reply', 'replies')} {_NO_ANSWER[kind]}, such as"
            lines.append(f"{judge}: {lost}: {example}")
        elif example:
            lines.append(f"{judge}: {kind}, such as: {example}")
    return lines


def snapshot_lines(judge: str, doc: Document) -> list[str]:
    """A line with the name of the model that answered, by the server, if that is not the name asked for."""
    full_name = doc.provenance.judge
    return [
        f"{judge}: answered by {name}"
        for name in (doc.observed.models if doc.observed is not None and len(doc.observed.models) == 1 else ())
        if name != full_name and name != full_name.partition(":")[2].partition("?")[0]
    ]


def cost_lines(judge: str, usage: Usage) -> list[str]:
    """A line with the cost of all tries of a run, if it is known and not 0."""
    return [f"{judge}: cost {usd(usage.cost)}{basis_of(usage)}"] if usage.cost else []


def soft_line(judge: str, soft: SoftScore) -> str:
    """A line on a judge's probabilities for yes/no questions: of the right answer, their Brier score and residual.

    The Brier score is the mean of (P(yes) − truth)², where truth is 1 for yes and 0 for no. The residual is the mean
    probability of anything but yes and no.
    """
    return (
        f"{judge}: yes/no by {soft.origin}, {soft.questions} questions: P(right answer) {soft.p_right:.3f}, "
        f"Brier {soft.brier:.3f}, residual {soft.residual:.3f}"
    )


def flip_table(flips: Flips) -> Table:
    """The table of CCS by template, in per cent, with intervals."""
    rows = ((name, percent(ccs, interval=True), f"{ccs.of:,}") for name, ccs in flips.templates.items())
    return Table("CCS by template (%)", ["template"], ["CCS [95 %]", "pairs"], rows=rows)


def flip_lines(flips: Flips) -> list[str]:
    """Lines with the flip rate (the share of questions with different answers under the templates), and notes."""
    rate, in_percent = flips.rate, percent(flips.rate, interval=True).plain
    rate_line = (
        f"flip rate: {rate.hits} of {rate.of:,} questions, {in_percent} %, are not answered alike under "
        f"{listed(flips.templates)}"
    )
    return [rate_line, *flips.notes]
