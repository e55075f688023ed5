"""Why a judge must be certified before it scores: how far the paper's own two judges agree."""

from __future__ import annotations

# Kendall's tau-b between Qwen3-VL-235B and Gemini-3-Pro in CF-World's Table 2, by rate: over its ten open models, and
# over all fourteen, among which the four closed ones are far ahead by either judge.
OPEN_MODELS, ALL_MODELS = 10, 14
JUDGE_AGREEMENT = {"PRR": (0.69, 0.84), "RRR": (0.45, 0.72)}


def why_certify() -> str:
    """The reason that is printed beside every score."""
    among_open, among_all = (
        " and ".join(f"{values[i]:.2f} by {name}" for name, values in JUDGE_AGREEMENT.items()) for i in (0, 1)
    )
    return (
        f"why judges are certified: two strong ones rank CF-World's {OPEN_MODELS} open models with a Kendall's tau-b "
        f"of only {among_open} (all {ALL_MODELS}, with the closed ones: {among_all})"
    )
