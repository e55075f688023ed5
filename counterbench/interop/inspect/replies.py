"""A model's reply as inspect keeps it, turned into a reply of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbench.answers.outcomes import Failed
from counterbench.answers.parsing import CUT_OFF, DECLINED, FILTERED
from counterbench.judges.base import Reply
from counterbench.judges.openai.replies import tokens_of

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput, ModelUsage

_ENDS = {"max_tokens": CUT_OFF, "model_length": CUT_OFF, "content_filter": FILTERED, "unknown": ""}


def reply_of(output: ModelOutput) -> Reply:
    """The text and the reason why it ended; or a failure, if something failed or a limit ended the sample."""
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
        cost=usage.total_cost if usage else None,
        **(_tokens(usage) if usage else {}),
    )


def _tokens(usage: ModelUsage) -> dict[str, Any]:
    """Tokens as `openai:` judges count them: cached ones are tokens in, too, and hidden ones are reasoning."""
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return tokens_of(
        {
            "input_tokens": usage.input_tokens + cached,
            "output_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        }
    )
