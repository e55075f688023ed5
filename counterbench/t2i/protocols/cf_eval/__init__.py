"""CF-World's protocol: what it counts (protocol, scorings), the gate, and how far losses can move its rates (ends)."""

from counterbench.t2i.protocols.cf_eval.protocol import FACTUAL, RATES, CFEval
from counterbench.t2i.protocols.cf_eval.scorings import SCORINGS, THRESHOLD, GatedScoring

__all__ = ["FACTUAL", "RATES", "SCORINGS", "THRESHOLD", "CFEval", "GatedScoring"]
