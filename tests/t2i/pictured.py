"""What tests of reports on models share: runs over a planted model's pictures, and words that try to run something."""

from __future__ import annotations

from pathlib import Path

from asked import judge_pictures
from t2i.lawful import draw, of_laws

from counterbench.judges.planted import PlantedJudge
from counterbench.runs.templates import load_template
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.prompts.prompt_set import PromptSet

FALLING = of_laws()
HOSTILE = '</script><script>window.pwned = 1; alert(1)</script><img src=x onerror="alert(2)">\u202e{{7*7}}'


def judge(out: Path, generator: str, spec: str = "oracle", prompts: PromptSet = FALLING, samples: int = 1) -> Path:
    """A run, `out/run`, of a planted judge over a planted model's pictures, which are in `out/images/…`."""
    questions = PictureQuestions(draw(prompts, generator, out / "images", samples), prompts)
    template = load_template()
    planted = PlantedJudge(spec, questions.keys)
    judge_pictures(questions, planted, out / "run", template=template, certificate=None, uncertified=True)
    return out / "run"
