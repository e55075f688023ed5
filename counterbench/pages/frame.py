"""The frame of every page: fills templates, lets nothing load or run from outside; and the plot of a ranking."""

import base64
import hashlib
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from counterbench._version import __version__
from counterbench.files.addresses import masked
from counterbench.pages import words
from counterbench.pages.pictures import EMBEDDED
from counterbench.results.scores import Share
from counterbench.stats.intervals import Estimate

# The mark by which a page of ours is recognised; it stands in the first kilobytes.
GENERATOR = "counterbench report"
MARK = f'<meta name="generator" content="{GENERATOR}">'.encode()
# The marks of bands, beside their colours: colour is never the only sign.
BANDS = {"high": "●", "middle": "▲", "low": "■"}

NO_GALLERY: Mapping[str, Any] = {"base": EMBEDDED}
# The id, the label, the words for no choice, values with their words, and the value that is chosen at first.
Filter = tuple[str, str, str, list[tuple[str, str]], str]
Fact = tuple[str, str, str]  # a name; a text; a code, such as a digest


class Dot(NamedTuple):
    """A name, and its value with its interval, in per cent of the axis."""

    name: str
    value: float
    low: float
    high: float


class Plot(NamedTuple):
    """A row of dots; the numbers stand beside it in the page."""

    title: str
    dots: list[Dot]
    ticks: list[tuple[float, str]]  # places in per cent of the axis, and their labels


def render(
    kind: str,
    words_for: dict[str, Callable[..., Any]],
    *,
    contents: Mapping[str, str],
    folded: Collection[str] = (),
    script: str = "",
    gallery: Mapping[str, Any] = NO_GALLERY,
    called: str = "report",
    title: str,
    lede: str,
    stamp: Sequence[str],
    **values: Any,
) -> str:
    """One HTML document in which everything that comes from data is escaped.

    `kind` is the folder of the templates of the sections, by their ids in `contents`, some of them `folded`;
    `words_for` are their filters. `script` is a file beside the templates, and `gallery` its data, with the `base` of
    the pictures' sources; without it nothing runs. `called` is what the page is. `lede` and `stamp` stand on top.
    """
    from markupsafe import Markup

    environment = _environment(kind)
    environment.filters |= words.FILTERS | words_for

    def source(name: str) -> str:
        return str(environment.loader.get_source(environment, name)[0])

    style = source("style.css")
    code = source("gallery.js") + source(script) if script else ""
    page: str = environment.get_template("frame.html").render(
        policy=_policy(style, code, gallery["base"]),
        # Ours, and checked by their digests.
        style=Markup(style),
        script=Markup(code),
        gallery_data=Markup(masked(script_data(gallery))),
        generator=GENERATOR,
        version=__version__,
        bands=BANDS,
        verdicts=words.VERDICTS,
        kind=kind,
        called=called,
        contents={id: name for id, name in contents.items() if name},
        folded=folded,
        title=title,
        lede=lede,
        stamp=stamp,
        **values,
    )
    return page


@cache
def _environment(kind: str) -> Any:
    """The templates of a kind of page, which are compiled once for all pages of that kind."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown_text(value: Any) -> Any:
        plain = isinstance(value, str) and not isinstance(value, Markup)
        return words.visible(masked(value)) if plain else value

    loader = PackageLoader("counterbench.pages", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=shown_text)


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

    pictures = EMBEDDED if base.startswith(EMBEDDED) else f"'self' {EMBEDDED}"
    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; img-src {pictures}; "
        "base-uri 'none'; form-action 'none'"
    )


def dot_plot(title: str, numbers: Sequence[tuple[str, Estimate | Share]]) -> Plot:
    """The plot of named numbers with their intervals; the axis goes beyond 1 if they do."""
    known = [(name, of, of.value) for name, of in numbers if of.value is not None]
    end = max(1, math.ceil(max((of.high or value for _, of, value in known), default=1)))
    dots = []
    for name, of, value in known:
        low, high = (value if edge is None else edge for edge in (of.low, of.high))
        dots.append(Dot(name, *(round(100 * at / end, 2) for at in (value, low, high))))
    return Plot(title, dots, [(25 * n, f"{n * end / 4:g}") for n in range(5)])
