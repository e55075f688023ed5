"""`report` on the command line: what is written, what is said, JSON as promised, exit codes."""

from pathlib import Path

import commands
import pytest
from pictures.pictured import judge
from planted_runs import edit_info, write_cells_run, write_run


@pytest.fixture(autouse=True)
def run() -> Path:
    return write_run(Path("run"), "planted:oracle", "smoke", 8)


def run_report(*args: object) -> str:
    return commands.done("report", *args)


def test_report_writes_a_page_and_names_the_next_step() -> None:
    first, *_, last = run_report("run", "--out", "my report/page.html").splitlines()
    assert first.startswith("my report/page.html: 1 run, 8 pairs, 16 pictures, 0.")
    assert last == "next: open 'my report/page.html' in a browser"
    assert Path("my report/page.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_runs_asked_cell_by_cell_are_reported_on_the_pairs_that_all_have() -> None:
    few = write_cells_run(Path("few"), "planted:sticky", ("falling",), per_cell=3)
    many = write_cells_run(Path("many"), "planted:oracle", ("falling", "frost"), per_cell=5)
    edit_info(many, by_cells=True)
    for runs in ((few, many), (many, few)):
        output = run_report(*runs, "--out", "a.html")
        assert "a.html: 2 runs, 39 pairs, 78 pictures, " in output  # 15 and 24 controls
        assert "left out: 51 pairs that not all of these runs were asked" in output
    page = Path("a.html").read_text()
    assert "39 pairs; 51 others that some of these runs were asked" in page
    assert "planted:oracle was asked until each cell was decided: unclear cells count more often" in page
    assert "On the 39 pairs to which every judge replied twice" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "nowhere: there is no such run folder"),
        (["run", "--pictures", "controls"], "--pictures controls: does not hold the pairs"),
        (["run", "--labels", "l.csv"], "labels are of generated pictures"),
    ],
)
def test_report_refuses_bad_input_and_writes_nothing(words: list[str], message: str) -> None:
    assert message in commands.fails("report", *words, "--out", "a.html")
    assert not Path("a.html").exists()


# ---- of models


@pytest.fixture
def picture_run(tmp_path: Path) -> Path:
    """A run about pictures."""
    return judge(tmp_path / "models", "literal")


def test_report_writes_pages_on_models_too(picture_run: Path) -> None:
    lines = run_report(picture_run, "--out", "models.html").splitlines()
    assert lines[0].startswith("models.html: 1 run, 5 groups, ")
    assert lines[1] == "note: Pictures are reduced to 384 pixels at most, and embedded."
    assert lines[-1] == "next: open models.html in a browser"
