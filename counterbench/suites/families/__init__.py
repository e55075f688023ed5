"""The families: ways to sample pairs of one kind, one file each. Families of shapes are listed in `control`.

`base` is their base; `placement` and `changes` are shared between some. `ladders` has the rungs: families at one value
of a dial of difficulty.
"""

from counterbench.errors import chosen
from counterbench.suites.families.base import Canvas, Draft, Family, Parameters, Params, Plan, sample
from counterbench.suites.families.control import BASES, Control, OneSided, Treated
from counterbench.suites.families.ladders import RUNGS
from counterbench.suites.families.laws import LawControl, LawFamily, LawTreated
from counterbench.suites.families.priors import PRIORS
from counterbench.suites.families.whole_prompts import WholePrompt

_OTHERS: tuple[Family, ...] = (Control(), Treated(), OneSided(), WholePrompt(), LawFamily(), LawControl(), LawTreated())
FAMILIES: dict[str, Family] = BASES | {f.name: f for f in _OTHERS} | PRIORS


def family(name: str, where: str = "") -> Family:
    """The family, or rung of a ladder, called `name`; InputError with the valid names if there is none."""
    return RUNGS[name] if name in RUNGS else chosen("family", name, FAMILIES, where)


__all__ = ["FAMILIES", "RUNGS", "Canvas", "Draft", "Family", "Parameters", "Params", "Plan", "family", "sample"]
