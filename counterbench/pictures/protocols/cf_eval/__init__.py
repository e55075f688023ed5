"""CF-World's protocol: its numbers (protocol), and its ways to count (gate).

questions   the questions that an author writes about a prompt
"""

from counterbench.pictures.protocols.cf_eval.gate import SCORINGS, THRESHOLD, GatedScoring
from counterbench.pictures.protocols.cf_eval.protocol import FACTUAL, RATES, CFEval

__all__ = ["FACTUAL", "RATES", "SCORINGS", "THRESHOLD", "CFEval", "GatedScoring"]
