"""Judges beside people, as `align` has them: tables and lines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from counterbench.cli.compare_models import agreement_parts
from counterbench.cli.grid import GridCell, Table, flat, number_cell, show_result
from counterbench.cli.options import OutputForm
from counterbench.pictures.comparing.people import COLUMNS, align
from counterbench.pictures.comparing.people_results import Agreement, Alignment, BesidePeople, Ordered
from counterbench.pictures.scores.rules import mean
from counterbench.prompts.items import columns_given
from counterbench.results.measures import CHANGE, FRACTION
from counterbench.text import counted

plain = FRACTION.plain
RowCells: TypeAlias = tuple[str | GridCell, ...]


def show_alignment(labels: Path, runs: Sequence[Path], columns: str, metrics: Path | None, form: OutputForm) -> None:
    """Print the agreement of the judges of runs about pictures with people, and with each other.

    `labels`: the file of people's labels; `columns`: the text of --columns, "ours=theirs,…"; `metrics`: a file of other
    numbers of the pictures.
    """
    alignment = align(labels, runs, columns_given(columns, COLUMNS), metrics)
    names = alignment.names if form is OutputForm.TABLE else alignment.whole_names
    show_result(
        form,
        lambda: alignment,
        lambda: list(_rows(alignment)),
        lambda: _page(alignment, dict(zip(names, alignment.judges, strict=True))),
    )


def _rows(alignment: Alignment) -> Iterator[dict[str, Any]]:
    """The numbers of each judge as flat rows, for CSV: over all labels, then over each part of them."""
    for name, fields in zip(alignment.whole_names, map(msgspec.to_builtins, alignment.judges), strict=True):
        called = {"judge": name, "name": fields.pop("name"), "part": "overall", "name_of_part": ""}
        slices, _ = fields.pop("slices"), fields.pop("judge")
        words = {key: " ".join(fields.pop(key)) for key in ("runs", "left_out")}
        yield flat(called | _without_lists(fields) | words)
        for kind, parts in slices.items():
            for name_of_part, part in parts.items():
                about = {"part": kind, "name_of_part": name_of_part}
                yield flat(called | about | _without_lists(part))


def _without_lists(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, also inner ones, that are one number or text; lists are in the JSON."""
    inner = {key: _without_lists(value) if isinstance(value, dict) else value for key, value in fields.items()}
    return {key: value for key, value in inner.items() if not isinstance(value, list)}


def _page(alignment: Alignment, judges: Mapping[str, Agreement]) -> Iterator[Table | str]:
    """The tables and lines that are printed for people; `judges`: each judge's agreement, by the name to print."""
    yield from (table for table in _tables(judges) if table.rows)
    yield from agreement_parts(alignment.agreement)
    yield from _notes(alignment, judges)


def _tables(judges: Mapping[str, Agreement]) -> Iterator[Table]:
    """Agreement of judges with people: on yes/no checks, on orders, scores and preferences; the drawn test."""
    judge, exact = ["judge"], "[95 %, exact]"
    numbers = ["checks", "balanced", "accuracy", "F1", "sensitivity", "specificity", "kappa"]
    yield Table(f"Yes/no checks beside people {exact}", judge, numbers, rows=_on_checks(judges))
    for kind in ("dimension", "category"):
        balanced = _by_part("Balanced accuracy", kind, judges, lambda part: part.answers.balanced_accuracy)
        of_scores = _by_part("Spearman of pictures' scores", kind, judges, lambda part: part.pictures.spearman)
        yield balanced if balanced.rows else of_scores
    numbers = ["n", "tau-b", "Spearman", "Pearson", "pairs", "in order", "with ties", "tie up to"]
    orders = {name: (agreement.pictures, agreement.models) for name, agreement in judges.items()}
    for place, what in enumerate(("pictures", "models")):
        yield Table(f"Scores of {what} beside people's", judge, numbers, rows=_on_orders(orders, place))
    numbers = ["pictures", "mean", "within .125", "quartiles"]
    yield Table("Scores less people's, from 0 to 1 [95 %]", judge, numbers, rows=_on_differences(judges))
    edges = [CHANGE.plain(place / 4) for place in range(-4, 5)]
    counts = ((name, found.bins) for name, agreement in judges.items() if (found := agreement.differences) is not None)
    title = "Pictures by the difference of their scores, the nearest of"
    yield Table(title, judge, edges, rows=((name, *map(str, bins)) for name, bins in counts))
    headers, rows = (["judge", "yes from"], ["accuracy", "balanced", "F1"]), _on_thresholds(judges)
    yield Table(f"Scores as yes or no beside people's {exact}", *headers, rows=rows, keys=2)
    numbers = ["pairs", "right", "tied", "tau-b", "Spearman", "in order", "with ties"]
    yield Table(f"People's preferences {exact}", judge, numbers, rows=_on_preferences(judges))
    for title, number in {"in order": "strict", "by tau-b": "tau_b", "by Spearman": "spearman"}.items():
        of_part = partial(_of_preferences, number)
        yield _by_part(f"Preferences {title}", "category", judges, of_part)
    tests = [(name, test) for name, agreement in judges.items() for test in agreement.foretold]
    headers = ["judge", "skill or law"], ["CCS on drawn pairs", "balanced, beside people", "checks"]
    rows = ((name, test.name, number_cell(test.drawn), plain(test.people), str(test.checks)) for name, test in tests)
    yield Table("The drawn test beside people", *headers, rows=rows, keys=2)


def _on_checks(judges: Mapping[str, Agreement]) -> Iterator[RowCells]:
    """The cells of answers to yes/no checks."""
    for name, answers in ((name, agreement.answers) for name, agreement in judges.items()):
        if answers.checks:
            means = map(plain, (answers.balanced_accuracy, answers.accuracy.value, answers.f1))
            shares = map(number_cell, (answers.sensitivity, answers.specificity))
            yield name, str(answers.checks), *means, *shares, plain(answers.kappa)


