"""CF-World's protocol: its numbers (protocol), and its ways to count (gate).

questions   the questions that an author writes about a prompt
"""

from counterbench.pictures.protocols.cf_eval.gate import SCORINGS, GatedScoring
from counterbench.pictures.protocols.cf_eval.protocol import RATES, CFEval

__all__ = ["RATES", "SCORINGS", "CFEval", "GatedScoring"]
