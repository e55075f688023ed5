"""Each rater's answers on disk: RUN/labels/by-NAME.jsonl, a line for each answer, in the order in which they came.

A later line about a question replaces an earlier one; an empty label takes it back. Only one process
writes at a time (`one_writer`).
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.locks import LOCK, locked
from counterbench.pictures.labelling.sample import LABELS_FOLDER
from counterbench.pictures.labelling.units import LabelUnit
from counterbench.pictures.scores.labels import HumanLabel

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class Line(msgspec.Struct, frozen=True):
    """An answer of a rater: a line of the rater's file."""

    id: str  # of the question
    label: str  # yes, no, a number, words, or "?" for "cannot tell"; empty: taken back
    at: str  # the time


class RaterAnswers(ABC):
    """One rater's answers on disk; InputError if no file can have the rater's name."""

    def __init__(self, rater: str) -> None:
        """Begin without an answer."""
        if not _NAME.fullmatch(rater):
            raise InputError(f"{rater!r} cannot be a rater's name: letters, digits, '.', '_' and '-', at most 40")
        self.rater = rater
        self.labels: dict[str, str] = {}  # by question id, in the order of the answers

    @abstractmethod
    def add(self, id: str, label: str) -> None:
        """Write an answer, and return once it is on disk; an empty label takes the answer back."""

    def keep(self, id: str, label: str) -> None:
        """Take in an answer: it replaces the earlier one to its question; an empty label only takes that back."""
        self.labels.pop(id, None)
        if label:
            self.labels[id] = label


class RaterFile(RaterAnswers):
    """The answers of one rater about a run, or about pairs of its models."""

    def __init__(self, run: Path, rater: str, pairs: bool = False) -> None:
        """Read the rater's answers so far."""
        super().__init__(rater)
        self.path = run / LABELS_FOLDER / f"{_file_prefix(pairs)}{rater}.jsonl"
        lines = formats.read_lines(self.path, Line, torn_end=True) if self.path.is_file() else ()
        for line in lines:
            self.keep(line.id, line.label)

    def add(self, id: str, label: str) -> None:
        """Write an answer, and return once it is on disk; an empty label takes the answer back."""
        self.add_all({id: label})

    def add_all(self, labels: Mapping[str, str]) -> None:
        """Write the answers to several questions, by question id, and return once they are on disk."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        lines = [Line(id, label, at) for id, label in labels.items()]
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a+b") as file:
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)  # without the end of a line that a killed process left
            file.write(formats.in_lines(lines))
            file.flush()
            os.fsync(file.fileno())
        for line in lines:
            self.keep(line.id, line.label)


def one_writer(run: Path, pairs: bool = False) -> AbstractContextManager[None]:
    """The lock of a run's labels (`locked_folder`); those of two models' pictures have another."""
    return locked_folder(run / LABELS_FOLDER, _file_prefix(pairs).strip("-"))


def locked_folder(folder: Path, name: str = "") -> AbstractContextManager[None]:
    """The lock of a folder of answers, for the one process that writes them: two would ask raters the same questions.

    The folder is made if needed; `name`: which of its locks.
    """
    with formats.clear_os_errors(folder, "writing"):
        folder.mkdir(exist_ok=True)
    return locked(folder / f".{name}{LOCK}", str(folder))


def _file_prefix(pairs: bool) -> str:
    """The beginning of the names of raters' files, for answers about pairs or about single pictures."""
    return "pairs-" if pairs else "by-"


def rater_files(run: Path, pairs: bool = False) -> list[RaterFile]:
    """The answers of all raters, by name."""
    files = sorted((run / LABELS_FOLDER).glob(f"{_file_prefix(pairs)}*.jsonl"))
    return [RaterFile(run, file.stem.removeprefix(_file_prefix(pairs)), pairs) for file in files]


def labels_in(run: Path, sample: Sequence[LabelUnit]) -> list[HumanLabel]:
    """All raters' answers to the questions of a run's sample, as labels."""
    questions = {question.id: question for unit in sample for question in unit.questions}
    return [
        HumanLabel(
            sample=about.sample, check=about.check, label=label, where=str(file.path), rater=file.rater,
            generator=about.model,
        )
        for file in rater_files(run)
        for id, label in file.labels.items()
        if (about := questions.get(id)) is not None
    ]  # fmt: skip
