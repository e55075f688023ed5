"""A run about generated pictures, read once: every check of every sample, as the judge answered it.

Scores, bands, labels and differences are all computed from this; none of them reads a journal itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.runs.folder import RunInfo, read_keys, read_run_info
from counterbench.runs.journal import records_of
from counterbench.runs.usage import UsageCounter
from counterbench.scoring.replies import Replies
from counterbench.scoring.results import settled_replies
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.judging.negation import Both, asked_both_ways
from counterbench.t2i.judging.run import T2IRun, read_t2i_run
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.protocols.asks import CONTEXT, Said, answer_to
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.ground_truth import answered, unanswered
from counterbench.t2i.protocols.replies import question_id, said_to
from counterbench.t2i.protocols.waves import waves
from counterbench.t2i.scores.results import CheckResult, JudgeOutcome


class JudgedRun(msgspec.Struct, frozen=True):
    """A run and its judged checks; those of pictures that are not there, too.

    `models`: the ids under which replies came, `at`: when the last one did; none before anything was asked. `both`:
    checks that were also asked in a frame that denies them.
    """

    kept: T2IRun
    info: RunInfo
    prompts: PromptSet
    protocol: Protocol
    rows: tuple[CheckResult, ...]
    both: tuple[Both, ...]
    models: tuple[str, ...]
    at: str


def load_judged(path: Path) -> JudgedRun:
    """The run in `path`; InputError if it is no run about generated pictures, or is damaged."""
    kept = read_t2i_run(path)
    info = read_run_info(path)
    observer = UsageCounter()
    records = observer.watch(records_of(path, info))
    replies = settled_replies(read_keys(path), records, "default", info.votes, str(path))
    rows: list[CheckResult] = []
    both: list[Both] = []
    for row in kept.samples:
        prompt = kept.prompts.by_id[f"{row.group}/{row.level}"]
        rows += _results(kept.protocol, prompt, row, replies)
        both += asked_both_ways(prompt, row.id, partial(said_to, replies)) if kept.info.negated else []
    seen = observer.observations(path)
    return JudgedRun(kept, info, kept.prompts, kept.protocol, tuple(rows), tuple(both), tuple(seen.models), seen.last)


def _results(protocol: Protocol, prompt: Prompt, row: ImageRow, replies: Replies) -> Iterator[CheckResult]:
    checks = [check for check in prompt.checks if check.answer_type != CONTEXT]
    bare = {check.id: unanswered(prompt, check, row.sample, row.status) for check in checks}
    if row.status != "ok":
        yield from bare.values()
        return

    def replied(ask: str) -> Said | None:
        return said_to(replies, question_id(row.id, ask))

    asked = waves(partial(protocol.ask, prompt), replied)
    found = dict(bare)
    for ask in asked.asks.values():
        said = asked.said.get(ask.id)
        credits = protocol.credits(ask, said) if said is not None else {}
        for check in (check for check in ask.checks if check.id in bare):
            result = bare[check.id]
            if ask.id != check.id:
                found[check.id] = result = msgspec.structs.replace(result, question=ask.id)
            if said is None:
                if isinstance(replies.get(question_id(row.id, ask.id)), Failed):
                    found[check.id] = msgspec.structs.replace(result, outcome="failed")
            elif said.answer is not None:
                found[check.id] = answered(result, answer_to(ask, check, said) or "", credits.get(check.id))
            else:
                outcome: JudgeOutcome = outcome_name(said.outcome)  # type: ignore[assignment]
                found[check.id] = msgspec.structs.replace(result, outcome=outcome)
    yield from found.values()
