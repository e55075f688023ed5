"""The tables of the papers on people's agreement, of planted judges whose errors are known; metrics; choices."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import document, done
from pictures.carded import cards, checklist, csv_file, judged, prompt

from counterbench.errors import InputError
from counterbench.pictures.comparing.people import align
from counterbench.pictures.comparing.people_results import Agreement
from counterbench.pictures.judging.judged_run import load_models
from counterbench.prompts.prompt_set import Check

DIMENSIONS = ("MI", "MA", "MR", "TR")
JUDGES = {"oracle": "oracle", "noisy": "noisy?p=0.2", "noisier": "noisy?p=0.4", "layers": "noisy?p=0.2"}
MODELS = {"good": 0.8, "fair": 0.5}
RUNS = [f"runs/{name}" for name in JUDGES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models' pictures by four judges, and people's answers, which are the planted truth, in all forms."""
    folder = tmp_path_factory.mktemp("papers")
    checks = [Check(id=f"q{name}", text=f"Is the {name} right?", dimension=name) for name in DIMENSIONS]
    prompts = checklist([prompt(f"g{i:02}", *checks, category=("logical", "causal")[i % 2]) for i in range(30)])
    images = [cards(prompts, folder / name, f"card?rate={rate}&seed=3") for name, rate in MODELS.items()]
    for name, judge in JUDGES.items():
        for model, of_model in zip(MODELS, images, strict=True):
            judged(of_model, folder / "runs" / name / model, judge, by="direct-layers" if name == "layers" else "")
    truth = {
        (run.kept.model.generator, picture.id): (number or 0, [(row.check, row.answer) for row in picture.checks])
        for model in MODELS
        for run in load_models(folder / "runs/oracle" / model)
        for picture, number in run.pictures()
    }
    first, second = dict.fromkeys(generator for generator, _ in truth)
    ids = list(dict.fromkeys(sample for _, sample in truth))
    leads = {sample: truth[first, sample][0] - truth[second, sample][0] for sample in ids}
    table("labels", ("sample", "generator", "check", "label"),
          [(sample, generator, *answer) for (generator, sample), (_, found) in truth.items() for answer in found],
          folder)  # fmt: skip
    table("ratings", ("id", "generator", "rating"), [(s, g, int(n >= 0.5)) for (g, s), (n, _) in truth.items()], folder)
    better = {1: "first", -1: "second", 0: "equal"}
    table("preferences", ("id", "first", "second", "better"),
          [(s, first, second, better[(lead > 0) - (lead < 0)]) for s, lead in leads.items()], folder)  # fmt: skip
    table("metrics", ("metric", "id", "generator", "value"),
          [row for (g, s), (n, _) in truth.items() for row in (("Same", s, g, 3 + n), ("Turned", s, g, -n))],
          folder)  # fmt: skip
    table("choices", ("id", "first", "second", "better", "rater"),
          [(s, "checklist", "direct-layers", choice, "ann") for s, choice in
           zip(ids, ["first"] * 16 + ["second"] * 2 + ["equal"], strict=False)], folder)  # fmt: skip
    return folder


def table(name: str, columns: Sequence[str], lines: Sequence[Sequence[object]], folder: Path = Path()) -> None:
    csv_file(folder / f"{name}.csv", columns, lines)


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def aligned(labels: str, *judges: str, metrics: str = "") -> dict[str, Agreement]:
    runs = [Path("runs") / judge / model for judge in judges for model in MODELS]
    found = align(Path(f"{labels}.csv"), runs, metrics=Path(f"{metrics}.csv") if metrics else None)
    return dict(zip(found.names, found.judges, strict=True))


def test_corebenchs_table_5_has_balanced_accuracy_by_dimension() -> None:
    right, noisy, noisier = aligned("labels", "oracle", "noisy", "noisier").values()
    for judge, expected in ((right, 1), (noisy, 0.8), (noisier, 0.6)):
        by_dimension = {name: part.answers for name, part in judge.slices["dimension"].items()}
        assert tuple(by_dimension) == DIMENSIONS
        assert sum(part.checks for part in by_dimension.values()) == judge.answers.checks == 240
        for part in by_dimension.values():
            assert part.balanced_accuracy == pytest.approx(expected, abs=0 if expected == 1 else 0.16)
        assert judge.answers.balanced_accuracy == pytest.approx(expected, abs=0.1)
    shown = done("align", "labels.csv", *(f"runs/{name}/{model}" for name in ("oracle", "noisy") for model in MODELS))
    lines = shown.partition("Balanced accuracy by dimension\n")[2].splitlines()
    assert lines[1].split() == ["judge", *DIMENSIONS, "mean"]
    assert lines[3].split() == ["planted:oracle", *["1.00"] * 5]


