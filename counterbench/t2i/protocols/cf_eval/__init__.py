"""CF-World's protocol: the numbers (protocol, scorings) and the gate.

questions   the questions that an author writes about a prompt
"""

from counterbench.t2i.protocols.cf_eval.protocol import FACTUAL, RATES, CFEval
from counterbench.t2i.protocols.cf_eval.scorings import SCORINGS, THRESHOLD, GatedScoring

__all__ = ["FACTUAL", "RATES", "SCORINGS", "THRESHOLD", "CFEval", "GatedScoring"]
