"""The frame of every page: fills templates, lets nothing load or run from outside; and plots of shares as data."""

import base64
import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from counterbench._version import __version__
from counterbench.files.addresses import masked
from counterbench.reporting import words
from counterbench.reporting.pictures import EMBEDDED
from counterbench.reporting.words import interval, percent
from counterbench.scoring.scores import Share
from counterbench.text import listed

# The mark by which a page of ours is recognised; it stands in the first kilobytes.
GENERATOR = "counterbench report"
MARK = f'<meta name="generator" content="{GENERATOR}">'.encode()
# The marks of bands, beside their colours: colour is never the only sign.
BANDS = {"high": "●", "middle": "▲", "low": "■"}

MARKS = 8  # marks and colours in the style sheet and the frame
_STEP, _EDGE = 11, 10  # pixels between the dots of a row, and from its edge to the first

Filter = tuple[str, str, str, list[tuple[str, str]]]  # id, label, words for no choice; values with their words
Fact = tuple[str, str, str]  # a name; a text; a code, such as a digest


class Series(NamedTuple):
    """The dots of one judge, or model; its place among the series decides their colour and mark."""

    label: str
    shares: Sequence[Any]  # an `Estimate` or a `Share` for each row, None without a dot
    hollow: bool = False


class Dot(NamedTuple):
    """A value with its interval, in per cent of the axis, in the row of its group."""

    mark: str  # the name of its mark and colour
    hollow: bool
    y: int
    value: float
    low: float
    high: float


class Plot(msgspec.Struct, frozen=True, kw_only=True):
    """One plot, and the same in words and numbers for readers who do not see it."""

    name: str  # its id
    section: str
    title: str
    caption: str  # says how to read it
    alt: str  # says what it shows
    columns: tuple[str, ...]  # of the table of its data
    rows: Sequence[tuple[str, ...]]
    legend: list[tuple[str, bool, str]]  # mark, hollow, label
    lines: list[tuple[str, list[Dot]]]  # names of groups
    height: int  # of a line, in pixels
    ticks: list[tuple[float, str]]  # places in per cent of the axis, and their labels
    rule_after: int  # a line is drawn below so many rows


def render(
    kind: str,
    words_for: dict[str, Callable[..., Any]],
    *,
    script: str,
    gallery: Mapping[str, Any],
    plots: Sequence[Plot],
    contents: Mapping[str, str],
    title: str,
    lede: str,
    stamp: Sequence[str],
    **values: Any,
) -> str:
    """One HTML document in which everything that comes from data is escaped.

    `kind` is the folder of the templates of the sections, by their ids in `contents`; `words_for` are their filters.
    `script` is a file beside the templates, and `gallery` its data, with the `base` of the pictures' sources. `lede`
    and `stamp` stand on top.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown_text(value: Any) -> Any:
        plain = isinstance(value, str) and not isinstance(value, Markup)
        return words.visible(masked(value)) if plain else value

    sections = defaultdict(list)
    for plot in plots:
        sections[plot.section].append(plot)
    loader = PackageLoader("counterbench.reporting", "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=shown_text
    )
    environment.filters |= words.FILTERS | words_for
    style, common, own = (loader.get_source(environment, name)[0] for name in ("style.css", "gallery.js", script))
    return environment.get_template("frame.html").render(
        policy=_policy(style, common + own, gallery["base"]),
        # Ours, and checked by their digests.
        style=Markup(style),
        script=Markup(common + own),
        gallery_data=Markup(masked(script_data(gallery))),
        plots=sections,
        generator=GENERATOR,
        version=__version__,
        bands=BANDS,
        verdicts=words.VERDICTS,
        kind=kind,
        contents={id: name for id, name in contents.items() if name},
        title=title,
        lede=lede,
        stamp=stamp,
        **values,
    )


def script_data(value: Any) -> str:
    """A value as JSON for a script element: no sign in it can end the element or a line of script."""
    text = msgspec.json.encode(value).decode()
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _policy(style: str, script: str, base: str) -> str:
    """The Content-Security-Policy: our style and script by their digests, and pictures; nothing else may load."""

    def digest(text: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    pictures = EMBEDDED if base.startswith(EMBEDDED) else "'self'"
    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; img-src {pictures}; "
        "base-uri 'none'; form-action 'none'"
    )


def share_columns(measure: str) -> tuple[str, ...]:
    """The headings over `share_cells`."""
    return f"{measure} in %", "95 % interval", "count"


def share_cells(share: Share) -> tuple[str, ...]:
    """The cells of a share in the table of a plot's data."""
    return percent(share.value), interval(share), f"{share.hits} of {share.of}"


def dot_plot(
    name: str,
    section: str,
    title: str,
    caption: str,
    rows: Mapping[str, tuple[str, ...]],
    series: Sequence[Series],
    columns: tuple[str, ...],
    cells: Callable[[Any], tuple[str, ...]] = share_cells,
    *,
    to_one: bool = True,
    rule_after: int = 0,
    in_percent: bool = True,
) -> list[Plot]:
    """The plot, and its data in a table; none without any dot.

    `rows` have the names beside the dots, and the cells of that table, which `columns` head with the judge's name and
    its numbers. The axis ends at 1 or, unless `to_one`, at the
    quarter above every interval; without `in_percent` it shows fractions, and goes beyond 1 if they do.
    """
    dots = [(line, number, one, one.shares[line]) for line in range(len(rows)) for number, one in enumerate(series)]
    known = [dot for dot in dots if dot[-1] is not None]
    if not known:
        return []
    named = list(rows.values())
    highest = max(share.high or share.value or 0 for *_, share in known)
    quarter = max(0.25, math.ceil(4 * highest) / 4)
    end = max(1, quarter) if not in_percent else 1 if to_one else min(1, quarter)
    lines: list[tuple[str, list[Dot]]] = [(row, []) for row in rows]
    for line, number, one, share in known:
        if share.value is not None:
            low, high = (share.value if edge is None else edge for edge in (share.low, share.high))
            at = [round(100 * value / end, 2) for value in (share.value, low, high)]
            lines[line][1].append(Dot(_mark(number), one.hollow, _EDGE + _STEP * number, *at))
    return [
        Plot(
            name=name,
            section=section,
            title=title,
            caption=caption,
            alt=f"Dots for {listed([one.label for one in series])}: {title}. The numbers are in the table below.",
            columns=columns,
            rows=[(*named[line], one.label, *cells(share)) for line, _, one, share in known],
            legend=[(_mark(number), one.hollow, one.label) for number, one in enumerate(series)],
            lines=lines,
            height=2 * _EDGE + _STEP * (len(series) - 1),
            ticks=[(25 * n, f"{25 * n * end:g}%" if in_percent else f"{n * end / 4:g}") for n in range(5)],
            rule_after=rule_after,
        )
    ]


def _mark(number: int) -> str:
    return f"series-{number % MARKS + 1}"
