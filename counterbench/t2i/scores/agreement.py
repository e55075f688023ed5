"""Why a judge must be certified before it scores: how far the paper's own two judges agree."""

from __future__ import annotations

# Kendall's tau-b between Qwen3-VL-235B and Gemini-3-Pro over the ten open models of CF-World's Table 2. Over all
# fourteen, among which the four closed ones are far ahead, it is 0.84 and 0.72.
OPEN_MODELS = 10
JUDGE_AGREEMENT = {"PRR": 0.69, "RRR": 0.45}


def why_certify() -> str:
    """The reason that is printed beside every score."""
    tau = " and ".join(f"{value:.2f} by {name}" for name, value in JUDGE_AGREEMENT.items())
    return (
        f"why judges are certified: two strong ones rank CF-World's {OPEN_MODELS} open models with a Kendall's tau-b "
        f"of only {tau}"
    )
