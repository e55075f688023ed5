"""Memory of scoring: a picture more costs little, and nothing of a run is held that its numbers do not need."""

import gc
import tracemalloc
from pathlib import Path

import pytest
from pictures.many_pictures import write_run

import counterbench as cb

# Bytes for each further picture of four checks: a row of each check, and its reply while the rows are made.
MAX_BYTES = 4_000


def peak(run: Path) -> int:
    gc.collect()
    tracemalloc.start()
    cb.t2i_score(run)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


@pytest.mark.slow
def test_a_further_picture_takes_little_memory(tmp_path: Path) -> None:
    few, many = (write_run(tmp_path / str(pictures), pictures, questions=4) for pictures in (500, 2_500))
    cb.t2i_score(few)  # imports, and what is remembered of replies
    assert (peak(many) - peak(few)) / 2_000 < MAX_BYTES
