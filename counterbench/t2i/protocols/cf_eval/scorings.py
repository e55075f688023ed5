"""CF-Eval's named ways to count."""

from __future__ import annotations

from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.t2i.scores.rules import DEFAULT, Scoring

THRESHOLD = 0.5


class GatedScoring(Scoring, frozen=True, kw_only=True):
    """One way to count CF-Eval."""

    # The S_L1 that must reach the threshold for L2 and L3 to count: the mean of the group's samples, or that of each
    # picture's partner, the L1 picture with the same sample number.
    gate: Literal["group", "picture"] = "group"
    rates: Literal["paper", "readme"] = "paper"  # the source of the formulas of PRR and RRR
    threshold: float = THRESHOLD  # 0 … 1

    def at(self, threshold: float) -> GatedScoring:
        """The same with another threshold; InputError if that is outside 0 … 1."""
        if not 0 <= threshold <= 1:
            raise InputError(f"a threshold of {threshold}; S_L1 is from 0 to 1, and the paper's threshold is 0.5")
        return msgspec.structs.replace(self, threshold=threshold)


# The paper (CF-World, section 3.3) has one picture for each prompt and says nothing about lost checks: only pictures
# with a credit for every check have its S. Its release counts everything lost as 0 and never clamps. Its README states
# other formulas.
SCORINGS: dict[str, GatedScoring] = {
    DEFAULT: GatedScoring(),
    "per-picture": GatedScoring(gate="picture"),
    "paper": GatedScoring(gate="picture", missing_data="out"),
    "as-released": GatedScoring(gate="picture", missing_data="zero", clamp=False),
    "readme": GatedScoring(rates="readme"),
}
