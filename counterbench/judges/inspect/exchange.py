"""A query as inspect's messages, and an output of inspect as a `Reply` of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbench.answers.outcomes import Failed
from counterbench.answers.parsing import CUT_OFF, DECLINED, FILTERED
from counterbench.judges.base import Reply
from counterbench.judges.openai.replies import tokens_of
from counterbench.runs.queries import Query

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, ModelOutput

# Our words for the ends of replies (`Reply.finish`), by those of inspect that differ from them.
_ENDS = {"max_tokens": CUT_OFF, "model_length": CUT_OFF, "content_filter": FILTERED, "unknown": ""}


def messages_of(query: Query) -> list[ChatMessage]:
    """A query as inspect's messages: the system text, if any; then the pictures (data URIs of PNG) and the text."""
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText

    from counterbench.judges.openai.server_judge import data_uri  # loads the OpenAI SDK

    system = [ChatMessageSystem(content=query.system)] if query.system else []
    pictures = [ContentImage(image=data_uri(picture)) for picture in query.pictures]
    return [*system, ChatMessageUser(content=[*pictures, ContentText(text=query.text)])]


def reply_of(output: ModelOutput) -> Reply:
    """A model's output in inspect as a reply of ours: its text and the reason for its end, or a failure."""
    usage = output.usage
    if output.empty:
        return Reply(failure=Failed("no-reply", output.error or "inspect has no reply"), model=output.model)
    counts: dict[str, Any] = {}
    if usage:  # as `openai:` judges count: cached tokens are tokens in, too, and hidden ones are reasoning
        cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        counts = {
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
        **tokens_of(counts),
    )
