"""Pictures of models whose true scores are known, judged by a judge that sees: it recovers them."""

from pathlib import Path

import pytest
from asked import judge_pictures
from pictures.lawful import LEVELS, draw, of_laws, scored, true_rows

import counterbench as cb
from counterbench.judges.pixels import PixelReader
from counterbench.judges.planted import PlantedJudge
from counterbench.laws import STANDARD, law
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.scores.document import ModelDocument
from counterbench.prompts.from_laws import law_prompts
from counterbench.prompts.prompt_set import PromptSet
from counterbench.runs.queries import load_template

GENERATORS = ("literal", "prior", "noisy", "noisy?l1=0.8&l2=0.3&l3=0.7&seed=5", "vandal", "reasoner")


def recovered(prompts: PromptSet, generator: str, judge: str, folder: Path, samples: int) -> None:
    questions = PictureQuestions(draw(prompts, generator, folder / "images", samples), prompts)
    judge_pictures(
        questions,
        PixelReader() if judge == "pixels" else PlantedJudge(judge, questions.keys),
        folder / "run",
        template=load_template(),
        certificate=None,
        uncertified=True,
    )
    measured, true = cb.t2i_score(folder / "run"), scored(true_rows(prompts, generator, samples))
    assert measured.complete
    assert point_values(measured) == point_values(true)


def point_values(document: ModelDocument) -> dict[str, object]:
    """Every number of a document that is not an interval: gated, ungated, of the assessment point, of prior, by law."""
    return {
        "columns": {name: number.value for name, number in document.columns.items()},
        "rests on": document.rests_on,
        "slices": {
            (what, name): {column: number.value for column, number in part.items()}
            for what, parts in document.slices.items()
            for name, part in parts.items()
        },
    }


@pytest.mark.parametrize("generator", GENERATORS[:3])
def test_the_oracle_recovers_the_true_numbers(generator: str, tmp_path: Path) -> None:
    recovered(of_laws(), generator, "oracle", tmp_path, samples=2)


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["oracle", "pixels"])
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_seeing_judge_recovers_the_true_numbers_over_all_laws(judge: str, generator: str, tmp_path: Path) -> None:
    groups = [list(law_prompts((some_law,), 7, 1))[: 2 * len(LEVELS)] for some_law in map(law, STANDARD)]
    recovered(PromptSet("laws", LEVELS, [p for group in groups for p in group], 7), generator, judge, tmp_path, 1)
