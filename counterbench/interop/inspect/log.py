"""Imports a log of inspect (an evaluation framework) about one of our tasks as a run of ours: a folder of replies.

A task of ours in inspect asks our questions and leaves metadata in its log (`AskedSample`): which pairs it asked about
(`Selection`) and with which template. `import_inspect_log` is the main function. It opens the same pairs again, and
makes a `Record`, the line of a run's journal, of each sample of the log. A sample belongs to our question of the same
id and digest. An epoch of inspect is a repeat of ours, an error a failure.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.files.data_warnings import Warnings
from counterbench.files.installation import needed
from counterbench.interop.imported import ImportedRun, origin_of, questions_by_id, record, run_info, write_run
from counterbench.judges.inspect.exchange import reply_of
from counterbench.judges.openai.server_options import OpenAIOptions
from counterbench.judges.specs import judge_name
from counterbench.runs.folder import Record, RunInfo, given_name
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import PromptTemplate, Query, load_template
from counterbench.suites.folder import Folder
from counterbench.suites.sources import FolderSource, Source, open_source, source_of_attempt

# The key in a task's metadata under which `import inspect-log` looks.
METADATA = "counterbench"


class Selection(msgspec.Struct, frozen=True):
    """The pairs that a task asks about. The fields are those options of `probe` that choose pairs, by the same names.

    `source`: a suite's name, or the path of a suite file or a folder. `size`: pixels of a picture's side. `attempt`:
    the k-th fresh sample of a suite's pairs.
    """

    source: str
    limit: int | None = None
    seed: int | None = None
    attempt: int | None = None
    size: int | None = None
    style: str = "flat"

    def open(self) -> Source:
        """The source of these pairs; InputError as `open_source` and `source_of_attempt` raise it."""
        source = open_source(self.source, self.seed, self.limit, self.size, self.style)
        return source_of_attempt(source, self.attempt, self.limit)


class AskedSample(msgspec.Struct, frozen=True):
    """The metadata that a task of ours leaves in its log: enough to find the same pairs and template again."""

    selection: Selection
    suite: str
    suite_digest: str
    template: str
    template_digest: str
    version: str


if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

# Fields of a sample in inspect's log that are large and not needed.
_UNREAD = {"events", "messages", "attachments", "store"}
_MAX_MESSAGE = 500  # characters that are kept of an error's end; its beginning only repeats the request
_COPIED = ("model", "tokens_in", "tokens_out", "tokens_reasoning", "cost")  # fields of a reply that a record has, too
# The options of inspect that belong to a judge's name, and the values that our tasks give to two of them.
_DEFAULTS: dict[str, Any] = {name: getattr(OpenAIOptions(), name) for name in ("temperature", "max_tokens")}
_OPTIONS = (
    "base_url", "temperature", "max_tokens", "top_p", "top_k", "seed", "stop_seqs", "frequency_penalty",
    "presence_penalty", "logit_bias", "reasoning_effort", "reasoning_tokens", "effort", "verbosity", "system_message",
    "extra_body",
)  # fmt: skip
# The options as a struct, of which `judge_name` puts into the name what differs from the defaults.
_Config = msgspec.defstruct("_Config", [(name, Any, _DEFAULTS.get(name)) for name in _OPTIONS], frozen=True)


def import_inspect_log(
    log: Path, out: Path, pairs: Path | None = None, name: str = "", on_progress: OnProgress = unseen
) -> ImportedRun:
    """Write a log of one of our tasks as the run `out`.

    `pairs`: where the folder of pairs lies now, if the task asked about a folder. `name`: the user's name for the
    judge. If a question has no sample, the run is incomplete. Raises InputError, with nothing written, if it is no log
    of ours, its pairs or template have changed, or inspect is not installed.
    """
    header = _header(log)
    task = _task(log, header)
    source = _source(log, task, pairs)
    template = load_template(task.template)
    digests = (("pairs", task.suite_digest, source.digest), ("template", task.template_digest, template.digest))
    for part, logged, present in digests:
        if logged != present:
            raise InputError(
                f"{log}: its {part} were others, of digest {logged} and not {present}; import it with version "
                f"{task.version} of counterbench"
            )
    questions = questions_by_id(source, on_progress, template)
    repeats = header.eval.config.epochs or 1
    info = msgspec.structs.replace(
        run_info(source, 0, _judge(header), _template(header, template), origin_of(log), given_name(name)),
        repeats=repeats,
        queries=2 * len(source) * repeats,
        domain=source.domain,
    )
    info.versions.update(header.eval.packages)
    records = list(_records(log, info, questions))  # all is read before anything is written
    write_run(out, keys(source), info, records)
    notes = Warnings()
    notes.add("questions that failed", *(record.id for record in records if not record.final))
    sampled = {record.id for record in records}
    notes.add("questions without a sample: the run is incomplete", *(id for id in questions if id not in sampled))
    return ImportedRun(out, info, sum(record.final for record in records), list(notes.all()))


def _records(log: Path, info: RunInfo, questions: dict[str, Query]) -> Iterator[Record]:
    """A record for each sample of a log, joined to our questions by id and digest."""
    from inspect_ai.log import read_eval_log_samples

    for sample in read_eval_log_samples(log, all_samples_required=False, exclude_fields=_UNREAD):
        id = str(sample.id)
        question = questions.get(id)
        if question is None or question.digest != sample.metadata.get("query_digest"):
            raise InputError(f"{log}: its question {id!r} is not one of these pairs and this template")
        reply = reply_of(sample.output)
        failure = reply.failure
        if sample.error is not None:
            failure = Failed("inspect", sample.error.message[-_MAX_MESSAGE:].strip())
        elif failure is not None and sample.limit is not None:
            failure = Failed("limit", f"inspect ended it at its {sample.limit.type} limit")
        yield record(
            info,
            question,
            failure or reply.text or "",
            repeat=sample.epoch - 1,
            finish="" if failure else reply.finish,
            time=sample.completed_at or "",
            seconds=sample.output.time,
            attempts=1 + len(sample.error_retries or ()),
            **{name: getattr(reply, name) for name in _COPIED},
        )


def _refuse_harmful(log: Path) -> None:
    """InputError if a log unpacks to too many bytes, or its JSON is nested too deeply: inspect checks neither."""
    with foreign.opened(log) as file:
        if not zipfile.is_zipfile(file):
            file.seek(0)
            foreign.refuse_deep(str(log), _chunks(file))
            return
        with contextlib.suppress(ImportError):  # adds inspect's way to pack to `zipfile`
            importlib.import_module("zipfile_zstd")
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                foreign.refuse_unpacked(log, sum(member.file_size for member in members))
                for member in members:
                    stated_size = member.file_size
                    member.file_size += 1  # else a member with more bytes than it says would be cut off unnoticed
                    with archive.open(member) as unpacked:
                        if foreign.refuse_deep(f"{log}, {member.filename}", _chunks(unpacked)) > stated_size:
                            raise InputError(f"{log}: its {member.filename} is larger than it says")
        except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, zlib.error, RuntimeError) as error:
            raise InputError(f"{log}: no log of inspect ({error})") from None


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a file, a mebibyte at a time."""
    return iter(partial(file.read, 1 << 20), b"")


