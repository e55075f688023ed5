"""A task of lmms-eval: YAML, the functions that it names, and the questions with their pictures as Parquet."""

from __future__ import annotations

import re
from collections.abc import Callable

from counterbench.files import formats
from counterbench.interop.exports import Options
from counterbench.interop.exports.hf import QUESTIONS, add_questions
from counterbench.interop.exports.parquet import Table
from counterbench.interop.exports.rows import rows
from counterbench.interop.exports.target import Target
from counterbench.judges.openai.options import OpenAIOptions
from counterbench.suites.sources import Source

_UTILS = '''"""What this task calls: counterbench, which must be installed, asks and counts here as it does itself."""

from counterbench.interop.lmms_eval import (  # noqa: F401
    accuracy,
    ccs,
    doc_to_messages,
    doc_to_text,
    doc_to_visual,
    failed,
    gap,
    process_results,
)
'''


def export(source: Source, target: Target, options: Options, /, on_progress: Callable[[int, int], None]) -> None:
    """Write the questions, the task and its functions."""
    questions = Table(target, QUESTIONS)
    with questions:
        for row in rows(source, options.wording, workers=options.workers, on_progress=on_progress):
            add_questions(row, questions)
    name = task_name(source.name)
    target.write("utils.py", _UTILS.encode())
    target.write(f"{name}.yaml", _task(name, source, options, questions.file).encode())


def task_name(suite: str) -> str:
    """The name of a suite's task in lmms-eval.

    >>> task_name("counterbench-550"), task_name("my pairs")
    ('counterbench_550', 'counterbench_my_pairs')
    """
    name = re.sub(r"\W+", "_", suite)
    return name if name.startswith("counterbench") else f"counterbench_{name}"


def _task(name: str, source: Source, options: Options, file: str) -> str:
    usual = OpenAIOptions()  # as `probe` asks
    metrics = [("accuracy", "true"), ("ccs", "true"), ("gap", "false"), ("failed", "false")]
    lines = [
        f"task: {name}",
        "dataset_path: parquet",
        "dataset_kwargs:",
        "  data_files:",
        "    test:",
        f"    - {file}",
        "test_split: test",
        "output_type: generate_until",
        "doc_to_messages: !function utils.doc_to_messages",
        "doc_to_visual: !function utils.doc_to_visual",
        "doc_to_text: !function utils.doc_to_text",
        "doc_to_target: answer",
        "process_results: !function utils.process_results",
        "cluster_key: pair",
        "generation_kwargs:",
        f"  max_new_tokens: {usual.max_tokens}",
        f"  temperature: {usual.temperature}",
        "  do_sample: false",
        "metric_list:",
    ]
    for metric, higher in metrics:
        lines += [f"- metric: {metric}", f"  aggregation: !function utils.{metric}", f"  higher_is_better: {higher}"]
    lines += ["metadata:", "  version: 1.0"]
    signed = {
        "suite": source.name,
        "suite_digest": source.digest,
        "wording": options.wording.name,
        "wording_digest": options.wording.digest,
    }
    lines += [f"  {key}: {formats.encode(value).decode()}" for key, value in signed.items()]  # JSON is YAML
    return "\n".join([*lines, ""])
