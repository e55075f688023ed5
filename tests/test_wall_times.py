"""A busy machine fails no test: none asserts that something takes less than some time on the wall."""

import re
from pathlib import Path

_WALL = re.compile(r"assert [^\n]*(?:monotonic|perf_counter|\btime\.time)\(\)[^\n]*<|return time\.[a-z_]+\(\) - began")
# The end of a loop that waits for something else, which fails for want of it.
_WAITS = re.compile(r"assert time\.monotonic\(\) < (?:end|until|deadline)\b")


def test_no_test_asserts_a_time_on_the_wall() -> None:
    found = [
        f"{file}: {line.strip()}"
        for file in Path(__file__).parent.rglob("test_*.py")
        for line in file.read_text().splitlines()
        if _WALL.search(line) and not _WAITS.search(line) and file != Path(__file__)
    ]
    assert not found, f"measure the work, not the wall: time.process_time or thread_time, counts, or a ratio: {found}"
