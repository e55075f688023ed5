"""`export` on the command line."""

from __future__ import annotations

from commands import call

from counterbench.interop.exports import EXPORTS


def test_what_reads_a_folder_is_not_said_of_a_store() -> None:
    result = call("export", "smoke", "--limit", 1, "--format", "hf", "--out", "memory://said")
    assert result.stdout.startswith("memory://said: 1 pair of smoke as hf")
    assert "next:" not in result.stdout


def test_every_format_has_a_next_step() -> None:
    assert all("there" in format_.then.format(out="there") for format_ in EXPORTS.values())
