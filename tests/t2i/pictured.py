"""What tests of reports on models share: runs over a planted model's pictures, and words that try to run something."""

from __future__ import annotations

from pathlib import Path

from t2i.carded import judged
from t2i.lawful import draw, of_laws

from counterbench.t2i.prompts.prompt_set import PromptSet

FALLING = of_laws()
HOSTILE = '</script><script>window.pwned = 1; alert(1)</script><img src=x onerror="alert(2)">\u202e{{7*7}}'


def judge(out: Path, generator: str, spec: str = "oracle", prompts: PromptSet = FALLING, samples: int = 1) -> Path:
    """A run, `out/run`, of a planted judge over a planted model's pictures, which are in `out/images/…`."""
    judged(draw(prompts, generator, out / "images", samples), out / "run", spec, prompts=prompts)
    return out / "run"
