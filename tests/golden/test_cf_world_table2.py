"""CF-World's Table 2 (arXiv 2606.24548v3): from its L1, L2, L3 all 56 PRR and RRR, and how far its two judges agree.

The table prints two decimals. So a printed rate holds if some L1, L2, L3 that round to the printed ones give it.
"""

import pytest
from golden.recompute import read_table
from pictures.judged import SIGNATURE, check
from sweeping import swept

from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.pictures.protocols.numbers import document
from counterbench.stats.agreement import kendall_tau_b

TABLE = [(model, [float(cell.value) for cell in row.values()]) for model, row in read_table("CF-World 2").items()]
# L1, L2, L3, PRR, RRR by Qwen3-VL-235B, then by Gemini-3-Pro; the closed models come last.
ALL = {model: (row[:5], row[5:]) for model, row in TABLE}
OPEN = dict(list(ALL.items())[:10])
ROWS = [(model, judge, *numbers[judge]) for model, numbers in ALL.items() for judge in (0, 1)]
HALF = 0.005  # what rounding to two decimals hides
# Kendall's tau-b between the two judges, over the ten open models and over all fourteen.
JUDGE_AGREEMENT = {"PRR": (0.69, 0.84), "RRR": (0.45, 0.72)}


def rates(l1: float, l2: float, l3: float, scoring: str = "paper") -> tuple[float, float]:
    """PRR and RRR of a model with these means, through the whole scoring."""
    rows = [check(level=level, credit=mean) for level, mean in (("l1", l1), ("l2", l2), ("l3", l3))]
    found = document(CFEval(), rows, levels=("l1", "l2", "l3"), provenance=SIGNATURE, scoring_name=scoring).columns
    prr, rrr = found["prr"].value, found["rrr"].value
    return prr, rrr


@swept(("model", "judge", "l1", "l2", "l3", "prr", "rrr"), ROWS)
def test_the_printed_rates_follow_from_the_printed_means(
    model: str, judge: int, l1: float, l2: float, l3: float, prr: float, rrr: float
) -> None:
    # PRR rises with L2 and falls with L1; RRR rises with L3 and falls with L2: the ends of each are apart.
    prr_low, rrr_high = rates(l1 + HALF, l2 - HALF, l3 + HALF)
    prr_high, rrr_low = rates(l1 - HALF, l2 + HALF, l3 - HALF)
    assert prr_low - HALF <= prr <= prr_high + HALF
    assert rrr_low - HALF <= rrr <= rrr_high + HALF


def test_the_readmes_formulas_do_not_give_the_table() -> None:
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
def test_the_two_judges_agree_as_printed_on_open_and_all_models(place: int, rate: str) -> None:
    for models, known in zip((OPEN, ALL), JUDGE_AGREEMENT[rate], strict=True):
        tau = kendall_tau_b(*([numbers[judge][place] for numbers in models.values()] for judge in (0, 1)))
        assert round(tau, 2) == known
