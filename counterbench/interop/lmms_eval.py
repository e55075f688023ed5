"""Functions that a task of lmms-eval calls: they put our questions, and read and count replies by our own rules.

The `utils.py` of an exported task takes its functions from here. A call that failed is no reply: lmms-eval hands it on
as text ("[LMMS_EVAL_REQUEST_FAILED after 5 retries] …"), in which an answer could be found.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from counterbench.answers.outcomes import Answer, is_error_text
from counterbench.interop.harness import HarnessReply, judge_reply, numbers, or_nan
from counterbench.results.rules import majority

# The fields of a question's row that counting needs.
_PASSED_ON = (
    "id", "pair", "role", "answer", "answer_type", "labels", "answer_line", "relevant", "family", "category",
    "skill", "form",
)  # fmt: skip

Doc = Mapping[str, Any]  # the row of a question (`exports.rows.question_row`) with its picture, as lmms-eval loads it
LmmsRow = Mapping[str, Any]  # the outcome of a question, by `process_results`; lmms-eval hands rows to the metrics


def doc_to_messages(doc: Doc, *_: Any, **__: Any) -> list[dict[str, Any]]:
    """The question as it is put to a model that takes a chat."""
    system = [{"role": "system", "content": [{"type": "text", "text": doc["system"]}]}] if doc["system"] else []
    shown = [{"type": "image", "url": picture} for picture in doc_to_visual(doc)]
    return [*system, {"role": "user", "content": [*shown, {"type": "text", "text": doc["prompt"]}]}]


def doc_to_visual(doc: Doc, *_: Any, **__: Any) -> list[Any]:
    """The question's picture."""
    return [doc["image"].convert("RGB")]


def doc_to_text(doc: Doc, *_: Any, **__: Any) -> str:
    """The question in words, after its system text, for a model that takes no chat."""
    return "\n".join(words for words in (doc["system"], doc["prompt"]) if words)


def process_results(doc: Doc, results: Sequence[str], **_: Any) -> dict[str, LmmsRow]:
    """A question's row for each metric, by the metric's name. Several replies to it are repeats: their majority counts.

    Rows for "accuracy" have the "pair" and a "score", 1.0 or 0.0 (none after a failed call), from which lmms-eval takes
    the standard error. Rows for the other metrics have the question and the outcome.
    """
    question = {name: doc[name] for name in _PASSED_ON}
    row: dict[str, Any] = {"question": question, "failed": any(is_error_text(reply) for reply in results)}
    scored: dict[str, Any] = {"pair": doc["pair"]}
    if not row["failed"]:
        judged = majority([judge_reply(reply, question) for reply in results])
        answer = judged.outcome.value if isinstance(judged.outcome, Answer) else None
        row |= {"right": judged.right, "answer": answer}
        scored["score"] = float(judged.right)
    return {"accuracy": scored, "ccs": row, "gap": row, "failed": row}


def accuracy(rows: Sequence[LmmsRow]) -> float:
    """The share of questions answered right, among those replied to."""
    scored = [row["score"] for row in rows if "score" in row]
    return sum(scored) / len(scored) if scored else math.nan


def ccs(rows: Sequence[LmmsRow]) -> float:
    """Pairs right on both pictures ÷ pairs replied to twice."""
    return or_nan(numbers(_records(rows)).ccs.value)


def gap(rows: Sequence[LmmsRow]) -> float:
    """Pairs right on the original alone ÷ pairs replied to twice."""
    return or_nan(numbers(_records(rows)).gap.value)


def failed(rows: Sequence[LmmsRow]) -> int:
    """The number of questions without a reply: their pairs are in no other number."""
    return sum(row["failed"] for row in rows)


def _records(rows: Sequence[LmmsRow]) -> list[HarnessReply]:
    """The replies in those rows whose calls did not fail."""
    return [HarnessReply(row["question"], row["right"], row["answer"]) for row in rows if not row["failed"]]
