"""A figure as inline SVG for the page."""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING

from counterbench.reporting.figures import VARIABLES, Plot, style
from counterbench.reporting.words import visible

if TYPE_CHECKING:
    pass

_ENLARGED = 1.32  # CSS pixels a point: letters of 9.5 points become 12.5 pixels high


def inline_svg(plot: Plot) -> str:
    """The plot as an `<svg>` element that needs nothing from outside, with CSS variables for colours.

    Its text is text, in the page's font. Style attributes become presentation attributes, since the page's
    Content-Security-Policy allows no inline style; the ids that are referred to are hashed with the plot's name.
    """
    import matplotlib

    with style(), matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": plot.name}):
        buffer, nothing = io.BytesIO(), dict.fromkeys(("Date", "Creator", "Format", "Type"))
        plot.draw().savefig(buffer, format="svg", dpi=72, metadata=nothing, transparent=True)
    match = re.search(
        r"<svg[^>]*viewBox=\"(\S+ \S+ (\S+) \S+)\"[^>]*>(.*)</svg>", buffer.getvalue().decode(), re.DOTALL
    )
    if match is None:
        raise ValueError(f"matplotlib wrote no SVG for {plot.name}")
    box, drawn, width = match[1], match[3], float(match[2])
    drawn = re.sub(r"<style.*?</style>|<!--.*?-->", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r"<[^>]+>", lambda tag: _for_the_page(tag[0]), drawn)  # only tags: texts from data stay as they are
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{_ENLARGED * width:.0f}" role="img" '
        f'aria-label="{escape(visible(plot.alt))}" class="plot" id="plot-{plot.name}">{drawn}</svg>'
    )


def _for_the_page(tag: str) -> str:
    """A tag of matplotlib, changed so that it may stand on the page."""
    tag = re.sub(r' id="[\w.]+_\d+"', "", tag.replace("xlink:href", "href"))  # groups, to which nothing refers
    tag = re.sub(r' style="([^"]*)"', lambda found: _attributes(found[1]), tag)
    for colour, variable in VARIABLES.items():
        tag = tag.replace(colour, f"var({variable})")
    return tag


def _attributes(rules: str) -> str:
    """Style rules as presentation attributes; of a font only its size and weight, the rest is the page's."""
    styles: dict[str, str] = dict(re.findall(r"([\w-]+): *([^;]+)", rules))
    styles.pop("font-family", None)
    if font := styles.pop("font", ""):
        size = re.search(r"([\d.]+)px", font)
        styles["font-size"] = size[1] if size else "10"
        if re.match(r"(bold|700)\b", font):
            styles["font-weight"] = "bold"
    return "".join(f' {name}="{value.strip()}"' for name, value in styles.items())
