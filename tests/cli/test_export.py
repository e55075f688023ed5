"""`export` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from commands import call

from counterbench.interop.exports import EXPORTS


def test_what_reads_a_folder_is_not_said_of_a_store() -> None:
    result = call("export", "smoke", "--limit", 1, "--format", "hf", "--out", "memory://said")
    assert result.stdout.startswith("memory://said: 1 pair of smoke as hf")
    assert "next:" not in result.stdout


def test_its_json_names_every_file(tmp_path: Path) -> None:
    out = tmp_path / "tar"
    done = call("export", "smoke", "--limit", 3, "--format", "webdataset", "--out", out, "--wording", "bare", "--json")
    document = json.loads(done.stdout)
    assert document["out"] == str(out)
    assert document["export"] == json.loads((out / "export.json").read_bytes())
    assert (document["export"]["wording"], document["export"]["pairs"]) == ("bare", 3)


def test_every_format_has_a_next_step() -> None:
    assert all("there" in format_.then.format(out="there") for format_ in EXPORTS.values())
