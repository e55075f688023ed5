"""Rows as Parquet, with the pictures in it: bytes that are the same on every run, a row group in memory at a time.

What the columns are is said in the way of Hugging Face's datasets too, so that its readers decode the pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Self

import msgspec

from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.interop.exports.target import Target

# A column's kinds. "json" is a string with an object in it: its keys differ from row to row.
Columns = Mapping[str, str]
# So many rows are held in memory, and are one row group.
_GROUP = 100
# So many are in one file; a file of flat pictures then has some 20 MB, one of photographs up to 2 GB.
A_FILE = 2000


def file_names(folder: str, rows: int, a_file: int = A_FILE) -> list[str]:
    """The files of so many rows. Each says how many there are, so that a part of them does not look whole."""
    count = max(1, -(-rows // a_file))
    return [f"{folder}/test-{number:05d}-of-{count:05d}.parquet" for number in range(count)]


def picture(png: bytes, path: str) -> dict[str, Any]:
    """A picture as a cell."""
    return {"bytes": png, "path": path}


class Table:
    """The Parquet files of one table in `folder`, of `rows` rows: `add` them within a `with` block.

    `bytes` is their length in memory, as Arrow counts it. InputError if pyarrow is not installed.
    """

    def __init__(self, target: Target, folder: str, columns: Columns, rows: int, a_file: int = A_FILE) -> None:
        self._arrow, self._parquet = (needed(name, "Parquet", "export") for name in ("pyarrow", "pyarrow.parquet"))
        self.name, self.columns, self.rows, self.bytes = folder, columns, rows, 0
        self.files = file_names(folder, rows, a_file)
        self._target, self._a_file = target, a_file
        self._schema = self._arrow.schema(
            [(name, self._type(kind)) for name, kind in columns.items()], metadata={"huggingface": _features(columns)}
        )
        self._left = iter(self.files)
        self._begun = ExitStack()  # the file that is being written
        self._writer: Any = None
        self._held: list[dict[str, Any]] = []
        self._added = 0

    def __enter__(self) -> Self:
        self._next_file()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        if kind is None:
            self._write()
            self._begun.close()
        else:  # the file is not ended, and so not whole
            self._begun.__exit__(kind, error, trace)

    def add(self, row: Mapping[str, Any]) -> None:
        """A row, which has every column, and may have more."""
        if self._added and self._added % self._a_file == 0:
            self._write()
            self._begun.close()
            self._next_file()
        self._held.append({name: _cell(row[name], kind) for name, kind in self.columns.items()})
        self._added += 1
        if len(self._held) == _GROUP:
            self._write()

    def _next_file(self) -> None:
        file = self._begun.enter_context(self._target.open(next(self._left)))
        self._writer = self._begun.enter_context(self._parquet.ParquetWriter(file, self._schema))

    def _write(self) -> None:
        if self._held:
            table = self._arrow.Table.from_pylist(self._held, schema=self._schema)
            self.bytes += table.nbytes
            self._writer.write_table(table)
            self._held = []

    def _type(self, kind: str) -> Any:
        if kind == "image":
            return self._arrow.struct({"bytes": self._arrow.binary(), "path": self._arrow.string()})
        return self._arrow.bool_() if kind == "bool" else self._arrow.string()


def _cell(value: Any, kind: str) -> Any:
    return formats.encode(value).decode() if kind == "json" else value


def _features(columns: Columns) -> bytes:
    """The columns as `datasets` writes them into Parquet."""
    features = {
        name: {"_type": "Image"}
        if kind == "image"
        else {"dtype": "bool" if kind == "bool" else "string", "_type": "Value"}
        for name, kind in columns.items()
    }
    return msgspec.json.encode({"info": {"features": features}})
