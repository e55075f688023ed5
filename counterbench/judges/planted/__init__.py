"""Planted judges: built with the keys, each with a known fault, to show that a metric finds it.

faults      every fault: who has it, how it shows
judge       the judge that has one or several
keys        the keys that it works with, read along

The seam that they share with real judges is in `judges/base`; finding faults is `diagnosis/`.
"""

from counterbench.judges.planted.faults import PLANTED, Dose
from counterbench.judges.planted.judge import PlantedJudge

__all__ = ["PLANTED", "Dose", "PlantedJudge"]
