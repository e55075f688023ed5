"""People's labels: read from a CSV with errors that name line and column, joined by id, made into a headline."""

from pathlib import Path

import numpy as np
import pytest
from t2i.judged import check, gone, picture

from counterbench.errors import InputError
from counterbench.stats.ppi import ppi_mean
from counterbench.t2i.scores.labels import HumanLabel, labelled_means, read_labels
from counterbench.t2i.scores.results import CheckResult

ONE = ("l1",)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(text, "utf-8")
    return path


def label(sample: str, name: str, value: str, line: int = 2) -> HumanLabel:
    return HumanLabel(sample=sample, check=name, label=value, where=f"labels.csv, line {line}")


# --- reading ------------------------------------------------------------------------------------------------------


def test_a_file_of_labels(tmp_path: Path) -> None:
    lines = ("note,sample, check ,label", '"why, oh why",g/l1/0,point,YES', "", ",g/l1/0,scene, 0.5", ",g/l2/0,x,1.0")
    text = "\ufeff" + "".join(line + "\r\n" for line in lines)
    found = read_labels(written(tmp_path, text))
    assert [(each.sample, each.check, each.label) for each in found] == [
        ("g/l1/0", "point", "yes"),
        ("g/l1/0", "scene", "0.5"),
        ("g/l2/0", "x", "1"),
    ]
    assert found[1].where.endswith("labels.csv, line 4")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "there is no label in it"),
        ("a,b,yes\na,c,maybe\n", "line 3, column 'label': 'maybe' is no label; choose from: yes, no"),
        ("a,,yes\n", "line 2, column 'check': it is empty"),
        ("a,b,yes\n\na,b,no\n", "line 4: check 'b' of 'a' has a label already"),
    ],
)
def test_a_file_that_is_not_valid(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"labels\.csv.*{message}"):
        read_labels(written(tmp_path, f"sample,check,label\n{rows}"))


# --- joining ------------------------------------------------------------------------------------------------------

GRADED = check(check="scene", dimension="logic-consistency", weight=8, expected="1", credit=0.5, answer="0.5")


def test_a_label_that_fits_nothing() -> None:
    for of, message in (
        (label("g/l1/0", "scene", "yes"), "line 2, column 'label': check 'scene' is graded; choose from: 0, 0.5, 1"),
        (label("g/l1/0", "point", "0.5"), "line 2, column 'label': check 'point' has no half"),
    ):
        with pytest.raises(InputError, match=message):
            labelled_means([check(), GRADED], [of], ONE)


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (label("g/l1/1", "point", "yes", 7), "(labels.csv, line 7: 'g/l1/1')"),
        (label("g/l1/0", "pint", "yes"), "(labels.csv, line 2: 'pint')"),
        (label("elsewhere", "picture", "no"), "(labels.csv, line 2: 'elsewhere')"),
    ],
)
def test_labels_of_what_the_run_lacks_are_left_out_and_counted(of: HumanLabel, message: str) -> None:
    rows = [check(group=f"{name}", expected="yes") for name in "gh"]
    labels = [label(f"{name}/l1/0", "point", "yes") for name in "gh"]
    one, two = (labelled_means(rows, [of] * n + labels, ONE)["l1"] for n in (1, 2))
    assert one.warnings[0] == f"1 label is of a picture or check that the run does not have: not used {message}"
    assert two.warnings[0].startswith("2 labels are of pictures or checks that the run does not have: not used (")
    assert (one.value, one.labels) == (1, 2)
    assert labelled_means(rows, [of], ONE)["l1"].labels == 0


def test_words_answer_the_question_and_numbers_are_credit() -> None:
    rows = [check(group=f"g{i}", expected="no", credit=0.0) for i in range(4)]
    labels = [label(f"g{i}/l1/0", "point", value) for i, value in enumerate(("no", "yes", "1", "0"))]
    found = labelled_means(rows, labels, ONE)["l1"]
    assert (found.value, found.judged, found.labels, found.others) == (0.5, 0, 4, 0)


def test_s_is_made_of_people_s_credits_by_weight() -> None:
    rows = [row for i in (0, 1) for row in picture(1, 1, 1, group=f"g{i}")]
    values = {"visual-integrity": "yes", "assessment-point": "no", "logic-consistency": "1"}
    labels = [label(f"g{i}/l1/0", name, value) for i in (0, 1) for name, value in values.items()]
    assert labelled_means(rows, labels, ONE)["l1"].value == pytest.approx(11 / 26)


def simulated(
    count: int, labelled: int, seed: int = 0, own: int = 0
) -> tuple[list[CheckResult], list[HumanLabel], list[float], list[float]]:
    """Pictures with one check, judged by one who errs one way, the first ones labelled; the truth, the judge's view."""
    source = np.random.default_rng(seed)
    truth = (source.random(count) < 0.3).astype(float).tolist()
    said = [max(true, float(source.random() < 0.3)) for true in truth]
    rows = [check(group=f"g{i:04}", credit=credit) for i, credit in enumerate(said)]
    rows += [check(group=f"r{i}", credit=None, picture="refused", outcome="unasked") for i in range(own)]
    labels = [label(f"g{i:04}/l1/0", "point", str(int(truth[i]))) for i in range(labelled)]
    return rows, labels, truth, said


def test_the_headline_is_ppi() -> None:
    rows, labels, truth, said = simulated(400, 120)
    found, expected = labelled_means(rows, labels, ONE)["l1"], ppi_mean(truth[:120], said[:120], said[120:])
    assert expected is not None
    assert (found.value, found.low, found.high) == pytest.approx((expected.value, expected.low, expected.high))
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0.3 <= found.high < (found.judged or 0)  # the judge alone is far off
    assert (found.labels, found.others, found.warnings) == (120, 280, [])


def test_what_the_model_refused_is_0_without_a_label() -> None:
    rows, labels, truth, said = simulated(400, 120, own=100)
    expected = ppi_mean(truth[:120], said[:120], said[120:])
    found = labelled_means(rows, labels, ONE)["l1"]
    assert expected is not None
    assert (found.value, found.judged) == pytest.approx((0.8 * expected.value, 0.8 * np.mean(said)))


def test_what_it_warns_of() -> None:
    rows = [row for i in range(6) for row in picture(1, 1, 1, group=f"g{i}")]
    rows += gone("missing", group="m") + picture(1, None, 1, group="u")
    every = ("visual-integrity", "assessment-point", "logic-consistency")
    labels = [label(f"g{i}/l1/0", name, "yes") for i in range(2) for name in every]
    labels += [label("g2/l1/0", "assessment-point", "yes"), label("u/l1/0", "assessment-point", "yes")]
    found = labelled_means(rows, labels, ONE)["l1"]
    assert (found.labels, found.others) == (2, 4)
    assert (found.value, found.low, found.high) == (1, None, None)
    starts = (
        "1 picture is labelled in part and does not count",
        "1 labelled picture was",
        "2 pictures have no score",
        "2 labels",
        "0 l",
    )
    assert len(found.warnings) == len(starts)
    assert all(warning.startswith(start) for warning, start in zip(found.warnings, starts, strict=True))
