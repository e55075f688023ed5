"""The documentation site as `make docs` builds it: every page has its place, and no link in it leads nowhere.

Sphinx refuses links between pages that lead nowhere; what it does not look at (what the directives and the theme write)
is looked at here. The build runs the notebook.
"""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import typer
from browsing import browser, opened
from processes import ROOT, python

import counterbench
from counterbench.cli import app
from counterbench.drawing.styles import NAMES
from counterbench.laws import all_laws
from counterbench.scene.nouns import NOUNS
from counterbench.suites.families import FAMILIES

DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).with_suffix("") for kind in ("md", "ipynb") for path in DOCS.rglob(f"*.{kind}"))


class SitePage(HTMLParser):
    """What a page links to or shows, what in it can be linked to, and which pages its navigation has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("furo", reason="the site's builder is not installed: the extra docs")
    out = tmp_path_factory.mktemp("site") / "docs"
    python("-m", "sphinx", "-W", "--keep-going", "-E", "-q", "-b", "html", DOCS, out, cwd=ROOT)
    return out


@pytest.mark.slow
def test_every_page_is_in_the_navigation(site: Path) -> None:
    _, _, rest = (site / "index.html").read_text(encoding="utf-8").partition('class="sidebar-tree"')
    navigation = rest.partition("</div>")[0]
    missing = [page for page in PAGES if page.name != "index" and f'href="{page.as_posix()}.html"' not in navigation]
    assert not missing, "name them in docs/index.md"


@pytest.mark.slow
def test_no_link_within_the_site_leads_nowhere(site: Path) -> None:
    pages = {path: SitePage(path) for path in site.rglob("*.html")}
    assert len(pages) > len(PAGES)
    dead = []
    for page in pages.values():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            led = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            if not led.is_file() or (led in pages and parts.fragment and parts.fragment not in pages[led].anchors):
                dead.append(f"{page.path.relative_to(site)}: {link}")
    assert not dead


@pytest.mark.slow
def test_pages_generated_from_code_are_complete(site: Path) -> None:
    def anchors(name: str) -> set[str]:
        return SitePage(site / f"{name}.html").anchors

    assert {name.replace(" ", "-") for name in leaf_commands(typer.main.get_command(app))} <= anchors("commands")
    assert {f"counterbench.{name}" for name in counterbench.__all__ if name != "__version__"} <= anchors("python")
    assert {*FAMILIES} <= anchors("gallery/families")
    assert set(all_laws()) <= anchors("gallery/laws")
    assert set(NAMES) <= anchors("gallery/styles")
    assert {f"{noun}.png" for noun in NOUNS} == {path.name for path in (site / "gallery" / "nouns").iterdir()}
    assert len([*(site / "gallery" / "prompts").iterdir()]) == 60


def leaf_commands(command: Any, path: str = "counterbench") -> Iterator[str]:
    """Every command that does something, by the words that call it."""
    subcommands = getattr(command, "commands", {})
    for name, subcommand in subcommands.items():
        yield from leaf_commands(subcommand, f"{path} {name}")
    if not subcommands:
        yield path


@pytest.mark.slow
def test_pages_fit_the_window(site: Path) -> None:
    wide = []
    with browser() as chromium:
        for width in (390, 820, 1400):
            for name in ("index", "commands", "python", "gallery/families", "gallery/laws", "notebooks/tutorial"):
                options = {"viewport": {"width": width, "height": 900}, "color_scheme": "dark"}
                with opened(chromium, site / f"{name}.html", **options) as page:
                    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                        wide.append((name, width))
    assert not wide


def test_notebooks_are_stored_without_output() -> None:
    for path in DOCS.rglob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells), path
