"""People as judges of drawn pairs: the order of the questions, and a rater's answers as a run of their own.

The run of rater NAME is RUN/people/NAME, with the keys, suite and template of RUN and the judge `person:NAME`, so that
all that reads runs reads it. Raters see a question's own words without the template's; "?" ("cannot tell") is a reply
that cannot be read as an answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import TypeVar

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.asking.asking import refuse_damage
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.interop.imported import record
from counterbench.pictures.labelling.answers import RaterAnswers
from counterbench.pictures.scores.results import by_key
from counterbench.runs.folder import (
    JOURNAL_FILE,
    KEYS_FILE,
    PEOPLE_FOLDER,
    PERSON,
    RUN_FILE,
    Journal,
    RunInfo,
    read_journal,
    read_keys,
    records_of,
)
from counterbench.runs.pair_queries import PairQuestions
from counterbench.runs.queries import Key, Query, cell_of
from counterbench.scene.seeds import Stream
from counterbench.suites.sources import Source

T = TypeVar("T")

_APART = 8  # a pair's second question comes at least so many after its first, if the run has as many pairs
_BYTES = 6  # of the hashes that order the questions and name them on the page


def in_asking_order(keys: Iterable[Key], digest: str) -> list[Key]:
    """The questions of a run in the order in which people are asked; `digest`: the run's, which alone decides it.

    Pairs are in random order, families in turn, and within a family its cells in turn. They come in blocks of one pair
    of each family, or several where there are few families. A block asks about one picture of each of its pairs, by
    lot, then about the others.
    """
    by_pair = by_key((key.group, key) for key in sorted(keys, key=lambda key: key.id))
    families: dict[str, dict[str, list[str]]] = {}
    for pair in sorted(by_pair, key=lambda pair: Stream("people", digest, pair).noise(_BYTES)):
        key = by_pair[pair][0]
        families.setdefault(key.family, {}).setdefault(cell_of(key), []).append(pair)
    pairs = list(_in_turns([list(_in_turns(list(cells.values()))) for cells in families.values()]))
    size = len(families) * -(-_APART // max(1, len(families)))
    starts = range(0, max(1, len(pairs) - size + 1), max(1, size))  # the last block takes what is left
    order: list[Key] = []
    for start, end in pairwise([*starts, len(pairs)]):
        block = [
            by_pair[pair][:: 1 if Stream("people-role", digest, pair).chance(0.5) else -1] for pair in pairs[start:end]
        ]
        order += [*(first for first, *_ in block), *chain.from_iterable(others for _, *others in block)]
    return order


def _in_turns(lists: Sequence[Sequence[T]]) -> Iterator[T]:
    """The first item of each list, then the second of each, and so on."""
    return (item for turn in zip_longest(*lists) for item in turn if item is not None)


class PeopleQuestions(msgspec.Struct, frozen=True):
    """The questions about a run's pairs that people answer."""

    run: Path
    info: RunInfo  # of the run
    keys: list[Key]  # in the run's order
    queries: Mapping[str, Query]  # by id on the page, in the order in which people are asked


def people_questions(run: Path, info: RunInfo, keys: list[Key], source: Source) -> PeopleQuestions:
    """The questions of a run with these keys, whose pairs are those of `source`.

    The ids on the page tell nothing of a pair. InputError if a stored picture is missing or damaged.
    """
    questions = PairQuestions(source)
    refuse_damage(questions, needs_images=True)
    queries = {query.id: query for query in questions.queries()}
    order = in_asking_order(keys, info.suite_digest)
    ids = [Stream("people-question", info.suite_digest, key.id).noise(_BYTES).hex() for key in order]
    return PeopleQuestions(run, info, keys, {id: queries[key.id] for id, key in zip(ids, order, strict=True)})


class PersonRun(RaterAnswers):
    """A rater's answers about the pairs of a run, written as a run of their own."""

    def __init__(self, questions: PeopleQuestions, rater: str) -> None:
        """Read the rater's answers so far; nothing is written yet.

        InputError for a name that no file can have, or if the answers are about other pairs than the run is now.
        """
        super().__init__(rater)
        self.path = questions.run / PEOPLE_FOLDER / rater
        self._questions, self._is_written = questions, False
        self._info = msgspec.structs.replace(
            questions.info,
            judge=f"{PERSON}{rater}",
            name="",
            repeats=1,
            by_cells=False,
            queries=len(questions.keys),
            versions={"counterbench": __version__, "parser": PARSER_VERSION},
        )
        if (self.path / KEYS_FILE).is_file():
            truths, earlier = ({(key.id, key.expected) for key in k} for k in (questions.keys, read_keys(self.path)))
            if not earlier <= truths:
                raise InputError(f"{self.path}: its answers are about other pairs than those of {questions.run} now")
            ids = {query.id: id for id, query in questions.queries.items()}
            for answer in records_of(self.path, self._info):
                self.keep(ids[answer.id], answer.reply or "")

    def add(self, id: str, label: str) -> None:
        """Write an answer, and return once it is on disk; it replaces an earlier one to the same question.

        An empty label takes the answer back: its line is taken out of the journal.
        """
        if label:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            answer = record(self._info, self._questions.queries[id], label, time=now)
            if not self._is_written:  # the run is new, or RUN may have grown since
                self.path.mkdir(parents=True, exist_ok=True)
                formats.write_lines(self.path / KEYS_FILE, self._questions.keys)
                formats.write_json(self.path / RUN_FILE, self._info)
                self._is_written = True
            with Journal(self.path / JOURNAL_FILE) as journal:
                journal.append([answer])
        elif id in self.labels:
            journal_file, asked_id = self.path / JOURNAL_FILE, self._questions.queries[id].id
            kept = [line for line in read_journal(journal_file) if line.id != asked_id]
            formats.write_atomically(journal_file, formats.in_lines(kept))
        self.keep(id, label)
