"""The section on evidence: a judge that is revoked or refused is so first of all, and what is cut says so."""

import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from pictures.auditing.balls import Sighted, run_of

from counterbench.evidence.stickers import RESULT_FILE, StickerResult
from counterbench.files import formats
from counterbench.pages import write_report
from counterbench.pictures.auditing.audit import Audit
from counterbench.pictures.auditing.result import AuditResult
from counterbench.suites.stickers import STICKERS

FOLDED = r'<details class="folded"><summary><h2 id="evidence-title"'


def page_text(run: Path) -> str:
    write_report([run], run / "report.html")
    text = (run / "report.html").read_text(encoding="utf-8").partition("gallery-data")[0]
    return re.sub(r"\s+", " ", text)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, tuple[Path, AuditResult]]:
    """Audited runs of a judge that sees (False) and of one that says yes (True)."""
    found = {}
    for yes in (False, True):
        judge = Sighted(yes)
        run = run_of(tmp_path_factory.mktemp("run"), judge)
        audit = Audit(run, judge, pictures=25)
        for asking in audit.askings():
            asking.run()
        found[yes] = run, audit.conclude()
    return found


@pytest.mark.slow
def test_a_revoked_judge_has_a_banner_an_open_section_and_a_table(runs: dict[bool, tuple[Path, AuditResult]]) -> None:
    run, audit = runs[True]
    html = page_text(run)
    banner = '<p class="warning"><strong>The admission of sighted-yes is revoked: its answers contradict each other.'
    assert html.index(banner) < html.index('<ul class="verdicts models">')
    assert f'{banner}</strong> <a href="#evidence">' in html
    assert not re.search(FOLDED, html)
    shown = html.count('<figure class="broken">')
    assert 0 < shown < len(audit.contradictions)
    assert f"… and {len(audit.contradictions) - shown} more." in html
    gone = audit.relations["gone"]
    share = f"{100 * gone.broken / audit.pictures:.0f} %"
    row = f'<th scope="row">gone</th><td>{gone.asked}</td><td>{gone.broken}</td><td>{share}</td>'
    assert row in html
    assert unescape(html).count(audit.finding[1:]) == 1


@pytest.mark.slow
def test_a_judge_that_sees_has_no_banner_and_a_closed_section(runs: dict[bool, tuple[Path, AuditResult]]) -> None:
    html = page_text(runs[False][0])
    head = html.partition('<ul class="verdicts models">')[0]
    assert [*re.findall(r'<p class="warning">(.*?)</p>', head)] == [
        "<strong>Not supported: there is no certificate.</strong>"
    ]
    assert re.search(FOLDED, html)


def test_a_judge_that_fails_stickers_has_a_banner(runs: dict[bool, tuple[Path, AuditResult]], tmp_path: Path) -> None:
    run = Path(shutil.copytree(runs[False][0], tmp_path / "run"))
    failed = StickerResult(
        judge="sighted", template_digest="", grounds_digest="", run="", verdict="fail", reason="5 of 60 pairs right",
        pictures=60, grounds=67, left_out=0, bound=0.85, threshold=20, cells={}, families={},
    )  # fmt: skip
    (run / STICKERS).mkdir()
    formats.write_json(run / STICKERS / RESULT_FILE, failed)
    html = page_text(run)
    assert "sighted may not score these pictures: it fails the test by stickers on them." in html
    assert not re.search(FOLDED, html)
