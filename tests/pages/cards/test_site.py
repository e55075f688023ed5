"""The index over cards: derived anew, filtered by needs, and without any run that was changed."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import browser, opened
from commands import call, done

from counterbench.errors import CounterbenchError
from counterbench.files import formats
from counterbench.pages.cards.checks import checked
from counterbench.pages.cards.document import CardDocument
from counterbench.pages.cards.site import Index, Listed, site_page
from counterbench.suites.families.ladders import LADDERS


def _cut(run: Path) -> None:
    lines = (run / "journal.jsonl").read_text().splitlines(keepends=True)
    (run / "journal.jsonl").write_text("".join(lines[:3] + lines[4:]))


def _expects_otherwise(run: Path) -> None:
    keys = run / "keys.jsonl"
    keys.write_text(re.sub(r'"expected":"(yes|no)"', '"expected":"maybe"', keys.read_text(), count=1))


def _certified_otherwise(run: Path) -> None:
    certificate = run / "certificate-standard.json"
    certificate.write_text(certificate.read_text().replace('"verdict": "fail"', '"verdict": "pass"'))


@pytest.mark.parametrize("edit", [_cut, _expects_otherwise, _certified_otherwise])
def test_a_run_that_does_not_verify_is_refused_by_name(
    edit: Callable[[Path], None], kept: Path, tmp_path: Path
) -> None:
    shutil.copytree(kept / "certify", tmp_path / "run")
    before = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir() if file.is_file()}
    edit(tmp_path / "run")
    assert before != {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir() if file.is_file()}
    with pytest.raises(CounterbenchError, match=re.escape(str(tmp_path / "run"))):
        checked(tmp_path / "run", strict=True)


def test_a_changed_run_is_left_out_and_named(kept, tmp_path):
    shutil.copytree(kept / "certify", tmp_path / "acme-run")
    _cut(tmp_path / "acme-run")
    result = call("site", kept / "ladder", tmp_path / "acme-run", "--out", tmp_path / "site")
    assert result.exit_code == 1
    assert "acme-run" in result.stderr
    index = formats.read_json(tmp_path / "site" / "index.json", Index)
    assert (len(index.judges), index.left_out) == (1, 1)
    page = (tmp_path / "site" / "index.html").read_text()
    assert "1 run left out" in page
    assert "acme-run" not in page
    assert "forged" in page
    # Built again, without the cards of judges that are no longer there.
    done("site", kept / "certify", "--out", tmp_path / "site")
    assert [path.name.partition("-")[0] for path in (tmp_path / "site").iterdir() if path.is_dir()] == ["planted"]
    (folder,) = (path for path in (tmp_path / "site").iterdir() if path.is_dir())
    assert formats.read_json(folder / "card.json", CardDocument).who.judge == "planted:sticky?price=2"


@pytest.mark.slow
def test_a_reader_finds_a_judge_by_needs(kept, tmp_path):
    done("site", kept / "ladder", "--out", tmp_path / "one")
    (one,) = formats.read_json(tmp_path / "one" / "index.json", Index).judges
    board = Index(judges=[_planted(one, name, *of) for name, of in BOARD.items()], left_out=0)
    page_file = tmp_path / "board.html"
    page_file.write_text(site_page(board))
    with browser() as chromium, opened(chromium, page_file) as page:
        page.locator("#need-count").select_option(label="8")
        page.fill("#need-usd", "1")
        assert page.inner_text("#board-status") == "1 of 4 judges"
        assert page.locator("#board tbody tr:visible th a").all_inner_texts() == ["thrifty"]
        page.click("#filter-clear")
        page.click("#board button[name=usd]")
        names = page.locator("#board tbody tr th a").all_inner_texts()
        assert names == ["cheap and blind", "thrifty", "sharp and dear", "unpriced"]


_COUNTS = LADDERS["count"].levels
_EIGHT = _COUNTS.index(8)
# By name: up to which count, and the price.
BOARD = {
    "sharp and dear": (_COUNTS[-1], 9.0),
    "unpriced": (_COUNTS[-1], None),
    "cheap and blind": (_COUNTS[_EIGHT - 1], 0.1),
    "thrifty": (_COUNTS[_EIGHT + 1], 0.8),
}


def _planted(one: Listed, name: str, seen: int, usd: float | None) -> Listed:
    from msgspec.structs import replace

    card = one.card
    assert card.ladders is not None
    assert card.rates is not None
    ladders = {**card.ladders, "count": replace(card.ladders["count"], granted=seen)}
    who, rates = replace(card.who, called=name), replace(card.rates, usd=usd)
    return Listed(slug=name.replace(" ", "-"), card=replace(card, ladders=ladders, who=who, rates=rates))
