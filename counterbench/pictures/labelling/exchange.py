"""People's labels and preferences as tables, also those that were made elsewhere.

A table of labels has the columns sample, check, label and generator, one of preferences id (the sample), first, second
and better; both may have a column rater.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.pictures.comparing.preferences import BETTER, read_preferences
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.labelling.answers import RaterFile, rater_files
from counterbench.pictures.labelling.pairs import ModelPair, QuestionsById
from counterbench.pictures.labelling.units import LabelQuestion
from counterbench.pictures.scores.labels import fitting, read_labels
from counterbench.suites.comparisons import SWAPPED

_RaterAnswer = tuple[str, str, str]  # a rater, the id of a question (empty if the run has none such), the answer


class ImportedLabels(msgspec.Struct):
    """The number of answers of a file, and of those that the run has no question for."""

    read: int
    unknown: int
    raters: list[str]


def answer_table(run: Path, questions: QuestionsById, pairs: bool, named: bool) -> bytes:
    """The CSV of all raters' answers, as UTF-8.

    `named`: raters have their names in it, else numbers; without names one rater alone has no column. `pairs`: the
    answers about pairs of pictures, not about single ones.
    """
    files, text = rater_files(run, pairs), io.StringIO()
    with_raters = named or len(files) > 1
    columns = ["id", "first", "second", "better"] if pairs else ["sample", "check", "label", "generator"]
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*columns, *(["rater"] if with_raters else [])])
    for number, file in enumerate(files, 1):
        rater = [file.rater if named else f"rater-{number}"] if with_raters else []
        for id, label in file.labels.items():
            question = questions.get(id)
            if isinstance(question, LabelQuestion):
                table.writerow([question.sample, question.check, label, question.model, *rater])
            elif question is not None and label in BETTER:
                table.writerow([question.sample, question.first, question.second, label, *rater])
    return text.getvalue().encode()


def import_answers(
    path: Path, run: Path, models: Sequence[JudgedRun], questions: QuestionsById, pairs: bool
) -> ImportedLabels:
    """Write the answers of a file, each as its rater's; InputError with the place if one cannot be an answer."""
    answers = list(_preferences(path, questions) if pairs else _labels(path, models, questions))  # all valid first
    by_rater = defaultdict[str, dict[str, str]](dict)
    files = dict[str, str]()
    for rater in dict.fromkeys(rater or path.stem for rater, _, _ in answers):
        name = _file_name(rater)  # of two raters with one file's name the second has its number
        files[rater] = f"{name[:36]}-{len(files) + 1}" if name in files.values() else name
    for rater, id, label in answers:
        if id:
            by_rater[files[rater or path.stem]][id] = label
    with formats.clear_os_errors(run, "writing"):
        for rater, labels in by_rater.items():
            RaterFile(run, rater, pairs).add_all(labels)
    return ImportedLabels(len(answers), sum(not id for _, id, _ in answers), [*by_rater])


def _file_name(rater: str) -> str:
    """A rater's name as a file's name may have it."""
    return re.sub("[^A-Za-z0-9._-]+", "-", rater)[:40].strip("-._") or "rater"


def _labels(path: Path, models: Sequence[JudgedRun], questions: QuestionsById) -> Iterator[_RaterAnswer]:
    """The labels in a CSV file, each as rater, question id (empty if the run has none such) and answer."""
    checks = {place: check for run in models for place, check in run.prompts.checks.items()}
    names = {name: run.kept.model.name for run in models for name in (run.kept.model.generator, run.kept.model.name)}
    ids = {(q.model, q.sample, q.check): id for id, q in questions.items() if isinstance(q, LabelQuestion)}
    for label in read_labels(path):
        if not label.generator and len(models) > 1:
            raise InputError(
                f"{label.where}: the run is about {len(models)} models; name the label's model in a column `generator`"
            )
        model = names.get(label.generator, label.generator) or models[0].kept.model.name
        if id := ids.get((model, label.sample, label.check)):
            try:
                answer = fitting(label.label, checks[label.sample.rpartition("/")[0], label.check].answer_type)
            except InputError as error:
                raise InputError(f"{label.where}: check {label.check!r} {error}") from None
            yield label.rater, id, answer
        else:
            yield label.rater, "", label.label


def _preferences(path: Path, questions: QuestionsById) -> Iterator[_RaterAnswer]:
    """The preferences in a table, each as rater, question id (empty if the run has none such) and answer."""
    ids = {(pair.sample, pair.first, pair.second): id for id, pair in questions.items() if isinstance(pair, ModelPair)}
    for row in read_preferences(path):
        if turned := ids.get((row.sample, row.second, row.first)):
            yield row.rater, turned, SWAPPED[row.better]
        else:
            yield row.rater, ids.get((row.sample, row.first, row.second), ""), row.better
