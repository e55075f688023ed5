"""Where the published benchmarks' own files are, which are no part of this project, and the mark of tests of them.

`COUNTERBENCH_UPSTREAM` or `../shared/upstream`, with `CF-World/prompt`, `R2I-Bench/data` and
`T2I-CoReBench/data` in it. Without them
these tests are skipped, and say so.
"""

import os
from pathlib import Path

import pytest

NAMED = os.environ.get("COUNTERBENCH_UPSTREAM")
UPSTREAM = Path(NAMED or Path(__file__).parents[1].parent / "shared" / "upstream")
FOLDERS = {"cf-world": "CF-World", "r2i-bench": "R2I-Bench", "t2i-corebench": "T2I-CoReBench"}

# A folder that was named and is not there is a mistake, not a reason to skip.
published = pytest.mark.skipif(
    not NAMED and not all((UPSTREAM / folder).is_dir() for folder in FOLDERS.values()),
    reason=f"THE PUBLISHED PROMPTS ARE NOT IMPORTED: no {' and '.join(FOLDERS.values())} in {UPSTREAM}; name their "
    "parent folder in COUNTERBENCH_UPSTREAM",
)
