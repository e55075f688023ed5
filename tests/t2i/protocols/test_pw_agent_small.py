"""PW-Agent with a real saved model that says nothing sensible, as author and as judge: all of it has an outcome."""

from __future__ import annotations

from pathlib import Path

import pytest
from t2i.carded import cards, judged
from t2i.drawn import QUICK
from t2i.pw_worlds import PW, asked, bare

from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.base import Judge
from counterbench.t2i.preparing.prepare import prepare
from counterbench.t2i.preparing.writing import QuestionsOf
from counterbench.t2i.run_scores import score_run

pytest.importorskip("torch")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from small_vlm import build_small_vlm

    folder = tmp_path_factory.mktemp("model") / "checkpoint"
    build_small_vlm(folder)
    return folder


def opened(model: Path) -> Judge:
    return open_judge(f"transformers:{model}?device=cpu&max_tokens=24", list)


def test_an_author_that_writes_no_json_is_asked_once_more_and_then_left_at_that(model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing that it wrote can be used \(2 (malformed|cut off)"):
        prepare(bare(2), QuestionsOf(PW), opened(model), tmp_path / "asked.jsonl", limits=QUICK)
    journal = (tmp_path / "asked.jsonl.author" / "journal.jsonl").read_text().splitlines()
    assert len(journal) == 4
    assert not (tmp_path / "asked.jsonl").exists()


def test_a_judge_that_says_anything_comes_to_numbers_or_to_losses(model: Path, tmp_path: Path) -> None:
    images = cards(asked(2), tmp_path / "images")
    assert judged(images, tmp_path / "run", opened(model)).complete
    for scoring in PW.scorings:
        found = score_run(tmp_path / "run", scoring)
        assert found.complete
        for name, bounds in found.bounds.items():
            assert bounds.worst is not None
            assert bounds.best is not None
            assert 0 <= bounds.worst <= bounds.best <= 10
            value = found.columns[name].value
            assert value is None or 0 <= value <= 10
