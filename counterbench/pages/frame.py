"""The frame of every page: `render` fills the templates of a list of sections; nothing loads or runs from outside.

`dot_plot` makes the values of a plot of numbers with their intervals, for the templates.
"""

import base64
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from counterbench._version import __version__
from counterbench.files.addresses import masked
from counterbench.pages import words
from counterbench.pages.pictures import EMBEDDED
from counterbench.results.scores import Share
from counterbench.stats.intervals import Estimate

# The mark by which a page of ours is recognised (only such a page is overwritten); it stands in the first kilobytes.
GENERATOR = "counterbench report"
MARK = f'<meta name="generator" content="{GENERATOR}">'.encode()
# The marks of bands, beside their colours: colour is never the only mark.
BANDS = {"high": "●", "middle": "▲", "low": "■"}

NO_GALLERY: Mapping[str, Any] = {"base": EMBEDDED}
# A choice above a gallery or table: its id, its label, the words for no choice, the values with their words, and the
# value that is chosen at first.
Filter = tuple[str, str, str, list[tuple[str, str]], str]
PageFact = tuple[str, str, str]  # a name; a text; a code, such as a digest


class Dot(NamedTuple):
    """A name, and its value with the ends of its interval; the three are places in per cent of the axis."""

    name: str
    value: float
    low: float
    high: float


class Plot(NamedTuple):
    """A row of dots; the numbers stand beside it in the page."""

    title: str
    dots: list[Dot]
    ticks: list[tuple[float, str]]  # places in per cent of the axis, and their labels


class Section(NamedTuple):
    """A part of a page: its template, and the values that the template gets."""

    id: str  # its anchor, and the name of the template in the folder of the page's kind, or beside the folders
    name: str  # its heading, also in the contents
    values: Mapping[str, Any] = {}
    folded: bool = False


def render(
    kind: str,
    sections: Sequence[Section],
    filters: Mapping[str, Callable[..., Any]] = {},
    *,
    script: str = "",
    gallery: Mapping[str, Any] = NO_GALLERY,
    called: str = "report",
    title: str,
    lede: str,
    stamp: Sequence[str] = (),
) -> str:
    """One HTML document in which everything that comes from data is escaped.

    `kind` is the folder of the sections' templates, and `filters` are further Jinja filters for them. `script` is a
    file beside the templates; without it nothing runs. `gallery` is the script's data; its `base` stands before the
    source of every picture. `called` names the kind of page: "report". `lede`, a paragraph, and `stamp`, short texts,
    stand on top.
    """
    from markupsafe import Markup

    environment = templates()
    environment.filters |= filters
    parts = environment.get_template("parts.html").make_module()

    def body(section: Section) -> Markup:
        """A section's content as HTML."""
        template = environment.select_template([f"{kind}/{section.id}.html", f"{section.id}.html"])
        return Markup(template.render(section.values, parts=parts))

    style = source("style.css")
    code = source("gallery.js") + source(script) if script else ""
    page: str = environment.get_template("frame.html").render(
        policy=_content_security_policy(style, code, gallery["base"]),
        # Ours, and checked by their digests.
        style=Markup(style),
        script=Markup(code),
        gallery_data=Markup(masked(script_data(gallery))),
        generator=GENERATOR,
        version=__version__,
        called=called,
        sections=[(section, body(section)) for section in sections],
        title=title,
        lede=lede,
        stamp=stamp,
    )
    return page


def source(name: str) -> str:
    """The text of a file beside the templates, such as a style or a script."""
    environment = templates()
    return str(environment.loader.get_source(environment, name)[0])


@cache
def templates() -> Any:
    """The Jinja environment with the templates of all pages; each template is compiled once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown_text(value: Any) -> Any:
        """Text from data as a page may show it; other values unchanged."""
        plain = isinstance(value, str) and not isinstance(value, Markup)
        return words.visible(masked(value)) if plain else value

    loader = PackageLoader("counterbench.pages", "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=shown_text)
    made.filters |= words.FILTERS
    made.globals |= {"bands": BANDS, "verdicts": words.VERDICTS}
    return made


def script_data(value: Any) -> str:
    """A value as JSON for a script element: no character in it can end the element or a line of script."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _content_security_policy(style: str, script: str, base: str) -> str:
    """The value of the HTTP header Content-Security-Policy: only our style, our script and pictures may load.

    Style and script are named by their digests. `base`: where the page's pictures are; "data:" if they are all in it.
    """

    def digest(text: str) -> str:
        """The digest of a text, as a policy names it."""
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    pictures = EMBEDDED if base.startswith(EMBEDDED) else f"'self' {EMBEDDED}"
    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; img-src {pictures}; "
        "base-uri 'none'; form-action 'none'"
    )


def dot_plot(title: str, numbers: Sequence[tuple[str, Estimate | Share]]) -> Plot:
    """The plot of named numbers with their intervals, without those that are undefined.

    The axis reaches from 0 to 1, or to the next whole number if an interval goes beyond 1.
    """
    defined = [(name, number, number.value) for name, number in numbers if number.value is not None]
    end = max(1, math.ceil(max((number.high or value for _, number, value in defined), default=1)))
    dots = []
    for name, number, value in defined:
        low, high = (value if edge is None else edge for edge in (number.low, number.high))
        dots.append(Dot(name, *(round(100 * fraction / end, 2) for fraction in (value, low, high))))
    return Plot(title, dots, [(25 * n, f"{n * end / 4:g}") for n in range(5)])
