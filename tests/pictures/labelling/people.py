"""Runs with raters for tests: card models, a planted judge, and people who answer as an oracle does."""

import random
from collections.abc import Callable
from pathlib import Path

from pictures.carded import cards, checklist, judged, prompt

from counterbench.judges.base import Judge
from counterbench.pictures.judging.judged_run import load_models
from counterbench.pictures.labelling.answers import RaterFile
from counterbench.pictures.labelling.sample import open_sample
from counterbench.pictures.labelling.units import LabelQuestion, LabelUnit, ModelChecks
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.manifest import read_manifest
from counterbench.prompts.prompt_set import Check, PromptSet

QUESTION = Check(id="q", text="Is there a cat?", skill="presence")


def one_question(groups: int) -> PromptSet:
    """Prompts with a question each."""
    return checklist([prompt(f"g{i:03}", QUESTION) for i in range(groups)])


class PlantedRaters:
    """A run about card models that `judge` judged, and the true answers about their pictures."""

    def __init__(self, root: Path, rates: dict[str, float], prompts: PromptSet, judge: str | Judge = "oracle") -> None:
        for name, rate in rates.items():
            cards(prompts, root / name, f"card?rate={rate}").path.rename(root / name / name)
        read = [read_manifest(root / name / name) for name in rates]
        judged(read, root / "truth")
        self.run = root / "run"
        judged(read, self.run, judge)
        self.truth = {
            (run.kept.model.name, row.sample_id, row.check): row
            for run in load_models(root / "truth")
            for row in run.rows
        }

    @property
    def models(self) -> list[ModelChecks]:
        return [ModelChecks(run) for run in load_models(self.run)]

    @property
    def sample(self) -> list[LabelUnit]:
        return open_sample(self.run, self.models)

    def row(self, question: LabelQuestion) -> CheckResult:
        return self.truth[question.model, question.sample, question.check]

    def answer(
        self, labels: int, rater: str = "anna", slips: float = 0.0, choose: Callable[[CheckResult], str] | None = None
    ) -> None:
        """Have a rater answer the first `labels` questions of the sample, whole units, wrong with chance `slips`."""
        file, chance, count = RaterFile(self.run, rater), random.Random(rater), 0
        for unit in self.sample:
            for question in unit.questions if count < labels else ():
                row = self.row(question)
                answer = choose(row) if choose is not None else str(row.answer)
                if chance.random() < slips:
                    answer = {"yes": "no", "no": "yes"}.get(answer, answer)
                file.add(question.id, answer)
                count += 1
