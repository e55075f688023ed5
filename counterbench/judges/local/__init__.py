"""A vision-language model on this machine, through transformers: `transformers:ID_OR_PATH[?option=value&…]`.

Nothing heavy is imported here: torch and transformers (the extra `local`) are imported when a judge is built.
"""

from counterbench.judges.local.judge import TransformersJudge
from counterbench.judges.local.options import IDENTITY, Options

__all__ = ["IDENTITY", "Options", "TransformersJudge"]
