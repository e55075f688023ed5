"""Rows as Parquet, with the pictures in it: bytes that are the same on every run, a row group in memory at a time.

The columns are also described as Hugging Face's datasets does it, so that its readers decode the pictures.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.interop.exports import Options
from counterbench.interop.exports.rows import rows
from counterbench.suites.sources import Source

PAIRS, QUESTIONS = "pairs", "questions"
# Rows of a row group, all of which are held in memory.
_GROUP = 100


class Table:
    """The Parquet file of a table in the folder `name`, whose rows all have the same cells.

    `columns` gives the kind of each column by name, by the first row: "string", "bool", "image", or "json", a string
    that holds an object whose keys differ from row to row. `rows` is the number of rows, `bytes` their length in memory
    as Arrow counts it. InputError if pyarrow is not installed.
    """

    def __init__(self, folder: Path, name: str, first: Mapping[str, Any]) -> None:
        arrow, parquet = (needed(each, "Parquet", "export") for each in ("pyarrow", "pyarrow.parquet"))
        self.name, self.file = name, f"{name}/test-00000-of-00001.parquet"
        self.path = folder / self.file
        self.columns = {column: _kind(value) for column, value in first.items()}
        self.rows = self.bytes = 0
        types = {"image": arrow.struct({"bytes": arrow.binary(), "path": arrow.string()}), "bool": arrow.bool_()}
        fields = [(column, types.get(kind, arrow.string())) for column, kind in self.columns.items()]
        schema = arrow.schema(fields, metadata={"huggingface": _features(self.columns)})
        self._group: Callable[[list[dict[str, Any]]], Any] = partial(arrow.Table.from_pylist, schema=schema)
        self._held: list[dict[str, Any]] = []
        self.path.parent.mkdir()
        self._writer = parquet.ParquetWriter(self.path, schema)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        self._held.append({name: _cell(row[name], kind) for name, kind in self.columns.items()})
        self.rows += 1
        if len(self._held) == _GROUP:
            self._write()

    def close(self) -> None:
        """Write the last rows and the end of the file."""
        self._write()
        self._writer.close()

    def _write(self) -> None:
        if self._held:
            group = self._group(self._held)
            self.bytes += group.nbytes
            self._writer.write_table(group)
            self._held = []


def write_tables(
    source: Source,
    folder: Path,
    options: Options,
    on_progress: Callable[[int, int], None],
    names: tuple[str, ...] = (PAIRS, QUESTIONS),
) -> list[Table]:
    """Write the tables of a source: a row a pair, and a row a question."""
    tables: dict[str, Table] = {}
    with ExitStack() as ends:
        for row in rows(source, options, on_progress):
            added = {PAIRS: [row.pair], QUESTIONS: row.questions}
            for name in names:
                if name not in tables:
                    tables[name] = Table(folder, name, added[name][0])
                    ends.callback(tables[name].close)
                for each in added[name]:
                    tables[name].add(each)
    return [*tables.values()]


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "image" if value.keys() == {"bytes", "path"} else "json"
    return "bool" if isinstance(value, bool) else "string"


def _cell(value: Any, kind: str) -> Any:
    return formats.encode(value).decode() if kind == "json" else value


def _features(columns: Mapping[str, str]) -> bytes:
    """The columns as `datasets` writes them into Parquet."""
    features = {
        name: {"_type": "Image"}
        if kind == "image"
        else {"dtype": "bool" if kind == "bool" else "string", "_type": "Value"}
        for name, kind in columns.items()
    }
    return msgspec.json.encode({"info": {"features": features}})
