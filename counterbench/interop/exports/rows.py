"""Pairs and questions as rows, the same fields in every export; and tables of them as Parquet with the pictures in it.

Workers draw and take digests. A table has the same bytes on every run and a row group in memory at a time. Its columns
are also described as Hugging Face's datasets does it, so that its readers decode the pictures.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.interop.exports import Options
from counterbench.runs.pair_queries import keys_of, questions_of
from counterbench.runs.queries import Key, PromptTemplate, Query, on_one_sheet
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.folder import picture_name
from counterbench.suites.sources import Source
from counterbench.suites.workers import in_chunks, worker_count

_CHUNK = 4  # pairs of a task: few, because rows that wait to be written are large
_LONGEST = 80  # characters of a name; a tar of the oldest kind takes 100
# The fields of a pair and of a key that rows have under the same names.
_ABOUT_BOTH = ("relevant", "family", "category", "skill", "form")
_ANSWERS = ("answer_type", "original_answer", "intervened_answer")
_ABOUT_PAIRS = ("id", "question", *_ANSWERS, *_ABOUT_BOTH, "intervention", "difficulty")
PAIRS, QUESTIONS = "pairs", "questions"
# Rows of a row group, all of which are held in memory.
_GROUP = 100


class PairRows(msgspec.Struct, frozen=True):
    """A pair as rows; a picture is a cell {"bytes": a PNG, "path": the name of its file in a folder of pairs}."""

    name: str  # the pair's id, fit for a file's name: without dots, slashes or blanks
    pair: dict[str, Any]  # a row about both pictures
    questions: list[dict[str, Any]]  # a row about each picture


def rows(source: Source, options: Options, on_progress: OnProgress = unseen) -> Iterator[PairRows]:
    """The rows of every pair, in the source's order, some at a time in memory; progress counts the pairs taken so far.

    InputError for a pair without pictures, and for a pair whose pictures are not as they were recorded.
    """
    total = len(source)
    task, workers = partial(_rows_of_pairs, source, options.template), worker_count(options.workers)
    chunks = in_chunks(task, source, workers=workers, chunk=_CHUNK, total=total)
    for done, row in enumerate(chunks, 1):
        yield row
        on_progress(done, total)


def file_name(id: str) -> str:
    """An id as a part of a file's name: letters, digits, - and _ stay, other characters become %XX; a long id is cut.

    >>> file_name("spatial-000001"), file_name("a/b v1.2")
    ('spatial-000001', 'a%2Fb%20v1%2E2')
    """
    name = quote(id, safe="").replace(".", "%2E").replace("~", "%7E")
    if len(name) > _LONGEST:
        name = f"{name[:40]}-{hashlib.blake2b(id.encode(), digest_size=8).hexdigest()}"
    return name


def _rows_of_pairs(source: Source, template: PromptTemplate, pairs: list[Pair]) -> list[PairRows]:
    """The rows of a few pairs: a task of a worker."""
    return [_rows_of(pair, source, template) for pair in pairs]


def _rows_of(pair: Pair, source: Source, template: PromptTemplate) -> PairRows:
    """The rows of one pair: one about both pictures, and one about each; InputError if it has no pictures."""
    pictures = source.pictures(pair)
    if not pictures:
        raise InputError(
            f"{source.name}: pair {pair.id!r} has no pictures, which an export needs; import it again, "
            "with its pictures, into another --out"
        )
    # A row has one picture: a comparison has its two on a sheet.
    queries = [on_one_sheet(template.dress(query), 1) for query in questions_of(pair, pictures)]
    names = [picture_name(pair, role) for role in ROLES]
    questions = [
        question_row(query, key, text) | {"image": {"bytes": query.pictures[0].png, "path": name}}
        for query, key, name, text in zip(queries, keys_of(pair, source.style), names, pair.questions, strict=True)
    ]
    row = {name: getattr(pair, name) for name in _ABOUT_PAIRS}
    row |= {} if pair.question_2 is msgspec.UNSET else {"question_2": pair.question_2}
    row |= {f"{role}_pixels": picture.digest for role, picture in zip(ROLES, pictures, strict=True)}
    cells = ({"bytes": picture.png, "path": name} for name, picture in zip(names, pictures, strict=True))
    return PairRows(file_name(pair.id), row | dict(zip(ROLES, cells, strict=True)), questions)


def question_row(query: Query, key: Key, question: str) -> dict[str, Any]:
    """A question as a row, without its picture: the query as it is put to a judge, and its key.

    `prompt` is the whole text for a judge beside `system`, its system text. `query_digest` is the digest under which
    our own runs record the question. `labels`: the labels that the question names and that may answer it, each with its
    meaning. `answer_line`: the prompt asks for a last line "Answer: …", and only that line is read.
    """
    return {
        "id": query.id,
        "pair": query.group,
        "role": query.role,
        "question": question,
        "prompt": query.text,
        "system": query.system,
        "answer": key.expected,
        "answer_type": key.answer_type,
        "labels": key.labels,
        "answer_line": query.answer_line,
        **{name: getattr(key, name) for name in _ABOUT_BOTH},
        "query_digest": query.digest,
        "pixels": query.pictures[0].digest,
    }


class ExportTable:
    """The Parquet file of a table in the folder `name`, whose rows all have the same cells.

    `columns` gives the kind of each column by name, by the first row: "string", "bool", "image", or "json", a string
    that holds an object whose keys differ from row to row. `rows` is the number of rows, `bytes` their length in memory
    as Arrow counts it. InputError if pyarrow is not installed.
    """

    def __init__(self, folder: Path, name: str, first: Mapping[str, Any]) -> None:
        """Make the folder `name` in `folder`, and open the table's file there.

        `first`: the cells of a row by column, which give the kind of each column. The row itself is not written.
        """
        arrow, parquet = (needed(module, "Parquet", "export") for module in ("pyarrow", "pyarrow.parquet"))
        self.name, self.file = name, f"{name}/test-00000-of-00001.parquet"
        self.path = folder / self.file
        self.columns = {column: _column_kind(value) for column, value in first.items()}
        self.rows = self.bytes = 0
        types = {"image": arrow.struct({"bytes": arrow.binary(), "path": arrow.string()}), "bool": arrow.bool_()}
        fields = [(column, types.get(kind, arrow.string())) for column, kind in self.columns.items()]
        # Columns as `datasets` describes them in Parquet.
        words: dict[str, Any] = {"dtype": "string", "_type": "Value"}
        kinds = {"image": {"_type": "Image"}, "bool": words | {"dtype": "bool"}}
        features = {column: kinds.get(kind, words) for column, kind in self.columns.items()}
        described = msgspec.json.encode({"info": {"features": features}})
        schema = arrow.schema(fields, metadata={"huggingface": described})
        self._group: Callable[[list[dict[str, Any]]], Any] = partial(arrow.Table.from_pylist, schema=schema)
        self._waiting: list[dict[str, Any]] = []
        self.path.parent.mkdir()
        self._writer = parquet.ParquetWriter(self.path, schema)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        cells = ((name, row[name], kind) for name, kind in self.columns.items())
        self._waiting.append({n: formats.encode(cell).decode() if kind == "json" else cell for n, cell, kind in cells})
        self.rows += 1
        if len(self._waiting) == _GROUP:
            self._write()

    def close(self) -> None:
        """Write the last rows and the end of the file."""
        self._write()
        self._writer.close()

    def _write(self) -> None:
        """Write the waiting rows as a row group."""
        if self._waiting:
            group = self._group(self._waiting)
            self.bytes += group.nbytes
            self._writer.write_table(group)
            self._waiting = []


def write_tables(
    source: Source, folder: Path, options: Options, on_progress: OnProgress, names: tuple[str, ...] = (PAIRS, QUESTIONS)
) -> list[ExportTable]:
    """Write the tables of a source: a row a pair, and a row a question."""
    tables: dict[str, ExportTable] = {}
    with ExitStack() as ends:
        for row in rows(source, options, on_progress):
            added = {PAIRS: [row.pair], QUESTIONS: row.questions}
            for name in names:
                if name not in tables:
                    tables[name] = ExportTable(folder, name, added[name][0])
                    ends.callback(tables[name].close)
                for record in added[name]:
                    tables[name].add(record)
    return [*tables.values()]


def _column_kind(value: Any) -> str:
    """The kind of a column, as `ExportTable.columns` has it, by a value in it."""
    if isinstance(value, dict):
        return "image" if value.keys() == {"bytes", "path"} else "json"
    return "bool" if isinstance(value, bool) else "string"
