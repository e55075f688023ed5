"""What tests of reports in a browser share: one that is found, a page that is watched, text that must be legible.

Every page is watched: no message on the console, no error, no dialog, and no request that leaves the machine's files.
"""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# No window, no sandbox (containers have none), and nothing that asks for the network by itself.
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
]
UNTESTED = "THE REPORT IS NOT TESTED IN A BROWSER"


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """A headless browser; without one the test is skipped, and says so.

    While Playwright is started no other event loop can run in this thread: whatever asks judges comes before it.
    """
    api = pytest.importorskip("playwright.sync_api", reason=f"{UNTESTED}: the package playwright is not installed")
    with api.sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, BROWSERS)), playwright.chromium.executable_path)
        if not Path(found).exists():
            pytest.skip(f"{UNTESTED}: there is none; tests/browser/install.sh installs one")
        launched = playwright.chromium.launch(executable_path=str(found), args=ARGUMENTS)
        yield launched
        launched.close()


@contextlib.contextmanager
def opened(chromium: Any, path: Path, fragment: str = "", **options: Any) -> Iterator[Any]:
    """The page, watched."""
    context = chromium.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
    page = context.new_page()
    events: list[str] = []
    page.on("console", lambda message: events.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: events.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (events.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda fetch: fetch.url.startswith(("file:", "data:")) or events.append(f"request: {fetch.url}"))
    page.on("requestfailed", lambda fetch: events.append(f"failed: {fetch.url[:100]}"))
    page.goto(path.as_uri() + fragment)
    yield page
    assert events == []
    context.close()


def wait_for(page: Any, holds: str) -> None:
    """Wait for it. (Playwright's own way needs `eval`, which the page's policy forbids.)"""
    for _ in range(200):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never came true: {holds}")


CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 :
    ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = parse(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  const poor = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    const ink = element.namespaceURI.endsWith("svg") ? style.fill : style.color;
    const [a, b] = [light(parse(ink)), light(behind(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.add(`${element.tagName} ${element.className} ${element.textContent}`);
  }
  return [...poor];
}"""

# The parts of a plot that are cut.
CUT = """() => [...document.querySelectorAll(".dots")].flatMap((plot) => {
  const whole = plot.getBoundingClientRect();
  const beyond = [...plot.querySelectorAll("span, text, circle")].filter((part) => {
    const { left, right } = part.getBoundingClientRect();
    return left < whole.left - 1 || right > whole.right + 1;
  });
  return beyond.map((part) => `${part.tagName} ${part.textContent}`);
})"""

# The captions that are wider than the box of their table.
CAPTIONS = """() => [...document.querySelectorAll("caption:not(.unseen)")].filter((caption) => {
  for (let at = caption.parentElement; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  const words = document.createRange();
  words.selectNodeContents(caption);
  return words.getBoundingClientRect().right > caption.closest(".scroll").getBoundingClientRect().right;
}).map((caption) => caption.textContent)"""


def sound(page: Any, width: int) -> None:
    """All of a page, unfolded: legible by WCAG AA, plots too, as wide as its window, nothing in it cut."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate(CUT) == []
    assert page.evaluate(CAPTIONS) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
