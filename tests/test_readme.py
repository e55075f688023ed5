"""Python examples of a page run as they stand, the commands that docs name exist, and their links lead somewhere."""

import re
from pathlib import Path

from counterbench.cli import app

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_docs_keep_to_their_word_limit():
    pages = [README, *(ROOT / "docs").rglob("*.md")]
    words = sum(len(page.read_text().split()) for page in pages)
    assert words <= 30_000, (
        f"README and docs have {words:,} words, 30,000 at most: shorten a page by what it says twice"
    )


def test_every_command_in_the_docs_exists():
    known = {command.name for command in (*app.registered_commands, *app.registered_groups)}
    pages = [README, *sorted((ROOT / "docs").rglob("*.md"))]
    used = {
        (page.name, name) for page in pages for name in re.findall(r"^ {4}counterbench (\w+)", page.read_text(), re.M)
    }
    assert used
    gone = {(page, name) for page, name in used if name not in known}
    assert not gone, f"pages name commands that there are not; name those of `counterbench --help`: {gone}"


def test_links_in_the_docs_lead_somewhere():
    for page in [README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target, _, anchor in re.findall(r"\]\(([^)#]*)(#([^)]+))?\)", page.read_text()):
            if "://" not in target:
                led = page.parent / target if target else page
                error = f"{page.name}: a link to {target}#{anchor} leads nowhere; name the file and heading as they are"
                assert led.exists(), error
                assert not anchor or anchor in anchors(led), error


def anchors(page: Path) -> set[str]:
    """What a page's headings are called in addresses, as GitHub makes it."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
