"""`report` on the command line: what is written, what is said, JSON as promised, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import commands
import pytest
from planted_runs import edit_info, write_cells_run, write_run
from t2i.pictured import judge
from typer.testing import Result

from counterbench.reporting import write
from counterbench.reporting.t2i import thumbnails


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_run(Path("run"), "planted:oracle", "smoke", 8)


def call(*args: object) -> Result:
    return commands.call("report", *args)


def fails(*args: object) -> str:
    result = call(*args)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.stderr
    return result.stderr


def test_a_page_and_its_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "LARGE", 1000)
    result = call("run", "--out", "my report/page.html", "--plots", "plots", "-v")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("my report/page.html: 1 judge, 8 pairs, 16 pictures, 0.")
    assert lines[-1] == "next: open 'my report/page.html' in a browser"
    assert any("--folder writes the pictures beside the page" in line for line in lines)
    files = sorted(path.name for path in Path("plots").iterdir())
    assert {"ccs.svg", "ccs.png", "gap.svg", "gap.png"} <= set(files)
    assert f"plots: {len(files)} files of plots" in lines
    assert "plots/ccs.png" in lines
    assert "drawing pictures: 8/8" in result.stderr
    assert Path("my report/page.html").read_text().startswith("<!DOCTYPE html>")


def test_a_folder_and_one_json_document() -> None:
    result = call("run", "--out", "page.html", "--folder", "--json")
    found = json.loads(result.stdout)
    assert result.stderr == ""
    assert found.pop("bytes") == Path("page.html/index.html").stat().st_size
    assert found.pop("note")
    counts = {"runs": 1, "pairs": 8, "pictures": 16}
    assert found == {"page": "page.html/index.html", "plots": [], "left_out": 0, "unreadable": []} | counts
    assert len(list(Path("page.html/pictures").iterdir())) == 16


@pytest.mark.parametrize("out", ["report", "report.v2/"])
def test_no_suffix_or_a_slash_at_the_end_is_a_folder(out: str) -> None:
    assert call("run", "--out", out, "--pictures", "none").exit_code == 0
    assert (Path(out) / "index.html").is_file()


def test_a_damaged_certificate_beside_a_run_is_a_line_on_standard_error() -> None:
    Path("run/certificate-old.json").write_text("{")
    for more in ([], ["--json"]):
        result = call("run", "--out", "a.html", "--pictures", "none", *more)
        assert result.exit_code == 0
        assert "note: not a certificate that can be shown: run/certificate-old.json: " in result.stderr
    assert "certificate-old.json: " in fails("run", "--out", "a.html", "--certificate", "run/certificate-old.json")


def test_runs_asked_cell_by_cell_are_reported_on_the_pairs_that_all_have() -> None:
    few = write_cells_run(Path("few"), "planted:sticky", ("falling",), each=3)
    many = write_cells_run(Path("many"), "planted:oracle", ("falling", "frost"), each=5)
    edit_info(many, by_cells=True)
    for runs in ((few, many), (many, few)):
        result = call(*map(str, runs), "--out", "a.html")
        assert result.exit_code == 0, result.output
        assert "a.html: 2 judges, 18 pairs, 36 pictures, " in result.stdout  # 15 and 3 controls
        assert "left out: 37 pairs that not all of these runs were asked" in result.stdout
    page = Path("a.html").read_text()
    assert "18 pairs; 37 others that some of these runs were asked" in page
    assert "planted:oracle was asked until each cell was decided: unclear cells count more often" in page
    assert "On the 18 pairs to which every judge replied twice" in page


def test_what_is_at_fault_is_named() -> None:
    assert "nowhere: there is no such run folder" in fails("nowhere", "--out", "a.html")
    assert "unknown scoring 'strct' (did you mean 'strict'?)" in fails("run", "--out", "a.html", "--scoring", "strct")
    assert "no.json: cannot be read" in fails("run", "--out", "a.html", "--certificate", "no.json")
    assert "--pictures controls: does not hold the pairs" in fails("run", "--out", "a.html", "--pictures", "controls")
    assert "named twice" in fails("run", "./run", "--out", "a.html")
    assert "name it x.html, or add --folder" in fails("run", "--out", "x.txt")
    Path("precious.html").write_text("mine")
    assert "--plots takes a folder" in fails("run", "--out", "a.html", "--plots", "precious.html")
    assert "choose another --out" in fails("run", "--out", "precious.html")
    assert not Path("a.html").exists()


# ---- of models


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run about pictures; its plots, which take a second each, are tested elsewhere."""
    monkeypatch.setattr("counterbench.reporting.t2i.write.model_plots", lambda data: [])
    return judge(tmp_path / "models", "literal")


def test_a_report_on_a_model_is_written_by_the_same_command(models: Path) -> None:
    result = call(models, "--out", "models.html")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("models.html: 1 run, 5 groups, ")
    assert lines[1] == "note: Pictures are embedded, reduced to 256 pixels at most."
    assert lines[-1] == "next: open models.html in a browser"
    found = json.loads(call(models, "--out", "models.html", "--json").stdout)
    assert (found["runs"], found["groups"], found["beside"], found["plots"]) == (1, 5, "", [])
    assert found["bytes"] == Path("models.html").stat().st_size


def test_pictures_that_are_too_many_for_one_file_are_said_to_lie_beside_it(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thumbnails, "MOST", 1000)
    lines = call(models, "--out", "models.html").stdout.splitlines()
    assert "in the folder models-pictures beside this page" in lines[1]
    assert Path("models-pictures", "00000.png").is_file()


def test_options_of_the_other_kind_of_run_are_refused(models: Path) -> None:
    assert "is about generated pictures and run is not" in fails(models, "run", "--out", "r.html")
    assert "--certificate is of runs on pairs" in fails(models, "--out", "r.html", "--certificate", "c.json")
    assert "--labels are of generated pictures" in fails("run", "--out", "r.html", "--labels", "l.csv")
    assert "unknown scoring 'strict'" in fails(models, "--out", "r.html", "--scoring", "strict")
