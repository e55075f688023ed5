"""CF-World's Table 2 (arXiv 2606.24548v3): from its L1, L2, L3 all 56 PRR and RRR, and how far its two judges agree.

The table prints two decimals. So a printed rate holds if some L1, L2, L3 that round to the printed ones give it.
"""

import pytest
from t2i.judged import SIGNATURE, check

from counterbench.stats.agreement import kendall_tau_b
from counterbench.t2i.protocols.cf_eval import CFEval
from counterbench.t2i.protocols.numbers import document

# Kendall's tau-b of the two judges by rate: over the open models, and over all.
JUDGE_AGREEMENT = {"PRR": (0.69, 0.84), "RRR": (0.45, 0.72)}
# L1, L2, L3, PRR, RRR by Qwen3-VL-235B, then by Gemini-3-Pro.
OPEN = {
    "SANA 1.5": ((0.83, 0.36, 0.23, 0.40, 0.38), (0.75, 0.29, 0.17, 0.33, 0.32)),
    "Janus-Pro-7B": ((0.80, 0.29, 0.21, 0.32, 0.39), (0.69, 0.21, 0.11, 0.25, 0.24)),
    "Show-o2": ((0.77, 0.32, 0.20, 0.36, 0.35), (0.66, 0.25, 0.14, 0.31, 0.28)),
    "Z-image": ((0.82, 0.38, 0.21, 0.42, 0.34), (0.75, 0.33, 0.16, 0.38, 0.28)),
    "Lumina-DiMOO": ((0.76, 0.33, 0.20, 0.38, 0.35), (0.70, 0.29, 0.17, 0.35, 0.32)),
    "BAGEL": ((0.80, 0.29, 0.17, 0.32, 0.32), (0.73, 0.29, 0.15, 0.34, 0.28)),
    "BAGEL-CoT": ((0.88, 0.43, 0.29, 0.46, 0.44), (0.82, 0.41, 0.26, 0.45, 0.41)),
    "OmniGen2": ((0.76, 0.32, 0.19, 0.37, 0.34), (0.70, 0.29, 0.18, 0.35, 0.33)),
    "FLUX.2-dev": ((0.81, 0.42, 0.26, 0.47, 0.40), (0.83, 0.48, 0.28, 0.53, 0.40)),
    "Qwen-Image": ((0.84, 0.35, 0.24, 0.38, 0.41), (0.80, 0.37, 0.23, 0.41, 0.38)),
}
CLOSED = {
    "Nano Banana": ((0.93, 0.64, 0.55, 0.66, 0.69), (0.88, 0.64, 0.52, 0.68, 0.65)),
    "Nano Banana Pro": ((0.95, 0.67, 0.58, 0.69, 0.71), (0.93, 0.76, 0.67, 0.79, 0.77)),
    "GPT-Image-1.5": ((0.92, 0.66, 0.49, 0.69, 0.60), (0.91, 0.73, 0.55, 0.77, 0.64)),
    "Seedream 5.0": ((0.91, 0.63, 0.50, 0.66, 0.63), (0.89, 0.72, 0.61, 0.76, 0.72)),
}
ROWS = [(model, judge, *numbers[judge]) for model, numbers in (OPEN | CLOSED).items() for judge in (0, 1)]
HALF = 0.005  # what rounding to two decimals hides
# Kendall's tau-b between the two judges, over the ten open models and over all fourteen.
JUDGE_AGREEMENT = {"PRR": (0.69, 0.84), "RRR": (0.45, 0.72)}


def rates(l1: float, l2: float, l3: float, scoring: str = "paper") -> tuple[float, float]:
    """PRR and RRR of a model with these means, through the whole scoring."""
    rows = [check(level=level, credit=mean) for level, mean in (("l1", l1), ("l2", l2), ("l3", l3))]
    found = document(CFEval(), rows, levels=("l1", "l2", "l3"), provenance=SIGNATURE, scoring_name=scoring).columns
    prr, rrr = found["prr"].value, found["rrr"].value
    assert prr is not None
    assert rrr is not None
    return prr, rrr


@pytest.mark.parametrize(("model", "judge", "l1", "l2", "l3", "prr", "rrr"), ROWS)
def test_the_printed_rates_follow_from_the_printed_means(
    model: str, judge: int, l1: float, l2: float, l3: float, prr: float, rrr: float
) -> None:
    # PRR rises with L2 and falls with L1; RRR rises with L3 and falls with L2: the ends of each are apart.
    prr_low, rrr_high = rates(l1 + HALF, l2 - HALF, l3 + HALF)
    prr_high, rrr_low = rates(l1 - HALF, l2 + HALF, l3 - HALF)
    assert prr_low - HALF <= prr <= prr_high + HALF
    assert rrr_low - HALF <= rrr <= rrr_high + HALF


def test_the_readme_s_formulas_are_not_those_of_the_table() -> None:
    matches = 0
    for _, _, l1, l2, l3, prr, rrr in ROWS:
        low, _ = rates(l1 + HALF, l2 - HALF, l3, "readme")
        high, _ = rates(l1 - HALF, l2 + HALF, l3, "readme")
        matches += low - HALF <= prr <= high + HALF
        _, low = rates(l1, l2 + HALF, l3 - HALF, "readme")
        _, high = rates(l1, l2 - HALF, l3 + HALF, "readme")
        matches += low - HALF <= rrr <= high + HALF
    assert matches == 0


@pytest.mark.parametrize(("place", "rate"), [(3, "PRR"), (4, "RRR")])
def test_how_far_the_two_judges_agree_on_the_open_models_and_on_all(place: int, rate: str) -> None:
    for models, known in zip((OPEN, OPEN | CLOSED), JUDGE_AGREEMENT[rate], strict=True):
        tau = kendall_tau_b(*([numbers[judge][place] for numbers in models.values()] for judge in (0, 1)))
        assert tau is not None
        assert round(tau, 2) == known
