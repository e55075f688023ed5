"""Replies about generated pictures that were given elsewhere: a run without pictures, scored as one of ours."""

import csv
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import pytest
from scipy import stats

from counterbench.errors import InputError
from counterbench.interop.imported import ImportedRun
from counterbench.pictures.comparing.people import align
from counterbench.pictures.judging.imported_replies import import_picture_replies
from counterbench.pictures.judging.judged_run import load_models
from counterbench.prompts.files import load_prompts
from tests.published import UPSTREAM

PROMPTS = "id,prompt,check,question,needs\na,a red cup,q1,Is there a cup?,\na,a red cup,q2,Is the cup red?,q1\n"


def import_replies(folder: Path, replies: str) -> ImportedRun:
    (folder / "prompts.csv").write_text(PROMPTS)
    (folder / "said.csv").write_text(replies)
    return import_picture_replies(folder / "said.csv", load_prompts(folder / "prompts.csv"), "theirs", folder / "run")


def test_replies_are_matched_by_number_id_or_words_and_scored(tmp_path: Path) -> None:
    run = import_replies(
        tmp_path,
        "id,model,check,question,answer\n"
        "a,good,1,,yes\na,good,q2,,yes\na,poor,,Is there a cup?,No.\na,poor,,Is the cup red?,yes\n",
    )
    assert _scores(run.out) == {
        ("good", "a"): 1.0,
        ("poor", "a"): 0.0,
    }  # what is not there is not red, whatever was said


def test_unusable_replies_are_counted_and_missing_ones_not_asked(tmp_path: Path) -> None:
    done = import_replies(tmp_path, "id,check,answer\na,q1,yes\na,q7,yes\nb,q1,yes\na,q2,\n")
    assert done.replies == 1
    assert {(warning.what.partition(" (")[0], warning.count) for warning in done.warnings} == {
        ("rows without a reply: not asked", 1),
        ("replies to no question of the prompt, left out", 1),
        ("rows of no prompt, left out", 1),
        ("questions without a reply: the run is incomplete", 1),
    }


@pytest.mark.parametrize(
    ("replies", "match"),
    [
        ("id,check,answer\na,q1,yes\na,q1,no\n", r"line 3: a second reply to 'q1' about sample a/image/0"),
        ("id,check,answer\nb,q1,yes\n", "no row has a reply to a prompt"),
        ("id,check,answer\na,q7,yes\n", "has no reply to a question"),
    ],
)
def test_a_table_that_cannot_be_a_run_writes_nothing(tmp_path: Path, replies: str, match: str) -> None:
    with pytest.raises(InputError, match=match):
        import_replies(tmp_path, replies)
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_mplugs_answers_have_dsgs_scores_and_their_agreement_with_people_equals_scipys(tmp_path: Path) -> None:
    folder = UPSTREAM / "DSG"
    if not (folder / "mplug_dsg_tifa160.csv").is_file():
        pytest.skip(f"DSG's answers are not in {folder}; name its parent folder in COUNTERBENCH_UPSTREAM")
    columns = {"model": "t2i_model", "id": "item_id", "check": "question_id"}
    prompts = load_prompts(folder / "dsg-1k-anns.csv")
    done = import_picture_replies(folder / "mplug_dsg_tifa160.csv", prompts, "mplug", tmp_path / "run", columns)
    people: dict[tuple[str, str], list[float]] = defaultdict(list)
    with (folder / "tifa160-likert-anns.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            people[row["t2i_model"], row["item_id"]].append(float(row["answer"]))
    assert (done.replies, len(people)) == (4605, 800)
    theirs = {"id": "item_id", "model": "t2i_model", "rater": "worker_id", "rating": "answer"}
    (agreement,) = align(folder / "tifa160-likert-anns.csv", [done.out], theirs).judges
    ours = {(run.kept.model.name, row.group): row for run in load_models(done.out) for row in run.rows}
    assert len(ours) == 795
    rated = _scores(done.out)
    assert rated == pytest.approx(_scores_by_dsgs_rule(folder / "mplug_dsg_tifa160.csv"))
    both = [(fmean(people[place]), value) for place, value in rated.items() if place in people]
    assert agreement.pictures.items == len(both)
    assert agreement.pictures.spearman == pytest.approx(stats.spearmanr(*zip(*both, strict=True)).statistic)
    assert agreement.pictures.tau_b == pytest.approx(stats.kendalltau(*zip(*both, strict=True)).statistic)


def _scores_by_dsgs_rule(file: Path) -> dict[tuple[str, str], float]:
    """As DSG's paper has it: through the questions in order, and those are set to 0 that depend on a 0."""
    right: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    with file.open(newline="") as opened:
        for row in csv.DictReader(opened):
            scores, parents = right[row["t2i_model"], row["item_id"]], map(str.strip, row["dependency_id"].split(","))
            is_met = all(scores.get(parent, 1) for parent in parents)
            scores[row["question_id"]] = float(row["answer"] == "yes" and is_met)
    return {place: fmean(scores.values()) for place, scores in right.items()}


def _scores(run: Path) -> dict[tuple[str, str], float]:
    """By model and prompt, DSG's score: the share of questions with a yes whose every parent has one."""
    came: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    for model_run in load_models(run):
        for row in model_run.rows:
            came[model_run.kept.model.name, row.group][row.check] = row.credit == 1
    return {place: fmean(answers.values()) for place, answers in came.items()}
