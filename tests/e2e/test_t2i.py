"""Pictures of models whose true scores are known, judged: recovered by who sees, biased by who errs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from planted_runs import cells_source
from t2i.lawful import LEVELS, draw, judged, of_laws, scored, true_rows

from counterbench.certificate.cells import law_of, threshold
from counterbench.certificate.findings import Findings, findings
from counterbench.certificate.policies import load_policy
from counterbench.judges.pixels import PixelReader
from counterbench.judges.planted import PlantedJudge
from counterbench.laws import STANDARD, law
from counterbench.runs.wordings import load_wording
from counterbench.scene.seeds import Stream
from counterbench.scoring.results import PairResult
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.judging.run import judge_pictures
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.from_laws import law_prompts
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.protocols.cf_eval import CFEval
from counterbench.t2i.run_scores import score_run
from counterbench.t2i.scores.correction import Errors, band
from counterbench.t2i.scores.document import Document
from counterbench.t2i.scores.results import CheckResult
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


def spread(rows: Sequence[CheckResult], level: str, p: float) -> float:
    """The standard deviation of a level's mean of S under a judge that is wrong with chance p on every check.

    The mean of S is Σ aᵣ sᵣ over its checks; each answer varies by p (1 − p), independently.
    """
    of_level = [row for row in rows if row.level == level]
    pictures = {row.sample_id for row in of_level}
    shares = [row.weight / 26 / len(pictures) for row in of_level]
    return math.sqrt(p * (1 - p) * sum(share * share for share in shares))


@pytest.mark.parametrize(("generator", "p"), [("reasoner", 0.1), ("turkey", 0.3), ("noisy?l1=0.9&l2=0.6&l3=0.4", 0.1)])
def test_a_noisy_judge_is_biased_by_what_its_error_rate_predicts(generator: str, p: float) -> None:
    """A check's expected credit is truth · (1 − p) + (1 − truth) · p, so that of the mean of S is S + p (1 − 2 S)."""
    prompts = of_laws(settings=20)
    rows = true_rows(prompts, generator, 2)
    true, measured = scored(rows), scored(judged(rows, f"noisy?p={p}&seed=3"))
    for level in LEVELS:
        s, found = (of.columns[f"ungated_s_{level}"].value for of in (true, measured))
        assert s is not None
        assert found is not None
        expected = s * (1 - p) + (1 - s) * p
        assert abs(found - expected) < 4 * spread(rows, level, p)
        if abs(s - 0.5) > 0.3 and p >= 0.1:
            assert abs(found - s) > 4 * spread(rows, level, p), "the bias is larger than chance"


# ---- the band


SKILLS = {"place": (0.92, 0.85), "integrity": (0.95, 0.9), "obeys-everything": (0.85, 0.9)}
KNOWN = 150  # pictures of known truth, for each skill and answer
CENSUS = 200  # simulated judges


def answered(rows: Sequence[CheckResult], stream: Stream, harder: float) -> list[CheckResult]:
    """The rows as a judge of SKILLS' rates answers them, erring `harder` times as often."""
    found = []
    for row in rows:
        rate = SKILLS[row.skill][row.answer == "no"]
        right = stream.chance(1 - harder * (1 - rate))
        found.append(msgspec.structs.replace(row, credit=row.credit if right else 1 - (row.credit or 0)))
    return found


def coverage(harder: float) -> tuple[dict[str, int], list[float]]:
    """Of how many simulated judges the band holds each level's true mean, and how far their own means are off."""
    prompts = of_laws(settings=8)
    known = CFEval().counted(true_rows(prompts, "noisy?l1=0.8&l2=0.6&l3=0.4", 2))  # what the means are about
    rows = [row for row in known if row.weight > 0]
    columns = scored(rows).columns
    true = {level: columns[f"ungated_s_{level}"] for level in LEVELS}
    held, off = dict.fromkeys(LEVELS, 0), []
    for number in range(CENSUS):
        stream = Stream("band", number)
        errors = {
            skill: Errors(
                *((sum(stream.chance(rate) for _ in range(KNOWN)), KNOWN) for rate in rates)  # type: ignore[arg-type]
            )
            for skill, rates in SKILLS.items()
        }
        said = answered(rows, stream, harder)
        for level, estimate in band(said, levels=LEVELS, errors=errors, draws=400).items():
            assert estimate is not None
            held[level] += estimate.low <= (true[level].value or 0) <= estimate.high
        credit = [row.weight * (row.credit or 0) for row in said if row.level == "l1"]
        weight = sum(row.weight for row in said if row.level == "l1")
        off.append(sum(credit) / weight - (true["l1"].value or 0))
    return held, off


@pytest.mark.slow
def test_the_band_holds_the_truth_at_its_rate_where_error_rates_transfer() -> None:
    held, off = coverage(1)
    # 95 % of 200 is 190, with a standard deviation of 3.1; clipping to 0 … 1 makes it hold rather more.
    assert all(count >= 0.95 * CENSUS - 4 * math.sqrt(CENSUS * 0.95 * 0.05) for count in held.values()), held
    assert sum(off) / len(off) < -0.03, "uncorrected, the means are biased"


@pytest.mark.slow
def test_the_band_misses_the_truth_where_they_do_not() -> None:
    held, _ = coverage(3)
    assert held["l1"] < 0.5 * CENSUS, held


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
