"""Scores by people: equal to the protocol's own once all is labelled, right on the way, and only then the headline."""

import json
from pathlib import Path

import msgspec
import pytest
from commands import done
from pictures.carded import checklist, csv_file, prompt
from pictures.judged import LEVELS, WEIGHTS
from pictures.labelling.people import QUESTION, PlantedRaters, one_question

from counterbench.errors import InputError
from counterbench.pictures.answer import answer, sentences
from counterbench.pictures.labelling.sample import sample_file
from counterbench.pictures.labelling.scored import Scored, score_runs
from counterbench.pictures.scores.document import ByPeople
from counterbench.prompts.prompt_set import Check, PromptSet

TWO = {"good": 0.8, "bad": 0.3}


def score_models(run: Path, labels: Path | None = None) -> Scored:
    return score_runs([run], labels=labels)[0]


def by_people(raters: PlantedRaters, labels: Path | None = None) -> list[ByPeople]:
    """The models of a run by people's standard."""
    documents = score_models(raters.run, labels).documents
    return [document.by_people for document in documents if document.by_people is not None]


def ends(raters: PlantedRaters) -> tuple[float, float]:
    """The interval of the first model's score by people."""
    number = by_people(raters)[0].columns["score"]
    assert number.low is not None
    assert number.high is not None
    return number.low, number.high


def test_fully_labelled_scores_equal_the_truth(tmp_path: Path) -> None:
    checks = (
        QUESTION,
        Check(id="red", text="Is it red?", needs=("q",), weight=3),
        Check(id="n", text="A dog?", expected="no"),
    )
    raters = PlantedRaters(tmp_path, TWO, checklist([prompt(f"g{i}", *checks) for i in range(12)]), "yes-bias?p=0.5")
    raters.answer(1000)
    for people, document in zip(by_people(raters), score_models(tmp_path / "truth").documents, strict=True):
        number = people.columns["score"]
        assert number.value == pytest.approx(document.columns["score"].value)
        assert (number.low, number.high) == pytest.approx((number.value, number.value), abs=0.01)
        assert (number.labelled, number.of, people.labels) == (24, 24, 36)
        assert people.headline  # of few prompts too, since no label is missing
    (first, _) = json.loads(done("score", raters.run, "--json"))["runs"]
    assert first["by_people"] == msgspec.to_builtins(by_people(raters)[0])


def test_gated_numbers_use_whole_groups_and_equal_the_protocols(tmp_path: Path) -> None:
    dimensions = {"whole": "visual-integrity", "point": "assessment-point", "law": "logic-consistency"}
    checks = tuple(
        Check(id=name, text=f"Is {name} right?", dimension=dimension, weight=WEIGHTS[dimension])
        for name, dimension in dimensions.items()
    )
    prompts = [prompt(f"g{i}", *checks, level=level) for i in range(10) for level in LEVELS]
    raters = PlantedRaters(
        tmp_path, {"good": 0.7}, PromptSet("three", LEVELS, prompts, protocol="cf-eval"), "yes-bias?p=0.5"
    )
    assert {len(unit.questions) for unit in raters.sample} == {9}
    raters.answer(8)
    assert by_people(raters)[0].columns["s_l3"].labelled == 1
    raters.answer(1000)
    (true,), columns = score_models(tmp_path / "truth").documents, by_people(raters)[0].columns
    assert {*true.headline, "ungated_s_l2"} <= columns.keys()
    assert {name: columns[name].value for name in true.headline} == pytest.approx(
        {name: true.columns[name].value for name in true.headline}
    )


def test_cannot_tell_answers_widen_the_interval(tmp_path: Path) -> None:
    widths = []
    for name, choose in (("told", None), ("open", lambda row: "?" if row.group < "g005" else str(row.answer))):
        raters = PlantedRaters(tmp_path / name, {"good": 0.5}, one_question(20))
        raters.answer(20, choose=choose)
        low, high = ends(raters)
        widths.append(high - low)
    assert widths[1] - widths[0] == pytest.approx(5 / 20, abs=0.02)


def test_the_estimate_rests_on_the_longest_finished_prefix(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, TWO, one_question(10))
    for labels, rater in ((8, "anna"), (2, "ben")):  # ben disagrees with nobody, and comes after no other unit
        raters.answer(labels, rater)
        (first, _) = by_people(raters)
        assert (first.columns["score"].labelled, first.headline) == (4, False)