def test_parts_have_all_numbers_of_the_whole() -> None:
    (noisy,) = aligned("labels", "noisy").values()
    assert {kind: list(parts) for kind, parts in noisy.slices.items()} == {
        "dimension": list(DIMENSIONS),
        "category": ["logical", "causal"],
    }
    for parts in noisy.slices.values():
        for part in parts.values():
            assert part.pictures.items == (60 if part in noisy.slices["dimension"].values() else 30)
            assert None not in (part.models, part.differences, part.thresholds)
    (of_logic, _) = noisy.slices["category"].values()
    assert noisy.differences is not None
    bins = [part.differences.bins for part in noisy.slices["category"].values() if part.differences]
    assert [sum(pair) for pair in zip(*bins, strict=True)] == noisy.differences.bins
    assert of_logic.answers.checks == 120


def test_cf_worlds_table_4_has_a_row_for_each_threshold() -> None:
    """People's yes or no of a picture, as ratings of 0 and 1: the right judge agrees with all from .5 on."""
    right, noisy = aligned("ratings", "oracle", "noisy").values()
    assert right.thresholds is not None
    assert noisy.thresholds is not None
    assert [row.threshold for row in right.thresholds.rows] == [0.3, 0.4, 0.5, 0.6, 0.7]
    at_half = right.thresholds.rows[2]
    assert (at_half.accuracy.value, at_half.f1, right.thresholds.threshold) == (1, 1, 0.5)
    assert right.thresholds.held_out is not None
    assert right.thresholds.held_out.accuracy.value == 1
    assert noisy.thresholds.accuracy < 1
    lines = done("align", "ratings.csv", "runs/oracle/good", "runs/oracle/fair").splitlines()
    place = lines.index("Scores as yes or no beside people's [95 %, exact]")
    assert [line.split()[1:3] for line in lines[place + 4 : place + 10]][2:6:3] == [["0.50", "1.00"], ["best:", "0.50"]]


def test_r2is_table_3_has_judges_and_metrics_in_people_s_order() -> None:
    found = aligned("preferences", "oracle", "noisier", metrics="metrics")
    assert list(found) == ["planted:oracle", "planted:noisy?p=0.4", "Same", "Turned"]
    right, noisier, same, turned = (judge.preferences for judge in found.values())
    assert right is not None
    assert noisier is not None
    assert same is not None
    assert turned is not None
    for perfect in (right, same):
        assert (perfect.right.value, perfect.strict, perfect.tied, perfect.lost) == (1, 1, 0, 0)
    assert same.tau_b == right.tau_b
    assert (turned.right.value, turned.strict) == (0, turned.equal / 30)
    assert turned.tau_b == pytest.approx(-(same.tau_b or 0))
    assert 0.3 < (noisier.right.value or 0) < 0.9
    assert {name: part.preferences.right.value for name, part in found["Same"].slices["category"].items()
            if part.preferences} == {"logical": 1, "causal": 1}  # fmt: skip


def test_metrics_stand_beside_judges_in_the_order_of_pictures() -> None:
    """A metric has no scale, so no threshold and no difference; its correlation with the true score is exact."""
    for labels in ("labels", "ratings"):
        found = aligned(labels, "oracle", metrics="metrics")
        same, turned = found["Same"], found["Turned"]
        assert (same.thresholds, same.differences, same.answers.checks, same.runs) == (None, None, 0, [])
        for name in ("tau_b", "spearman", "pearson"):
            of_judge = getattr(found["planted:oracle"].pictures, name)
            assert getattr(same.pictures, name) == pytest.approx(of_judge)
            assert getattr(turned.pictures, name) == pytest.approx(-of_judge)
        assert same.models is not None
        assert same.models.tau_b == 1


