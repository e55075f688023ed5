"""The pictures of the docs that scripts draw from tables are what the scripts draw, and the tables what is measured."""

import base64
import csv
import importlib.util
import io
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image
from published import RELEASE, needing

from counterbench.drawing.png import pixel_digest

DOCS = Path(__file__).parents[1] / "docs"


def script(name: str) -> ModuleType:
    """A script of the docs, as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(table: Path) -> list[dict[str, str]]:
    with table.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def drawn_pictures() -> Iterator[tuple[str, str]]:
    """Each picture that is drawn in no time, with the name of its file."""
    released = script("draw_released")
    yield released.PICTURE.name, released.picture(rows(released.TABLE))
    yield from script("draw_pages").pictures().items()
    protocols = script("draw_which_protocol")
    yield protocols.PICTURE.name, protocols.picture(rows(protocols.TABLE))


def as_shown(svg: str) -> str:
    """A drawing with the pixels of its pictures in place of their files, whose bytes depend on the compressor."""

    def digest(found: re.Match[str]) -> str:
        return pixel_digest(Image.open(io.BytesIO(base64.b64decode(found[1]))).convert("RGB"))

    return re.sub(r"data:image/png;base64,([\w+/=]+)", digest, svg)


def test_the_stored_pictures_are_what_the_scripts_draw() -> None:
    for name, drawn in drawn_pictures():
        error = f"docs/images/{name} is out of date: run the script of docs that draws it"
        assert as_shown((DOCS / "images" / name).read_text(encoding="utf-8")) == as_shown(drawn), error


@pytest.mark.slow
@needing("THE TABLE OF THE README'S FIGURE IS NOT CHECKED", "CounterBench/data")
def test_the_table_of_the_readmes_figure_is_what_the_published_replies_give() -> None:
    released = script("draw_released")
    assert rows(released.TABLE) == released.read_release(RELEASE)


@pytest.mark.slow
def test_the_table_of_the_faults_costs_is_what_planted_judges_give() -> None:
    pages = script("draw_pages")
    assert rows(pages.TABLE) == pages.ask()
