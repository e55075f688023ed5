"""Where the published benchmarks' own files are, which are no part of this project, and the marks of tests of them.

`COUNTERBENCH_UPSTREAM` or `../shared/upstream`, with `CF-World/prompt`, `R2I-Bench/data`, `T2I-CoReBench/data`, and
`CounterBench/data` and `CounterBench/results`, in it. Without them these tests are skipped, and say so.
"""

import os
from pathlib import Path

import pytest

NAMED = os.environ.get("COUNTERBENCH_UPSTREAM")
UPSTREAM = Path(NAMED or Path(__file__).parents[1].parent / "shared" / "upstream")
FOLDERS = {"cf-world": "CF-World", "r2i-bench": "R2I-Bench", "t2i-corebench": "T2I-CoReBench"}
RELEASE = UPSTREAM / "CounterBench"


def needing(what: str, *folders: str) -> pytest.MarkDecorator:
    """The mark of tests that are skipped without some folders, except where one is named: then it must be there."""
    return pytest.mark.skipif(
        not NAMED and not all((UPSTREAM / folder).is_dir() for folder in folders),
        reason=f"{what}: no {' and '.join(folders)} in {UPSTREAM}; name their parent folder in COUNTERBENCH_UPSTREAM",
    )


published = needing("THE PUBLISHED PROMPTS ARE NOT IMPORTED", *FOLDERS.values())
