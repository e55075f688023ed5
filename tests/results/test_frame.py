"""A run as a DataFrame: a row a query, the scores' own numbers, the same dtypes whatever the run holds."""

from pathlib import Path

import msgspec
import pandas as pd
import pytest
from planted_runs import read_journal, rewrite, write_run

import counterbench as cb
from counterbench.answers.outcomes import Failed
from counterbench.results.frame import PAIR_COLUMNS


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", "planted:sticky?p=1", "smoke")


def test_a_frames_numbers_equal_the_scores(run: Path) -> None:
    found, scores = cb.frame(run), cb.score(run)
    by_role = found.groupby("role")["right"].mean()
    assert by_role["original"] == scores.overall.acc_original.value
    assert by_role["intervened"] == scores.overall.acc_intervened.value
    assert found.groupby("group")["right"].all().mean() == scores.overall.ccs.value
    assert found.groupby("category")["group"].nunique().to_dict() == {n: c.pairs for n, c in scores.categories.items()}


def test_a_row_holds_truth_answer_and_what_it_took(run: Path) -> None:
    first, *rest = read_journal(run)
    lost = msgspec.structs.replace(first, reply=None, failure=Failed("timeout"), outcome="failed", seconds=60.0)
    came = msgspec.structs.replace(
        first, seconds=1.5, tokens_in=10, tokens_out=2, cost=0.25, model="m-1", finish="stop"
    )
    rewrite(run, [lost, came, *rest])
    row = cb.frame(run).iloc[0].to_dict()
    assert (row["id"], row["reply"], row["model"], row["finish"]) == (first.id, first.reply, "m-1", "stop")
    assert (row["attempts"], row["repeats"], row["seconds"], row["tokens_in"], row["cost"]) == (2, 1, 61.5, 10, 0.25)
    assert (row["judge"], row["role"], row["outcome"], row["relevant"]) == (
        "planted:sticky?p=1",
        "original",
        "answer",
        True,
    )
    assert row["answer"] == row["expected"]


def test_a_missing_or_failed_reply_is_no_answer(run: Path) -> None:
    first, second, third, *rest = read_journal(run)
    failed = msgspec.structs.replace(first, reply=None, failure=Failed("timeout"), outcome="failed")
    rewrite(run, [failed, msgspec.structs.replace(second, reply="It depends."), *rest])
    found = cb.frame(run).set_index("id")
    assert found.loc[[first.id, second.id, third.id], "outcome"].to_list() == ["failed", "unparsed", "missing"]
    assert found.loc[[first.id, second.id, third.id], "right"].to_list() == [pd.NA, False, pd.NA]
    assert found.loc[[first.id, second.id, third.id], "answer"].isna().all()
    assert found.loc[third.id, ["attempts", "repeats"]].to_list() == [0, 0]
    assert pd.isna(found.loc[third.id, "reply"])


def test_the_reply_of_repeats_is_one_that_gave_the_answer(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke", repeats=3)
    records = read_journal(run)
    of_first = [i for i, record in enumerate(records) if record.id == records[0].id]
    wrong = {"yes": "No.", "no": "Yes."}[cb.frame(run)["answer"][0]]
    records[of_first[0]] = msgspec.structs.replace(records[of_first[0]], reply=wrong)
    rewrite(run, records)
    row = cb.frame(run).iloc[0]
    assert (row["repeats"], row["right"]) == (3, True)
    assert row["reply"] == records[of_first[1]].reply


def test_columns_and_dtypes_do_not_depend_on_the_run(run: Path) -> None:
    for path in (run, run):
        found = cb.frame(path)
        assert {name: str(dtype) for name, dtype in found.dtypes.items()} == PAIR_COLUMNS
        (run / "journal.jsonl").unlink(missing_ok=True)  # then nothing was asked yet


def test_a_narrow_head_shows_the_answer_and_whether_it_is_right(run: Path) -> None:
    with pd.option_context("display.width", 80):
        shown = str(cb.frame(run).head()).splitlines()
    assert shown[0].split()[:3] == ["id", "answer", "right"]


def test_the_scoring_decides_what_is_right(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "counterbench-550", 200)
    arrows = cb.frame(run, scoring="as-released").query("answer_type == 'colour-shape'")
    assert len(arrows)
    assert not arrows["right"].any()


def test_documented_columns_are_the_columns() -> None:
    text = (Path(__file__).parents[2] / "docs" / "pairs.md").read_text()
    assert [name for name in PAIR_COLUMNS if f"`{name}`" not in text] == []
