"""People's labels of generated pictures: read from a CSV, and joined to a judge's checks by id.

    sample,check,label
    gravity-03/l2/0,falls-up,yes
    gravity-03/l2/0,whole-scene,0.5

A sample is one picture of a prompt, "<group>/<level>/<number>"; a check is a question about it. `label` is a person's
answer: yes or no for a yes/no check; 0, 0.5 or 1 as the credit of a graded check; for a check with a scale of its own,
such as a rating from 1 to 5, a number on that scale; for a check that asks for a count, a colour, a choice or words,
that answer. A `?` is "cannot tell" and gives no credit. Two further columns are optional: `rater`, the person, and
`generator` (or `model`), if the file is about pictures of several generators.

Ratings of whole pictures are a file without `check`: `rating` on any scale, of a `sample`, or of an `id` or `prompt`
with the number of its sample, which may be left out where the prompt has one:

    id,model,rating
    gravity-03/l2,flux,4

`read_labels` gives `HumanLabel`s, and `labels_with_credits` each with its check's row and the credit that it gives.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

import msgspec

from counterbench.answers import Answer, answer_type, parse, scale_of, share
from counterbench.errors import InputError
from counterbench.files.rows import read_columns, renamed_rows
from counterbench.pictures.scores.results import CheckResult, by_key, joined
from counterbench.text import counted

ANSWERS, CREDITS, CANNOT_TELL = ("yes", "no"), ("0", "0.5", "1"), "?"
YES_NO = ("yes-no", "verdict", "finding")  # answer types
COLUMNS = ("sample", "check", "label")
OPTIONAL = ("rater", "generator", "model")
PLACES = ("sample", "id", "prompt")  # columns that name the picture of a rating, which has one or two of them
_NUMBER = re.compile(r"-?(?:\d{1,9}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,2})?")


class HumanLabel(msgspec.Struct, frozen=True, kw_only=True):
    """One person's label of one check of one sample, or of the whole picture."""

    sample: str
    check: str  # empty for a rating of the whole picture
    label: str  # yes, no, a plain decimal, words, or "?"
    where: str  # file and line
    rater: str = ""  # empty if the file does not name one
    generator: str = ""  # of the picture; empty if the file does not name one
    prompt: str = ""  # the id or text by which a rating names its picture; `sample` is then a number, or empty
    answer_type: str = ""  # of the check in a run, once it is known; a number in `label` is on its scale


def read_labels(
    path: Path, ratings: bool = False, columns: Mapping[str, str] = {}, with_holes: bool = False
) -> list[HumanLabel]:
    """The labels in a CSV file. `columns`: the file's name of a column, by ours.

    `ratings`: True if the file may also have ratings of whole pictures; it has them if it has a column `rating` and no
    column `check`. `with_holes`: True to pass over rows whose rating is empty.

    InputError that names file, line and column if anything in it is not valid.
    """
    column_names = next((row.columns for row in renamed_rows(path, columns)), ()) if ratings else ()
    ratings = "rating" in column_names and "check" not in column_names
    needed_columns = ("rating",) if ratings else COLUMNS
    by_place: dict[tuple[str, ...], HumanLabel] = {}
    for row in read_columns(path, needed_columns, (*(PLACES if ratings else ()), *OPTIONAL), columns):
        if ratings and with_holes and not row.text("rating"):
            continue
        *_, text = map(row.filled, needed_columns)  # the last needed column: the rating or the label
        check, prompt = row.text("check"), row.text("id") or row.text("prompt")
        sample, rater, generator = row.text("sample"), row.text("rater"), row.text("generator") or row.text("model")
        if not (sample or prompt):
            raise InputError(f"{row.where}: names no picture; fill one of the columns {', '.join(PLACES)}")
        place = (generator, prompt, sample, check, rater)
        if place in by_place:
            by_rater = f" by {rater}" if rater else ""
            fault = f"check {check!r} of {sample!r} has a label" if check else f"{prompt or sample!r} has a rating"
            hint = "; name the raters in a column `rater`" if ratings and not rater else ""
            raise InputError(f"{row.where}: {fault} already{by_rater} ({by_place[place].where}){hint}")
        if ratings and not _NUMBER.fullmatch(text):
            raise InputError(f"{row.where}, column {columns.get('rating', 'rating')!r}: {text!r} is no number")
        number = _NUMBER.fullmatch(text) is not None
        label = f"{Decimal(text).normalize() + 0:f}" if number else text.lower() if text.lower() in ANSWERS else text
        by_place[place] = HumanLabel(
            sample=sample, check=check, label=label, where=row.where, rater=rater, generator=generator, prompt=prompt
        )
    if not by_place:
        raise InputError(f"{path}: there is no label in it")
    return list(by_place.values())


def the_sample(by_name: Mapping[str, Sequence[str]], name: str, where: str, number: str = "") -> str:
    """The id of the sample with this name (and this number, if one is given); empty if there is none.

    `by_name`: as `run_scores.samples_of` gives it. InputError, which begins with `where`, if it may be several.
    """
    matches = [sample for sample in by_name.get(name, ()) if number in ("", sample.rpartition("/")[2])]
    if len(matches) > 1:
        advice = "name its number in a column `sample`, or the `id` of its prompt"
        raise InputError(f"{where}: {name!r} has {len(matches)} pictures; {advice}")
    return matches[0] if matches else ""


