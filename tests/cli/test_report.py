"""`report` on the command line: what is written, what is said, JSON as promised, exit codes."""

from pathlib import Path

import pytest
from commands import done
from pictures.pictured import judge
from planted_runs import edit_info, write_cells_run, write_run


def test_report_writes_a_page_and_names_the_next_step() -> None:
    run = write_run(Path("run"), "planted:oracle", "smoke", 8)
    first, *_, last = done("report", run, "--out", "my report/page.html").splitlines()
    assert first.startswith("my report/page.html: 1 run, 8 pairs, 16 pictures, 0.")
    assert last == "next: open 'my report/page.html' in a browser"
    assert Path("my report/page.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_runs_asked_cell_by_cell_are_reported_on_the_pairs_that_all_have() -> None:
    few = write_cells_run(Path("few"), "planted:sticky", ("falling",), per_cell=3)
    many = write_cells_run(Path("many"), "planted:oracle", ("falling", "frost"), per_cell=5)
    edit_info(many, by_cells=True)
    for runs in ((few, many), (many, few)):
        output = done("report", *runs, "--out", "a.html")
        assert "a.html: 2 runs, 39 pairs, 78 pictures, " in output  # 15 and 24 controls
        assert "left out: 51 pairs that not all of these runs were asked" in output
    page = Path("a.html").read_text()
    assert "39 pairs; 51 others that some of these runs were asked" in page
    assert "planted:oracle was asked until each cell was decided: unclear cells count more often" in page
    assert "On the 39 pairs to which every judge replied twice" in page


def test_report_writes_pages_on_models_too(tmp_path: Path) -> None:
    lines = done("report", judge(tmp_path / "models", "literal"), "--out", "models.html").splitlines()
    assert lines[0].startswith("models.html: 1 run, 5 groups, ")
    assert lines[1] == "note: Pictures are reduced to 384 pixels at most, and embedded."
    assert lines[-1] == "next: open models.html in a browser"
