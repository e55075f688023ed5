"""What a model said, as inspect keeps it, as a reply of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbench.answers.outcomes import Failed
from counterbench.answers.parsing import CUT_OFF, DECLINED, FILTERED
from counterbench.judges.base import Reply

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput

_ENDS = {"max_tokens": CUT_OFF, "model_length": CUT_OFF, "content_filter": FILTERED, "unknown": ""}


def reply_of(output: ModelOutput) -> Reply:
    """The text and why it ended, or that there is none: then something failed or a limit ended the sample."""
    usage = output.usage
    if output.empty:
        return Reply(failure=Failed("no-reply", output.error or "inspect has no reply"), model=output.model)
    said = output.choices[0]
    parts = [] if isinstance(said.message.content, str) else said.message.content
    declined = any(getattr(part, "refusal", None) for part in parts)
    finish = _ENDS.get(said.stop_reason, said.stop_reason)
    return Reply(
        text=said.message.text,
        finish=DECLINED if declined and finish != FILTERED else finish,
        model=output.model,
        tokens_in=usage.input_tokens if usage else None,
        tokens_out=usage.output_tokens if usage else None,
        cost=usage.total_cost if usage else None,
    )
