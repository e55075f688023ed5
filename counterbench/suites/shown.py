"""A pair in a notebook: both pictures, the question and both answers."""

from __future__ import annotations

import base64
import html

from counterbench.scene.pairs import Pair
from counterbench.text import visible

_SIDE = 256


def pair_html(pair: Pair) -> str | None:
    """Both pictures side by side over the question; None of an imported pair, whose scenes are not known."""
    if pair.original is None or pair.intervened is None:
        return None
    from counterbench.drawing import png
    from counterbench.drawing.render import render

    before, after = (
        f'<td><img alt="{role}" width="{_SIDE}" src="data:image/png;base64,'
        f'{base64.b64encode(png.encode(render(scene))).decode()}"><br>{html.escape(visible(answer))}</td>'
        for role, scene, answer in zip(("original", "intervened"), pair.scenes, pair.answers, strict=True)
    )
    return f"<table><caption>{html.escape(visible(pair.question))}</caption><tr>{before}{after}</tr></table>"
