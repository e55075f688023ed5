"""Planted judges (fault injection): built with the keys, each with a known fault, to show that a metric finds it.

faults      every fault: its name, its dose and its behaviour
judge       the judge that has one or several faults, and the keys that it works with

`judges/base` is the interface that they share with real judges; `diagnosis/` finds faults.
"""

from counterbench.judges.planted.faults import PLANTED, Dose
from counterbench.judges.planted.judge import PlantedJudge

__all__ = ["PLANTED", "Dose", "PlantedJudge"]
