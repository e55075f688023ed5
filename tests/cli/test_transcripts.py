"""The words that each command prints in a small run, as text files: `transcripts/COMMAND.txt`.

A line after `$ ` is a command, and what it prints stands beneath it, on a terminal of 80 columns; `% ` is a command
whose words do not matter. A command that does not end with exit code 0 is followed by the code. Each command that a
line `next:` names is called at the end, as it is printed. To write all files anew:
TRANSCRIPTS=new pytest tests/cli/test_transcripts.py
"""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import call

from counterbench._version import __version__
from counterbench.cli import grid

FILES = sorted(Path(__file__).with_name("transcripts").glob("*.txt"))
# What is not the same in every run, and what stands for it.
VARYING = [
    (r"\b[0-9a-f]{32}\b", "DIGEST"),
    (r"\b\d{4}-\d\d-\d\d(T[\d:.+]+)?", "TIME"),
    (r"\bcounterbench " + re.escape(__version__), "counterbench VERSION"),
    (r"\b(about )?[\d.]+ (s|ms|min)\b", "SECONDS"),
    (r"\b[\d.,]+ (kB|MB)\b", "SIZE"),
]
# Lines that a slow machine prints and a fast one does not.
_PROGRESS = re.compile(r"[^/]*: \d+/\d+( \(.*\))?|this run takes: .*")


def printed(words: str) -> Iterator[str]:
    """The lines that a command prints, without progress and forecast."""
    result = call(*shlex.split(words)[1:])
    text = result.output
    for pattern, name in VARYING:
        text = re.sub(pattern, name, text)
    assert text.count("\nnext: ") <= 1
    # The next step is free, or says what it takes first, or what it takes stands above it.
    dear = re.search(r"\nnext: counterbench (validate|evaluate|watch|swap)\b.*", text)
    assert dear is None or "--plan" in dear[0] or re.search(r"takes:? [\d,]+ calls", text), dear
    yield from (line.rstrip() for line in text.splitlines() if not _PROGRESS.fullmatch(line))
    if result.exit_code:
        yield f"[exit code {result.exit_code}]"


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_command_prints_its_recorded_transcript(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "terminal_width", lambda: 80)
    now: list[str] = []
    for line in file.read_text().splitlines():
        if line.startswith(("$ counterbench ", "% counterbench ")):
            now.append(line)
            words = list(printed(line[2:]))
            now += words if line.startswith("$ ") else []
    if os.environ.get("TRANSCRIPTS") == "new":
        file.write_text("\n".join(now) + "\n")
    assert "\n".join(now) + "\n" == file.read_text()
    for step in dict.fromkeys(line.removeprefix("next: ") for line in now if line.startswith("next: counterbench ")):
        few = ["--max-calls", 30] if step.startswith("counterbench validate") and "--max-calls" not in step else []
        result = call(*shlex.split(step)[1:], *few)
        assert result.exit_code in (0, 1, 3), (step, result.output)
