"""The scorer of inspect's tasks and its metrics: replies are read, compared with keys and counted by our own code.

A question that failed has no score, and its pair is in no number. Each of several epochs is a repeat.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

# Imported here because inspect reads the types of a metric's or scorer's parameters when it runs.
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

if TYPE_CHECKING:
    from counterbench.results.scores import Score as Numbers
    from counterbench.results.scores import Share

# The reasons why a reply is no answer, in inspect's words.
_REASONS = {"unparsed": "invalid_response_format", "refused": "refusal"}

# All metrics see every epoch's score ("unreduced"): an epoch is a repeat, and a mean of repeats is none.


@metric(name="accuracy", scores="unreduced")
def question_accuracy() -> Metric:
    """The share of questions answered right."""
    return accuracy()


@metric(name="stderr", scores="unreduced")
def clustered_stderr() -> Metric:
    """The standard error of accuracy; the two questions about a pair are a cluster."""
    return stderr(cluster="pair")


@metric(scores="unreduced")
def ccs() -> Metric:
    """Pairs right on both pictures ÷ pairs replied to twice, with its 95 % Wilson interval, and how many pairs."""

    def count(scores: list[SampleScore]) -> dict[str, float]:
        """CCS with its interval and its number of pairs."""
        share = _numbers(scores).ccs
        return _metric("ccs", share) | {"ccs_pairs": share.of}

    return count


@metric(scores="unreduced")
def gap() -> Metric:
    """Pairs right on the original alone ÷ pairs replied to twice, with its 95 % Wilson interval."""

    def count(scores: list[SampleScore]) -> dict[str, float]:
        """The gap with its interval."""
        return _metric("gap", _numbers(scores).gap)

    return count


@metric(scores="unreduced")
def ccs_by(group: str) -> Metric:
    """CCS for each value of a key of the samples' metadata: "category", "family", "law", …"""

    def count(scores: list[SampleScore]) -> dict[str, float]:
        """CCS by the value of the key."""
        groups = defaultdict(list)
        for score in scores:
            groups[str(score.sample_metadata[group])].append(score)
        return {f"ccs_{name}": _value(_numbers(members).ccs.value) for name, members in groups.items()}

    return count


@scorer(metrics=[question_accuracy(), clustered_stderr(), ccs(), gap(), ccs_by("category")])
def pair_scorer(scoring: str = "default") -> Scorer:
    """A scorer that compares a reply with its key by one of our scorings ("default", "strict", "as-released")."""

    async def score(state: TaskState, target: Target) -> Score:
        """A sample's reply, read and compared with its key; no score for a failure."""
        from counterbench.answers.outcomes import outcome_name
        from counterbench.interop.harness import judge_reply
        from counterbench.judges.inspect.exchange import reply_of

        reply = reply_of(state.output)
        if reply.failure is not None:
            return Score.unscored(reason="failed", explanation=reply.failure.message)
        judged = judge_reply(reply.text or "", {"id": str(state.sample_id)} | state.metadata, reply.finish, scoring)
        return Score(
            value=CORRECT if judged.right else INCORRECT,
            answer=judged.value,
            explanation=reply.text,
            reason=_REASONS.get(outcome_name(judged.outcome)),
        )

    return score


def _numbers(scores: list[SampleScore]) -> Numbers:
    """Our numbers of the pairs whose two questions both have all their repeats so far."""
    from counterbench.interop.harness import HarnessReply, numbers

    return numbers(
        HarnessReply(
            {"id": str(score.sample_id)} | score.sample_metadata, score.score.value == CORRECT, score.score.answer
        )
        for score in scores
    )


def _metric(name: str, share: Share) -> dict[str, float]:
    """A share and the ends of its interval; inspect drops the metric's name where there are several values."""
    values = {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}
    return {key: _value(value) for key, value in values.items()}


def _value(number: float | None) -> float:
    """The number, or NaN for None."""
    return math.nan if number is None else number
