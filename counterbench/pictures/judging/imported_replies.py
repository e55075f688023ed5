"""Imports replies that were given elsewhere about generated pictures, as the run that asking would have given.

`import_picture_replies` takes a table of replies and the prompts with their checks (questions), and writes a run's
folder. Each wave of replies may lead to further questions, so it goes on as long as the table answers new ones.
"""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import msgspec

from counterbench.answers import read_reply
from counterbench.answers.outcomes import Failed, is_error_text
from counterbench.errors import InputError
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row, words_of
from counterbench.interop.imported import UNKNOWN, ImportedRun, origin_of, record, run_info, write_run
from counterbench.pictures.importing.pictures import IMPORTED
from counterbench.pictures.importing.places import Finder, whole_in
from counterbench.pictures.judging.picture_queries import PictureQuestions, asked_id
from counterbench.pictures.judging.run import write_t2i_files
from counterbench.pictures.protocols.asks import CheckReply
from counterbench.pictures.protocols.replies import question_id
from counterbench.prompts.items import read_items
from counterbench.prompts.manifest import ImageRow, Images, ImagesInfo, missing_row
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.runs.folder import given_name
from counterbench.runs.queries import Query


def import_picture_replies(
    file: Path, prompts: PromptSet, judge: str, out: Path, columns: Mapping[str, str] = {}
) -> ImportedRun:
    """Write the replies in a table to the checks of `prompts` as the run `out`, about all models in the table.

    A row has the prompt (`id`, or its words), the question (`check`: its id or number, or `question`: its words), the
    reply (`answer`), and, where there are several, `model` and `sample`. `columns`: the table's names of these.
    Questions without a reply are not asked: the run is incomplete. InputError that names the line, with nothing
    written.
    """
    if not given_name(judge):
        raise InputError("--judge: name the judge that replied")
    items, finder, warnings = read_items(file, columns), Finder(prompts), Warnings()
    by_model: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))  # model, sample, question
    sample_rows: dict[str, ImageRow] = {}
    for row in items.rows:
        if "answer" not in row.values:
            warnings.add("rows without a reply: not asked", row.where)
            continue
        prompt = finder.find(row)
        if isinstance(prompt, str):
            warnings.add("rows of no prompt, left out", f"{row.where}: {prompt}")
            continue
        sample = missing_row(prompt, whole_in(row, "sample") or 0, 0, "")
        check, sample_rows[sample.id] = _check_id(row, prompt), msgspec.structs.replace(sample, status="ok")
        replies = by_model[str(row.values.get("model") or file.stem)][sample.id]
        if not check:
            warnings.add("replies to no question of the prompt, left out", row.where)
        elif check in replies:
            raise InputError(
                f"{row.where}: a second reply to {check!r} about sample {sample.id}; keep one, or give each picture of "
                "a prompt a sample of its own"
            )
        else:
            replies[check] = words_of(row.values["answer"])
    warnings.add("columns that are not read, left out", *items.unused)
    if not by_model:
        raise InputError(f"{file}: no row has a reply to a prompt of {prompts.name!r}{_warnings_text(warnings)}")
    questions, has_several = _questions(prompts, by_model, sample_rows), len(by_model) > 1
    replies_by_id = {
        question_id(asked_id(model, sample) if has_several else sample, check): reply
        for model, samples in by_model.items()
        for sample, replies in samples.items()
        for check, reply in replies.items()
    }
    queries_so_far: dict[str, Query] = {}

    def replied(id: str) -> CheckReply | None:
        """The reply in the table to a question so far; None if there is none, or the call failed."""
        if id not in replies_by_id or id not in queries_so_far or is_error_text(replies_by_id[id]):
            return None
        return CheckReply(read_reply(replies_by_id[id], queries_so_far[id].answer_type))

    while len(queries := list(questions.queries())) > len(queries_so_far):
        queries_so_far.update((query.id, query) for query in queries)
        questions.follow(out, replied)
    info = run_info(questions, len(queries), f"imported:{judge}", UNKNOWN, origin_of(file), judge)
    records = []
    for query in queries:
        if (reply := replies_by_id.get(query.id)) is None:
            warnings.add("questions without a reply: the run is incomplete", query.id)
            continue
        failed = is_error_text(reply)
        if failed:
            warnings.add("questions with a failed call", query.id)
        records.append(record(info, query, Failed("published-error", reply) if failed else reply))
    if not records:
        raise InputError(f"{file}: has no reply to a question of {prompts.name!r}{_warnings_text(warnings)}")
    write_run(out, questions.keys(), info, records, lambda folder: write_t2i_files(folder, questions, False, True))
    return ImportedRun(out, info, len(records), list(warnings.all()))


def _check_id(row: Row, prompt: Prompt) -> str:
    """The id of the check that a row replies to; empty if there is no such check."""
    number, words = (str(row.values.get(name) or "").strip() for name in ("check", "question"))
    for check in prompt.checks:
        if check.id in (number, f"q{number}") if number else check.text.strip() == words:
            return check.id
    return prompt.checks[0].id if not (number or words) and len(prompt.checks) == 1 else ""


def _questions(
    prompts: PromptSet, by_model: Mapping[str, Mapping[str, Mapping[str, str]]], sample_rows: Mapping[str, ImageRow]
) -> PictureQuestions:
    """The questions about the samples that the table has replies to; their pictures are not on this machine."""
    folders = []
    for model, samples in by_model.items():
        rows = tuple(sample_rows[id] for id in samples)
        most = 1 + max(row.sample for row in rows)
        info = ImagesInfo(prompts=prompts.name, generator=f"{IMPORTED}{model}", samples=most, seed=0, versions={})
        folders.append(Images(Path(model), info, rows, prompts))
    return PictureQuestions(folders, prompts)


def _warnings_text(warnings: Warnings) -> str:
    """The warnings as text, to be added to an error."""
    return "".join(f"; {warning.line()}" for warning in warnings.all())
