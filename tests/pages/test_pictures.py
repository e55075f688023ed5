"""Pictures: found by digest and never guessed, and small."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from planted_runs import edit_info, write_cells_run, write_run

import counterbench as cb
from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.evidence.issue import check_truth
from counterbench.pages.judges import find_source
from counterbench.pages.pictures import SIDE, drawing
from counterbench.runs.folder import read_keys, read_run_info
from counterbench.suites.suite import load_suite


@pytest.mark.parametrize(("limit", "pairs"), [(None, 18), (5, 5)])
def test_pairs_are_found_by_digest_in_shipped_and_named_sources(limit: int | None, pairs: int, tmp_path: Path) -> None:
    cb.generate("smoke", tmp_path / "pairs", workers=1)
    run = write_run(tmp_path / "run", "planted:oracle", "smoke", limit)
    info, keys = read_run_info(run), list(read_keys(run))
    for source in (None, "smoke", str(tmp_path / "pairs")):
        found = find_source(info, keys, source)
        assert found is not None
        assert (found.digest, len(found)) == (info.suite_digest, pairs)


def test_a_source_that_does_not_match_is_never_guessed(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke")
    keys = list(read_keys(run))
    with pytest.raises(InputError, match=r"does not hold the pairs of suite 'smoke'.*--pictures none"):
        find_source(read_run_info(run), keys, "controls")
    edit_info(run, suite_digest="0" * 32)
    assert find_source(read_run_info(run), keys, None) is None
    assert find_source(read_run_info(run), keys, "none") is None


def test_a_suite_asked_cell_by_cell_is_drawn_to_the_same_extent(tmp_path: Path) -> None:
    run = write_cells_run(tmp_path / "run", "planted:oracle", ("falling",), per_cell=3)
    info, keys = read_run_info(run), list(read_keys(run))
    for source in (None, "laws"):
        found = find_source(info, keys, source)
        assert found is not None
        assert {pair.id for pair in found} == {key.group for key in keys}


def test_a_suite_is_drawn_with_the_runs_seed_and_size(tmp_path: Path) -> None:
    run = tmp_path / "run"
    cb.probe(load_suite("smoke", 77, size=1024), "planted:oracle", run, limit=2)
    info = read_run_info(run)
    for source in (None, "smoke"):
        found = find_source(info, read_keys(run), source)
        assert found is not None
        assert (found.digest, found.domain, found.seed) == (info.suite_digest, info.domain, 77)
    assert check_truth(run, info, list(read_keys(run)))[0] == ""


def test_reduced_pictures_have_few_bytes_and_look_like_the_originals() -> None:
    suite = load_suite("smoke")
    for position in range(0, len(suite), 3):
        picture = render(suite[position].scenes[0])
        data = drawing(picture).data
        assert len(data) < 4000
        shown = Image.open(io.BytesIO(data))
        assert max(shown.size) <= SIDE
        wanted = np.asarray(picture.reduce(2)).astype(int)
        error = np.abs(np.asarray(shown.convert("RGB")).astype(int) - wanted)
        assert error.mean() < 1.5
        assert (error.max(axis=2) > 24).mean() < 0.01  # a few mixed pixels at edges


def test_a_small_picture_is_not_enlarged() -> None:
    picture = Image.new("RGB", (100, 80), (10, 200, 30))
    assert Image.open(io.BytesIO(drawing(picture).data)).size == (100, 80)
