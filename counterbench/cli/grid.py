"""Prints a command's result in the form that the user asked for: tables for people, Markdown, LaTeX, CSV or JSON.

In go `Table`s (filled by the command's own module), lines of text, and functions that make the JSON document and the
CSV rows; `show_result` prints one of these. `show_list` prints names with a text beside each.

Cells are literal: no text in them is markup or a control. On a terminal Rich draws a table. If it is too wide, headers
and intervals get two lines; if that is too wide, the table is turned, so that its rows stand as columns; if that is too
wide as well, it becomes a list. The rows of a `wide` table stay rows: columns without room go into further tables below
it. Elsewhere (a pipe, a file) a table has its full width, unless the environment variable COLUMNS gives another.
"""

from __future__ import annotations

import csv
import io
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any, Literal, NamedTuple

import msgspec
from rich import box
from rich import table as rich_table
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from counterbench.cli.options import OutputForm
from counterbench.cli.printing import columns_of, print_json, say
from counterbench.files.addresses import masked
from counterbench.results.measures import FRACTION, NONE, Notation
from counterbench.stats.intervals import Estimate
from counterbench.text import literal, visible

GridCell = Text
_Cells = Iterable[str | GridCell]  # of a row
_Rows = Sequence[Mapping[str, Any]]
BEST, SECOND = "bold", "underline"  # the styles of cells that every form shows, as Rich names them
_UNLIMITED = 100_000  # columns where a page has no width
# A name may be broken into lines of so many characters, and no fewer, to keep its table from becoming a list; and in a
# wide table, to keep it in fewer parts.
_MIN_NAME_WIDTH, _MIN_WIDE_NAME = 16, 26
_TO_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$"}
    | {"|": r"\textbar{}", "–": "--", "−": "$-$", "…": r"\ldots{}", "·": r"$\cdot$", "×": r"$\times$"}
    | {'"': r"\textquotedbl{}", "†": r"$\dagger$"}
)
_TO_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\|*`<"})


def cell(text: str, style: str = "") -> GridCell:
    """Make a literal cell; a plain text may be used in its place if it needs no style."""
    return Text(visible(masked(text)), style)


def number_cell(
    number: Estimate | None, notation: Notation = FRACTION, *, interval: bool = True, style: str = ""
) -> GridCell:
    """Make the cell of a number, with its interval if it has one; a dash where it is undefined."""
    if number is None or number.value is None:
        return cell(NONE, "dim")
    text = cell(notation.plain(number.value), style)
    if interval and (ends := notation.interval(number)):
        text.append(f" {ends}", style="dim")
    return text


class _Column(NamedTuple):
    """The header of a column, its kind (numbers are set to the right), and its group; "" for none."""

    header: str
    is_number: bool
    group: str = ""

    @property
    def whole(self) -> str:
        """The header behind the name of its group, for places without a line of groups."""
        return f"{self.group}: {self.header}" if self.group else self.header


class _Row(NamedTuple):
    """The cells of a row, and the style of all of them as Rich names it ("dim")."""

    cells: list[GridCell]
    style: str


class Table:
    """A table in the style that all commands share; its first `keys` columns name a row. `wide`: see the module."""

    def __init__(
        self, title: str, *headers: Sequence[str], rows: Iterable[_Cells] = (), keys: int = 1, wide: bool = False
    ) -> None:
        """Make a table of columns with these headers: of words, then of numbers, and so on by turns."""
        self.title, self.keys, self.wide = visible(masked(title)), keys, wide
        self.columns: list[_Column] = []
        self.rows: list[_Row] = []
        self.rows_above_rules: set[int] = set()  # the indexes of rows with a rule below them
        for place, columns in enumerate(headers):
            self.columns += [_Column(visible(header), place % 2 == 1) for header in columns]
        for row in rows:
            self.add_row(*row)

    def add_column(self, *headers: str) -> None:
        """Add columns of words under these headers."""
        self.columns += [_Column(visible(header), False) for header in headers]

    def add_numbers(self, *headers: str, group: str = "") -> None:
        """Add columns of numbers, set to the right; neighbours of one `group` stand under its name."""
        self.columns += [_Column(visible(header), True, visible(masked(group))) for header in headers]

    def add_row(self, *cells: str | GridCell, style: str = "") -> None:
        """Add a row of literal texts and of what `cell` returned."""
        row = [text if isinstance(text, Text) else cell(text) for text in cells]
        self.rows.append(_Row(row + [Text()] * (len(self.columns) - len(row)), style))

    def add_section(self) -> None:
        """Put a rule after the rows so far."""
        self.rows_above_rules.add(len(self.rows) - 1)

    @property
    def has_groups(self) -> bool:
        """True if columns have groups."""
        return any(column.group for column in self.columns)

    def print(self, page: Console) -> None:
        """Print the table in the first of its shapes that fits the page's width (see the module)."""
        page.print(Text(self.title, "table.title"))
        turned, parts = self._turned(), self._parts(page.width) if self.wide else [self]
        shapes = [[(self, False)], [(part, True) for part in parts], [(turned, False)], [(turned, True)]]
        for shape in shapes:
            if all(table._room(page.width, narrow) >= 0 for table, narrow in shape):
                for table, narrow in shape:
                    table._draw(page, narrow)
                return
        for line in self._list_lines():
            page.print(line)

    def _room(self, width: int, narrow: bool) -> int:
        """The characters of a page's width that the table leaves; below 0 if it does not fit."""
        edges = 2 if self.has_groups else 0  # under a line of groups a table has none
        return width + edges - sum((column.min_width or 0) + 2 for column in self._rich_table(narrow).columns)

    def _parts(self, width: int) -> list[Table]:
        """The table in parts that fit a width: each has the names of the rows, and groups stay whole where they can."""
        blocks: list[list[int]] = []
        for _, members in groupby(range(self.keys, len(self.columns)), key=lambda i: self.columns[i].group or i):
            places = [*members]
            blocks += [places] if self._only(places)._room(width, True) >= 0 else [[place] for place in places]
        parts = blocks[:1]
        for block in blocks[1:]:
            if self._only([*parts[-1], *block])._room(width, True) >= 0:
                parts[-1] += block
            else:
                parts.append(block)
        return [self._only(part) for part in parts]

    def _only(self, places: Sequence[int]) -> Table:
        """The table with the columns that name a row, and those at some places."""
        part, kept = Table(self.title, keys=self.keys, wide=self.wide), [*range(self.keys), *places]
        part.columns = [self.columns[i] for i in kept]
        part.rows = [_Row([row.cells[i] for i in kept], row.style) for row in self.rows]
        part.rows_above_rules = self.rows_above_rules
        return part

    def _draw(self, page: Console, narrow: bool) -> None:
        """Print the table as it is, with a line of the names of groups above their columns if there are any."""
        drawn, room = self._rich_table(narrow), self._room(page.width, narrow)
        if not self.has_groups:
            page.print(drawn)
            return
        for column in drawn.columns:  # fixed, so that the line of groups fits
            least, most = column.min_width or 0, column.max_width or 0
            column.width = min(most, least + room)
            room -= column.width - least
        line = []
        for group, members in groupby(zip(self.columns, drawn.columns, strict=True), key=lambda pair: pair[0].group):
            span = sum((column.width or 0) + 2 for _, column in members) - 2
            line.append(" " * span if not group else f" {group} ".center(span - cell_len(group) + len(group), "─"))
        drawn.show_edge = False
        for shown in (Text(), Text("  ".join(line).rstrip()), drawn, Text()):
            page.print(shown)

    def _turned(self) -> Table:
        """This table turned: it has a column for each row, and a row for each column of numbers."""
        columns = enumerate(self.columns[self.keys :], self.keys)
        rows: Iterable[_Cells] = ([column.whole, *(row.cells[i] for row in self.rows)] for i, column in columns)
        return Table(self.title, [""], [_row_name(row, self.keys) for row in self.rows], rows=rows)

    def _rich_table(self, narrow: bool) -> rich_table.Table:
        """This table as Rich draws it; `narrow`: names may wrap, and headers and intervals have a second line."""
        drawn = rich_table.Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        grid = [[Text(column.header) for column in self.columns], *([*row.cells] for row in self.rows)]
        span = 0  # of the columns of a group so far
        for i, (_, is_number, group) in enumerate(self.columns):
            if narrow and is_number:  # a new line at each blank outside of [95 %]
                grid[0][i] = Text(re.sub(r" (?![^\[]*\])", "\n", grid[0][i].plain))
                for cells in grid[1:]:
                    cells[i] = _interval_below(cells[i])
            widest = max(cell_len(line) for cells in grid for line in cells[i].plain.split("\n"))
            span = widest + (span + 2 if group and i and group == self.columns[i - 1].group else 0)
            if group and group not in [column.group for column in self.columns[i + 1 : i + 2]]:  # the last of its group
                widest += max(0, cell_len(group) + 2 - span)
            shortest = _MIN_WIDE_NAME if self.wide else _MIN_NAME_WIDTH
            least = min(widest, shortest) if narrow and not is_number else widest
            justify: Literal["left", "right"] = "right" if is_number else "left"
            header, fixed = grid[0][i], least == widest
            drawn.add_column(header, justify=justify, min_width=least, max_width=widest, no_wrap=fixed, overflow="fold")
        for j, (row, cells) in enumerate(zip(self.rows, grid[1:], strict=True)):
            drawn.add_row(*cells, style=row.style or None, end_section=j in self.rows_above_rules)
        return drawn

    def _list_lines(self) -> Iterator[Text]:
        """The lines of a list: for each row its name, then a line for each of its cells that is not empty."""
        headers = [column.whole for column in self.columns[self.keys :]]
        width = max(map(cell_len, headers), default=0)
        for row in self.rows:
            yield Text(_row_name(row, self.keys), "bold")
            for header, content in zip(headers, row.cells[self.keys :], strict=True):
                if content.plain:
                    yield Text.assemble(f"  {header}{' ' * (width - cell_len(header))}  ", content)
        yield Text()


def _row_name(row: _Row, keys: int) -> str:
    """The texts of the columns that name a row, joined by commas."""
    return ", ".join(text.plain for text in row.cells[:keys] if text.plain)


def _interval_below(text: Text) -> Text:
    """A number's cell, with its interval on a second line."""
    value, *interval = text.split(" [", allow_blank=True)
    return Text("\n").join([value, *(Text("[", ends.spans[0].style if ends.spans else "") + ends for ends in interval)])


class _Console(Console):
    """A console that leaves a broken pipe to the caller (Rich would end the program as if a check had failed)."""

    def on_broken_pipe(self) -> None:
        """Raise the error of a reader that has ended."""
        raise BrokenPipeError


def terminal_width() -> int | None:
    """The width of standard output in characters; None if there is no limit."""
    return columns_of(sys.stdout)


def show_result(
    form: OutputForm, document: Callable[[], Any], rows: Callable[[], _Rows], page: Callable[[], Iterable[Table | str]]
) -> None:
    """Print a result in a form: the JSON document, the rows for CSV, or the page (tables and lines) for people.

    Only the function for that form is called. `rows`: each has its values by the name of a column.
    """
    if form is OutputForm.JSON:
        print_json(document())
    elif form is OutputForm.CSV:
        show_csv(rows())
    else:
        show(*page(), form=form)


def show(*parts: Table | str, form: OutputForm = OutputForm.TABLE) -> None:
    """Print tables, and the lines between them; `form`: a table for people, Markdown or LaTeX."""
    if form in (OutputForm.MARKDOWN, OutputForm.LATEX):
        for line in (markdown if form is OutputForm.MARKDOWN else latex)(parts):
            say(line, whole=True)
        return
    page = _Console(highlight=False, width=terminal_width() or _UNLIMITED)
    for part in parts:
        if isinstance(part, str):
            say(part)
        else:
            part.print(page)


def markdown(parts: Sequence[Table | str]) -> Iterator[str]:
    """The lines of a page of Markdown (GitHub's): tables under their titles, other lines as a list."""

    def line(cells: Iterable[str]) -> str:
        """A row of a Markdown table."""
        return f"| {' | '.join(cells)} |"

    for before, part in pairwise(["", *parts]):
        if isinstance(part, str):
            yield f"- {part.translate(_TO_MARKDOWN)}"
            continue
        if before and isinstance(before, str):
            yield ""  # else the title would go on with the list
        yield from (f"**{part.title.translate(_TO_MARKDOWN)}**", "")
        yield line(column.whole.translate(_TO_MARKDOWN) for column in part.columns)
        yield line("---:" if column.is_number else ":---" for column in part.columns)
        yield from (line(_ranked(text, _TO_MARKDOWN, "**{}**", "<u>{}</u>") for text in row.cells) for row in part.rows)
        yield ""


def latex(parts: Sequence[Table | str]) -> Iterator[str]:
    """The lines of LaTeX tables (they want the package booktabs), other lines as comments."""

    def line(cells: Iterable[str]) -> str:
        """A row of a LaTeX table."""
        row = " & ".join(cells)
        # A cell that begins so would be read as an option of the line end before it.
        return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"

    for part in parts:
        if isinstance(part, str):
            yield f"% {part}"
            continue
        yield from (r"\begin{table}", r"\centering", rf"\caption{{{part.title.translate(_TO_LATEX)}}}")
        yield rf"\begin{{tabular}}{{{''.join('r' if column.is_number else 'l' for column in part.columns)}}}"
        yield r"\toprule"
        if part.has_groups:
            spans = [(group, len([*members])) for group, members in groupby(column.group for column in part.columns)]
            yield line(rf"\multicolumn{{{n}}}{{c}}{{{group.translate(_TO_LATEX)}}}" for group, n in spans)
            ends = accumulate(n for _, n in spans)
            yield "".join(
                rf"\cmidrule(lr){{{end - n + 1}-{end}}}" for (group, n), end in zip(spans, ends, strict=True) if group
            )
        yield from (line(column.header.translate(_TO_LATEX) for column in part.columns), r"\midrule")
        for i, row in enumerate(part.rows):
            yield line(_ranked(text, _TO_LATEX, r"\textbf{{{}}}", r"\underline{{{}}}") for text in row.cells)
            if i in part.rows_above_rules and i < len(part.rows) - 1:
                yield r"\midrule"
        yield from (r"\bottomrule", r"\end{tabular}", r"\end{table}")


def _ranked(text: GridCell, escapes: Mapping[int, str], best: str, second: str) -> str:
    """A cell's text for a file, with the mark of the style `BEST` or `SECOND` if it has one."""
    return {BEST: best, SECOND: second}.get(str(text.style), "{}").format(text.plain.translate(escapes))


def flat(value: Any, name: str = "") -> dict[str, Any]:
    """The numbers of a nested document as one flat dict: {"ccs": {"value": 1, "low": 0}} gives ccs and ccs_low.

    `name`: the name of the value in the document that it is taken from; empty for the whole.
    """
    if not isinstance(value, dict):
        return {name: value}
    numbers: dict[str, Any] = {}
    for key, field in value.items():
        numbers |= flat(field, name if key == "value" else f"{name}_{key}" if name else key)
    return numbers


def show_csv(rows: _Rows) -> None:
    """Print rows as CSV, a column for each name that any of them has; missing and null values are empty.

    A text that a spreadsheet takes for a formula has a ' before it (`literal`).
    """
    page = io.StringIO()
    plain = [{literal(name): _csv_value(value) for name, value in msgspec.to_builtins(row).items()} for row in rows]
    writer = csv.DictWriter(page, list(dict.fromkeys(name for row in plain for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain)
    for line in page.getvalue().splitlines():
        say(line, whole=True)


def _csv_value(value: Any) -> Any:
    """A value as CSV has it: texts are made literal, and truths are "true" and "false"."""
    if isinstance(value, str):
        return literal(visible(value))
    return str(value).lower() if isinstance(value, bool) else value


def show_list(entries: Mapping[str, str]) -> None:
    """Print names (the keys), each with its text beside it in lines that fit; a long name has a line of its own."""
    width = terminal_width() or _UNLIMITED
    shown = {visible(name): [visible(line) for line in text.split("\n")] for name, text in entries.items()}
    indent = 2 + max((cell_len(name) for name in shown if cell_len(name) <= width // 3), default=2)
    for name, texts in shown.items():
        room = indent - cell_len(name)
        wrapped = (textwrap.wrap(text, max(width - indent, 20), break_on_hyphens=False) for text in texts)
        lines = [line for paragraph in wrapped for line in paragraph]
        if room < 2:
            say(name)
        for i, line in enumerate(lines):
            say((name + " " * room if i == 0 and room >= 2 else " " * indent) + line)
