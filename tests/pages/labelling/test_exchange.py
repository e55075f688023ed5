"""Labels and preferences go to other tools' files and come back the same."""

import csv
import json
from pathlib import Path

import pytest
from commands import done, fails
from pages.labelling.served import FITS, Page, open_labelling, rater_lines, sampled

from counterbench.pictures.labelling.answers import RaterFile
from counterbench.pictures.labelling.units import LabelQuestion
from counterbench.pictures.scores.labels import read_labels


def answered(run: Path, *raters: str) -> list[LabelQuestion]:
    """The questions of a run, answered by these raters: the last one cannot tell."""
    questions = sampled(run)
    for rater in raters:
        RaterFile(run, rater).add_all({q.id: FITS[q.check][0] for q in questions[:-1]} | {questions[-1].id: "?"})
    return questions


def csv_rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text().splitlines()))


def test_exported_labels_are_imported_unchanged(card_run: Path, tmp_path: Path) -> None:
    questions, file = answered(card_run, "ann"), tmp_path / "labels.csv"
    output = done("label", card_run, "--export", file)
    assert f"{file}: {len(questions)} answers" in output
    assert output.endswith(f"next: counterbench score {card_run}\n")
    assert list(csv_rows(file)[0]) == ["sample", "check", "label", "generator"]
    assert len(read_labels(file)) == len(questions)
    counts = json.loads(done("label", card_run, "--import", file, "--json"))
    assert counts == {"read": len(questions), "unknown": 0, "raters": ["labels"]}
    assert RaterFile(card_run, "labels").labels == RaterFile(card_run, "ann").labels


def test_raters_are_exported_as_numbers_unless_names_are_requested(card_run: Path, tmp_path: Path) -> None:
    answered(card_run, "ann", "bob")
    for options, names in (((), {"rater-1", "rater-2"}), (("--raters",), {"ann", "bob"})):
        done("label", card_run, "--export", tmp_path / "l.csv", *options)
        assert {row["rater"] for row in csv_rows(tmp_path / "l.csv")} == names


def test_labels_of_other_pictures_are_counted_and_wrong_ones_named(card_run: Path, tmp_path: Path) -> None:
    question = next(question for question in sampled(card_run) if question.check == "red")
    table = tmp_path / "their own, labels.csv"
    table.write_text(
        f"sample,check,label,model\n{question.sample},red,yes,{question.model}\nelsewhere/image/0,red,yes,{question.model}\n"
    )
    output = done("label", card_run, "--import", table)
    assert "2 answers read, of 1 rater; 1 about questions that the run does not have" in output
    assert [line["label"] for line in rater_lines(card_run, "their-own-labels")] == ["yes"]
    table.write_text(f"sample,check,label,model\n{question.sample},red,beige,{question.model}\n")
    assert "line 2: check 'red' has no beige; choose from: yes, no" in fails("label", card_run, "--import", table)
    table.write_text(f"sample,check,label\n{question.sample},red,yes\n")
    assert "line 2: the run is about 2 models" in fails("label", card_run, "--import", table)


def test_exported_preferences_are_imported_in_either_order(law_run: Path, tmp_path: Path) -> None:
    page, file = Page(open_labelling(law_run, pairs=True)), tmp_path / "pairs.csv"
    for label in ("first", "equal", "second"):
        page.answer(page.next()["question"]["id"], label)
    done("label", law_run, "--pairs", "--export", file)
    exported = csv_rows(file)
    assert list(exported[0]) == ["id", "first", "second", "better"]
    assert [row["better"] for row in exported] == ["first", "equal", "second"]
    with file.open("w") as out:
        out.write("id,first,second,better,rater\n")
        first, _, last = exported
        out.write(f"{first['id']},{first['second']},{first['first']},second,bob\n")
        out.write(f"{last['id']},{last['first']},{last['second']},{last['second']},bob\n")
        out.write(f"elsewhere/l1/0,{last['first']},{last['second']},equal,bob\n")
    counts = json.loads(done("label", law_run, "--pairs", "--import", file, "--json"))
    assert (counts["read"], counts["unknown"]) == (3, 1)
    assert [line["label"] for line in rater_lines(law_run, "bob", "pairs")] == ["first", "second"]
    (beside,) = json.loads(done("align", write_preferences(tmp_path, exported), law_run, "--json"))["judges"]
    assert beside["preferences"]["right"]["of"] + beside["preferences"]["equal"] == 3
    file.write_text("id,first,second,better\na,b,c,neither\n")
    assert "column 'better': 'neither'; choose from: first" in fails("label", law_run, "--pairs", "--import", file)


def write_preferences(folder: Path, preferences: list[dict[str, str]]) -> Path:
    """Preferences as they were exported, one of them given as the model's name."""
    preferences[2]["better"] = preferences[2]["second"]
    text = "\n".join(",".join(row.values()) for row in preferences)
    (folder / "told.csv").write_text(f"id,first,second,better\n{text}\n")
    return folder / "told.csv"


def test_an_export_is_a_csv_file(card_run: Path, tmp_path: Path) -> None:
    assert "a file that ends in .csv" in fails("label", card_run, "--export", tmp_path / "a.txt")


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_a_missing_extra_is_named(card_run: Path, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, missing, None)
    assert f"labelling needs {missing}" in fails("label", card_run)
