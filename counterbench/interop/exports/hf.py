"""A data set for Hugging Face's `datasets`: Parquet with the pictures in it, and a card that describes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from counterbench._version import __version__
from counterbench.files import formats
from counterbench.interop.exports import Options
from counterbench.interop.exports.parquet import Table, picture
from counterbench.interop.exports.rows import PairRows, rows
from counterbench.interop.exports.target import Target
from counterbench.scene.pairs import ROLES
from counterbench.suites.sources import Source
from counterbench.text import counted, visible

CARD_FILE = "README.md"
PAIRS, QUESTIONS = "pairs", "questions"
# Signs in a name that Markdown would interpret.
_PLAIN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_<>[]"})


def export(source: Source, target: Target, options: Options, /, on_progress: Callable[[int, int], None]) -> None:
    """Write both tables and the card."""
    tables = write_tables(source, target, options, on_progress)
    target.write(CARD_FILE, card(source, options, target, tables).encode())


def write_tables(
    source: Source, target: Target, options: Options, on_progress: Callable[[int, int], None]
) -> list[Table]:
    """Write pairs and questions."""
    pairs, questions = Table(target, PAIRS), Table(target, QUESTIONS)
    with pairs, questions:
        for row in rows(source, options.wording, workers=options.workers, on_progress=on_progress):
            pairs.add(row.pair | dict(zip(ROLES, shown(row), strict=True)))
            add_questions(row, questions)
    return [pairs, questions]


def add_questions(row: PairRows, questions: Table) -> None:
    """The questions about a pair as two rows of a table."""
    for question, image in zip(row.questions, shown(row), strict=True):
        questions.add(question | {"image": image})


def shown(row: PairRows) -> list[dict[str, Any]]:
    """A pair's pictures as cells."""
    return [picture(png, path) for png, path in zip(row.pictures, row.paths, strict=True)]


def card(source: Source, options: Options, target: Target, tables: Sequence[Table]) -> str:
    """The data set's card; `load_dataset` reads its head."""
    name = formats.encode(source.name).decode()  # JSON is YAML
    lines = ["---", f"pretty_name: {name}", *["license: apache-2.0"] * drawn_here(source)]
    lines += [
        "task_categories:",
        "- visual-question-answering",
        "tags:",
        "- counterfactual",
        "- counterbench",
        "configs:",
    ]
    for table in tables:
        lines += [f"- config_name: {table.name}", *["  default: true"] * (table.name == PAIRS)]
        lines += ["  data_files:", "  - split: test", f"    path: {table.name}/test-*.parquet"]
    lines.append("dataset_info:")
    for table in tables:
        lines += [f"- config_name: {table.name}", "  features:"]
        for column, kind in table.columns.items():
            lines += [f"  - name: {column}", f"    dtype: {'string' if kind == 'json' else kind}"]
        length = target.files[table.file].bytes
        lines += ["  splits:", "  - name: test", f"    num_bytes: {table.bytes}", f"    num_examples: {table.rows}"]
        lines += [f"  download_size: {length}", f"  dataset_size: {table.bytes}"]
    return "\n".join([*lines, "---", "", description(source, options)])


def drawn_here(source: Source) -> bool:
    """True if we drew the source's pictures; False if they were imported."""
    return source.style != ""


def description(source: Source, options: Options) -> str:
    """The description of the data set, in Markdown."""
    seed = "" if source.seed is None else f", seed {source.seed}"
    truth = "computed from the scenes" if drawn_here(source) else "as those who made the pairs give them"
    return f"""# {visible(source.name).translate(_PLAIN)}

{counted(len(source), "counterfactual pair")}: two pictures that differ in one declared way, and one question asked of
both. If the difference matters to the question (`relevant`), the answer must change; if it does not, it must stay. A
judge is right about a pair when it is right about both of its pictures; the share of such pairs is its Counterfactual
Consistency Score.

- `{PAIRS}`: a row a pair, with both pictures. `difficulty` is a JSON object.
- `{QUESTIONS}`: a row a picture. `prompt` is the question as it is put to a judge (wording `{options.wording.name}`,
  digest `{options.wording.digest}`), `query_digest` what a run of counterbench records as asked. `labels` is a JSON
  object.

`original_pixels`, `intervened_pixels` and `pixels` are digests of the decoded pixels. The answers are {truth}.

```python
from datasets import load_dataset
pairs = load_dataset(".", "{PAIRS}", split="test")
```

Suite `{visible(source.name)}`, digest `{source.digest}`{seed}, exported by counterbench {__version__}.
"""
