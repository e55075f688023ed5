"""Rows as Parquet, with the pictures in it: bytes that are the same on every run, a row group in memory at a time.

The columns are also described as Hugging Face's datasets does it, so that its readers decode the pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Self

import msgspec

from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.interop.exports.target import Target

# Rows of a row group, all of which are held in memory.
_GROUP = 100


def picture(png: bytes, path: str) -> dict[str, Any]:
    """A picture as a cell."""
    return {"bytes": png, "path": path}


class Table:
    """The Parquet file of a table in the folder `name`: `add` rows within a `with` block, all with the same cells.

    `columns` gives the kind of each column by name, by the first row: "string", "bool", "image", or "json", a string
    that holds an object whose keys differ from row to row. `rows` is the number of rows, `bytes` their length in memory
    as Arrow counts it. InputError if pyarrow is not installed.
    """

    def __init__(self, target: Target, name: str) -> None:
        self._arrow, self._parquet = (needed(each, "Parquet", "export") for each in ("pyarrow", "pyarrow.parquet"))
        self.name, self.file = name, f"{name}/test-00000-of-00001.parquet"
        self.columns: dict[str, str] = {}
        self.rows = self.bytes = 0
        self._target, self._open = target, ExitStack()
        self._schema: Any = None
        self._writer: Any = None
        self._held: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        if kind is None:
            self._write()
        self._open.__exit__(kind, error, trace)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        if self._writer is None:
            self._begin(row)
        self._held.append({name: _cell(row[name], kind) for name, kind in self.columns.items()})
        self.rows += 1
        if len(self._held) == _GROUP:
            self._write()

    def _begin(self, row: Mapping[str, Any]) -> None:
        self.columns = {name: _kind(value) for name, value in row.items()}
        types = {"image": self._arrow.struct({"bytes": self._arrow.binary(), "path": self._arrow.string()})}
        types |= {"bool": self._arrow.bool_()}
        fields = [(name, types.get(kind, self._arrow.string())) for name, kind in self.columns.items()]
        self._schema = self._arrow.schema(fields, metadata={"huggingface": _features(self.columns)})
        file = self._open.enter_context(self._target.open(self.file))
        self._writer = self._open.enter_context(self._parquet.ParquetWriter(file, self._schema))

    def _write(self) -> None:
        if self._held:
            table = self._arrow.Table.from_pylist(self._held, schema=self._schema)
            self.bytes += table.nbytes
            self._writer.write_table(table)
            self._held = []


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
