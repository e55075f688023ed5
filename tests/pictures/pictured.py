"""Runs over a planted model's pictures, for tests of scores and reports; and words that try to run something."""

from pathlib import Path

from asked import judge_pictures
from pictures.lawful import draw, of_laws

from counterbench.evidence.document import Certificate
from counterbench.judges.planted import PlantedJudge
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.prompts.prompt_set import PromptSet
from counterbench.runs.queries import load_template

FALLING = of_laws()
HOSTILE = '</script><script>window.pwned = 1; alert(1)</script><img src=x onerror="alert(2)">\u202e{{7*7}}'


def judge(
    out: Path,
    generator: str = "literal",
    spec: str = "oracle",
    *,
    prompts: PromptSet = FALLING,
    samples: int = 1,
    shown: Certificate | None = None,
    template: str = "default",
) -> Path:
    """A run, `out/run`, of a planted judge over a planted model's pictures, which are in `out/images/…`."""
    questions = PictureQuestions(draw(prompts, generator, out / "images", samples), prompts)
    planted, words = PlantedJudge(spec, questions.keys), load_template(template)
    end = judge_pictures(questions, planted, out / "run", template=words, certificate=shown, uncertified=shown is None)
    assert end.complete or "failing" in spec
    return out / "run"
