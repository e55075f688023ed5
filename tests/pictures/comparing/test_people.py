"""Judges beside people: joined by picture and check, of several raters and models; CF-World's Table 4; refusals."""

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import pytest
from pictures.carded import cards, checklist, csv_file, judged, prompt
from pictures.preparing.authors import Author
from scipy import stats
from sweeping import swept

from counterbench.errors import InputError
from counterbench.pictures.comparing.people import align
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.pictures.run_scores import labels_of
from counterbench.pictures.scores.labels import human_credits, read_labels
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.prompt_set import Check, Prompt
from counterbench.stats.agreement import krippendorff_alpha

MODELS = {"good": 0.9, "fair": 0.6, "bad": 0.2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three models on eight prompts, judged rightly."""
    folder = tmp_path_factory.mktemp("people")
    checks = (
        *(Check(id=f"q{i}", text=f"Is part {i} right?", dimension="d") for i in range(3)),
        Check(id="none", text="Is something else there?", dimension="d", expected="no"),
    )
    prompts = checklist([prompt(f"g{i}", *checks) for i in range(8)])
    for name, rate in MODELS.items():
        judged(cards(prompts, folder / name, f"card?rate={rate}"), folder / "runs" / name)
    return folder


@pytest.fixture
def runs(folder: Path) -> dict[str, Path]:
    return {path.name: path for path in (folder / "runs").iterdir()}


def judged_rows(run: Path) -> Sequence[CheckResult]:
    return load_judged(run).rows


def write_labels(path: Path, lines: Sequence[Sequence[object]], *more: str) -> Path:
    return csv_file(path, ("sample", "check", "label", *more), lines)


def true_labels(run: Path, *more: str) -> list[tuple[str, ...]]:
    return [(row.sample_id, row.check, str(row.answer), *more) for row in judged_rows(run)]


# ---- joined


def test_a_rating_is_labelled_on_its_own_scale(tmp_path: Path) -> None:
    images = cards(checklist([prompt(f"g{i}") for i in range(4)]), tmp_path / "images", samples=2)
    rater = Author(lambda query: f"{1 + (int(query.group[1]) + int(query.group[-1])) % 5}", "rater")
    judged(images, tmp_path / "run", rater, by="direct")
    people = {f"g{i}/image/{k}": 1 + (i + k) % 5 for i in range(4) for k in (0, 1)}
    lines = [(sample, "rating", number) for sample, number in people.items()]
    (found,) = align(write_labels(tmp_path / "labels.csv", lines), [tmp_path / "run"]).judges
    assert (found.pictures.items, found.pictures.tau_b, found.pictures.strict) == (8, pytest.approx(1), 1)
    run = load_judged(tmp_path / "run")
    assert human_credits(run.rows, labels_of(run, read_labels(tmp_path / "labels.csv"))) == {
        (sample, "rating"): (number - 1) / 4 for sample, number in people.items()
    }
    for wrong in ("0.5", "6", "yes"):
        with pytest.raises(InputError, match=f"'rating' has a scale, and {wrong} is not on it"):
            align(write_labels(tmp_path / "labels.csv", [("g0/image/0", "rating", wrong)]), [tmp_path / "run"])


def test_the_order_of_models_is_compared_with_the_order_by_people(runs: dict[str, Path], tmp_path: Path) -> None:
    lines = [line for name, rate in MODELS.items() for line in true_labels(runs[name], f"planted:card?rate={rate}")]
    (found,) = align(write_labels(tmp_path / "labels.csv", lines, "generator"), [runs[name] for name in MODELS]).judges
    assert found.models is not None
    assert (found.models.items, found.models.tau_b, found.models.accuracy) == (3, 1, 1)
    assert (found.pictures.items, found.pictures.pairs, found.pictures.strict) == (24, 24, 1)
    ends = {f"planted:card?rate={MODELS[name]}": f"planted:card?rate={MODELS[other]}"
            for name, other in (("good", "bad"), ("bad", "good"))}  # fmt: skip
    turned = [(*line[:3], ends.get(line[3], line[3])) for line in lines]
    (found,) = align(write_labels(tmp_path / "labels.csv", turned, "generator"), [runs[name] for name in MODELS]).judges
    assert found.models is not None
    assert (found.models.tau_b, found.models.strict) == (-1, 0)


def test_several_raters_decide_by_majority_and_have_their_alpha(runs: dict[str, Path], tmp_path: Path) -> None:
    known = judged_rows(runs["fair"])[:4]
    other = {"yes": "no", "no": "yes"}
    answers = {
        "a": [str(row.answer) for row in known],
        "b": [str(row.answer) for row in known],
        "c": [other[str(row.answer)] for row in known],
    }
    lines = [(row.sample_id, row.check, label, rater) for rater, labels in answers.items()
             for row, label in zip(known, labels, strict=True)]  # fmt: skip
    found = align(write_labels(tmp_path / "labels.csv", lines, "rater"), [runs["fair"]])
    assert found.judges[0].answers.kappa == 1
    assert found.raters is not None
    assert (found.raters.raters, found.raters.labels, found.raters.graded) == (3, 12, None)
    assert found.raters.yes_no == pytest.approx(krippendorff_alpha(list(answers.values())))
    of_two = [line for line in lines if line[3] != "b"]
    found = align(write_labels(tmp_path / "two.csv", of_two, "rater"), [runs["fair"]])
    assert found.judges[0].answers.checks == 0
    assert found.judges[0].left_out[:-1] == ["4 labelled checks on which raters are tied"]


# ---- ratings of whole pictures


def test_correlations_with_ratings_of_pictures_equal_scipys(runs: dict[str, Path], tmp_path: Path) -> None:
    source = random.Random(4)
    lines, people, judge, means = [], [], [], {}
    for name, rate in MODELS.items():
        model = f"planted:card?rate={rate}"
        by_picture: dict[str, list[float]] = {}
        for row in judged_rows(runs[name]):
            by_picture.setdefault(row.sample_id, []).append(row.credit or 0)
        for sample, credits in by_picture.items():
            ratings = [max(1, min(5, round(4 * fmean(credits) + source.gauss(0.5, 1)))) for _ in range(3)]
            lines += [(sample.split("/")[0], model, number, f"r{i}") for i, number in enumerate(ratings)]
            people.append(fmean(ratings))
            judge.append(fmean(credits))
            means.setdefault(name, []).append((people[-1], judge[-1]))
    path = csv_file(tmp_path / "ratings.csv", ("id", "model", "rating", "rater"), lines)
    found = align(path, [runs[name] for name in MODELS])
    (compared,) = found.judges
    assert (compared.pictures.items, compared.answers.checks, compared.left_out) == (24, 0, [])
    assert compared.pictures.spearman == pytest.approx(stats.spearmanr(people, judge).statistic)
    assert compared.pictures.tau_b == pytest.approx(stats.kendalltau(people, judge).statistic)
    assert compared.models is not None
    both = [tuple(map(fmean, zip(*pairs, strict=True))) for pairs in means.values()]
    assert compared.models.spearman == pytest.approx(stats.spearmanr(*zip(*both, strict=True)).statistic)
    assert found.raters is not None
    assert (found.raters.raters, found.raters.labels, found.raters.yes_no) == (3, 72, None)
    assert repr(found).startswith("<Alignment with ")
    assert "ratings.csv" in found._repr_html_()


def test_a_picture_is_named_by_sample_id_or_text(runs: dict[str, Path], tmp_path: Path) -> None:
    names = {"sample": "g{}/image/0", "id": "g{}/image", "prompt": "A picture of g{} at image."}
    found = [
        align(csv_file(tmp_path / "ratings.csv", (column, "rating"), lines), [runs["fair"]]).judges[0].pictures
        for column, name in names.items()
        for lines in [[(name.format(i), i % 4) for i in range(8)]]
    ]
    assert found[0] == found[1] == found[2]
    assert found[0].items == 8


@swept(
    ("columns", "lines", "message"),
    [
        (("id", "rating"), [("g0", "good")], r"line 2, column 'rating': 'good' is no number"),
        (("id", "rating"), [("", 3)], r"line 2: names no picture; fill one of the columns sample, id, prompt"),
        (("id", "rating"), [("g0", 3), ("g0", 4)], r"line 3: 'g0' has a rating already .*line 2\); name the raters"),
        (("id", "rating"), [("g0", 3)], "'g0' has 2 pictures; name its number in a column"),
        (("prompt", "rating"), [("Twice.", 3)], "'Twice.' has 4 pictures; name its number"),
    ],
)
def test_ratings_of_no_or_several_pictures_are_refused(
    columns: Sequence[str], lines: Sequence[Sequence[object]], message: str, tmp_path: Path
) -> None:
    check = Check(id="q", text="Is it right?", dimension="d")
    twice = [Prompt.at(group, "image", "Twice.", checks=(check,)) for group in ("g0", "g1")]
    judged(cards(checklist(twice), tmp_path / "images", samples=2), tmp_path / "run")
    with pytest.raises(InputError, match=message):
        align(csv_file(tmp_path / "ratings.csv", columns, lines), [tmp_path / "run"])


def test_ratings_of_missing_pictures_are_counted(runs: dict[str, Path], tmp_path: Path) -> None:
    lines = [(f"g{i}", i % 5) for i in range(9)]
    (found,) = align(csv_file(tmp_path / "ratings.csv", ("id", "rating"), lines), [runs["fair"]]).judges
    assert found.pictures.items == 8
    assert found.left_out[0].startswith("1 label not used: the run has no such picture or check (")


def test_a_file_without_a_label_of_these_pictures_is_refused(runs: dict[str, Path], tmp_path: Path) -> None:
    lines = [("elsewhere/l1/0", "q0", "yes"), ("elsewhere/l1/1", "q0", "no")]
    with pytest.raises(InputError, match=r"l.csv, line 2: 'elsewhere/l1/0': these runs have no such picture, and none"):
        align(write_labels(tmp_path / "l.csv", lines), [runs["good"]])
