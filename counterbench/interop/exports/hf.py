"""A data set for Hugging Face's `datasets`: Parquet with the pictures in it, and a card that describes it."""

from collections.abc import Sequence
from pathlib import Path

from counterbench._version import __version__
from counterbench.bars import OnProgress
from counterbench.files import formats
from counterbench.interop.exports import Options
from counterbench.interop.exports.rows import PAIRS, QUESTIONS, ExportTable, write_tables
from counterbench.suites.sources import Source
from counterbench.text import counted, visible

CARD_FILE = "README.md"
# Characters in a name that Markdown would interpret.
_PLAIN = str.maketrans({character: f"\\{character}" for character in "\\`*_<>[]"})


def export(source: Source, folder: Path, options: Options, /, on_progress: OnProgress) -> list[ExportTable]:
    """Write both tables (pairs and questions) and the card; returns the tables."""
    tables = write_tables(source, folder, options, on_progress)
    (folder / CARD_FILE).write_text(card(source, options, tables), encoding="utf-8")
    return tables


def card(source: Source, options: Options, tables: Sequence[ExportTable]) -> str:
    """The data set's card, Markdown after a head in YAML, from which `load_dataset` learns the tables and columns."""
    name = formats.encode(source.name).decode()  # JSON is YAML
    lines = ["---", f"pretty_name: {name}", *(["license: apache-2.0"] if is_drawn(source) else [])]
    lines += [
        "task_categories:",
        "- visual-question-answering",
        "tags:",
        "- counterfactual",
        "- counterbench",
        "configs:",
    ]
    for table in tables:
        lines += [f"- config_name: {table.name}", *(["  default: true"] if table.name == PAIRS else [])]
        lines += ["  data_files:", "  - split: test", f"    path: {table.name}/test-*.parquet"]
    lines.append("dataset_info:")
    for table in tables:
        lines += [f"- config_name: {table.name}", "  features:"]
        for column, kind in table.columns.items():
            lines += [f"  - name: {column}", f"    dtype: {'string' if kind == 'json' else kind}"]
        lines += ["  splits:", "  - name: test", f"    num_bytes: {table.bytes}", f"    num_examples: {table.rows}"]
        lines += [f"  download_size: {table.path.stat().st_size}", f"  dataset_size: {table.bytes}"]
    return "\n".join([*lines, "---", "", description(source, options)])


def is_drawn(source: Source) -> bool:
    """True if we drew the source's pictures; False if they were imported."""
    return source.style != ""


def description(source: Source, options: Options) -> str:
    """The description of the data set, in Markdown."""
    seed = "" if source.seed is None else f", seed {source.seed}"
    truth = "computed from the scenes" if is_drawn(source) else "as those who made the pairs give them"
    return f"""# {visible(source.name).translate(_PLAIN)}

{counted(len(source), "counterfactual pair")}: two pictures that differ in one declared way, and one question asked of
both. If the difference matters to the question (`relevant`), the answer must change; if it does not, it must stay. A
judge is right about a pair when it is right about both of its pictures; the share of such pairs is its Counterfactual
Consistency Score.

- `{PAIRS}`: a row a pair, with both pictures. `difficulty` is a JSON object.
- `{QUESTIONS}`: a row a picture. `prompt` is the question as it is put to a judge (template `{options.template.name}`,
  digest `{options.template.digest}`), `query_digest` what a run of counterbench records as asked. `labels` is a JSON
  object.

`original_pixels`, `intervened_pixels` and `pixels` are digests of the decoded pixels. The answers are {truth}.

```python
from datasets import load_dataset
pairs = load_dataset(".", "{PAIRS}", split="test")
```

Suite `{visible(source.name)}`, digest `{source.digest}`{seed}, exported by counterbench {__version__}.
"""
