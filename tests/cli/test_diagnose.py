"""`diagnose` on the command line: where errors lie, in words and as JSON. Its other words: transcripts/diagnose.txt."""

from pathlib import Path

import msgspec
import pytest
from commands import call, document
from planted_runs import read_journal, rewrite, write_run


def test_diagnose_says_where_unexplained_errors_lie(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "counterbench-550")
    others, records = {"yes": "no", "no": "yes"}, read_journal(run)
    rewrite(run, [msgspec.structs.replace(r, reply=others[r.reply]) if "spatial" in r.id else r for r in records])
    lines = call("diagnose", run).stdout.splitlines()
    at = lines.index("  18.2 points of CCS are lost to errors that no fault explains")
    words = "18.2 of them in family spatial: 100 of 100 pairs lost, elsewhere 0 of 450"
    assert lines[at + 1].startswith(f"    {words}; see spatial-")
    (residual,) = document("diagnose", run)["runs"][0]["residuals"]
    assert residual["where"] == {"family": "spatial"}
    assert (residual["lost"]["hits"], residual["elsewhere"]["of"], len(residual["pairs"])) == (100, 450, 5)
    assert residual["effect"] == pytest.approx(100 / 550)
