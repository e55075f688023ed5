"""A log of our tasks as a run of ours: samples become records, epochs votes, errors failures. Joined by digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.installation import install_command
from counterbench.interop.imported import Asked as Question
from counterbench.interop.imported import ImportedRun, asked_by_id, claim_run, record, run_info
from counterbench.interop.inspect.selection import METADATA, Asked
from counterbench.interop.oddities import Noted
from counterbench.judges.openai.options import OpenAIOptions
from counterbench.judges.options import judge_name
from counterbench.runs.folder import RunInfo
from counterbench.runs.journal import Record
from counterbench.runs.names import given_name
from counterbench.runs.wordings import Wording, load_wording
from counterbench.suites.folder import Folder
from counterbench.suites.sources import FolderSource, Source
from counterbench.text import counted

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

# Fields of a sample that are large and not needed.
_UNREAD = {"events", "messages", "attachments", "store"}
_USUAL = OpenAIOptions()
_MESSAGE = 500  # characters of an error's end; its beginning is the request


class _Config(msgspec.Struct, frozen=True, kw_only=True):
    """The options of inspect that belong to a judge's identity; the defaults are those of our tasks."""

    base_url: str | None = None
    temperature: float | None = _USUAL.temperature
    max_tokens: int | None = _USUAL.max_tokens
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    stop_seqs: Any = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    logit_bias: Any = None
    reasoning_effort: str | None = None
    reasoning_tokens: int | None = None
    effort: str | None = None
    verbosity: str | None = None
    system_message: str | None = None
    extra_body: Any = None


def import_inspect_log(
    log: Path,
    out: Path,
    pairs: Path | None = None,
    name: str = "",
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> ImportedRun:
    """Write a log of one of our tasks as the run `out`; the same again changes nothing.

    `pairs`: the present folder of its pairs, if the task asked about a folder. `name`: the user's name for the judge.
    Questions that have no sample are not asked: the run is incomplete. Raises InputError, with nothing written, if it
    is no log of ours, its pairs or wording have changed, or inspect is not installed.
    """
    header = _header(log)
    asked = _asked(log, header)
    source = _source(log, asked, pairs)
    wording = load_wording(asked.wording)
    for what, there, here in (
        ("pairs", asked.suite_digest, source.digest),
        ("wording", asked.wording_digest, wording.digest),
    ):
        if there != here:
            raise InputError(
                f"{log}: its {what} were others, of digest {there} and not {here}; import it with version "
                f"{asked.version} of counterbench"
            )
    due = dict(asked_by_id(source, on_progress, wording))
    votes = header.eval.config.epochs or 1
    info = msgspec.structs.replace(
        run_info(source, _judge(header), *_wording(header, wording), _origin(log), given_name(name)),
        votes=votes,
        queries=2 * len(source) * votes,
        domain=source.domain,
    )
    info.versions.update(header.eval.packages)
    records = list(_records(log, info, due))  # all is read before anything is written
    claim_run(out, source, info, records)
    odd = Noted()
    odd.add("questions that failed", *(one.id for one in records if not one.final))
    sampled = {one.id for one in records}
    odd.add("questions without a sample: the run is incomplete", *(id for id in due if id not in sampled))
    return ImportedRun(out, info, sum(one.final for one in records), list(odd.all()))


def _records(log: Path, info: RunInfo, due: dict[str, Question]) -> Iterator[Record]:
    from inspect_ai.log import read_eval_log_sample_summaries, read_eval_log_samples

    for summary in read_eval_log_sample_summaries(log):  # samples are read by the header's epochs alone
        if not 1 <= summary.epoch <= info.votes:
            raise InputError(
                f"{log}: has a sample of {summary.id!r} of epoch {summary.epoch}, and its header has "
                f"{counted(info.votes, 'epoch')}: the log was changed; import the one that inspect wrote"
            )
    for sample in read_eval_log_samples(log, all_samples_required=False, exclude_fields=_UNREAD):
        id = str(sample.id)
        question = due.get(id)
        if question is None or question.digest != sample.metadata.get("query_digest"):
            raise InputError(f"{log}: its question {id!r} is none that these pairs and this wording ask")
        yield _record(info, id, question, sample)


def _record(info: RunInfo, id: str, question: Question, sample: EvalSample) -> Record:
    from counterbench.interop.inspect.replies import reply_of

    reply = reply_of(sample.output)
    failure = reply.failure
    if sample.error is not None:
        failure = Failed("inspect", sample.error.message[-_MESSAGE:].strip())
    elif failure is not None and sample.limit is not None:
        failure = Failed("limit", f"inspect ended it at its {sample.limit.type} limit")
    return record(
        info,
        id,
        question,
        failure or reply.text or "",
        vote=sample.epoch - 1,
        finish="" if failure else reply.finish,
        model=reply.model,
        time=sample.completed_at or "",
        seconds=sample.output.time,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        tokens_reasoning=reply.tokens_reasoning,
        cost=reply.cost,
        attempts=1 + len(sample.error_retries or ()),
    )


def _header(log: Path) -> EvalLog:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise InputError(
            f"reading an inspect log needs inspect_ai ({error}); this installs it: {install_command('inspect')}"
        ) from None
    if not log.is_file():
        raise InputError(f"{log}: there is no such file")
    try:
        return read_eval_log(log, header_only=True)
    except Exception as error:  # it may be anything
        raise InputError(f"{log}: no log of inspect ({type(error).__name__}: {str(error)[:200]})") from None


def _asked(log: Path, header: EvalLog) -> Asked:
    try:
        return msgspec.convert((header.eval.metadata or {})[METADATA], Asked)
    except (KeyError, msgspec.ValidationError):
        raise InputError(
            f"{log}: its task is {header.eval.task!r} and none of counterbench's; import its replies from a CSV or "
            "JSONL file: counterbench import replies"
        ) from None


def _source(log: Path, asked: Asked, pairs: Path | None) -> Source:
    """The pairs that were asked about; they lie in `pairs` if that is given."""
    if pairs is not None:
        return FolderSource(Folder(pairs), asked.selection.limit)
    try:
        return asked.selection.open()
    except InputError as error:
        raise InputError(f"{log}: {error}; if its pairs were moved, name their folder as --pairs") from None


def _judge(header: EvalLog) -> str:
    """The judge's name: the model that inspect asked, with the options that differ from those of our tasks."""
    said = header.plan.config.model_dump(exclude_none=True)
    given = {name: said[name] for name in _Config.__struct_fields__ if name in said}
    config = msgspec.convert({"base_url": header.eval.model_base_url} | given, _Config)
    return judge_name("inspect", header.eval.model, config, _Config.__struct_fields__)


def _wording(header: EvalLog, wording: Wording) -> tuple[str, str]:
    """The wording's name and digest; marked if the solver is not our tasks': it may have used other words."""
    solvers = [step.solver for step in header.plan.steps]
    if solvers == ["generate"]:
        return wording.name, wording.digest
    steps = [(step.solver, step.params) for step in header.plan.steps]
    parts = msgspec.json.encode([wording.digest, steps], enc_hook=repr)
    return f"{wording.name} by {', '.join(solvers)}", hashlib.blake2b(parts, digest_size=16).hexdigest()


def _origin(log: Path) -> str:
    return f"{log.name} ({formats.file_digest(log)[:16]})"
