"""The frame of every page: fills templates, and lets nothing load or run from outside."""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from counterbench._version import __version__
from counterbench.files.addresses import masked
from counterbench.reporting import words
from counterbench.reporting.figures import Plot
from counterbench.reporting.pictures import EMBEDDED
from counterbench.reporting.svg import inline_svg

# The mark by which a page of ours is recognised; it stands in the first kilobytes.
GENERATOR = "counterbench report"
MARK = f'<meta name="generator" content="{GENERATOR}">'.encode()


def render(
    template: str,
    filters: Mapping[str, Callable[..., Any]],
    *,
    styles: Sequence[str],
    scripts: Sequence[str],
    gallery: msgspec.Struct,
    base: str,
    plots: Sequence[Plot],
    **values: Any,
) -> str:
    """A template as one HTML document, in which everything that comes from data is escaped.

    `styles` and `scripts` are files beside the template. `gallery`: the data for the script; `base`: the part of an
    address that comes before each picture's source.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown_text(value: Any) -> Any:
        return (
            words.unbroken(words.visible(masked(value)))
            if isinstance(value, str) and not isinstance(value, Markup)
            else value
        )

    sections = defaultdict(list)
    for plot in plots:
        sections[plot.section].append(plot)
    loader = PackageLoader("counterbench.reporting", "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=shown_text
    )
    environment.filters |= filters
    style, script = ("".join(loader.get_source(environment, name)[0] for name in names) for names in (styles, scripts))
    return environment.get_template(template).render(
        policy=_policy(style, script, base),
        # Ours, and checked by their digests.
        style=Markup(style),
        script=Markup(script),
        gallery_data=Markup(masked(script_data(gallery))),
        svgs={plot.name: Markup(inline_svg(plot)) for plot in plots},
        plots=sections,
        generator=GENERATOR,
        version=__version__,
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
