"""A run about generated pictures, read once: every check of every sample, as the judge answered it.

Scores, bands, labels and differences are all computed from this; none of them reads a journal itself.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.runs.folder import RunInfo, read_keys, read_run_info
from counterbench.runs.journal import records_of
from counterbench.runs.usage import UsageCounter
from counterbench.scoring.results import settled_replies
from counterbench.scoring.rules import Judged
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.judging.ground_truth import credit, result_of
from counterbench.t2i.judging.picture_queries import question_id
from counterbench.t2i.judging.run import T2IRun, read_t2i_run
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.scores.results import CheckResult, JudgeOutcome


class JudgedRun(msgspec.Struct, frozen=True):
    """A run and its judged checks; those of pictures that are not there, too.

    `models`: the ids under which replies came, `at`: when the last one did; none before anything was asked.
    """

    kept: T2IRun
    info: RunInfo
    prompts: PromptSet
    rows: tuple[CheckResult, ...]
    models: tuple[str, ...]
    at: str


def load_judged(path: Path) -> JudgedRun:
    """The run in `path`; InputError if it is no run about generated pictures, or is damaged."""
    kept = read_t2i_run(path)
    info = read_run_info(path)
    observer = UsageCounter()
    records = observer.watch(records_of(path, info))
    replies = settled_replies(read_keys(path), records, "default", info.votes, str(path))
    prompts = {prompt.id: prompt for prompt in kept.prompts}
    rows = tuple(
        _result(prompts[f"{row.group}/{row.level}"], check, row, replies.get(question_id(row.id, check.id)))
        for row in kept.samples
        for check in prompts[f"{row.group}/{row.level}"].checks
    )
    seen = observer.observations(path)
    return JudgedRun(kept, info, kept.prompt_set, rows, tuple(seen.models), seen.last)


def _result(prompt: Prompt, check: Check, row: ImageRow, reply: Judged | Failed | None) -> CheckResult:
    bare = result_of(prompt, check, row.sample, answer=None, picture=row.status)
    if row.status != "ok" or reply is None:
        return bare
    outcome: JudgeOutcome = "failed" if isinstance(reply, Failed) else outcome_name(reply.outcome)  # type: ignore[assignment]
    answer = reply.value if isinstance(reply, Judged) else None
    return msgspec.structs.replace(bare, answer=answer, credit=credit(check, answer), outcome=outcome)
