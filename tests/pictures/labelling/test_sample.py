"""What is labelled together, in what order, and what raters' files keep."""

from collections import Counter
from pathlib import Path

import pytest
from pictures.carded import checklist, prompt
from pictures.labelling.people import QUESTION, PlantedRaters, one_question

from counterbench.errors import InputError
from counterbench.pictures.labelling.answers import RaterFile, labels_in
from counterbench.pictures.labelling.sample import in_random_order, open_sample, read_sample, sample_file
from counterbench.pictures.labelling.units import LabelQuestion, LabelUnit, first_of_joined, label_units
from counterbench.prompts.prompt_set import Check

TWO = {"good": 0.8, "bad": 0.3}


def unit(name: str, weight: float) -> LabelUnit:
    return LabelUnit(name, weight, (LabelQuestion(name, "m", f"{name}/image/0", "q"),))


def test_checks_that_count_together_are_one_unit() -> None:
    checks = (
        Check(id="cup", text="Is there a cup?"),
        Check(id="red", text="Is it red?", needs=("cup",)),
        Check(id="dog", text="Is there a dog?", point="p"),
        Check(id="tail", text="Does it wag?", point="p"),
        Check(id="sky", text="Is there sky?"),
    )
    first = first_of_joined(prompt("g", *checks))
    assert first == {"cup": "cup", "red": "cup", "dog": "dog", "tail": "dog", "sky": "sky"}


def test_a_unit_has_all_models_pictures_without_their_names(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, TWO, one_question(6))
    units = raters.sample
    assert {unit.name for unit in units} == {f"g{i:03}/image/0/q" for i in range(6)}
    assert [unit for unit in units if {question.model for question in unit.questions} != {"good", "bad"}] == []
    ids = [question.id for unit in units for question in unit.questions]
    assert len(set(ids)) == 12
    assert [id for id in ids if not (len(id) == 12 and set(id) <= set("0123456789abcdef"))] == []


def test_the_order_is_drawn_once_and_is_the_same_anywhere(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, TWO, one_question(12))
    assert read_sample(raters.run) is None
    first = raters.sample
    assert raters.sample == first == read_sample(raters.run)
    sample_file(raters.run).unlink()
    assert raters.sample == first
    assert [unit.name for unit in first] != sorted(unit.name for unit in first)


def test_the_next_unit_is_drawn_in_proportion_to_its_weight() -> None:
    units = [unit("a", 3), unit("b", 1), unit("c", 1)]
    orders = Counter("".join(drawn.name for drawn in in_random_order(units, [str(seed)])) for seed in range(4000))
    share = {order: count / 4000 for order, count in orders.items()}
    expected = {"abc": 3 / 5 * 1 / 2, "bac": 1 / 5 * 3 / 4, "bca": 1 / 5 * 1 / 4}
    assert {order: share[order] for order in expected} == pytest.approx(expected, abs=0.03)


def test_doubtful_units_weigh_half_more_and_light_ones_a_fifth_of_the_mean(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 0.8}, one_question(8))
    (models,) = raters.models
    torn = models.visible_rows[0]
    models.guesses[torn.sample_id, torn.check] = 0.5
    weights = {unit.name: unit.weight for unit in label_units([models])}
    name = models.unit(torn)
    assert {round(weight / weights[name], 6) for other, weight in weights.items() if other != name} == {0.666667}
    light = Check(id="sky", text="Is there sky?", weight=0.001)
    (models,) = PlantedRaters(tmp_path / "light", {"good": 0.8}, checklist([prompt("g", QUESTION, light)])).models
    weights = {unit.name: unit.weight for unit in label_units([models])}
    assert weights == pytest.approx({"g/image/0/q": 1 / 1.001, "g/image/0/sky": 1 / 5 * 1 / 2})


def test_pictures_that_another_judge_answers_differently_weigh_more(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 0.5}, one_question(20))
    other = PlantedRaters(tmp_path / "other", {"good": 0.5}, one_question(20), "yes-bias?p=1")
    weights = {unit.name: unit.weight for unit in label_units(raters.models, other.models)}
    answers = {row.sample_id: row.answer for row in raters.models[0].rows}
    heavy = {name for name, weight in weights.items() if weight > min(weights.values()) * 1.4}
    assert heavy == {f"{sample}/q" for sample, answer in answers.items() if answer == "no"}


def test_a_run_without_a_question_for_people_is_refused(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, {"good": 0.8}, one_question(2))
    models = raters.models
    models[0].visible_rows.clear()  # as if the model had refused every prompt
    with pytest.raises(InputError, match="nothing to label"):
        open_sample(raters.run, models)
    assert not sample_file(raters.run).exists()


def test_an_answer_can_be_replaced_and_undone_and_survives_a_torn_line(tmp_path: Path) -> None:
    raters = PlantedRaters(tmp_path, TWO, one_question(3))
    ids = [question.id for unit in raters.sample for question in unit.questions]
    anna = RaterFile(raters.run, "anna")
    for id, label in ((ids[0], "yes"), (ids[1], "no"), (ids[0], "?"), (ids[1], "")):
        anna.add(id, label)
    with anna.path.open("ab") as file:
        file.write(b'{"id":"half')  # killed while it wrote
    again = RaterFile(raters.run, "anna")
    assert again.labels == {ids[0]: "?"}
    again.add(ids[2], "yes")
    RaterFile(raters.run, "ben").add(ids[2], "no")
    assert RaterFile(raters.run, "anna").labels == {ids[0]: "?", ids[2]: "yes"}
    labels = labels_in(raters.run, raters.sample)
    assert [(label.rater, label.label) for label in labels] == [("anna", "?"), ("anna", "yes"), ("ben", "no")]
    for name in ("", "a/b", "../x", "é", "x" * 41):
        with pytest.raises(InputError, match="cannot be a rater's name"):
            RaterFile(raters.run, name)
