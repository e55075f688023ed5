"""The Parquet of `hf` with `croissant.json` beside it: a description in JSON-LD, Croissant 1.1, with its digests.

https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html, and croissant-rai-spec.html for responsible AI.
"""

from pathlib import Path
from typing import Any

from counterbench._version import __version__
from counterbench.bars import OnProgress
from counterbench.files import formats
from counterbench.interop.exports import Options, described_file, hf
from counterbench.interop.exports.hf import is_drawn
from counterbench.interop.exports.rows import PAIRS, ExportTable
from counterbench.suites.sources import Source
from counterbench.text import counted

CROISSANT_FILE = "croissant.json"
_TYPES = {"image": "sc:ImageObject", "bool": "sc:Boolean", "string": "sc:Text", "json": "sc:Text"}
# The names of the format's own terms, which every such document must contain.
_OF_CROISSANT = (
    "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileProperty",
    "fileObject", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField",
    "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator", "source",
    "subField", "transform",
)  # fmt: skip
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _OF_CROISSANT},
}
_DRAWN: dict[str, Any] = {
    "rai:dataCollection": "Scenes are drawn from a keyed hash and rendered by a program; no photograph is used.",
    "rai:dataAnnotationProtocol": ["Answers are computed from the scenes by a program."],
    "rai:dataLimitations": [
        "Pictures are drawn: what a model sees on them does not show what it sees on photographs.",
        "Questions are in English.",
    ],
}


def export(source: Source, folder: Path, options: Options, /, on_progress: OnProgress) -> None:
    """Write both tables (pairs and questions) and the card, as `hf` does, and `croissant.json`."""
    tables = hf.export(source, folder, options, on_progress)
    formats.write_json(folder / CROISSANT_FILE, _document(source, tables))


def _document(source: Source, tables: list[ExportTable]) -> dict[str, Any]:
    """The description of the data set in the Croissant format, as `croissant.json` holds it."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": source.name,
        "description": (
            f"{counted(len(source), 'counterfactual pair')} of {source.name}, digest {source.digest}: "
            "two pictures that differ in one declared way, and one question asked of both."
        ),
        "version": __version__,
        **({"license": "https://spdx.org/licenses/Apache-2.0.html"} if is_drawn(source) else {}),
        "keywords": ["counterfactual", "visual question answering", "vision-language models", "evaluation"],
        "inLanguage": "en",
        # The purpose of the data, where it comes from and where it ends, in the fields of Croissant's RAI.
        "rai:dataUseCases": ["Testing whether a vision-language model sees what a question is about."],
        "rai:dataCollection": "Imported: made elsewhere, answers as they were given there.",
        **(_DRAWN if is_drawn(source) else {}),
        "distribution": [_file(table) for table in tables],
        "recordSet": [_record_set(table) for table in tables],
    }


def _file(table: ExportTable) -> dict[str, Any]:
    """The description of a table's file."""
    file = described_file(table.path)
    return {
        "@type": "cr:FileObject",
        "@id": f"{table.name}.parquet",
        "name": f"{table.name}.parquet",
        "contentUrl": table.file,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _record_set(table: ExportTable) -> dict[str, Any]:
    """The description of a table."""
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": "A record a pair." if table.name == PAIRS else "A record a picture, with its question.",
        "key": {"@id": f"{table.name}/id"},
        "field": [_field(table, column, kind) for column, kind in table.columns.items()],
    }


def _field(table: ExportTable, column: str, kind: str) -> dict[str, Any]:
    """The description of a table's column."""
    picture = {"transform": {"jsonPath": "bytes"}} if kind == "image" else {}
    return {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column}",
        "name": column,
        "dataType": _TYPES[kind],
        "source": {"fileObject": {"@id": f"{table.name}.parquet"}, "extract": {"column": column}, **picture},
    }
