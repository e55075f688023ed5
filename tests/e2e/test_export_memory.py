"""An export takes no more memory for many pairs than for few."""

import os
from pathlib import Path

import pytest
from processes import ROOT, python

FEW, MANY = 200, 1200
# The pictures of a thousand pairs more have some 100 MB, and are twice in an export of both tables.
MARGIN = 30_000_000

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of one program alone is read there"),
]

# Exports so many pairs, then so many, and prints the peak of its memory after each. Textured pictures are large files.
EXPORTS = """
import re, sys
from pathlib import Path
from counterbench.suites.sources import open_source
from interop.exports.exported import write_export
for pairs in map(int, sys.argv[3:]):
    write_export(sys.argv[1], f"{sys.argv[2]}/{pairs}", open_source("certify", limit=pairs, size=256, style="textured"))
    print(1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]))
"""


@pytest.mark.parametrize("format", ["hf", "webdataset"])
def test_six_times_the_pairs_take_no_more_memory(format: str, tmp_path: Path) -> None:
    packages = f"{ROOT}{os.pathsep}{ROOT / 'tests'}"
    few, many = map(int, python("-c", EXPORTS, format, tmp_path, FEW, MANY, packages=packages).split())
    written = sum(file.stat().st_size for file in (tmp_path / str(MANY)).rglob("*") if file.is_file())
    assert written > 3 * MARGIN
    assert many - few < MARGIN, f"{few:,} bytes for {FEW} pairs, {many:,} for {MANY}"
