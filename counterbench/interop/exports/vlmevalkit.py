"""A data set of VLMEvalKit: one TSV file, a row a question, its picture in base64."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Callable

from counterbench.interop.exports import Options
from counterbench.interop.exports.rows import all_words, file_name, rows
from counterbench.interop.exports.target import Target
from counterbench.suites.sources import Source

# No columns "A", "B", …: with these it is another kind of question there.
COLUMNS = (
    "index", "image", "question", "answer", "category", "pair_id", "variant", "query_id", "query_digest",
)  # fmt: skip


def export(source: Source, target: Target, options: Options, /, on_progress: Callable[[int, int], None]) -> None:
    """Write the file; it is called as its suite, and so is the data set in VLMEvalKit."""
    with target.open(f"{file_name(source.name)}.tsv") as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        table = csv.writer(text, dialect="excel-tab", lineterminator="\n")
        table.writerow(COLUMNS)
        index = 0
        for row in rows(source, options.wording, workers=options.workers, on_progress=on_progress):
            for question, png in zip(row.questions, row.pictures, strict=True):
                shown = base64.b64encode(png).decode("ascii")
                told = (question[name] for name in ("answer", "category", "pair", "role", "id", "query_digest"))
                table.writerow((index, shown, all_words(question), *told))
                index += 1
        text.flush()
        text.detach()