def _header(log: Path) -> EvalLog:
    """The head of a log; InputError if it is no log of inspect."""
    if not log.is_file():
        raise InputError(f"{log}: there is no such file")
    _refuse_harmful(log)
    read_eval_log = needed("inspect_ai.log", "reading an inspect log", "inspect").read_eval_log
    try:
        header: EvalLog = read_eval_log(log, header_only=True)
        return header
    except Exception as error:  # it may be anything
        raise InputError(f"{log}: no log of inspect ({type(error).__name__}: {str(error)[:200]})") from None


def _task(log: Path, header: EvalLog) -> AskedSample:
    """The metadata that our task left in a log; InputError if the log is of another task."""
    try:
        return msgspec.convert((header.eval.metadata or {})[METADATA], AskedSample)
    except (KeyError, msgspec.ValidationError):
        raise InputError(
            f"{log}: its task is {header.eval.task!r} and none of counterbench's; import its replies from a CSV or "
            "JSONL file: counterbench import replies"
        ) from None


def _source(log: Path, task: AskedSample, pairs: Path | None) -> Source:
    """The pairs that were asked about; they lie in `pairs` if that is given."""
    if pairs is not None:
        return FolderSource(Folder(pairs), task.selection.limit)
    try:
        return task.selection.open()
    except InputError as error:
        raise InputError(f"{log}: {error}; if its pairs were moved, name their folder as --pairs") from None


def _judge(header: EvalLog) -> str:
    """The judge's name: the model that inspect asked, with the options that differ from those of our tasks."""
    settings = header.plan.config.model_dump(exclude_none=True)
    values = {name: settings[name] for name in _OPTIONS if name in settings}
    config = _Config(**{"base_url": header.eval.model_base_url} | values)
    return judge_name("inspect", header.eval.model, config, _OPTIONS)


def _template(header: EvalLog, template: PromptTemplate) -> tuple[str, str]:
    """The template's name and digest; others if another solver than our tasks' ran, which may have changed words."""
    solvers = [step.solver for step in header.plan.steps]
    if solvers == ["generate"]:
        return template.name, template.digest
    steps = [(step.solver, step.params) for step in header.plan.steps]
    parts = msgspec.json.encode([template.digest, steps], enc_hook=repr)
    return f"{template.name} by {', '.join(solvers)}", hashlib.blake2b(parts, digest_size=16).hexdigest()
