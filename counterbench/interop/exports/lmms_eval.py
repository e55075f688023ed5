"""A task of lmms-eval: YAML, the functions that it names, and the questions with their pictures as Parquet."""

import re
from pathlib import Path

from counterbench.bars import OnProgress
from counterbench.files import formats
from counterbench.interop.exports import Options
from counterbench.interop.exports.rows import QUESTIONS, write_tables
from counterbench.judges.openai.server_options import OpenAIOptions
from counterbench.suites.sources import Source

# Texts of the suite and the template are put in as JSON, which is YAML.
_TASK = """\
task: {name}
dataset_path: parquet
dataset_kwargs:
  data_files:
    test:
    - {file}
test_split: test
output_type: generate_until
doc_to_messages: !function utils.doc_to_messages
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: answer
process_results: !function utils.process_results
cluster_key: pair
generation_kwargs:
  max_new_tokens: {tokens}
  temperature: {temperature}
  do_sample: false
metric_list:
- metric: accuracy
  aggregation: !function utils.accuracy
  higher_is_better: true
- metric: ccs
  aggregation: !function utils.ccs
  higher_is_better: true
- metric: gap
  aggregation: !function utils.gap
  higher_is_better: false
- metric: failed
  aggregation: !function utils.failed
  higher_is_better: false
metadata:
  version: 1.0
  suite: {suite}
  suite_digest: {suite_digest}
  template: {template}
  template_digest: {template_digest}
"""
_UTILS = '''"""The functions of this task: counterbench, which must be installed, asks and counts by the same ones."""

from counterbench.interop.lmms_eval import *  # noqa: F403
'''


def export(source: Source, folder: Path, options: Options, /, on_progress: OnProgress) -> None:
    """Write the questions, the task and its functions."""
    (questions,) = write_tables(source, folder, options, on_progress, (QUESTIONS,))
    usual = OpenAIOptions()  # as `probe` asks
    fields = {
        "suite": source.name,
        "suite_digest": source.digest,
        "template": options.template.name,
        "template_digest": options.template.digest,
    }
    name = task_name(source.name)
    task = _TASK.format(
        name=name,
        file=questions.file,
        tokens=usual.max_tokens,
        temperature=usual.temperature,
        **{key: formats.encode(text).decode() for key, text in fields.items()},
    )
    (folder / "utils.py").write_text(_UTILS, encoding="utf-8")
    (folder / f"{name}.yaml").write_text(task, encoding="utf-8")


def task_name(suite: str) -> str:
    """The name of a suite's task in lmms-eval.

    >>> task_name("counterbench-550"), task_name("my pairs")
    ('counterbench_550', 'counterbench_my_pairs')
    """
    name = re.sub(r"\W+", "_", suite)
    return name if name.startswith("counterbench") else f"counterbench_{name}"
