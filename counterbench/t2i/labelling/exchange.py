"""People's labels and preferences as tables, and from tables and Label Studio's JSON that were made elsewhere.

A table of labels has the columns sample, check, label and generator, one of preferences id (the sample), first, second
and better; both may have a column rater. A task of Label Studio has in `data` sample, check and model, or our
question's id.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.t2i.comparing.preferences import BETTER, EQUAL, FIRST, SECOND, read_preferences
from counterbench.t2i.judging.results import JudgedRun
from counterbench.t2i.labelling.answers import RaterFile
from counterbench.t2i.labelling.pairs import Pair
from counterbench.t2i.labelling.units import Question
from counterbench.t2i.scores.labels import fitting, read_labels

_MOST_BYTES = 256_000_000
_SWAPPED = {FIRST: SECOND, SECOND: FIRST, EQUAL: EQUAL}
_VALUES = ("choices", "rating", "number", "text")  # of a result of Label Studio, by its kind


class Told(msgspec.Struct, frozen=True):
    """One answer of a file."""

    rater: str
    id: str  # of the question; empty if the run has none such
    label: str
    where: str


class Imported(msgspec.Struct):
    """The number of answers of a file: all, those that the run has no question for, those that it had already."""

    read: int = 0
    unknown: int = 0
    unchanged: int = 0
    raters: list[str] = []


def label_table(files: Sequence[RaterFile], questions: Mapping[str, Question], named: bool) -> bytes:
    """The CSV of all raters' labels that `t2i score --labels` reads; with their names if `named`."""
    rows = (
        (of.rater, {"sample": about.sample, "check": about.check, "label": label, "generator": about.model})
        for of in files
        for id, label in of.labels.items()
        if (about := questions.get(id)) is not None
    )
    return _table(("sample", "check", "label", "rater", "generator"), rows, files, named)


def preference_table(files: Sequence[RaterFile], pairs: Mapping[str, Pair], named: bool) -> bytes:
    """The CSV of all raters' preferences."""
    rows = (
        (of.rater, {"id": pair.sample, "first": pair.first, "second": pair.second, "better": label})
        for of in files
        for id, label in of.labels.items()
        if (pair := pairs.get(id)) is not None and label in BETTER
    )
    return _table(("id", "first", "second", "better", "rater"), rows, files, named)


def _table(
    columns: Sequence[str], rows: Iterable[tuple[str, dict[str, str]]], files: Sequence[RaterFile], named: bool
) -> bytes:
    """A CSV; raters that are not `named` have numbers, and one alone no column."""
    names = {of.rater: of.rater if named else f"rater-{number}" for number, of in enumerate(files, 1)}
    shown = [column for column in columns if column != "rater" or named or len(files) > 1]
    text = io.StringIO()
    table = csv.DictWriter(text, shown, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(cells | {"rater": names[rater]} for rater, cells in rows)
    return text.getvalue().encode()


def labels_told(path: Path, runs: Sequence[JudgedRun], questions: Iterable[Question]) -> Iterator[Told]:
    """The labels of a CSV, or of Label Studio's JSON; InputError with the place if one fits no answer of its check."""
    kinds = {(of.id, check.id): check.answer_type for run in runs for of in run.prompts.prompts for check in of.checks}
    names = {name: run.kept.model.name for run in runs for name in (run.kept.model.generator, run.kept.model.name)}
    models = {run.kept.model.name for run in runs}
    by_id = {about.id: about for about in questions}
    ids = {(about.model, about.sample, about.check): about.id for about in by_id.values()}
    for rater, id, place, label, where in _studio(path) if path.suffix.lower() == ".json" else _rows(path):
        model, sample, check = place
        if not id and not model and len(models) > 1:
            raise InputError(f"{where}: the run is about {len(models)} models; say in a column `generator` of which")
        found = id or ids.get((names.get(model, model) or min(models), sample, check), "")
        if (about := by_id.get(found)) is None:
            yield Told(rater, "", label, where)
            continue
        try:
            kind = kinds[about.sample.rpartition("/")[0], about.check]
            yield Told(rater, found, fitting(label, kind), where)
        except InputError as error:
            raise InputError(f"{where}: check {about.check!r} {error}") from None


_Row = tuple[str, str, tuple[str, str, str], str, str]  # rater, id, model with sample and check, label, place


def _rows(path: Path) -> Iterator[_Row]:
    for of in read_labels(path):
        yield of.rater or path.stem, "", (of.generator, of.sample, of.check), of.label, of.where


def _studio(path: Path) -> Iterator[_Row]:
    """The labels of Label Studio's JSON export, an annotation each; skipped ones and empty ones are left out."""
    tasks = formats.decode(foreign.read_bytes(path, _MOST_BYTES), list[dict[str, Any]], str(path))
    for number, task in enumerate(tasks, 1):
        data, where = task.get("data"), f"{path}, task {number}"
        if not isinstance(data, dict):
            raise InputError(f"{where}: has no `data`; export as JSON, not as JSON-MIN")
        id, *place = (str(data.get(name) or "") for name in ("id", "model", "sample", "check"))
        for made in task.get("annotations") or ():
            for result in made.get("result") or () if not made.get("was_cancelled") else ():
                value = next((result["value"][kind] for kind in _VALUES if kind in result.get("value", ())), None)
                said = value[0] if isinstance(value, list) and value else value
                if said not in (None, "", []):
                    yield _completed_by(made, path), id, (place[0], place[1], place[2]), str(said).strip(), where


def _completed_by(made: Mapping[str, Any], path: Path) -> str:
    by = made.get("completed_by")
    by = by.get("email") or by.get("id") if isinstance(by, dict) else by
    return path.stem if by is None else str(by)


def preferences_told(path: Path, pairs: Mapping[str, Pair]) -> Iterator[Told]:
    """The preferences of a table; InputError with the place."""
    ids = {(pair.sample, pair.first, pair.second): id for id, pair in pairs.items()}
    for of in read_preferences(path):
        rater = of.rater or path.stem
        if id := ids.get((of.sample, of.second, of.first)):
            yield Told(rater, id, _SWAPPED[of.better], of.where)
        else:
            yield Told(rater, ids.get((of.sample, of.first, of.second), ""), of.better, of.where)


def take(told: Iterable[Told], open_file: Any) -> Imported:
    """Write the answers of a file, each as its rater's; `open_file` opens the file of a rater."""
    counts, by_rater = Imported(), defaultdict[str, dict[str, str]](dict)
    for each in list(told):  # all of it is valid before the first is written
        counts.read += 1
        counts.unknown += not each.id
        if each.id:
            by_rater[_name(each.rater)][each.id] = each.label
    for rater, labels in by_rater.items():
        file = open_file(rater)
        new = {id: label for id, label in labels.items() if file.labels.get(id) != label}
        counts.unchanged += len(labels) - len(new)
        counts.raters.append(rater)
        if new:
            file.add_all(new)
    return counts


def _name(rater: str) -> str:
    """A rater's name as a file may have it."""
    return re.sub("[^A-Za-z0-9._-]+", "-", rater)[:40].strip("-._") or "rater"
