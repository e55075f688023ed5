"""`align` on the command line: tables for people in 80 columns, JSON and CSV as promised, what is refused."""

import csv
from pathlib import Path

import pytest
from commands import document, done
from pictures.carded import cards, judged, prompt

from counterbench.pictures.judging.judged_run import load_judged
from counterbench.prompts.prompt_set import Check, PromptSet

pytestmark = pytest.mark.usefixtures("in_folder")
RUNS = ["runs/good", "runs/bad", "runs/yes"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models' pictures by one judge, one of them by another; two raters' labels of all of them."""
    folder = tmp_path_factory.mktemp("align")
    checks = (
        Check(id="point", text="Is it there?", dimension="assessment-point", weight=15),
        Check(id="whole", text="Is it whole?", dimension="visual-integrity", weight=5),
    )
    prompts = [prompt(f"g{i}", *checks, level=level) for i in range(4) for level in ("l1", "l2", "l3")]
    gated = PromptSet("gated", ("l1", "l2", "l3"), prompts, protocol="cf-eval")
    lines = [("sample", "check", "label", "rater", "generator")]
    for name, rate in (("good", 0.8), ("bad", 0.4)):
        images = cards(gated, folder / name, f"card?rate={rate}")
        judged(images, folder / "runs" / name, by="cf-eval")
        drawn = f"planted:card?rate={rate}"
        rows = load_judged(folder / "runs" / name).rows
        lines += [(row.sample_id, row.check, str(row.answer), rater, drawn) for row in rows for rater in ("ann", "ben")]
    judged(images, folder / "runs" / "yes", "yes-bias?p=1", by="cf-eval")
    with (folder / "labels.csv").open("w", newline="") as file:
        csv.writer(file).writerows(lines)
    return folder


def test_align_prints_agreement_tables() -> None:
    lines = done("align", "labels.csv", *RUNS).splitlines()
    rows = [line.split() for line in lines]
    assert lines[0] == "Yes/no checks beside people [95 %, exact]"
    assert lines[2].split()[:6] == ["judge", "checks", "balanced", "accuracy", "F1", "sensitivity"]
    assert ["planted:oracle", "48", "1.00", "1.00", "1.00", "1.00"] in [row[:6] for row in rows]
    assert ["planted:yes-bias?p=1", "24", "0.50", "0.50", "0.67", "1.00"] in [row[:6] for row in rows]
    of_models = rows[lines.index("Scores of models beside people's") :]
    assert next(row for row in of_models if row[:1] == ["planted:oracle"])[1:3] == ["2", "1.00"]
    assert not [row for row in of_models[:6] if row[:1] == ["planted:yes-bias?p=1"]]
    assert lines[-1] == "Krippendorff's alpha between 2 raters: yes/no checks 1.00"


def test_align_says_why_it_has_no_order_of_partly_labelled_pictures(folder: Path) -> None:
    lines = (folder / "labels.csv").read_text().splitlines()
    part = [line for line in lines if ",whole," not in line]
    Path("part.csv").write_text("\n".join([*part, ""]))
    shown = done("align", "part.csv", "runs/good")
    assert "Scores of pictures" not in shown
    assert "oracle: left out: the order of pictures: 0 pictures have labels of all checks" in shown


def test_align_json_and_csv_have_every_number() -> None:
    found = document("align", "labels.csv", *RUNS)
    assert found["raters"] == {"raters": 2, "labels": 96, "yes_no": 1.0, "graded": None}
    oracle = found["judges"][0]
    assert (oracle["judge"], oracle["runs"], oracle["protocol"]) == ("planted:oracle", RUNS[:2], "cf-eval")
    assert set(oracle["answers"]["sensitivity"]) == {"value", "low", "high", "hits", "of"}
    rows = list(csv.DictReader(done("align", "labels.csv", *RUNS, "--format", "csv").splitlines()))
    first, second = (row for row in rows if row["part"] == "overall")
    assert (float(first["answers_kappa"]), second["models_tau_b"]) == (1, "")
    parts = {(kind, name) for kind, parts in oracle["slices"].items() for name in parts}
    of_oracle = [row for row in rows if row["judge"] == "planted:oracle" and row["part"] != "overall"]
    assert {(row["part"], row["name_of_part"]) for row in of_oracle} == parts
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("[", "{"))]
    assert done("align", "labels.csv", *RUNS, "--format", "latex").count(r"\begin{tabular}") == 9


def test_labels_of_other_generators_are_ignored_with_a_note() -> None:
    lines = done("align", "labels.csv", "runs/yes").splitlines()
    assert lines[-2] == "labels of planted:card?rate=0.8 are not used: no run here is of these"
    assert ["planted:yes-bias?p=1", "24"] in [line.split()[:2] for line in lines]
