"""The main job on the embedded default: every planted fault named, the pixel reader certified and nobody else.

Then it alone may score: planted models get their true numbers.
"""

import json
import re
from pathlib import Path

import pytest
from processes import python

from counterbench.cli.demo import SUITE
from counterbench.suites.suite import load_suite


@pytest.mark.slow
def test_the_demo_shows_a_diagnosis_and_a_certificate(tmp_path: Path) -> None:
    demo = ("-m", "counterbench", "demo", "--out", "demo")
    text = python(*demo, cwd=tmp_path)
    assert re.search(r"pixels +PASS: admitted to all 7 families\n", text)
    assert re.search(r"planted:arrow-blind +FAIL: arrow\n", text)
    assert re.search(r"planted:blind +FAIL: changes answers that must stay\n", text)
    assert re.search(r"planted:off-by-one +off-by-one, costs 16.6 points", text)
    assert "8 laws, each cell asked until it is decided.\n    crystals, falling, floating, frost, " in text
    assert re.search(r"pixels +MAY SCORE: admitted to 8 of 8 laws in [\d,]+ calls", text)
    assert re.search(r"planted:prior-bound +MAY NOT: admitted to 0 of 8 laws in [\d,]+ calls", text)
    assert max(len(line) for line in text.splitlines() if " -m counterbench " not in line) <= 102  # of a pipe's tables
    assert re.search(r"S_L3 0\.8\d, true 0\.12  planted:vandal\n +The worse model wins", text)
    assert text.splitlines()[-1].endswith("report demo/runs/laws-few--planted-literal--pixels --out demo/judged.html")
    before = {file: file.read_bytes() for file in (tmp_path / "demo").rglob("journal.jsonl")}
    python(*demo, cwd=tmp_path)  # resumes: nothing is drawn or asked again
    assert {file: file.read_bytes() for file in before} == before
    # test_every_suite_holds leaves this one to this test
    assert f"1 Drawn: {len(load_suite(SUITE))} pairs" in text
    assert "2 Verified: " in text
    written = {name: json.loads((tmp_path / f"demo/{name}.json").read_bytes()) for name in ("diagnosis", "t2i-scores")}
    faults = {run["judge"]: [fault["name"] for fault in run["faults"]] for run in written["diagnosis"]["runs"]}
    assert faults == {"pixels": []} | {
        f"planted:{name}": [name] for name in ("sticky", "off-by-one", "arrow-blind", "blind")
    }
    for run in (tmp_path / "demo/runs").glob(f"{SUITE}--*"):
        verdict = json.loads((run / "certificate-standard.json").read_bytes())["verdict"]
        assert (verdict == "pass") == (run.name == f"{SUITE}--pixels")
    models = written["t2i-scores"]["runs"]
    assert [run["certified"] for run in models] == [True] * 3
    table = text[text.index("Measured and true scores") :].splitlines()[4:10]
    for measured, true in zip(table[::2], table[1::2], strict=True):
        assert measured.split()[1:] == true.split()[1:]
    assert models[1]["rrr"]["value"] < models[1]["references"]["prior"]["rrr"]  # RRR is not monotone
