"""Pairs as samples of inspect: questions as `probe` asks them, with metadata for scoring."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import generate

from counterbench._version import __version__
from counterbench.files import catalog
from counterbench.interop.exports.rows import question_row
from counterbench.interop.inspect.log import METADATA, AskedSample, Selection
from counterbench.interop.inspect.scorer import pair_scorer
from counterbench.judges.inspect.exchange import messages_of
from counterbench.judges.openai.server_options import OpenAIOptions
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import PromptTemplate, load_template
from counterbench.suites.sources import Source, names_folder

# Fields of a question's row that are left out of a sample's metadata: the sample has them already.
_UNTOLD = ("id", "question", "prompt", "system")


def pairs_task(selection: Selection, template_name: str) -> Task:
    """A task that asks every question about these pairs in a template's words; a failed question does not end it."""
    if names_folder(selection.source) or catalog.is_path(selection.source):  # its log may be read from anywhere
        selection = msgspec.structs.replace(selection, source=str(Path(selection.source).absolute()))
    source, template = selection.open(), load_template(template_name)
    task = AskedSample(selection, source.name, source.digest, template_name, template.digest, __version__)
    usual = OpenAIOptions()  # as `probe` asks, unless inspect is told otherwise
    return Task(
        dataset=MemoryDataset(list(_samples(source, template)), name=source.name),
        solver=generate(),
        scorer=pair_scorer(),
        config=GenerateConfig(temperature=usual.temperature, max_tokens=usual.max_tokens),
        fail_on_error=False,
        headline_metric=HeadlineMetric(metric="ccs"),
        metadata={METADATA: msgspec.to_builtins(task)},
    )


def _samples(source: Source, template: PromptTemplate) -> Iterator[Sample]:
    """A sample for each question, with its pictures in it."""
    for query, key in zip(queries(source), keys(source), strict=True):
        dressed = template.dress(query)
        row = question_row(dressed, key, dressed.text)
        yield Sample(
            id=query.id,
            input=messages_of(dressed),
            target=key.expected,
            # The question's pair and role, and all fields that numbers may be grouped by.
            metadata={name: row[name] for name in row if name not in _UNTOLD} | {"law": key.law, "cell": key.cell},
        )
        for picture in dressed.pictures:
            picture.forget()