def test_a_metric_may_lack_pictures_and_models() -> None:
    lines = [("CLIPScore", f"g{n:02}/image/0", "planted:card?rate=0.8&seed=3", "" if n else "1") for n in range(30)]
    table("holes", ("metric", "id", "generator", "value"), lines)
    by_labels = aligned("labels", "oracle", metrics="holes")["CLIPScore"]
    assert by_labels.pictures.items == 1
    assert any("59 rated pictures without a score" in line for line in by_labels.left_out)
    by_preferences = aligned("preferences", "oracle", metrics="holes")["CLIPScore"]
    assert by_preferences.preferences is not None
    assert (by_preferences.preferences.right.of, by_preferences.preferences.lost) == (0, 30)


@pytest.mark.parametrize(
    ("columns", "lines", "message"),
    [
        (("id", "value"), [("g00", "1")], "needs the columns metric"),
        (("id", "metric", "value"), [("g00", "CLIP", "high")], "line 2, column 'value': 'high' is no number"),
        (("id", "metric", "value"), [("g00", "CLIP", "1e-05")], "some labels do not name theirs"),
        (("id", "metric", "value", "model"), [("g00", "CLIP", "1", "nobody")], "none of these runs is about pictures"),
    ],
)
def test_a_table_of_metrics_that_fits_no_picture_is_refused(
    columns: Sequence[str], lines: Sequence[Sequence[object]], message: str
) -> None:
    table("wrong", columns, lines)
    with pytest.raises(InputError, match=message):
        aligned("labels", "oracle", metrics="wrong")


def test_choices_between_evaluators_are_of_single_pictures() -> None:
    runs = [f"runs/{name}/{model}" for name in ("noisy", "layers") for model in MODELS]
    rows = [(f"g{n:02}/image/0", model, "checklist", "direct-layers", better) for n in range(3)
            for model, better in (("good", "first"), ("fair", "second"))]  # fmt: skip
    columns = ("id", "model", "first", "second", "better")
    table("of-models", columns, [*rows, ("nowhere", "good", "checklist", "direct-layers", "first")])
    (choice,) = document("align", "of-models.csv", *runs)["choices"]
    assert [choice[name] for name in ("first_better", "second_better", "equal", "lost")] == [3, 3, 0, 1]
    table("nameless", columns, [(row[0], "", *row[2:]) for row in rows])
    with pytest.raises(InputError, match=r"whose picture is it\? .*name one in a column `model`"):
        align(Path("nameless.csv"), [*map(Path, runs)])
    table("itself", columns, [("g00/image/0", "good", "checklist", "checklist", "first")])
    with pytest.raises(InputError, match="a preference is between two"):
        align(Path("itself.csv"), [*map(Path, runs)])


def test_a_part_of_ratings_on_another_scale_has_no_thresholds() -> None:
    """People rate from 0 to 5; those of one category happen to be 0 and 1."""
    rows = [(f"g{n:02}/image/0", str(n % 4 // 2 if n % 2 else n % 6)) for n in range(30)]
    table("fives", ("id", "rating"), rows)
    found = align(Path("fives.csv"), [Path("runs/oracle/good")]).judges[0]
    assert [part.thresholds for part in (found, *found.slices["category"].values())] == [None, None, None]


def test_picworlds_table_2_counts_peoples_choices_between_two_evaluators() -> None:
    runs = [f"runs/{name}/good" for name in ("noisy", "layers")]
    found = document("align", "choices.csv", *runs)
    (choice,) = found["choices"]
    assert (choice["first"], choice["second"]) == (
        "planted:noisy?p=0.2 (checklist)",
        "planted:noisy?p=0.2 (direct-layers)",
    )
    assert (choice["first_better"], choice["second_better"], choice["equal"]) == (16, 2, 1)
    assert choice["p"] == pytest.approx(2 * (1 + 18 + 153) / 2**18)
    assert choice["share"]["value"] == pytest.approx(16 / 18)
    assert [judge["preferences"] for judge in found["judges"]] == [None, None]
    (both,) = found["agreement"]
    numbers = [load_models(Path(run))[0].numbers for run in runs]
    first, second = ([of_run[sample] for sample in sorted(numbers[0])] for of_run in numbers)
    assert both["scores"]["first_mean"] == pytest.approx(sum(first) / 30)
    assert both["scores"]["second_sd"] == pytest.approx((sum((n - sum(second) / 30) ** 2 for n in second) / 30) ** 0.5)
    shown = done("align", "choices.csv", *runs)
    assert "people prefer planted:noisy?p=0.2 (checklist) on 16 pictures, " in shown
