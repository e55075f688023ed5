"""Tables for people, whose cells are literal: what others wrote is neither markup nor a control, and rows line up.

A table is defined once, in full. On a terminal it is laid out so that no row wraps: with short headers, in blocks of
columns one beneath the other, or row by row as a list, whichever is the first that fits. Elsewhere (a pipe, a file) it
has its full width. `show` prints it as Markdown or LaTeX too.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from rich import box
from rich import table as rich_table
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.text import Text

from counterbench.cli import written
from counterbench.cli.printing import say
from counterbench.cli.written import Form
from counterbench.files.addresses import masked
from counterbench.text import visible

Cell = Text
# More blocks of columns than these are worse to read than a list.
MOST_BLOCKS = 3
_UNLIMITED = 100_000


def cell(text: str, style: str = "") -> Cell:
    """A literal cell; a text that needs no style may stand for itself."""
    return Text(visible(masked(text)), style)


class _Column(NamedTuple):
    header: str
    short: str
    right: bool


class _Row(NamedTuple):
    cells: list[Cell]
    style: str


class Table:
    """A table in the one style of the command line; its first `keys` columns name a row, and begin every block."""

    def __init__(self, title: str, keys: int = 1) -> None:
        self.title = visible(masked(title))
        self.keys = keys
        self.columns: list[_Column] = []
        self.rows: list[_Row] = []
        self.ends: set[int] = set()
        self.breaks: list[int] = []

    def add_column(self, header: str = "", short: str = "", justify: str = "left") -> None:
        """Add a column; `short` stands for its header where there is little room, and is explained below."""
        self.columns.append(_Column(visible(header), visible(short or header), justify == "right"))

    def add_row(self, *cells: str | Cell, style: str = "", end_section: bool = False) -> None:
        """Add a row of literal texts and of what `cell` made; a rule follows where a section ends."""
        made = [each if isinstance(each, Text) else cell(each) for each in cells]
        self.rows.append(_Row(made + [Text()] * (len(self.columns) - len(made)), style))
        if end_section:
            self.add_section()

    def add_section(self) -> None:
        """Have a rule after the rows so far."""
        self.ends.add(len(self.rows) - 1)

    def add_break(self) -> None:
        """Have a section of columns end here: where blocks are needed, the next one begins another."""
        self.breaks.append(len(self.columns))

    def plain(self) -> written.Plain:
        """Headers, sides and rows as texts, for forms that have no colours."""
        rows = [[each.plain for each in row.cells] for row in self.rows]
        headers, right = [c.header for c in self.columns], [c.right for c in self.columns]
        return written.Plain(self.title, headers, right, rows, {i for i in self.ends if i < len(rows) - 1})

    def __rich__(self) -> RenderableType:
        return Group(self._title(), self._drawn(range(len(self.columns)), short=False, tight=False))

    def laid_out(self, width: int) -> tuple[RenderableType, dict[str, str]]:
        """The table at a terminal's `width`, and what its short headers stand for."""
        every = range(len(self.columns))
        for short, tight in ((False, False), (True, False), (True, True)):
            drawn = self._drawn(every, short, tight)
            if _width(drawn) <= width:
                parts = (drawn, Text()) if tight else (drawn,)
                return Group(self._title(), *parts), self._shortened() if short else {}
        blocks = self._blocks(width)
        if not 0 < len(blocks) <= MOST_BLOCKS:
            return Group(self._title(), *self._listed()), {}
        stacked = [part for block in blocks for part in (self._drawn(block, short=True, tight=True), Text())]
        return Group(self._title(), *stacked), self._shortened()

    def _title(self) -> Text:
        return Text(self.title, "table.title")

    def _shortened(self) -> dict[str, str]:
        return {column.short: column.header for column in self.columns if column.short != column.header}

    def _drawn(self, columns: Iterable[int], short: bool, tight: bool) -> rich_table.Table:
        """Some of the columns as a table; `tight`: with one space between them and none around."""
        chosen = list(columns)
        padding = (0, 0 if tight else 1, 0, 0)  # narrow
        made = rich_table.Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=padding, show_edge=not tight)
        for i in chosen:
            column = self.columns[i]
            header = Text(column.short if short else column.header)
            made.add_column(header, justify="right" if column.right else "left", no_wrap=True)
        for i, row in enumerate(self.rows):
            made.add_row(*(row.cells[i] for i in chosen), style=row.style or None, end_section=i in self.ends)
        return made

    def _blocks(self, width: int) -> list[list[int]]:
        """Columns in blocks that fit: of one section each, if these are few; none if a column is too wide."""
        starts = [self.keys, *self.breaks, len(self.columns)]
        sections = [list(range(start, end)) for start, end in pairwise(starts)]
        blocks = [block for section in sections for block in self._fitting(section, width)]
        return blocks if len(blocks) <= MOST_BLOCKS else self._fitting(list(range(self.keys, len(self.columns))), width)

    def _fitting(self, others: Sequence[int], width: int) -> list[list[int]]:
        """Some of the columns in blocks of about as many each."""
        keys = range(self.keys)

        def fits(block: Sequence[int]) -> bool:
            return _width(self._drawn([*keys, *block], short=True, tight=True)) <= width

        if not all(fits([column]) for column in others):
            return []
        blocks: list[list[int]] = [[]]
        for column in others:
            if fits([*blocks[-1], column]):
                blocks[-1].append(column)
            else:
                blocks.append([column])
        size = -(-len(others) // len(blocks))
        even = [list(others[start : start + size]) for start in range(0, len(others), size)]
        return [[*keys, *block] for block in (even if all(map(fits, even)) else blocks)]

    def _listed(self) -> Iterable[Text]:
        """Each row as a list of its cells, under what names it."""
        headers = [column.header for column in self.columns[self.keys :]]
        wide = max(map(cell_len, headers), default=0)
        for row in self.rows:
            yield Text(" · ".join(each.plain for each in row.cells[: self.keys] if each.plain), "bold")
            for header, content in zip(headers, row.cells[self.keys :], strict=True):
                if content.plain:
                    yield Text.assemble(f"  {header}{' ' * (wide - cell_len(header))}  ", content)
        yield Text()


class _Console(Console):
    """A console that leaves a broken pipe to the caller (Rich would end the program as if a check had failed)."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def terminal_width() -> int | None:
    """How many columns standard output has; None if it is no terminal."""
    return Console().width if sys.stdout.isatty() else None


def show(*parts: Table | str, form: Form = Form.TABLE) -> None:
    """Print tables, and lines between them. What short headers stand for is said once, after the first to need it."""
    if form in (Form.MARKDOWN, Form.LATEX):
        of = written.markdown if form is Form.MARKDOWN else written.latex
        for line in of([part if isinstance(part, str) else part.plain() for part in parts]):
            say(line, whole=True)
        return
    page, width = _Console(highlight=False), terminal_width()
    said: set[str] = set()
    explained = False  # short headers, in the line above
    for part in parts:
        if isinstance(part, str):
            say(part)
            explained = False
            continue
        if explained:
            page.print()
        drawn, shortened = part.laid_out(width or _UNLIMITED)
        page.width = width or max(_width(drawn), 1)
        page.print(drawn)
        new = {short: header for short, header in shortened.items() if short not in said}
        said.update(shortened)
        explained = bool(new)
        for line in _legend(new, page.width):
            page.print(Text(line, "dim"))


def _legend(shortened: Mapping[str, str], width: int) -> list[str]:
    """What short headers stand for, in lines that break between two of them."""
    told = ", ".join(f"{short} = {header}".replace(" ", "\0") for short, header in shortened.items())
    return [line.replace("\0", " ") for line in textwrap.wrap(told, width, break_on_hyphens=False)]


def show_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV under the names of all their numbers."""
    for line in written.csv_lines(rows):
        say(line, whole=True)


def show_list(entries: Mapping[str, str]) -> None:
    """Print names, each with its text beside it; on a terminal its lines go on there; a long name stands alone."""
    width = terminal_width() or _UNLIMITED
    told = {visible(name): [visible(line) for line in text.split("\n")] for name, text in entries.items()}
    wide = 2 + max((cell_len(name) for name in told if cell_len(name) <= width // 3), default=2)
    for name, texts in told.items():
        room = wide - cell_len(name)
        wrapped = (textwrap.wrap(text, max(width - wide, 20), break_on_hyphens=False) for text in texts)
        lines = [line for of in wrapped for line in of]
        if room < 2:
            say(name)
        for i, line in enumerate(lines):
            say((name + " " * room if i == 0 and room >= 2 else " " * wide) + line)


def _width(drawn: RenderableType) -> int:
    page = Console()
    return Measurement.get(page, page.options.update(width=_UNLIMITED, max_width=_UNLIMITED), drawn).maximum
