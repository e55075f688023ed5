"""The first line of `evaluate`: may its judge be believed? What was not tried is in no headline."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import call
from pictures.own_pictures import table
from pictures.seers import asking

from counterbench.pictures.answer import Evaluated, answer, swing_line
from counterbench.pictures.labelling.scored import score_runs

TRIED = "Is there a {} ball?"
ONES, ONE = {"good": 1.0, "poor": 1.0}, {"good": 1.0}


class Ended(NamedTuple):
    code: int
    lines: list[str]  # on standard output
    given: Evaluated

    @property
    def text(self) -> str:
        """The lines as one."""
        return " ".join(map(str.strip, self.lines))


@pytest.fixture(scope="module", autouse=True)
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which the drawn test of one judge serves all of its name."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("here")
    os.chdir(folder)
    yield folder
    os.chdir(before)


def evaluated(name: str, judge: str, questions: list[str], *options: str, **made: object) -> Ended:
    source = Path(name) / "table.csv"
    source = source if source.is_file() else asking(Path(name), questions, **made)
    run = Path("runs") / name
    shown = call("evaluate", source, "--judge", f"python:pictures.seers:{judge}", "--out", run, *options)
    return Ended(shown.exit_code, shown.stdout.splitlines(), answer(run))


@pytest.fixture(scope="module")
def part(here: Path) -> Ended:
    """Of three questions one is tried."""
    return evaluated("part", "Sees", [TRIED, "Is the ball shiny?", "Is the ball made of rubber?"], prompts=20)


@pytest.fixture(scope="module")
def agreeing(here: Path) -> Ended:
    """All pictures are right, and the judge says so, and that it is false."""
    return evaluated("agreeing", "Agrees", [TRIED], prompts=20, rates={"good": 1.0, "poor": 0.0})


# ---- in part


def test_a_partly_tried_evaluation_begins_in_part_and_exits_with_0(part: Ended) -> None:
    first = "In part: the judge was shown to see 33 % of what the questions ask, on drawn pictures alone."
    assert part.text.startswith(first)
    assert part.code == 0


def test_the_headline_counts_tried_checks_only_with_the_rest_beside_it(part: Ended) -> None:
    alone = evaluated("alone", "Sees", [TRIED], prompts=20).given
    whole, tried = ([(model.model, model.rank, model.score) for model in given.models] for given in (part.given, alone))
    assert whole == tried
    by_word = {model.model: ((model.score.value or 0) + 2) / 3 for model in alone.models}  # yes to the two others
    assert {name: score.value for name, score in part.given.by_word.items()} == pytest.approx(by_word)
    assert part.given.tried == pytest.approx(1 / 3)
    assert part.given.not_tested == {"other": pytest.approx(2 / 3)}


def test_a_line_states_the_error_on_untried_checks_that_reverses_the_order(part: Ended) -> None:
    good, poor = (part.given.by_word[name].value or 0 for name in ("good", "poor"))
    points = round(100 * (good - poor) / (2 / 3))
    assert swing_line(part.given) == (
        "Over all checks good stays ahead unless the judge's errors on the untried 67 % favour poor over good by more "
        f"than {points} of 200 points."
    )
    assert swing_line(part.given) in part.text


def test_untried_checks_do_not_raise_a_models_rank(here: Path) -> None:
    questions = [TRIED, "Is the {} ball shiny?", "Is the {} ball made of rubber?"]
    found = evaluated("turned", "Flatters", questions, prompts=20)
    assert [model.model for model in found.given.models] == ["good", "poor"]
    assert [(difference.model, difference.than) for difference in found.given.better] == [("good", "poor")]
    good, poor = (found.given.by_word[name].value or 0 for name in ("good", "poor"))
    assert poor > good
    note = "On what was tried good leads; over all checks poor scores higher, but the untried 67 % has no evidence."
    assert note in found.text


@pytest.mark.slow
def test_the_answer_about_two_models_has_ten_lines_of_eighty_columns(part: Ended, agreeing: Ended) -> None:
    for ended in (part, agreeing):
        assert len(ended.lines) <= 10
        assert max(map(len, ended.lines)) <= 80


def test_require_supported_exits_with_1_for_a_verdict_in_part(part: Ended) -> None:
    again = evaluated("part", "Sees", [], "--require", "supported")
    assert (again.code, again.lines) == (1, part.lines)


def test_a_skill_named_in_the_users_column_counts_and_is_stated(here: Path) -> None:
    found = evaluated("named", "Sees", [TRIED, "Is the ball shiny?"], skill="presence", prompts=12)
    assert (found.given.tried, found.given.named) == (1, {"presence": 0.5})
    assert "Skills named by your own table, for 50 % of the weight: presence." in found.lines


@pytest.mark.parametrize(
    ("rates", "first"), [(ONES, "no difference shown; the judge was shown to see 100 % of"), (ONE, "good has 1.00 [")]
)
def test_the_first_line_says_if_models_are_told_apart_and_scores_one_alone(rates: dict[str, float], first: str) -> None:
    found = evaluated(f"level-{len(rates)}", "Sees", [TRIED], rates=rates, prompts=12)
    assert found.lines[0].startswith(f"In part: {first}")
    assert found.given.better == []


# ---- not supported


@pytest.mark.slow
def test_a_judge_that_flatters_on_untried_checks_is_not_supported(here: Path) -> None:
    """Three of four questions hold a word of a skill, and the judge says yes to each and to its denial."""
    questions = [
        "Is the ball drawn right?",
        "Is the ball over the moon?",
        "If the jester and the ball are present, is he juggling?",
        TRIED,
    ]
    found = evaluated("flattered", "Agrees", questions, prompts=20, rates=ONES)
    assert found.code == 1
    assert found.lines[0].startswith("Not supported: the judge contradicted itself on ")
    assert found.given.tried == 0.25
    assert {*found.given.not_tested} == {"other"}


def test_contradictions_revoke_the_judge_and_give_no_ranking(agreeing: Ended) -> None:
    denials = agreeing.given.documents[0].denials
    share = f"{denials.contradicted} of {denials.of} questions"
    first = f"Not supported: the judge contradicted itself on {share}, asked as they are and negated."
    assert agreeing.text.startswith(first)
    assert agreeing.lines[2] == "Scores by the judge's word, without evidence:"
    assert (agreeing.code, agreeing.given.better, agreeing.given.revoked) == (1, [], ["all"])
    assert [line for line in agreeing.lines if "better than" in line] == []


def test_a_stopped_test_of_denials_clears_no_judge_and_resumes(agreeing: Ended) -> None:
    run = Path(shutil.copytree("runs/agreeing", "runs/stopped"))
    journal = run / "audit" / "denied" / "journal.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:20]))
    given = answer(run)
    assert (given.verdict, given.documents[0].certified) == ("in part", False)
    assert "whether it can answer negated questions is untested (counterbench t2i audit RUN tests it)" in given.because
    ended = call("evaluate", "agreeing/table.csv", "--judge", "python:pictures.seers:Agrees", "--out", run, code=1)
    assert ended.stdout.splitlines()[0] == agreeing.lines[0]


@pytest.mark.slow
def test_an_audit_says_that_contradictions_revoke_the_judge(agreeing: Ended) -> None:
    found = call("t2i", "audit", "runs/agreeing", "--judge", "python:pictures.seers:Agrees", code=1)
    assert "so its admission is revoked for all" in found.stdout


def test_a_comparison_begins_with_the_verdict_and_calls_no_model_better(agreeing: Ended) -> None:
    lines = call("compare", "runs/agreeing").stdout.splitlines()
    assert lines[0].startswith("Not supported: the judge contradicted itself on ")
    assert "1st" not in " ".join(lines[2:]).split("1st−2nd")[-1]


def test_the_json_begins_with_the_verdict_and_names_no_better_model(agreeing: Ended) -> None:
    found = json.loads("\n".join(evaluated("agreeing", "Agrees", [], "--json").lines))
    assert [*found][:3] == ["run", "verdict", "because"]
    assert (found["verdict"], found["better"]) == ("not supported", [])
    assert found["because"].startswith("the judge contradicted itself on ")


@pytest.mark.slow
def test_a_judge_that_fails_denials_on_drawings_too_is_not_revoked(here: Path) -> None:
    found = evaluated("undenied", "CannotDeny", [TRIED], prompts=20)
    assert (found.code, found.given.verdict, found.given.revoked) == (0, "in part", [])
    assert found.given.better
    note = "; it cannot answer such about drawings either, so this does not count against it."
    assert note in found.text


def test_scores_over_all_checks_stand_below_those_of_tried_checks(part: Ended) -> None:
    lines = call("score", "runs/part").stdout.splitlines()
    assert lines[0].startswith("In part: ")
    assert sum(line.startswith("   by word, all checks  ") for line in lines) == len(part.given.models)


@pytest.mark.slow
def test_the_tried_share_counts_the_prompts_that_all_models_have(here: Path) -> None:
    """Of 12 shared prompts a third was tried; of 12 others, which one model has, all."""
    source = asking(here / "unequal", [TRIED, "Is the ball shiny?", "Is the ball made of rubber?"], prompts=24)
    first, *rows = source.read_text().splitlines()
    shared = [row for row in rows if not re.search(r"-(1[2-9]|2[0-9])\.png", row)]
    other = [row for row in rows if row not in shared and "good-" in row and "Is there a" in row]
    source.write_text("\n".join([first, *shared, *other]) + "\n")
    found = evaluated("unequal", "Sees", [])
    assert found.lines[0].startswith("In part: the judge was shown to see 33 % of what the questions ask")
    assert (found.given.tried, sum(found.given.not_tested.values())) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


# ---- whole prompts, and labels


@pytest.fixture(scope="module")
def whole(here: Path) -> Ended:
    """Prompts without questions."""
    (here / "whole").mkdir()
    table(here / "whole", 70, {"good": 0.6, "poor": 0.4}, whole=True)
    return evaluated("whole", "Sees", [])


@pytest.mark.slow
def test_a_ranking_on_whole_prompts_is_not_supported(whole: Ended) -> None:
    first = "Not supported: nothing that the checks ask was tested: no drawn pair asks it, and no human labels show it."
    assert whole.text.startswith(first)
    assert (whole.code, whole.given.better, whole.given.not_tested) == (1, [], {"whole prompt of another form": 1})
    assert [model.score.value is not None for model in whole.given.models] == [True, True]


def test_prompts_of_drawn_clauses_are_tested_as_whole_prompts(here: Path) -> None:
    (here / "clauses").mkdir()
    source = table(here / "clauses", 12, {"good": 1.0, "poor": 0.2}, whole=True)
    source.write_text(source.read_text().replace(" on table", " and a table"))
    shown = evaluated("clauses", "Sees", [])
    assert shown.lines[0].startswith("In part: the judge was shown to see 100 % of what the questions ask")
    assert (shown.code, shown.given.not_tested) == (0, {})
    assert shown.given.evidence.drawn["whole prompt"].admitted


def test_human_labels_admit_checks_that_no_pair_tests(whole: Ended, tmp_path: Path) -> None:
    rows = [
        f"{row.group}/{row.level}/{row.sample},{row.check},{row.answer},{row.generator}"
        for row in whole.given.frame().itertuples()
    ]
    labels = tmp_path / "labels.csv"
    labels.write_text("\n".join(["sample,check,label,model", *rows, ""]))
    (scored,) = score_runs([Path(whole.given.run)], labels=labels)
    for document in scored.documents:
        assert (document.verdict, document.covered, document.not_tested) == ("supported", 1, {})
        assert document.because.endswith(", on these pictures")


@pytest.mark.slow
def test_a_refusal_says_how_many_controls_were_right(here: Path) -> None:
    asking(here / "drifting", [TRIED], prompts=4)
    shown = call("evaluate", "drifting/table.csv", "--judge", "python:pictures.seers:Drifts", "--out", "drifting/run")
    assert shown.exit_code == 1
    output = " ".join(shown.stdout.split())
    assert output.startswith("Not supported: the certificate admits to nothing: its run does not pass as a whole (")
    assert re.search(r"controls: \d+ of \d+ right", output)
    assert max(len(line) for line in shown.stdout.splitlines() if not line.startswith("next:")) <= 80
