"""A figure as inline SVG for the page, and as SVG and PNG files for papers."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.reporting.figures import VARIABLES, Plot, style
from counterbench.reporting.ours import has_mark
from counterbench.reporting.words import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_FONT_SIZE = re.compile(r"(\d+(?:\.\d+)?)px")
PNG_DPI = 300
# How files of ours are told from any other, by kind: it stands near their beginning.
_MAKER = "counterbench"
_MARKS = {"svg": f"<dc:title>{_MAKER}</dc:title>".encode(), "png": b"tEXtSoftware\0" + _MAKER.encode()}
_ENLARGED = 1.32  # CSS pixels a point: letters of 9.5 points become 12.5 pixels high


def inline_svg(plot: Plot) -> str:
    """The plot as an `<svg>` element that needs nothing from outside, with CSS variables for colours.

    Its text is text, in the page's font. Style attributes become presentation attributes, since the page's
    Content-Security-Policy allows no inline style; ids begin with the plot's name.
    """
    import matplotlib

    with style(), matplotlib.rc_context({"svg.fonttype": "none"}):
        root = ElementTree.fromstring(_saved(plot.draw(), transparent=True))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag not in _DRAWN:
                parent.remove(child)
    for element in root.iter():
        _plain_attributes(element)
        _own_ids(element, plot.name)
    _drop_unused_ids(root)
    width, height = (float(part) for part in root.get("viewBox", "0 0 1 1").split()[2:])
    for name in ("height", "version"):
        root.attrib.pop(name, None)
    root.set("width", f"{_ENLARGED * width:.0f}")
    # What matplotlib says in a style sheet of the file's own.
    root.attrib |= {
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
        "role": "img",
        "aria-label": visible(plot.alt),
    }
    root.attrib |= {"class": "plot wide" if width > 1.6 * height else "plot", "id": f"plot-{plot.name}"}
    ElementTree.register_namespace("", _SVG[1:-1])
    return ElementTree.tostring(root, encoding="unicode")


_DRAWN = {
    f"{_SVG}{name}" for name in ("svg", "g", "defs", "path", "use", "text", "tspan", "clipPath", "rect", "pattern")
}


def _plain_attributes(element: ElementTree.Element) -> None:
    for rule in element.attrib.pop("style", "").split(";"):
        name, _, value = (part.strip() for part in rule.partition(":"))
        if name == "font":
            size = _FONT_SIZE.search(value)
            element.set("font-size", size.group(1) if size else "10")
            if "bold" in value or "700" in value:
                element.set("font-weight", "bold")
        elif name:
            element.set(name, value)
    for name in ("fill", "stroke"):
        variable = VARIABLES.get(element.get(name, "").lower())
        if variable:
            element.set(name, f"var({variable})")
    if element.tag == f"{_SVG}text" and "fill" not in element.attrib:
        element.set("fill", "var(--ink)")


def _own_ids(element: ElementTree.Element, name: str) -> None:
    """Ids that no other plot on the page has, here and wherever they are referred to."""
    for attribute, value in list(element.attrib.items()):
        if attribute == _LINK:
            del element.attrib[_LINK]
            element.set("href", f"#{name}-{value[1:]}")
        elif attribute == "id":
            element.set("id", f"{name}-{value}")
        elif value.startswith("url(#"):
            element.set(attribute, f"url(#{name}-{value[5:]}")


def _drop_unused_ids(root: ElementTree.Element) -> None:
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {v[1:] for v in values if v.startswith("#")} | {v[5:-1] for v in values if v.startswith("url(#")}
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)


def refuse_taken(plots: Sequence[Plot], folder: Path) -> None:
    """InputError if a plot in this folder would go over a file that is no plot of a report."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; --plots takes a folder")
    for plot in plots:
        for kind, path in _files(plot, folder):
            if path.exists() and not has_mark(path, _MARKS[kind]):
                raise InputError(f"{path}: is there and is no plot of a report; choose another --plots")


def _files(plot: Plot, folder: Path) -> list[tuple[str, Path]]:
    return [(kind, folder / f"{plot.name}.{kind}") for kind in _MARKS]


def export(plot: Plot, folder: Path) -> list[Path]:
    """Write the plot for papers: NAME.svg, with letters as outlines, and NAME.png with 300 dots an inch."""
    import matplotlib

    files = []
    with style(), matplotlib.rc_context({"svg.fonttype": "path", "savefig.facecolor": "white"}):
        figure = plot.draw()
        for kind, path in _files(plot, folder):
            formats.write_atomically(path, _saved(figure, kind))
            files.append(path)
    return files


def _saved(figure: Figure, kind: str = "svg", transparent: bool = False) -> bytes:
    buffer = io.BytesIO()
    metadata = {"Date": None, "Creator": _MAKER} if kind == "svg" else {"Software": _MAKER}
    figure.savefig(
        buffer, format=kind, dpi=PNG_DPI if kind == "png" else 72, metadata=metadata, transparent=transparent
    )
    return buffer.getvalue()
