"""Imports a log of inspect about one of our tasks as a run of ours.

Each sample becomes a record, each epoch a repeat, each error a failure. A sample belongs to our question of the same id
and digest. Beside the import: the choice of pairs that a task asks about (`Selection`), the metadata that a task leaves
in its log (`AskedSample`), and a reply of inspect as one of ours (`reply_of`).
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
from counterbench.answers.parsing import CUT_OFF, DECLINED, FILTERED
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.files.data_warnings import Warnings
from counterbench.files.installation import needed
from counterbench.interop.imported import ImportedRun, origin_of, questions_by_id, record, run_info, write_run
from counterbench.judges.base import Reply
from counterbench.judges.openai.replies import tokens_of
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
    """The pairs that a task asks about: a source and the options of `probe`, of the same names, that choose its pairs.

    `size`: pixels of a picture's side. `attempt`: the k-th fresh sample of a suite's pairs.
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
    from inspect_ai.model import ModelOutput

# Fields of a sample that are large and not needed.
_UNREAD = {"events", "messages", "attachments", "store"}
_USUAL = OpenAIOptions()
_MESSAGE = 500  # characters that are kept of an error's end; its beginning only repeats the request
_OF_A_REPLY = ("model", "tokens_in", "tokens_out", "tokens_reasoning", "cost")  # fields that a record takes over
# The options of inspect that belong to a judge's identity; the defaults are those of our tasks.
_DEFAULTS: dict[str, Any] = {"temperature": _USUAL.temperature, "max_tokens": _USUAL.max_tokens}
_OPTIONS = (
    "base_url", "temperature", "max_tokens", "top_p", "top_k", "seed", "stop_seqs", "frequency_penalty",
    "presence_penalty", "logit_bias", "reasoning_effort", "reasoning_tokens", "effort", "verbosity", "system_message",
    "extra_body",
)  # fmt: skip
_Config = msgspec.defstruct("_Config", [(name, Any, _DEFAULTS.get(name)) for name in _OPTIONS], frozen=True)


def import_inspect_log(
    log: Path, out: Path, pairs: Path | None = None, name: str = "", on_progress: OnProgress = unseen
) -> ImportedRun:
    """Write a log of one of our tasks as the run `out`.

    `pairs`: the present folder of its pairs, if the task asked about a folder. `name`: the user's name for the judge.
    Questions that have no sample are not asked: the run is incomplete. Raises InputError, with nothing written, if it
    is no log of ours, its pairs or template have changed, or inspect is not installed.
    """
    header = _header(log)
    task = _task(log, header)
    source = _source(log, task, pairs)
    template = load_template(task.template)
    compared = (("pairs", task.suite_digest, source.digest), ("template", task.template_digest, template.digest))
    for what, logged, ours in compared:
        if logged != ours:
            raise InputError(
                f"{log}: its {what} were others, of digest {logged} and not {ours}; import it with version "
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
            failure = Failed("inspect", sample.error.message[-_MESSAGE:].strip())
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
            **{name: getattr(reply, name) for name in _OF_A_REPLY},
        )


def _refuse_bomb(log: Path) -> None:
    """InputError if a log unpacks to too many bytes, or is nested too deeply: inspect itself checks neither."""
    with foreign.opened(log) as file:
        if not zipfile.is_zipfile(file):
            file.seek(0)
            foreign.refuse_deep(str(log), _chunks(file))
            return
        with contextlib.suppress(ImportError):  # how inspect packs
            importlib.import_module("zipfile_zstd")
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                foreign.refuse_unpacked(log, sum(member.file_size for member in members))
                for member in members:
                    stated_size = member.file_size
                    member.file_size += 1  # so a member that says too little is seen
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
    _refuse_bomb(log)
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
    """The template's name and digest; marked if the solver is not our tasks': it may have used other words."""
    solvers = [step.solver for step in header.plan.steps]
    if solvers == ["generate"]:
        return template.name, template.digest
    steps = [(step.solver, step.params) for step in header.plan.steps]
    parts = msgspec.json.encode([template.digest, steps], enc_hook=repr)
    return f"{template.name} by {', '.join(solvers)}", hashlib.blake2b(parts, digest_size=16).hexdigest()


# Inspect's words for the end of a reply that are others than ours (`Reply.finish`), with ours.
_ENDS = {"max_tokens": CUT_OFF, "model_length": CUT_OFF, "content_filter": FILTERED, "unknown": ""}


def reply_of(output: ModelOutput) -> Reply:
    """A model's output in inspect as a reply of ours: its text and the reason for its end, or a failure."""
    usage = output.usage
    if output.empty:
        return Reply(failure=Failed("no-reply", output.error or "inspect has no reply"), model=output.model)
    counted: dict[str, Any] = {}
    if usage:  # as `openai:` judges count: cached tokens are tokens in, too, and hidden ones are reasoning
        cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        counted = {
            "input_tokens": usage.input_tokens + cached,
            "output_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        }
    choice = output.choices[0]
    parts = [] if isinstance(choice.message.content, str) else choice.message.content
    declined = any(getattr(part, "refusal", None) for part in parts)
    finish = _ENDS.get(choice.stop_reason, choice.stop_reason)
    return Reply(
        text=choice.message.text,
        finish=DECLINED if declined and finish != FILTERED else finish,
        model=output.model,
        cost=usage.total_cost if usage else None,
        **tokens_of(counted),
    )
