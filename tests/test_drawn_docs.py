"""The pictures of the docs and `examples/` are what their scripts draw, and the tables what is measured."""

import base64
import csv
import importlib.util
import io
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image, ImageChops
from published import RELEASE, needing

from counterbench.drawing.png import pixel_digest

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLES = DOCS.with_name("examples")


def script(name: str, folder: Path = DOCS) -> ModuleType:
    """A script of the docs, or of another folder, as a module."""
    spec = importlib.util.spec_from_file_location(f"{folder.name}_{name}", folder / f"{name}.py")
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


def test_the_stored_examples_are_what_their_script_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = script("draw", EXAMPLES)
    monkeypatch.setattr(draw, "HERE", tmp_path)
    draw.main()
    assert (tmp_path / "pictures.csv").read_text() == (EXAMPLES / "pictures.csv").read_text()
    files = sorted(path.relative_to(tmp_path) for path in (tmp_path / "pictures").rglob("*.png"))
    assert files == sorted(path.relative_to(EXAMPLES) for path in (EXAMPLES / "pictures").rglob("*.png"))
    assert len(files) == 24
    for file in files:
        stored, anew = (Image.open(folder / file).convert("RGB") for folder in (EXAMPLES, tmp_path))
        assert ImageChops.difference(stored, anew).getbbox() is None, file


@pytest.mark.slow
@needing("THE TABLE OF THE README'S FIGURE IS NOT CHECKED", "CounterBench/data")
def test_the_table_of_the_readmes_figure_is_what_the_published_replies_give() -> None:
    released = script("draw_released")
    assert rows(released.TABLE) == released.read_release(RELEASE)


@pytest.mark.slow
def test_the_table_of_the_faults_costs_is_what_planted_judges_give() -> None:
    pages = script("draw_pages")
    assert rows(pages.TABLE) == pages.ask()
