"""Every table of every command in a terminal of 80 columns, and what `--format` gives instead."""

import csv
import io
import os
import pty
import re
import sys
from pathlib import Path

import pytest
from commands import call
from planted_runs import edit_info, write_run
from rich.cells import cell_len

from counterbench.cli import compare
from counterbench.pages.gather import compare_judges
from counterbench.results.scores import score_runs

pytestmark = pytest.mark.slow

LONG = "openai:organisation/Some-Vision-Language-Model-72B-Instruct-2026-01-0{}?base_url=http://localhost:8000/v1"
JUDGES = ("oracle", "sticky", "blind", "noisy", "off-by-one", "arrow-blind", "random", "yes-bias")
WIDTH = 80


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Eight judges, half of them with long names; the user calls one "mine"."""
    root = tmp_path_factory.mktemp("widths")
    made = [write_run(root / judge, f"planted:{judge}", "certify", limit=160) for judge in JUDGES]
    for i, run in enumerate(made[::2]):
        edit_info(run, judge=LONG.format(i), name="mine" if run == made[2] else "")
    return made


def test_many_judges_are_each_compared_with_the_next(runs: list[Path]) -> None:
    assert "Each judge and the next" not in call("compare", *runs[:4]).stdout
    brief, whole = call("compare", *runs).stdout, call("compare", *runs, "-v").stdout
    assert "Each judge and the next" in brief
    assert "… and 21 more pairs of judges (-v prints all)" in brief
    rows = re.findall(r"^.* (?:1st|2nd|tied) +\S+ *$", brief[brief.index("Each judge and the next") :], re.MULTILINE)
    assert len(rows) == len(JUDGES) - 1
    assert "Every two judges" in whole
    assert "more pairs of judges" not in whole


def test_a_p_value_is_never_printed_as_zero() -> None:
    assert [compare.shown_p(p) for p in (None, 0.0, 1e-12, 0.00009, 0.0001, 0.00056, 0.02, 1.0)] == [
        "–", "<0.0001", "<0.0001", "<0.0001", "0.0001", "0.0006", "0.020", "1.000",
    ]  # fmt: skip


def test_a_judges_full_name_is_printed_once_and_its_short_name_elsewhere(runs: list[Path]) -> None:
    full = LONG.format(0)
    for command in ("score", "diagnose", "compare"):
        output = call(command, runs[0], runs[1]).stdout
        assert output.count(full) == 1
        assert re.search(rf"^\S+ is {re.escape(full)}$", output, re.MULTILINE)
        assert "planted:sticky is " not in output
    assert "mine: " in call("diagnose", runs[2]).stdout


@pytest.mark.parametrize("form", ["csv", "markdown", "latex"])
def test_names_are_shortened_on_terminals_only(form: str, runs: list[Path]) -> None:
    """And a name that the user gave stands in all forms."""
    for command in ("score", "compare"):
        output = call(command, runs[0], runs[2], "--format", form).stdout
        for name in (LONG.format(0), "mine"):
            assert re.sub(r"[^\w]", "", name) in re.sub(r"[^\w]|textbackslash", "", output), (command, form)
        assert "…" not in output.replace("?… is better", "")  # an address's query is masked in words


def test_scores_as_csv_are_a_row_for_each_judge_and_part(runs: list[Path]) -> None:
    found = list(csv.DictReader(io.StringIO(call("score", *runs, "--format", "csv").stdout)))
    documents = score_runs(runs)
    assert len(found) == sum(1 + len(doc.categories) + len(doc.families) for doc in documents)
    for doc in documents:
        row_at = {(row["part"], row["name"]): row for row in found if row["run"] == doc.run}
        assert float(row_at["overall", ""]["ccs"]) == doc.overall.ccs.value
        assert int(row_at["category", "causal"]["outcomes_answer"]) == doc.categories["causal"].outcomes["answer"]
        assert row_at["family", "arrow"]["stability"] == ""


def test_comparisons_as_csv_are_a_row_for_every_two_judges(runs: list[Path]) -> None:
    found = list(csv.DictReader(io.StringIO(call("compare", *runs[1::2], "--format", "csv").stdout)))
    overall = compare_judges(runs[1::2])[0].overall.contrasts
    rows = [row for row in found if row["part"] == "overall"]
    assert [float(row["p"]) for row in rows] == [c.p for c in overall]
    assert [float(row["difference_low"]) for row in rows] == [c.difference.low for c in overall]
    assert {row["name"] for row in found if row["part"] == "category"} >= {"spatial", "causal"}


@pytest.mark.parametrize("words", [(), ("t2i",)])
def test_help_describes_each_command_in_one_whole_line(words: tuple[str, ...]) -> None:
    output = call(*words, "--help").stdout
    assert max(map(len, output.splitlines())) <= WIDTH
    rows = [line for line in output[output.index("--help") :].splitlines()[2:] if line.startswith("  ")]
    assert len(rows) >= 3
    for row in rows:
        assert re.fullmatch(r"  \S+ +\S.*[^.][.?]", row), "a description is cut or goes on in another line"


def test_a_table_fits_a_real_terminal(runs: list[Path]) -> None:
    """A pty of 80 columns: what is laid out for it is what it is sent."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"COLUMNS": str(WIDTH), "TERM": "dumb"}
        os.execv(sys.executable, [sys.executable, "-m", "counterbench", "score", *map(str, runs)])
    output = b""
    while True:
        try:
            output += (more := os.read(terminal, 65536))
        except OSError:  # Linux says so that the other end is closed
            break
        if not more:
            break
    os.waitpid(pid, 0)
    lines = output.decode().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("CCS by category"))
    table = lines[start : lines.index("", start)]
    assert len(table) >= 3 + len(JUDGES)
    assert max(map(cell_len, table)) <= WIDTH
