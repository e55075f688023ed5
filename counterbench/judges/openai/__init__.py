"""`openai:MODEL`: any server that speaks the OpenAI API, through the OpenAI SDK."""

from counterbench.judges.openai.judge import OpenAIJudge

__all__ = ["OpenAIJudge"]