def _on_orders(orders: Mapping[str, Sequence[Ordered | None]], place: int) -> Iterator[RowCells]:
    """The cells of an order; `orders`: those of each judge, of which the one at `place` is shown."""
    for name, items in ((name, of_judge[place]) for name, of_judge in orders.items()):
        if items is not None and items.items > 1:
            correlations = map(plain, (items.tau_b, items.spearman, items.pearson))
            in_order = map(plain, (items.strict, items.accuracy, items.epsilon))
            yield name, str(items.items), *correlations, str(items.pairs), *in_order


def _on_differences(judges: Mapping[str, Agreement]) -> Iterator[RowCells]:
    """The cells of differences between a judge's scores and people's."""
    for name, found in ((name, agreement.differences) for name, agreement in judges.items()):
        if found is not None:
            quartiles = " ".join(map(CHANGE.plain, found.quartiles))
            yield name, str(found.pictures), number_cell(found.mean, CHANGE), plain(found.within.value), quartiles


def _on_thresholds(judges: Mapping[str, Agreement]) -> Iterator[RowCells]:
    """The cells of thresholds of scores: the fixed ones, then those that were chosen on other pictures."""
    for name, sweep in ((name, agreement.gate or agreement.thresholds) for name, agreement in judges.items()):
        if sweep is not None:
            ends = " to ".join(dict.fromkeys(map(plain, (*sweep.chosen[:1], *sweep.chosen[-1:]))))
            for row in (*sweep.rows, *filter(None, [sweep.held_out])):
                start = f"best: {ends}" if row.threshold is None else plain(row.threshold)
                yield name, start, number_cell(row.accuracy), plain(row.balanced_accuracy), plain(row.f1)


def _on_preferences(judges: Mapping[str, Agreement]) -> Iterator[RowCells]:
    """The cells of preferences."""
    for name, counts in ((name, agreement.preferences) for name, agreement in judges.items()):
        if counts is not None:
            numbers = map(plain, (counts.tau_b, counts.spearman, counts.strict, counts.accuracy))
            pairs = str(counts.right.of + counts.equal)
            yield name, pairs, number_cell(counts.right), str(counts.tied), *numbers


def _of_preferences(number: str, part: BesidePeople) -> float | None:
    """A number of the preferences of a part; None without preferences."""
    return getattr(part.preferences, number, None)


def _by_part(
    title: str, kind: str, judges: Mapping[str, Agreement], number: Callable[[BesidePeople], float | None]
) -> Table:
    """A number by parts of a kind: a row for each judge that has one, a column for each part, and their mean."""
    by_judge = {
        name: {part: number(numbers) for part, numbers in agreement.slices.get(kind, {}).items()}
        for name, agreement in judges.items()
    }
    parts = list(dict.fromkeys(part for values in by_judge.values() for part in values))
    rows = [(name, [values.get(part) for part in parts]) for name, values in by_judge.items() if values]
    cells = ((name, *map(plain, (*row, None if None in row else mean(row)))) for name, row in rows if {*row} - {None})
    return Table(f"{title} by {kind}", ["judge"], [*parts, "mean"], rows=cells)


def _notes(alignment: Alignment, judges: Mapping[str, Agreement]) -> Iterator[str]:
    """Lines that explain the tables, and what was not used."""
    if any(agreement.answers.checks for agreement in judges.values()):
        yield (
            "sensitivity: of the checks to which people say yes, the share to which the judge does; "
            "specificity: the same of no; balanced: their mean; F1: of yes"
        )
    if any(agreement.pictures.pairs or agreement.models for agreement in judges.values()):
        yield (
            "in order: share of pairs (pictures: of one prompt) in people's order, ties included; "
            'with ties: the same, if scores that differ by no more than "tie up to" count as equal'
        )
    if sweeps := [agreement for agreement in judges.values() if agreement.thresholds]:
        yield (
            "best: the threshold with the largest balanced accuracy on nine tenths of the prompts; its numbers are of "
            "the last tenth, ten times; people say yes with a mean of 0.5 or more"
            + (" (cf-eval: pictures of L1)" if any(agreement.gate for agreement in sweeps) else "")
        )
    preferences = [(name, agreement.preferences) for name, agreement in judges.items() if agreement.preferences]
    if preferences:
        yield (
            "right: of the pairs that most people decide, those that the judge decides likewise; in order: of all "
            "pairs, those with the same winner or tie"
        )
    for name, counts in preferences:
        if counts.lost:
            yield (
                f"{name}: {counted(counts.lost, 'preference is', 'preferences are')} of pictures that were not judged, "
                f"or by other names: not used ({counts.first_lost})"
            )
    for choice in alignment.choices:
        yield (
            f"people prefer {choice.first} on {counted(choice.first_better, 'picture')}, {choice.second} on "
            f"{choice.second_better}, neither on {choice.equal}; the first has {FRACTION.whole(choice.share)} of the "
            f"decided, p {choice.p:.2g} (exact)"
        )
        if choice.lost:
            yield f"{counted(choice.lost, 'choice is', 'choices are')} about pictures that no run here has: not used"
    if (rho := alignment.foretells) is not None:
        yield f"does the drawn test foretell? Spearman's rho over judges and skills {plain(rho)}"
    yield from (f"{name}: left out: {why}" for name, agreement in judges.items() for why in agreement.left_out)
    if alignment.others:
        yield f"labels of {', '.join(alignment.others)} are not used: no run here is of these"
    yield from [alignment.raters.line] if alignment.raters is not None else []
