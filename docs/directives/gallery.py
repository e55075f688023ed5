"""The directive `gallery`: families, laws, nouns, styles and prompts with pictures, drawn while the site is built.

Each picture is a file of its own with its words beside it, so that a page reads on a narrow screen and aloud.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from counterbench.drawing.render import render
from counterbench.drawing.styles import NAMES, SUMMARIES, draw
from counterbench.errors import InputError
from counterbench.laws import Law, all_laws
from counterbench.laws.base import stage
from counterbench.laws.outcomes import outcome
from counterbench.palette import COLOURS
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.pairs import FORMS, Pair, QuestionForm
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.scene import Scene
from counterbench.suites.families import FAMILIES, Canvas, Family, sample
from counterbench.suites.suite import load_suite

SIDE = 320  # pixels of a picture: twice what it is shown at, for fine screens
LOOKED_AT = 60  # pairs of a family, for such as differ
EACH = 4  # pairs of a family that are shown
PROMPTS = 60
FOLDER = "gallery"

# Width and height of long nouns, as shares of a square; all others are as wide as high.
_LONG = {
    "bacterium": (1, 0.75),
    "balloon": (0.77, 1),
    "bamboo": (0.3, 1),
    "cloud": (1, 0.64),
    "lake": (0.4, 1),
    "magnet": (1, 0.32),
    "mirror": (0.77, 1),
    "person": (0.6, 1),
    "plank": (1, 0.2),
    "post": (0.24, 1),
    "rope": (0.28, 1),
    "spring": (0.6, 1),
    "wire": (1, 0.16),
}

Keep = Callable[[Image.Image, str], str]  # a picture and its name to its address


class Gallery(SphinxDirective):
    """A section for each family or law; all nouns; all styles; prompts."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """What the argument names: families, laws, nouns, styles or prompts."""
        return [*_KINDS[self.arguments[0]](self._keep)]

    def _keep(self, picture: Image.Image, name: str) -> str:
        """Write a picture into the built site; its address from the page."""
        folder = Path(self.env.app.outdir) / FOLDER / self.arguments[0]
        folder.mkdir(parents=True, exist_ok=True)
        picture.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
        picture.save(folder / f"{name}.png")
        return "../" * self.env.docname.count("/") + f"{FOLDER}/{self.arguments[0]}/{name}.png"


def _families(keep: Keep) -> Iterator[nodes.Node]:
    for family in FAMILIES.values():
        section = _section(family.name, family.summary)
        for pair in _different(family):
            figures = [
                _figure(keep(draw(scene, first=pair.scenes[0]), f"{pair.id}-{role}"), answer, f"{role}: {answer}")
                for scene, role, answer in zip(pair.scenes, ("original", "intervened"), pair.answers, strict=True)
            ]
            caption = f"<p>{html.escape(pair.question)} <small>({html.escape(pair.intervention)})</small></p>"
            section += _html(f'<div class="pair">{caption}<div>{"".join(figures)}</div></div>')
        yield section


def _different(family: Family) -> list[Pair]:
    """Some pairs of a family as it is by default: of each form and intervention one, as far as there is room."""
    params = family.params_type()
    forms: list[QuestionForm] = []
    for form in FORMS:
        try:
            family.answers(params, form)
        except InputError:  # it asks in the other form alone
            continue
        forms.append(form)
    pairs = [sample(family, params, forms, Canvas(), 0, index) for index in range(LOOKED_AT)]
    kinds = {(pair.form, pair.intervention): pair for pair in reversed(pairs)}
    return sorted(kinds.values(), key=lambda pair: pair.index)[:EACH]


def _laws(keep: Keep) -> Iterator[nodes.Node]:
    laws = sorted(all_laws().values(), key=lambda law: law.discipline)
    for discipline, found in groupby(laws, key=lambda law: law.discipline):
        section = _section(discipline, "")
        section += [_law(law, keep) for law in found]
        yield section


def _law(law: Law, keep: Keep) -> nodes.section:
    """A law's start, real outcome and altered ones in one setting."""
    setting = law.setting(0, 0)
    start = stage(law.start(setting))
    figures = [_figure(keep(draw(start), f"{law.name}-start"), "<b>start</b>", f"{law.name}: start")]
    for variant in law.variants:
        picture = keep(draw(outcome(law, setting, variant.name), first=start), f"{law.name}-{variant.name}")
        name = f"<b>{html.escape(variant.name)}</b>{' (real)' if variant.real else ''}: "
        caption = name + html.escape(setting.fill(variant.rule))
        figures.append(_figure(picture, caption, f"{law.name}: {variant.name}"))
    section = _section(law.name, f"{law.title} ({law.branch})")
    section += _html(f'<div class="row">{"".join(figures)}</div>')
    return section


