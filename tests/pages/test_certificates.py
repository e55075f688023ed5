"""Certificates on the page: none is shown as passed that was changed, or is of another journal, repeat or scoring."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from planted_runs import read_journal, rewrite, write_cells_run

from counterbench.evidence.document import read_certificate, write_certificate
from counterbench.evidence.issue import certify
from counterbench.evidence.policies import load_policy
from counterbench.files import formats
from counterbench.pages import write_report
from counterbench.runs.folder import read_keys

FAMILIES = ("arrow", "attribute", "composition", "containment", "counting", "occlusion", "spatial")

pytestmark = pytest.mark.slow


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of a judge that passes everything, with a certificate that says so."""
    path = write_cells_run(tmp_path / "run", "planted:oracle", FAMILIES, per_cell=26, suite="smoke")
    write_certificate(path / "certificate-standard.json", certify(path, load_policy("standard")))
    return path


def change(path: Path, **changes: Any) -> None:
    """The certificate with other content."""
    formats.write_json(path, msgspec.structs.replace(read_certificate(path), **changes))


def page_texts(run: Path) -> tuple[str, str]:
    """The verdict and the certificates of the page, as text."""
    page = Path(write_report([run], run.parent / "a.html", pictures="none").page).read_text()
    parts = [page[page.index(f'id="{part}"') :].partition("</section>")[0] for part in ("summary", "certificates")]
    return parts[0], parts[1]


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_a_valid_certificate_is_shown_with_its_verdict(run: Path) -> None:
    summary, section = page_texts(run)
    assert "Certificate: passed (standard), admitted to 7 of 7 families." in summary
    assert "policy standard ✓ passed" in text_of(section)
    assert "What it says" not in section
    assert "Shown on counterbench/1, flat, 512x512 pixels, png, and on no others." in text_of(section)


def test_a_certificate_is_shown_by_law_with_its_weakest_cell(tmp_path: Path) -> None:
    path = write_cells_run(tmp_path / "run", "planted:oracle", ("falling", "frost"), per_cell=26)
    fewer = [key.id for key in read_keys(path) if key.cell == "frost/integrity"][40:]
    rewrite(path, [record for record in read_journal(path) if record.id not in fewer])
    write_certificate(path / "certificate.json", certify(path, load_policy("standard")))
    section = text_of(page_texts(path)[1])
    assert "Admitted to 0 of 2 laws." in section
    assert re.search(r"falling \? not enough evidence assessment 26 of 26", section)
    assert re.search(r"frost \? not enough evidence integrity 20 of 20", section)
    assert "Each must exceed a CCS of 85" in section


@pytest.mark.parametrize(
    ("changes", "mark"),
    [
        ({"judge": "planted:sticky"}, "judge than this run&#39;s"),
        ({"template_digest": "0" * 32}, "template than this run&#39;s"),
        ({"suite_digest": "0" * 32}, "suite than this run&#39;s"),
        ({"repeats": 3}, "number of repeats than this run&#39;s"),
        ({"scoring": "strict"}, "scoring than this page&#39;s"),
        ({"parser": "0"}, "parser than this version&#39;s"),
        ({"keys_digest": "0" * 32}, "truth than this run&#39;s"),
        ({"journal_digest": "0" * 32}, "journal than this run&#39;s"),
    ],
)
def test_a_certificate_of_another_run_is_shown_apart(run: Path, changes: dict[str, Any], mark: str) -> None:
    change(run / "certificate-standard.json", **changes)
    summary, section = page_texts(run)
    assert "No certificate that holds." in summary
    assert f"Certificate (standard) of another {mark}" in summary
    assert "of another" in section
    assert "passed" not in text_of(summary + section)
    assert "band-high" not in section
