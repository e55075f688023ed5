"""Labels of every answer type: read in canonical form, credited as answers, and "cannot tell" gives no credit."""

from pathlib import Path

import pytest
from pictures.judged import check
from sweeping import swept

from counterbench.errors import InputError
from counterbench.pictures.scores.labels import HumanLabel, fitting, labels_with_credits, read_labels


@swept(
    ("text", "kind", "label"),
    [
        ("yes", "yes-no", "yes"),
        ("1", "yes-no", "1"),
        ("0.5", "grade", "0.5"),
        ("4", "rating:1-5", "4"),
        ("3", "integer", "3"),
        ("Three", "integer", "3"),
        ("Red", "colour", "red"),
        ("A Cat.", "text", "cat"),
        ("None of them", "choice:a cat|none of them", "none of them"),
        ("no", "choice:yes|no|in part", "no"),
        *(("?", kind, "?") for kind in ("yes-no", "grade", "rating:1-5", "integer", "text")),
    ],
)
def test_fitting_labels_are_read_in_canonical_form(text: str, kind: str, label: str) -> None:
    assert fitting(text, kind) == label


@swept(
    ("text", "kind", "message"),
    [
        ("maybe", "yes-no", "has no maybe; choose from: yes, no, 0, 1"),
        ("0.5", "yes-no", "has no half; choose from: yes, no, 0, 1"),
        ("0.7", "grade", "is graded; choose from: 0, 0.5, 1"),
        ("6", "rating:1-5", "has a scale, and 6 is not on it; give a number from 1 to 5"),
        ("2.5", "integer", "has no answer '2.5'; give one answer of the type integer"),
        ("beige", "choice:red|blue", "has no answer 'beige'; choose from: red, blue"),
    ],
)
def test_unfitting_labels_are_refused(text: str, kind: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message.replace('?', '.')}$"):
        fitting(text, kind)


def test_expected_labels_have_credit_and_cannot_tell_has_none(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text(
        "sample,check,label\n" + "".join(f"g/l1/0,{n},{n}\n" for n in ("3", "1", "?", "A cat"))
    )
    labels = {label.check: label.label for label in read_labels(tmp_path / "l.csv")}
    assert labels == {"3": "3", "1": "1", "?": "?", "A cat": "A cat"}

    def credits(label: str, kind: str, expected: str) -> list[float]:
        human_label = HumanLabel(sample="g/l1/0", check="c", label=label, where="l.csv, line 2", answer_type=kind)
        return [credit for *_, credit in labels_with_credits([check(check="c", expected=expected)], [human_label])]

    assert credits("3", "integer", "3") == [1]
    assert credits("1", "integer", "3") == [0]
    assert credits("A cat", "text", "cat") == [1]
    assert credits("in part", "choice:yes|no|in part", "yes") == [0]
    assert credits("?", "integer", "3") == credits("?", "yes-no", "yes") == []
    with pytest.raises(InputError, match=r"l\.csv, line 2, column 'label': check 'c' has no answer 'some'"):
        credits("some", "integer", "3")
