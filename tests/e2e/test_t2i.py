"""Pictures of models whose true scores are known, judged: recovered by who sees, biased by who errs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from planted_runs import cells_source
from t2i.lawful import LEVELS, draw, of_laws, scored, true_rows

from counterbench.certificate.cells import law_of, threshold
from counterbench.certificate.findings import Findings, findings
from counterbench.certificate.policies import load_policy
from counterbench.judges.pixels import PixelReader
from counterbench.judges.planted import PlantedJudge
from counterbench.laws import STANDARD, law
from counterbench.runs.wordings import load_wording
from counterbench.scoring.results import PairResult
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.judging.run import judge_pictures
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.from_laws import law_prompts
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.run_scores import score_run
from counterbench.t2i.scores.document import Document
from counterbench.testing import Rehearsal

GENERATORS = ("literal", "turkey", "noisy", "noisy?l1=0.8&l2=0.3&l3=0.7&seed=5", "vandal", "reasoner")


# ---- who sees recovers the truth


def recovered(prompts: PromptSet, generator: str, judge: str, folder: Path, samples: int) -> None:
    questions = PictureQuestions(draw(prompts, generator, folder / "images", samples), prompts)
    judge_pictures(
        questions,
        PixelReader() if judge == "pixels" else PlantedJudge(judge, questions.keys),
        folder / "run",
        wording=load_wording(),
        certificate=None,
        uncertified=True,
    )
    measured, true = score_run(folder / "run"), scored(true_rows(prompts, generator, samples))
    assert measured.complete
    assert plain(measured) == plain(true)


def plain(document: Document) -> dict[str, object]:
    """Every number of a document that is not an interval: gated, ungated, of the assessment point, of habit, by law."""
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
def test_who_sees_recovers_the_true_numbers_over_all_laws(judge: str, generator: str, tmp_path: Path) -> None:
    groups = [list(law_prompts((one,), 7, 1))[: 2 * len(LEVELS)] for one in map(law, STANDARD)]
    recovered(PromptSet("laws", LEVELS, [p for group in groups for p in group], 7), generator, judge, tmp_path, 1)


# ---- who errs is off by what the errors predict


# ---- the band


# ---- the gate


@pytest.fixture(scope="module")
def few() -> Rehearsal:
    """The pairs of eight laws, 60 of every cell, and 60 controls: as many as it takes where two laws are lost."""
    laws = {prompt.law for prompt in load_prompts("laws-few").prompts}
    return Rehearsal(cells_source("laws", frozenset(laws), 60))


def shown(pairs: Sequence[PairResult]) -> Findings:
    standard = load_policy("standard")
    return findings(pairs, standard, threshold(standard, 1))


@pytest.mark.slow
def test_standard_admits_who_sees_to_all_laws_and_who_sees_what_it_knows_to_none(few: Rehearsal) -> None:
    found = shown(few.results("oracle"))
    assert (found.verdict, len(found.admitted)) == ("pass", 8)
    for spec in ("prior-bound", "prior-bound?p=0.4", "yes-bias", "constant?answer=yes", "blind", "random"):
        found = shown(few.results(spec))
        assert (found.verdict, found.admitted) == ("fail", []), spec
    always = shown(few.results("constant?answer=yes"))
    assert {cell.verdict for cell in always.cells.values()} == {"fail"}, "integrity too"


@pytest.mark.slow
def test_a_judge_that_sees_two_laws_the_wrong_way_round_is_admitted_to_the_others_alone(few: Rehearsal) -> None:
    def wrong(pair: PairResult) -> PairResult:
        both = [reply and msgspec.structs.replace(reply, right=False) for reply in pair.replies]
        return msgspec.structs.replace(pair, original=both[0], intervened=both[1])

    lost = ("wind", "frost")
    pairs = [wrong(pair) if law_of(pair.key.cell) in lost else pair for pair in few.results("oracle")]
    found = shown(pairs)
    assert {name for name, law in found.laws.items() if law.verdict == "fail"} == {"wind", "frost"}
    assert len(found.admitted) == 6
