"""Writing: never over something else, the same bytes for the same runs, clear refusals."""

import sys
from pathlib import Path

import msgspec
import pytest
from planted_runs import edit_info, read_journal, rewrite, write_run

from counterbench.errors import InputError
from counterbench.evidence.document import write_certificate
from counterbench.evidence.issue import certify
from counterbench.evidence.policies import load_policy
from counterbench.pages import write_report
from counterbench.pages.frame import MARK
from counterbench.pages.gather import gather


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("one") / "run", "planted:oracle", "smoke")


def test_runs_of_two_suites_and_a_run_named_twice_are_refused(run: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "other", "planted:oracle", "smoke", 8)
    with pytest.raises(InputError, match="a report is on runs of one suite; make one report for each"):
        gather([run, other])
    with pytest.raises(InputError, match="named twice"):
        gather([run, run.parent / "." / run.name])


def test_runs_under_two_templates_are_compared_and_marked(run: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "bare", "planted:oracle", "smoke")
    edit_info(other, template="bare", template_digest="0" * 32)
    data = gather([run, other])
    assert [r.label for r in data.runs] == ["planted:oracle · default", "planted:oracle · bare"]
    assert data.comparison is not None
    assert "templates differ" in "\n".join(data.comparison.marked)


def test_a_judge_that_answered_nothing_is_left_out_of_the_comparison(run: Path, tmp_path: Path) -> None:
    silent = write_run(tmp_path / "silent", "planted:failing?p=1", "smoke")
    other = write_run(tmp_path / "noisy", "planted:noisy?p=0.4", "smoke")
    html = Path(write_report([silent, run, other], tmp_path / "a.html", pictures="none").page).read_text()
    assert "planted:failing?p=1 is left out: no pair has both its replies." in html
    assert "On the 18 pairs to which every judge replied twice" in html
    assert '<th scope="row">planted:oracle</th><td>1</td>' in html


def test_the_page_says_where_unexplained_errors_lie(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "counterbench-550", 160)
    others = {"yes": "no", "no": "yes"}
    records = [
        msgspec.structs.replace(r, reply=others[r.reply or ""]) if "spatial" in r.id else r for r in read_journal(run)
    ]
    rewrite(run, records)
    html = Path(write_report([run], tmp_path / "a.html", pictures="none").page).read_text()
    assert "Shows no known fault, but errors lie in family spatial" in html
    assert "points of them lie in family spatial: 20 of 20 pairs lost, elsewhere 0 of 140. See " in html


def test_an_incomplete_run_without_pictures_is_marked_incomplete(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke")
    lines = (run / "journal.jsonl").read_text().splitlines(keepends=True)
    (run / "journal.jsonl").write_text("".join(lines[:20]))
    written = write_report([run], tmp_path / "a.html", pictures="none")
    assert (written.pairs, written.pictures) == (18, 0)
    html = Path(written.page).read_text()
    assert "planted:oracle is incomplete:</strong> 16 questions not asked" in html
    assert "made without pictures" in html


def test_certificates_are_found_beside_a_run(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke")
    near = certify(run, load_policy("exploratory"))
    write_certificate(run / "certificate-exploratory.json", near)
    assert [(c.certificate.policy.name, c.holds) for c in gather([run]).runs[0].certificates] == [("exploratory", True)]
    assert near.digest in Path(write_report([run], tmp_path / "a.html", pictures="none").page).read_text()


def test_a_damaged_certificate_in_a_runs_folder_is_a_note(tmp_path: Path) -> None:
    mine = write_run(tmp_path / "run", "planted:oracle", "smoke", 8)
    (mine / "certificate-damaged.json").write_text("{")
    (mine / "certificate-newer.json").write_text('{"format": "counterbench.certificate/9"}')
    written = write_report([mine], tmp_path / "a.html", pictures="none")
    assert len(written.notes) == 3
    text = Path(written.page).read_text()
    assert text.count("Not read:</strong> not a certificate that can be shown: ") == 2
    assert "certificate-damaged.json: Input data was truncated" in text


def test_only_a_report_is_written_over(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>my thesis")
    with pytest.raises(InputError, match=r"page\.html: is there and is no report; choose another --out"):
        write_report([run], page, pictures="none")
    assert page.read_text() == "<p>my thesis"
    for other in (tmp_path, tmp_path / "x.txt"):
        with pytest.raises(InputError, match=r"--out takes a file that ends in \.html"):
            write_report([run], other)
    page.unlink()
    first = Path(write_report([run], page, pictures="none").page).read_bytes()
    assert MARK in first[:4096]
    write_report([run], page, pictures="none")
    assert page.read_bytes() == first


def test_a_missing_extra_is_named_with_the_install_command(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(InputError, match=r"this installs it: .* 'jinja2>=3.1'"):
        write_report([run], tmp_path / "a.html")