@pytest.mark.slow
def test_labels_correct_a_reversed_ranking_and_lead_from_30_groups(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 0.9, "bad": 0.35}, one_question(60), "yes-bias?p=1")
    assert not answer(raters.run).by_people
    raters.answer(50)
    few = answer(raters.run)
    assert not few.by_people
    assert "with 5 more labelled groups" in "\n".join(sentences(few))
    raters.answer(100, "ben")
    given = answer(raters.run)
    assert given.by_people
    assert [model.model for model in given.models] == ["good", "bad"]
    assert [(difference.model, difference.than) for difference in given.better] == [("good", "bad")]
    first = given.models[0]
    assert (first.rank, given.models[1].rank, first.judged.value) == (1, 2, 1)
    low, high = ends(raters)
    assert (first.score.low, first.score.high) == (low, high)
    assert low <= (score_models(tmp_path / "truth").documents[0].columns["score"].value or 0) <= high


def test_imported_labels_count_as_a_random_sample_of_pictures(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, TWO, one_question(20))
    columns = ("sample", "check", "label", "model")
    rows = [(row.sample_id, "q", str(row.answer), name) for (name, *_), row in raters.truth.items()]
    for document in score_models(raters.run, csv_file(tmp_path / "labels.csv", columns, rows)).documents:
        assert document.by_people is not None
        assert document.by_people.columns["score"].value == pytest.approx(document.columns["score"].value)
    good, bad = by_people(raters, csv_file(tmp_path / "some.csv", columns, [row for row in rows if row[-1] == "good"]))
    assert (good.columns["score"].labelled, bad.columns) == (20, {})
    nobody = csv_file(tmp_path / "nobody.csv", columns[:3], [("g000/image/0", "q", "yes")])
    with pytest.raises(InputError, match="name each label's model in a column `model`"):
        score_models(raters.run, labels=nobody)


@pytest.mark.slow
def test_labels_certify_a_right_judge_and_refute_a_wrong_one(tmp_path: Path) -> None:
    prompts = checklist([prompt(f"g{i:03}", QUESTION) for i in range(130)])
    right = PlantedRaters(tmp_path / "right", {"good": 0.5}, prompts)
    right.answer(120)
    (document,) = score_models(right.run).documents
    shown = document.evidence.labelled["presence"]
    assert (shown.admitted, shown.refuted, shown.sensitivity.value) == (True, False, 1)
    assert (shown.sensitivity.low or 0) > 0.85
    wrong = PlantedRaters(tmp_path / "wrong", {"good": 0.5}, prompts, "yes-bias?p=0.6")
    wrong.answer(60)
    (document,) = score_models(wrong.run).documents
    shown = document.evidence.labelled["presence"]
    assert (shown.admitted, shown.refuted, document.certified) == (False, True, False)
    assert "people's labels show that it is wrong too often about presence" in document.reasons
    assert answer(wrong.run).revoked == ["presence"]
    few = PlantedRaters(tmp_path / "few", {"good": 0.95}, prompts, "yes-bias?p=1")
    few.answer(40)
    (document,) = score_models(few.run).documents
    assert not document.evidence.labelled["presence"].refuted


def test_more_than_half_of_the_raters_decide_and_a_tie_is_cannot_tell(tmp_path: Path) -> None:
    checks = (QUESTION, Check(id="red", text="Is it red?", needs=("q",)))
    raters = PlantedRaters(tmp_path, {"good": 1.0}, checklist([prompt(f"g{i}", *checks) for i in range(6)]))
    raters.answer(12)
    for ben, low in (("no", 0), ("?", 0), ("yes", 1)):  # a tie, one who cannot tell, both
        raters.answer(12, "ben", choose=lambda row, ben=ben: ben)
        assert ends(raters) == pytest.approx((low, 1), abs=0.01)
        shown = score_models(raters.run).documents[0].evidence.labelled["presence"]
        assert (shown.yes, shown.no) == (6 * low, 0)
    raters.answer(12, "carl", choose=lambda row: "no" if row.check == "q" else "yes")  # whose slip undoes no child
    assert ends(raters) == pytest.approx((1, 1), abs=0.01)


def test_each_model_has_the_evidence_of_its_own_pictures(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 1.0, "bad": 0.0}, one_question(36), "yes-bias?p=1")
    raters.answer(72)
    good, bad = (document.evidence.labelled["presence"] for document in score_models(raters.run).documents)
    assert (good.refuted, good.yes, good.no) == (False, 36, 0)
    assert (bad.refuted, bad.yes, bad.no) == (True, 0, 36)


def test_an_unsampled_question_counts_as_unknown(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 1.0}, one_question(20))
    raters.answer(20)
    whole = sample_file(raters.run).read_text().splitlines(keepends=True)
    sample_file(raters.run).write_text("".join(whole[:15]))
    assert ends(raters) == pytest.approx((15 / 20, 1), abs=0.01)