def human_credits(rows: Iterable[CheckResult], labels: Sequence[HumanLabel]) -> dict[tuple[str, str], float]:
    """The credit, 0 … 1, that people gave to each labelled row, by sample and check: the mean of its labels."""
    by_check = by_key(((row.sample_id, row.check), credit) for _, row, credit in labels_with_credits(rows, labels))
    return {check: sum(credits) / len(credits) for check, credits in by_check.items()}


def labels_with_credits(
    rows: Iterable[CheckResult], labels: Sequence[HumanLabel]
) -> Iterator[tuple[HumanLabel, CheckResult, float]]:
    """Each label with the row of its check, and the credit, 0 … 1, that it gives.

    A label of a sample or check that has no row is left out, and so is every "cannot tell".
    InputError, naming the line, for a label that does not fit its check.
    """
    by_place = {(row.sample_id, row.check): row for row in rows}
    for label in labels:
        row = by_place.get((label.sample, label.check))
        if row is not None and label.label != CANNOT_TELL:
            yield label, row, _credit(label, row)


def unused_label_lines(rows: Iterable[CheckResult], labels: Sequence[HumanLabel]) -> list[str]:
    """A line on the labels of a sample or check that has no row: their number, and the first; none if all have one."""
    judged = {(row.sample_id, check) for row in rows for check in ("", row.check)}  # "" is for the whole picture
    unused = [label for label in labels if (label.sample, label.check) not in judged]
    if not unused:
        return []
    name = unused[0].check if (unused[0].sample, "") in judged else unused[0].sample or unused[0].prompt
    count = counted(len(unused), "label")
    return [f"{count} not used: the run has no such picture or check ({unused[0].where}: {name!r})"]


def human_score(rows: Iterable[CheckResult], credits: Mapping[tuple[str, str], float]) -> float | None:
    """The score S, 0 … 1, of a picture by people's credits; None unless each check with a weight has a label.

    `rows`: the picture's checks. `credits`: as `human_credits` gives them.
    """
    checks = [row for row in rows if row.weight > 0]
    if not checks or any((row.sample_id, row.check) not in credits for row in checks):
        return None
    human = [msgspec.structs.replace(row, credit=credits[row.sample_id, row.check], outcome="answer") for row in checks]
    return sum(row.weight * (row.credit or 0) for row in joined(human)) / sum(row.weight for row in checks)


def affirmed(row: CheckResult) -> bool:
    """True if the judge says yes to a yes/no check, which must have a credit.

    The answer tells it. The credit does not, since it may be the judge's confidence, between 0 and 1.
    """
    if row.answer is None:  # it was not asked: another answer settles it
        return (row.credit == 1) == (row.expected == "yes")
    return row.answer == "yes"


def disagrees(row: CheckResult, person: float) -> bool:
    """True if the judge's answer or grade differs from a person's credit of the check; False for a lost check."""
    if row.credit is None:
        return False
    by_judge = row.credit if not row.yes_no else float(affirmed(row) == (row.expected == "yes"))
    return by_judge != person


def fitting(label: str, kind: str, letters: Mapping[str, str] = {}) -> str:
    """A label in the canonical form of the answer type `kind`; InputError if it does not fit, with those that do.

    `letters`: labels in the question that are answers too, as of `parse`.
    """
    if label == CANNOT_TELL:
        return label
    if kind in YES_NO:
        if label not in (*ANSWERS, "0", "1"):
            raise InputError(f"has no {'half' if label == '0.5' else label}; choose from: yes, no, 0, 1")
        return label
    if kind == "grade":
        if label not in CREDITS:
            raise InputError(f"is graded; choose from: {', '.join(CREDITS)}")
        return label
    if (scale := scale_of(kind)) is not None:
        if not answer_type(kind).is_canonical(label):
            raise InputError(f"has a scale, and {label} is not on it; give a number from {' to '.join(scale)}")
        return label
    choices = answer_type(kind).alphabet or ()
    if label in choices:
        return label
    if not isinstance(outcome := parse(label, kind, labels=letters), Answer):
        listed = f"choose from: {', '.join(choices)}" if choices else f"give one answer of the type {kind}"
        raise InputError(f"has no answer {label!r}; {listed}")
    return outcome.value


def _credit(label: HumanLabel, row: CheckResult) -> float:
    """The credit, 0 … 1, that a label gives to its check; InputError, naming the line, if it does not fit."""
    kind = label.answer_type or ("yes-no" if row.yes_no else "grade")
    try:
        answer = fitting(label.label, kind)
    except InputError as error:
        raise InputError(f"{label.where}, column 'label': check {row.check!r} {error}") from None
    if kind in YES_NO:
        return float(answer == row.expected) if answer in ANSWERS else float(answer)
    if scale_of(kind) is None:
        return float(answer == row.expected)
    return float(answer) if kind == "grade" else share(answer, kind, row.expected)
