"""Tables as text for elsewhere: CSV for spreadsheets, Markdown (GitHub's) and LaTeX (booktabs) for papers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from counterbench.text import literal, visible

_TO_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$"}
    | {"|": r"\textbar{}", "–": "--", "−": "$-$", "…": r"\ldots{}", "·": r"$\cdot$", "×": r"$\times$"}
    | {'"': r"\textquotedbl{}"}
)
_TO_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\|*`<"})


class Form(StrEnum):
    """What a command prints its numbers as."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


class Plain(NamedTuple):
    """A table as texts. `right`: columns that are set to the right; `ends`: rows after which a rule stands."""

    title: str
    headers: list[str]
    right: list[bool]
    rows: list[list[str]]
    ends: set[int]


def markdown(parts: Sequence[Plain | str]) -> Iterator[str]:
    """The lines of a page of Markdown: tables under their titles, other lines as a list."""
    for before, part in pairwise(["", *parts]):
        if isinstance(part, str):
            yield f"- {part.translate(_TO_MARKDOWN)}"
            continue
        if before and isinstance(before, str):
            yield ""  # else the title would go on with the list
        yield from (f"**{part.title.translate(_TO_MARKDOWN)}**", "")
        yield _markdown_row(part.headers)
        yield _markdown_row(["---:" if right else ":---" for right in part.right])
        yield from map(_markdown_row, part.rows)
        yield ""


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.translate(_TO_MARKDOWN) for cell in cells)} |"


def latex(parts: Sequence[Plain | str]) -> Iterator[str]:
    """The lines of LaTeX tables (they want the package booktabs), other lines as comments."""
    for part in parts:
        if isinstance(part, str):
            yield f"% {part}"
            continue
        yield from (r"\begin{table}", r"\centering", rf"\caption{{{part.title.translate(_TO_LATEX)}}}")
        yield rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in part.right)}}}"
        yield from (r"\toprule", _latex_row(part.headers), r"\midrule")
        for i, row in enumerate(part.rows):
            yield _latex_row(row)
            if i in part.ends:
                yield r"\midrule"
        yield from (r"\bottomrule", r"\end{tabular}", r"\end{table}")


def _latex_row(cells: Sequence[str]) -> str:
    row = " & ".join(cell.translate(_TO_LATEX) for cell in cells)
    # What begins so would be taken for an option of the line end before it.
    return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"


def flat(value: Any, name: str = "") -> dict[str, Any]:
    """The numbers of a document by name, as its JSON nests them: ccs, ccs_low, ccs_high, outcomes_failed, …"""
    if not isinstance(value, dict):
        return {name: value}
    found: dict[str, Any] = {}
    for key, of in value.items():
        found |= flat(of, name if key == "value" else f"{name}_{key}" if name else key)
    return found


def csv_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Rows as CSV, a column for each name that any of them has; what a row lacks, or is null, is empty.

    A text that a spreadsheet takes for a formula has a ' before it (`literal`).
    """
    page = io.StringIO()
    plain = [{literal(name): _shown(value) for name, value in msgspec.to_builtins(row).items()} for row in rows]
    writer = csv.DictWriter(page, list(dict.fromkeys(name for row in plain for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain)
    return page.getvalue().splitlines()


def _shown(value: Any) -> Any:
    return (
        literal(visible(value)) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else value
    )
