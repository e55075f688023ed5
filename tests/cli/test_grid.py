"""Tables at any width: nothing is cut, no row wraps; and the same tables as CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from counterbench.cli import grid, written
from counterbench.cli.grid import Form, Table

WORDS = st.text("abc &%_#$|{}~^\\<>é図", min_size=1, max_size=20).map(str.strip).filter(bool)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    keys, numbers = draw(st.integers(1, 2)), draw(st.integers(1, 12))
    table = Table(draw(WORDS), keys)
    for i in range(keys + numbers):
        table.add_column(f"column {i}", f"c{i}", justify="left" if i < keys else "right")
    for _ in range(draw(st.integers(0, 4))):
        table.add_row(*draw(st.lists(WORDS, min_size=keys + numbers, max_size=keys + numbers)))
    return table


def lines(table: Table, width: int) -> list[str]:
    page = io.StringIO()
    Console(width=width, file=page).print(table.laid_out(width)[0])
    return page.getvalue().splitlines()


@given(tables(), st.sampled_from([50, 80, 120, 400]))
def test_at_any_width_every_cell_is_whole_and_no_line_is_longer(table: Table, width: int) -> None:
    shown = lines(table, width)
    assert max(map(cell_len, shown)) <= width
    for row in table.rows:
        assert all(any(cell.plain in line for line in shown) for cell in row.cells)


def table(names: int, columns: int, wide: int = 6) -> Table:
    made = Table("title")
    made.add_column("name")
    for i in range(columns):
        made.add_column(f"the long column {i}", f"c{i}", justify="right")
    for i in range(names):
        made.add_row(f"n{i}", *("0" * wide for _ in range(columns)))
    return made


def test_what_fits_is_one_table_under_its_full_headers() -> None:
    _, shortened = table(2, 3).laid_out(80)
    assert shortened == {}
    assert "the long column 2" in "\n".join(lines(table(2, 3), 80))


def test_then_short_headers_with_a_legend_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(grid, "terminal_width", lambda: 80)
    grid.show(table(2, 8), "a line", table(1, 8))
    said = capsys.readouterr().out
    assert said.count("c0 = the long column 0") == 1
    assert len([line for line in said.splitlines() if line.strip().startswith("n0")]) == 2


def test_a_legend_of_short_headers_stands_apart_from_the_next_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(grid, "terminal_width", lambda: 80)
    grid.show(table(2, 8), table(2, 8))
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert shown[shown.index("title", 1) - 1] == ""


def test_then_blocks_of_columns_that_each_name_the_row() -> None:
    shown = lines(table(2, 20), 80)
    assert len([line for line in shown if line.startswith("n1")]) == 2
    assert [len(re.findall(r"c\d+", line)) for line in shown if line.startswith("name")] == [10, 10]


def test_then_a_list() -> None:
    shown = lines(table(1, 20, wide=30), 80)
    assert f"  the long column 19  {'0' * 30}" in [line.rstrip() for line in shown]


def test_elsewhere_a_table_has_its_full_width(capsys: pytest.CaptureFixture[str]) -> None:
    grid.show(table(1, 20))
    assert "the long column 19" in capsys.readouterr().out.splitlines()[2]


def test_a_list_goes_on_beside_its_names(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
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


# ---- for papers


@given(tables())
def test_markdown_has_as_many_columns_in_every_row(table: Table) -> None:
    shown = [line for line in written.markdown([table.plain(), "a line"]) if line.startswith("| ")]
    assert len(shown) == 2 + len(table.rows)
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in shown} == {len(table.columns) + 1}


@given(tables())
def test_latex_is_balanced_and_its_cells_are_literal(table: Table) -> None:
    shown = list(written.latex([table.plain(), "a line"]))
    rows = [line for line in shown if line.endswith(r" \\")]
    assert len(rows) == 1 + len(table.rows)
    for line in rows:
        bare = re.sub(r"\\[&%$#_{}]", "", line)
        assert bare.count("&") == len(table.columns) - 1
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        assert not re.search("[%#_~^|<>]", re.sub(r"\$[<>]\$", "", bare))
    for what in ("table", "tabular"):
        assert sum(line.startswith(rf"\begin{{{what}}}") for line in shown) == shown.count(rf"\end{{{what}}}") == 1
    assert shown[-1] == "% a line"


def test_a_row_of_latex_that_begins_with_a_bracket_is_no_option_of_the_line_before() -> None:
    made = Table("t")
    made.add_column("[b]")
    assert any(line.startswith("{}[b]") for line in written.latex([made.plain()]))


ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), st.none() | st.booleans() | st.floats(allow_nan=False) | WORDS))


@given(ROWS.filter(lambda rows: any(rows)))
def test_csv_parses_back(rows: list[dict[str, object]]) -> None:
    names = dict.fromkeys(name for row in rows for name in row)
    found = list(csv.DictReader(written.csv_lines(rows)))
    assert len(found) == len(rows) or len(names) == 1  # a reader takes an empty only cell for no row
    for line, row in zip(found, rows, strict=True) if len(names) > 1 else ():
        for name in names:
            value = row.get(name)
            if isinstance(value, float):
                assert float(line[name]) == value
            else:
                assert line[name] == ("" if value is None else str(value).lower() if value in (True, False) else value)


def test_csv_has_no_formulas_of_others_and_numbers_as_they_are() -> None:
    texts = ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\uff1d1", "a=1"]
    assert written.csv_lines([{"=name": text, "n": -0.5, "k": -2} for text in texts]) == [
        "'=name,n,k",
        *(
            f"{cell},-0.5,-2"
            for cell in ("'=HYPERLINK(1)", "'+1", "'-1", "'@SUM(1)", r"\t=1", r"\r=1", "'\uff1d1", "a=1")
        ),
    ]


def test_csv_has_no_line_ends_in_its_cells() -> None:
    assert written.csv_lines([{"a": "x\ny", "b": 'q"'}]) == ["a,b", r'x\ny,"q"""']