def _nouns(keep: Keep) -> Iterator[nodes.Node]:
    figures = [_figure(keep(_glyph(noun, n, 96), noun), noun, noun) for n, noun in enumerate(NOUNS)]
    yield _html(f'<div class="nouns">{"".join(figures)}</div>')


def _glyph(noun: str, number: int, size: int) -> Image.Image:
    """A noun alone on a white square; `number` picks its colour.

    Lamps are lit, vessels half full, pointers face right, and nouns with forms are round.
    """
    traits, half = NOUNS[noun], (size - 1) // 2
    across, down = _LONG.get(noun, (1, 1))
    figure = Figure(
        id=noun,
        noun=noun,
        colour=COLOURS[number % len(COLOURS)],
        x=half,
        y=half,
        half_width=int(half * across),
        half_height=int(half * down),
        facing="right" if traits.faces else "",
        lit=traits.lights,
        quarters=2 if traits.fills else 0,
        form="circle" if traits.forms else "",
    )
    return render(Scene(size, size, background=255, elements=(figure,)))


def _prompts(keep: Keep) -> Iterator[nodes.Node]:
    """The first whole prompts, each with the picture that shows it."""
    suite = load_suite("whole-prompts")
    pairs = [suite.sample(suite.parts[0], index) for index in range(PROMPTS)]
    figures = [
        _figure(keep(draw(pair.scenes[pair.answers.index("yes")]), pair.id), html.escape(prompt), prompt)
        for pair in pairs
        if isinstance(pair.program, ShowsAll) and (prompt := pair.program.prompt)
    ]
    yield _html(f'<div class="row">{"".join(figures)}</div>')


def _styles(keep: Keep) -> Iterator[nodes.Node]:
    law = all_laws()["falling"]
    spatial = FAMILIES["spatial"]
    shapes = sample(spatial, spatial.params_type(), ["yes-no"], Canvas(), 0, 0).scenes[0]
    scenes: dict[str, Scene] = {"shapes": shapes, "things": stage(law.start(law.setting(0, 0)))}
    for style in NAMES:
        section = _section(style, SUMMARIES[style])
        figures = [
            _figure(keep(draw(scene, style=style), f"{style}-{what}"), what, f"{what}, {style}")
            for what, scene in scenes.items()
        ]
        section += _html(f'<div class="row">{"".join(figures)}</div>')
        yield section


_KINDS: dict[str, Callable[[Keep], Iterator[nodes.Node]]] = {
    "families": _families,
    "laws": _laws,
    "nouns": _nouns,
    "prompts": _prompts,
    "styles": _styles,
}


def _section(name: str, summary: str) -> nodes.section:
    section = nodes.section("", nodes.title("", name), ids=[nodes.make_id(name)], names=[name])
    if summary:
        section += nodes.paragraph("", summary)
    return section


def _figure(address: str, caption: str, alt: str) -> str:
    """A picture over its caption, which is HTML."""
    return (
        f'<figure><img src="{html.escape(address)}" alt="{html.escape(alt)}" loading="lazy">'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True}
