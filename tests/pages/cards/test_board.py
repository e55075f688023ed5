"""The index over cards: as they are, filtered by needs, each with whether its runs lie beside it and verify."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from browsing import browser, opened
from commands import call, done

from counterbench.errors import CounterbenchError
from counterbench.evidence.ladders import LadderResult, RungResult
from counterbench.files import formats
from counterbench.pages.cards.board import Index, Listed, board_page
from counterbench.pages.cards.checks import load_checked
from counterbench.pages.cards.derive import derive
from counterbench.pages.cards.document import CardDocument
from counterbench.stats.intervals import Estimate
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


@pytest.mark.slow
@pytest.mark.parametrize("edit", [_cut, _expects_otherwise, _certified_otherwise])
def test_a_run_that_does_not_verify_is_refused_by_name(
    edit: Callable[[Path], None], kept: Path, tmp_path: Path
) -> None:
    shutil.copytree(kept / "certify", tmp_path / "run")
    before = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir() if file.is_file()}
    edit(tmp_path / "run")
    assert before != {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir() if file.is_file()}
    with pytest.raises(CounterbenchError, match=re.escape(str(tmp_path / "run"))):
        load_checked(tmp_path / "run")


ENDLESS = {"count": LadderResult(
    unit="", granted=1, says="", next=None, threshold=Estimate(None, None, None),
    rungs=[RungResult(value=-1, right=1, of=1, verdict="pass")],
)}  # fmt: skip


@pytest.fixture(scope="session")
def card(kept: Path) -> CardDocument:
    return derive([kept / "certify"])


def write_card(folder: Path, card: CardDocument) -> Path:
    folder.mkdir()
    formats.write_json(folder / "card.json", card)
    return folder


def test_cards_say_whether_their_runs_lie_beside_them_and_verify(kept, card, tmp_path):
    shutil.copytree(kept / "certify", tmp_path / "run")
    (tmp_path / "far").mkdir()
    near, far = write_card(tmp_path / "near", card), write_card(tmp_path / "far" / "card", card)
    (near / "index.html").write_text("<script>alert(1)</script>")
    for folder, backing in ((near, "verified"), (far, "not there")):
        done("site", folder, "--out", tmp_path / "site")
        (judge,) = formats.read_json(tmp_path / "site" / "index.json", Index).judges
        assert (judge.card, judge.runs) == (card, backing)
        assert [path.name for path in (tmp_path / "site").iterdir() if path.is_dir()] == [judge.slug]
        assert "alert" not in (tmp_path / "site" / judge.slug / "index.html").read_text()
    changed = write_card(tmp_path / "changed", msgspec.structs.replace(card, bound=0.5))
    (tmp_path / "acme-none").mkdir()
    result = call("site", changed, tmp_path / "acme-none", "--out", tmp_path / "site", code=1)
    messages = " ".join(result.stderr.split())
    assert f"{changed}: its runs do not show what it says: bound is 0.85, not 0.5" in messages
    assert f"left out: {tmp_path / 'acme-none'}: holds no card.json" in messages
    index = formats.read_json(tmp_path / "site" / "index.json", Index)
    assert ([judge.runs for judge in index.judges], index.left_out) == (["contradict it"], 1)
    page = (tmp_path / "site" / "index.html").read_text()
    assert "1 folder left out" in page
    assert "runs contradict it" in page
    assert "acme-none" not in page
    assert "forged" in page


def test_a_foreign_card_neither_escapes_its_folder_nor_stops_the_index(card, tmp_path):
    replace = msgspec.structs.replace
    who, runs = replace(card.who, called="../<b>"), [replace(card.runs[0], journal_digest="../..")]
    outside = replace(card, who=who, runs=runs)
    broken = [replace(card, badge=[]), replace(card, unexplained=None), replace(card, ladders=ENDLESS)]
    folders = [write_card(tmp_path / str(n), foreign) for n, foreign in enumerate((outside, *broken))]
    result = call("site", *folders, "--out", tmp_path / "site", "--json")
    written = json.loads(result.stdout)
    assert [*written["runs"]] == ["b-"]
    assert [*written["refused"]] == list(map(str, folders[1:]))
    assert "<b>" not in (tmp_path / "site" / "index.html").read_text()
    twice = call("site", folders[0], folders[0], "--out", tmp_path / "site")
    assert "another card is of the same replies" in " ".join(twice.stderr.split())


@pytest.mark.slow
def test_a_reader_filters_judges_by_needs(kept, tmp_path):
    listed = Listed(slug="one", card=derive([kept / "ladder"]), runs="verified")
    board = Index(judges=[_planted(listed, name, *needs) for name, needs in BOARD.items()], left_out=0)
    page_file = tmp_path / "board.html"
    page_file.write_text(board_page(board))
    with browser() as chromium, opened(chromium, page_file) as page:
        page.locator("#filter-ladder-0").select_option(label="8")
        page.fill("#filter-usd", "1")
        assert page.inner_text("#board-status") == "1 of 4 judges"
        assert page.locator(".board tbody tr:visible th a").all_inner_texts() == ["thrifty"]
        page.click("#filter-clear")
        page.click(".board button[name=usd]")
        names = page.locator(".board tbody tr th a").all_inner_texts()
        assert names == ["cheap and blind", "thrifty", "sharp and dear", "unpriced"]


_COUNTS = LADDERS["count"].values
_EIGHT = _COUNTS.index(8)
# By name: up to which count, and the price.
BOARD = {
    "sharp and dear": (_COUNTS[-1], 9.0),
    "unpriced": (_COUNTS[-1], None),
    "cheap and blind": (_COUNTS[_EIGHT - 1], 0.1),
    "thrifty": (_COUNTS[_EIGHT + 1], 0.8),
}


def _planted(listed: Listed, name: str, granted: int, usd: float | None) -> Listed:
    from msgspec.structs import replace

    card = listed.card
    assert card.ladders is not None
    assert card.rates is not None
    ladders = {**card.ladders, "count": replace(card.ladders["count"], granted=granted)}
    who, rates = replace(card.who, called=name), replace(card.rates, usd=usd)
    changed = replace(card, ladders=ladders, who=who, rates=rates)
    return Listed(slug=name.replace(" ", "-"), runs="not there", card=changed)