def test_flat_names_follow_the_json() -> None:
    found = written.flat({"pairs": 3, "ccs": {"value": 0.5, "low": 0.1, "high": 0.9}, "outcomes": {"failed": 1}})
    assert found == {"pairs": 3, "ccs": 0.5, "ccs_low": 0.1, "ccs_high": 0.9, "outcomes_failed": 1}


def test_forms_are_what_the_option_says() -> None:
    assert list(Form) == ["table", "json", "csv", "markdown", "latex"]


@pytest.mark.parametrize("form", [Form.MARKDOWN, Form.LATEX, None])
def test_what_another_program_reads_is_not_wrapped_on_a_terminal(
    form: Form | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    if form is None:
        grid.show_csv([{f"column {i}": "some words" for i in range(10)}])
    else:
        grid.show(table(1, 10), "word " * 20, form=form)
    assert [line for line in terminal.getvalue().splitlines() if line.startswith("  ")] == []
    assert max(map(len, terminal.getvalue().splitlines())) > 80


def test_a_title_in_markdown_does_not_go_on_with_a_list() -> None:
    page = list(written.markdown(["a line", table(1, 1).plain(), table(1, 1).plain()]))
    assert page[:3] == ["- a line", "", "**title**"]
    assert "" not in (page[0], page[page.index("", 4) + 1])


def test_blocks_break_where_the_table_would_if_they_fit() -> None:
    made = Table("title")
    made.add_column("name")
    for i in range(9):
        if i == 2:
            made.add_break()
        made.add_column(f"column{i}")
    made.add_row("n", *("0" * 7 for _ in range(9)))
    headers = [line.split()[1:] for line in lines(made, 70) if line.startswith("name")]
    assert headers == [["column0", "column1"], [f"column{i}" for i in range(2, 9)]]
    headers = [line.split()[1:] for line in lines(made, 50) if line.startswith("name")]
    assert [len(block) for block in headers] == [2, 4, 3]
    headers = [line.split()[1:] for line in lines(made, 35) if line.startswith("name")]
    assert [len(block) for block in headers] == [3, 3, 3]  # else they would be more than can be read
    assert len([line for line in lines(made, 100) if "column0" in line]) == 1
