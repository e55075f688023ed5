"""Tables at any width: nothing is cut, no row wraps; and the same tables as CSV, Markdown and LaTeX."""

import io
import re
import sys

import pytest
from commands import document
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from sweeping import swept

from counterbench.cli import grid
from counterbench.cli.grid import Table
from counterbench.cli.listing import LISTS
from counterbench.cli.options import OutputForm

WORDS = st.text("abc &%_#$|{}~^\\<>é図", min_size=1, max_size=20).map(str.strip).filter(bool)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    keys, numbers, wide = draw(st.integers(1, 2)), draw(st.integers(1, 12)), draw(st.booleans())
    table = Table(draw(WORDS), [f"key {i}" for i in range(keys)], keys=keys, wide=wide)
    for i in range(numbers):
        table.add_numbers(f"the column {i}", group=draw(st.sampled_from(["", "group a", "group 図"])) if wide else "")
    for _ in range(draw(st.integers(0, 4))):
        cells = draw(st.lists(WORDS, min_size=keys + numbers, max_size=keys + numbers))
        table.add_row(*cells[:-1], f"1.00 [{draw(st.text('0', min_size=1, max_size=9))}]")
    return table


def table_lines(table: Table, width: int) -> list[str]:
    page = io.StringIO()
    table.print(Console(width=width, file=page))
    return page.getvalue().splitlines()


@given(tables(), st.sampled_from([50, 80, 120, 400]))
def test_a_table_cuts_no_number_and_fits_any_width(table: Table, width: int) -> None:
    shown = table_lines(table, width)
    assert max(map(cell_len, shown)) <= width
    for row in table.rows:
        for cell in row.cells[table.keys :]:
            assert [part for part in cell.plain.replace(" [", "\n[").split("\n") if part not in "\n".join(shown)] == []


def sample_table(names: int, columns: int, wide: int = 6) -> Table:
    rows = [[f"n{i}", *["0" * wide] * columns] for i in range(names)]
    return Table("title", ["name"], [f"the long column {i}" for i in range(columns)], rows=rows)


@pytest.mark.parametrize(
    ("names", "columns", "wide", "header"),
    [
        (2, 3, 6, "name  the long column 0  the long column 1  the long column 2"),  # as it is
        (2, 8, 6, "name       0       1       2       3       4       5       6       7"),  # headers in lines
        (2, 20, 6, "n0      n1"),  # turned
        (9, 20, 9, "n0"),  # a list
    ],
)
def test_a_table_takes_the_first_layout_that_fits(names: int, columns: int, wide: int, header: str) -> None:
    shown = [line.strip() for line in table_lines(sample_table(names, columns, wide), 80)]
    assert header in shown
    assert any(line.split()[-1] == "0" * wide for line in shown if line), shown


def test_a_table_has_its_full_width_outside_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    grid.show(sample_table(1, 20))
    assert "the long column 19" in capsys.readouterr().out.splitlines()[2]


def test_a_wrapped_list_is_indented(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    entries = {"short": "word " * 30, "n" * 40: "text"}
    grid.show_list(entries)
    assert len(capsys.readouterr().out.splitlines()) == 2
    monkeypatch.setattr(grid, "terminal_width", lambda: 80)
    grid.show_list(entries)
    first, second, third, name, text = capsys.readouterr().out.splitlines()
    assert first.startswith("short  word ")
    assert second.startswith("       word ")
    assert (name, text) == ("n" * 40, "       text")
    assert max(map(len, (first, second, third))) <= 80


@pytest.mark.slow
@swept("what", LISTS)
def test_a_list_is_written_as_json(what: str) -> None:
    found = document("list", what)
    assert list(found) == [what]
    assert [entry for entry in found[what] if len(entry["summary"]) <= 10] == []


# ---- for papers


@given(tables())
def test_markdown_has_as_many_columns_in_every_row(table: Table) -> None:
    shown = [line for line in grid.markdown([table, "a line"]) if line.startswith("| ")]
    assert len(shown) == 2 + len(table.rows)
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in shown} == {len(table.columns) + 1}


@given(tables())
def test_latex_is_balanced_and_its_cells_are_literal(table: Table) -> None:
    shown = list(grid.latex([table, "a line"]))
    rows = [line for line in shown if line.endswith(r" \\")]
    assert len(rows) == 1 + table.has_groups + len(table.rows)
    for line in rows[table.has_groups :]:
        bare = re.sub(r"\\[&%$#_{}]", "", line)
        assert bare.count("&") == len(table.columns) - 1
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        assert not re.search("[%#_~^|<>]", re.sub(r"\$[<>]\$", "", bare))
    for what in ("table", "tabular"):
        assert sum(line.startswith(rf"\begin{{{what}}}") for line in shown) == shown.count(rf"\end{{{what}}}") == 1
    assert shown[-1] == "% a line"


def test_a_latex_row_that_begins_with_a_bracket_is_guarded() -> None:
    assert "\n{}[b]" in "\n".join(grid.latex([Table("t", ["[b]"])]))


def test_csv_has_a_column_for_each_name_and_no_spreadsheet_formulas(capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\uff1d1", "a=1", 'x\ny"', None, True]
    grid.show_csv([{"=name": text, "n": -0.5} for text in texts] + [{"k": -2}])
    written = ["'=HYPERLINK(1)", "'+1", "'-1", "'@SUM(1)", r"\t=1", r"\r=1", "'\uff1d1", "a=1", r'"x\ny"""', "", "true"]
    assert capsys.readouterr().out.splitlines() == ["'=name,n,k", *(f"{text},-0.5," for text in written), ",,-2"]


def test_flat_names_follow_the_json() -> None:
    found = grid.flat({"pairs": 3, "ccs": {"value": 0.5, "low": 0.1, "high": 0.9}, "outcomes": {"failed": 1}})
    assert found == {"pairs": 3, "ccs": 0.5, "ccs_low": 0.1, "ccs_high": 0.9, "outcomes_failed": 1}


@pytest.mark.parametrize("form", [OutputForm.MARKDOWN, OutputForm.LATEX, None])
def test_output_for_programs_is_not_wrapped(form: OutputForm | None, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    if form is None:
        grid.show_csv([{f"column {i}": "some words" for i in range(10)}])
    else:
        grid.show(sample_table(1, 10), "word " * 20, form=form)
    assert [line for line in terminal.getvalue().splitlines() if line.startswith("  ")] == []
    assert max(map(len, terminal.getvalue().splitlines())) > 80


def test_an_empty_line_in_markdown_ends_a_list_before_a_title() -> None:
    page = list(grid.markdown(["a line", sample_table(1, 1), sample_table(1, 1)]))
    assert page[:3] == ["- a line", "", "**title**"]
    assert "" not in (page[0], page[page.index("", 4) + 1])
