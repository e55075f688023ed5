"""An export for lmms-eval, which itself runs it in tests/consumers."""

import io
import runpy
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from interop.exports.exported import PAIRS, source, write_export
from PIL import Image

from counterbench.drawing import png
from counterbench.interop import lmms_eval
from counterbench.interop.exports.lmms_eval import task_name
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import load_template

FAILED = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] Error code: 400 - 3"


@pytest.fixture
def task_rows(tmp_path: Path) -> list[dict[str, Any]]:
    """The rows of a task, as `datasets` hands them on."""
    write_export("lmms-eval", tmp_path / "task")
    rows = pq.read_table(tmp_path / "task" / "questions").to_pylist()
    return [row | {"image": Image.open(io.BytesIO(row["image"]["bytes"]))} for row in rows]


def test_a_task_names_existing_files_and_functions(tmp_path: Path) -> None:
    write_export("lmms-eval", tmp_path / "task")
    lines = (tmp_path / "task" / "counterbench_smoke.yaml").read_text().splitlines()
    assert lines[0] == "task: counterbench_smoke"
    assert "    - questions/test-00000-of-00001.parquet" in lines
    assert f'  suite_digest: "{source().digest}"' in lines
    functions = runpy.run_path(str(tmp_path / "task" / "utils.py"))
    named = [line.partition("utils.")[2] for line in lines if "!function" in line]
    assert len(named) == 8
    assert [name for name in named if not callable(functions[name])] == []
    assert task_name("counterbench-550") == "counterbench_550"


def test_a_question_has_the_words_that_probe_sends(task_rows: list[dict[str, Any]]) -> None:
    for doc, query in zip(task_rows, queries(source()), strict=True):
        dressed = load_template().dress(query)
        (only,) = lmms_eval.doc_to_messages(doc)
        assert [part["type"] for part in only["content"]] == ["image", "text"]
        assert png.pixel_digest(only["content"][0]["url"]) == dressed.pictures[0].digest
        assert only["content"][1]["text"] == lmms_eval.doc_to_text(doc) == dressed.text
    system = task_rows[0] | {"system": "Look well."}
    assert lmms_eval.doc_to_messages(system)[0] == {
        "role": "system", "content": [{"type": "text", "text": "Look well."}]
    }  # fmt: skip
    assert lmms_eval.doc_to_text(system).startswith("Look well.\n")


def metrics_of(docs: list[dict[str, Any]], *replies: list[str]) -> dict[str, list[Any]]:
    rows = [lmms_eval.process_results(doc, reply) for doc, reply in zip(docs, replies, strict=True)]
    return {metric: [row[metric] for row in rows] for metric in rows[0]}


def test_replies_are_scored_as_by_score(task_rows: list[dict[str, Any]]) -> None:
    truth = [key.expected for key in keys(source())]
    rows = metrics_of(task_rows, *([f"It is {answer}."] for answer in truth[:-1]), ["I cannot tell."])
    assert lmms_eval.accuracy(rows["accuracy"]) == (2 * PAIRS - 1) / (2 * PAIRS)
    assert lmms_eval.ccs(rows["ccs"]) == (PAIRS - 1) / PAIRS
    assert lmms_eval.gap(rows["gap"]) == 1 / PAIRS
    assert lmms_eval.failed(rows["failed"]) == 0
    assert {frozenset(row) for row in rows["accuracy"]} == {frozenset({"pair", "score"})}
    assert [row for name in ("ccs", "gap", "failed") for row in rows[name] if "score" in row] == []


def test_a_failed_call_leaves_its_pair_out_of_every_number(task_rows: list[dict[str, Any]]) -> None:
    doc = task_rows[0] | {"answer": "3", "answer_type": "integer"}
    rows = metrics_of([doc, *task_rows[1:]], [FAILED], *([doc["answer"]] for doc in task_rows[1:]))
    assert rows["accuracy"][0] == {"pair": doc["pair"]}
    assert (lmms_eval.failed(rows["failed"]), lmms_eval.accuracy(rows["accuracy"])) == (1, 1.0)
    assert lmms_eval.ccs(rows["ccs"]) == 1.0
    nothing = metrics_of(task_rows[:2], [FAILED], [FAILED])
    assert str(lmms_eval.ccs(nothing["ccs"])) == str(lmms_eval.accuracy(nothing["accuracy"])) == "nan"


def test_a_template_that_asks_for_a_line_is_read_by_that_line(task_rows: list[dict[str, Any]]) -> None:
    doc = task_rows[0]
    other = {"yes": "no", "no": "yes"}[doc["answer"]]
    reply = f"{other.title()}, it seems. Answer: {other}? I look again.\nAnswer: {doc['answer']}"
    assert metrics_of([doc | {"answer_line": True}], [reply])["accuracy"][0]["score"] == 1
    assert metrics_of([doc | {"answer_line": True}], [doc["answer"]])["accuracy"][0]["score"] == 0


def test_several_replies_to_a_question_are_repeats(task_rows: list[dict[str, Any]]) -> None:
    right = task_rows[0]["answer"]
    wrong = {"yes": "no", "no": "yes"}[right]
    assert metrics_of(task_rows[:1], [right, wrong, right])["accuracy"][0]["score"] == 1
    assert metrics_of(task_rows[:1], [right, wrong])["accuracy"][0]["score"] == 0
    assert "score" not in metrics_of(task_rows[:1], [right, FAILED, right])["accuracy"][0]
