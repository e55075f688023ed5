"""Runs under the template answer-line: judges that know the answer put it into the line, and scores read it alone."""

from pathlib import Path

import pytest
from asked import probe
from pictures.preparing.authors import Author

import counterbench as cb
from counterbench.judges.pixels import PixelReader
from counterbench.judges.planted import PlantedJudge
from counterbench.results.frame import pair_frame
from counterbench.runs.folder import read_journal
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

LINES = load_template("answer-line")
SMOKE = SuiteSource(load_suite("smoke"), 6)


def test_the_pixel_reader_is_right_under_answer_line_too(tmp_path: Path) -> None:
    probe(SMOKE, PixelReader(), tmp_path / "run", template=LINES)
    replies = [record.reply or "" for record in read_journal(tmp_path / "run/journal.jsonl")]
    assert [reply for reply in replies if not reply.startswith("Answer: ")] == []
    assert cb.score(tmp_path / "run").overall.ccs.value == 1


@pytest.mark.parametrize("name", ["noisy", "unparsed", "refusing", "off-by-one"])
def test_a_planted_judge_scores_under_answer_line_as_under_default(name: str, tmp_path: Path) -> None:
    spec = f"{name}?p=0.5&seed=3"
    for template in (load_template(), LINES):
        probe(SMOKE, PlantedJudge(spec, list(keys(SMOKE))), tmp_path / template.name, template=template)
    by_default, by_line = (cb.score(tmp_path / name) for name in ("default", "answer-line"))
    assert by_default.overall == by_line.overall
    assert by_line.provenance.template == "answer-line"


def test_scores_and_reports_read_only_the_answer_line(tmp_path: Path) -> None:
    for end, outcome in (("Answer: yes", "answer"), ("So it is yes.", "unparsed")):
        run = tmp_path / outcome
        reply = f"Is it no, or 17, or a pink square? I look again.\n{end}"
        probe(SMOKE, Author(lambda query, reply=reply: reply, "reasons"), run, template=LINES)
        yes_no = pair_frame(run).query("answer_type == 'yes-no'")
        assert len(yes_no) >= 2
        assert set(yes_no["outcome"]) == {outcome}
        found = cb.score(run)
    assert found.observed is not None
    assert "no line begins with 'Answer:'" in found.observed.examples["unparsed"]
