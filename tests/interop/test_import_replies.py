"""Replies that were collected elsewhere as a run: joined by id, raw, incomplete where some are missing."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import call, done

import counterbench as cb
from counterbench.errors import InputError
from counterbench.interop.imported import ImportedRun
from counterbench.interop.replies import import_replies
from counterbench.runs.folder import read_journal, read_run_info
from counterbench.scene.pairs import ROLES
from counterbench.suites.folder import Folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("drawn") / "pairs"
    cb.generate("smoke", path, workers=1, limit=18)
    return path


@pytest.fixture
def rows(folder: Path) -> list[dict[str, Any]]:
    return [
        {"id": p.id, "original_reply": f"It is {p.answers[0]}.", "intervened_reply": p.answers[1], "model": "m-1"}
        for p in Folder(folder)
    ]


class Elsewhere:
    def __init__(self, folder: Path, path: Path) -> None:
        self.folder, self.file, self.out = folder, path / "replies.jsonl", path / "run"

    def imported(self, rows: list[dict[str, Any]], judge: str = "their judge") -> ImportedRun:
        self.file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return import_replies(self.file, self.folder, judge, self.out)

    def refused(self, rows: list[dict[str, Any]], judge: str = "their judge") -> str:
        with pytest.raises(InputError) as error:
            self.imported(rows, judge)
        assert not self.out.exists()
        return str(error.value)


@pytest.fixture
def elsewhere(folder: Path, tmp_path: Path) -> Elsewhere:
    return Elsewhere(folder, tmp_path)


def test_imported_replies_are_a_run_with_an_unknown_template(elsewhere: Elsewhere, rows: list[dict[str, Any]]) -> None:
    found = elsewhere.imported(rows[::-1])
    assert (found.replies, found.warnings) == (36, [])
    info = read_run_info(elsewhere.out)
    assert (info.judge, info.name, info.template, info.repeats) == ("imported:their judge", "their judge", "unknown", 1)
    assert info.source.startswith("replies.jsonl (")
    replies = {record.id: record for record in read_journal(elsewhere.out / "journal.jsonl")}
    record = replies[f"{rows[0]['id']}/original"]
    assert (record.reply, record.model, record.time) == (rows[0]["original_reply"], "m-1", "")
    document = cb.score(elsewhere.out)
    assert (document.overall.ccs.value, document.complete) == (1.0, True)
    assert cb.frame(elsewhere.out)["right"].all()
    assert cb.diagnose(elsewhere.out).runs[0].faults == []
    assert cb.certify(elsewhere.out, "exploratory").template == "unknown"


def test_imported_replies_may_be_labels(elsewhere: Elsewhere, folder: Path, rows: list[dict[str, Any]]) -> None:
    labels = {pair.id: pair.program.labels(pair.original) for pair in Folder(folder) if pair.program and pair.original}
    (i, named) = next((i, labels[row["id"]]) for i, row in enumerate(rows) if labels[row["id"]])
    label = next(label for label, name in named.items() if name in rows[i]["original_reply"])
    elsewhere.imported([*rows[:i], rows[i] | {"original_reply": f"Shape {label}."}, *rows[i + 1 :]])
    assert cb.frame(elsewhere.out)["right"].all()
    assert {record.outcome for record in read_journal(elsewhere.out / "journal.jsonl")} == {"answer"}


def test_imported_runs_are_compared_and_with_ours_only_by_anyway(
    elsewhere: Elsewhere, rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    elsewhere.imported(rows)
    other = Elsewhere(elsewhere.folder, tmp_path / "other")
    other.file.parent.mkdir()
    other.imported([row | {"original_reply": "?"} for row in rows], "another")
    assert cb.compare(elsewhere.out, other.out)
    cb.probe(elsewhere.folder, "planted:oracle", tmp_path / "ours")
    with pytest.raises(InputError, match="templates differ: unknown"):
        cb.compare(elsewhere.out, tmp_path / "ours")
    assert cb.compare(elsewhere.out, tmp_path / "ours", anyway=True)


def test_a_row_may_hold_one_reply_with_tokens_and_cost(elsewhere: Elsewhere, rows: list[dict[str, Any]]) -> None:
    row = {"id": rows[0]["id"], "variant": "intervened", "reply": "4", "tokens_in": "12", "tokens_out": 1, "cost": 0.5}
    found = elsewhere.imported([row])
    (record,) = read_journal(elsewhere.out / "journal.jsonl")
    assert (record.id, record.reply) == (f"{rows[0]['id']}/intervened", "4")
    assert (record.tokens_in, record.tokens_out, record.cost) == (12, 1, 0.5)
    assert (found.replies, found.info.queries) == (1, 36)


def test_rows_left_out_are_counted_in_words_and_in_json(elsewhere: Elsewhere, rows: list[dict[str, Any]]) -> None:
    rows = [row | {"reasoning": "…", "finish": "stop"} for row in rows[:-1]]
    first, failed, *_ = (row["id"] for row in rows)
    last = [pair.id for pair in Folder(elsewhere.folder)][-1]
    rows[0]["intervened_reply"] = None
    rows[1]["original_reply"] = "Error code: 429 - too many requests"
    rows[2]["original_reply"] = ""  # said nothing: a reply
    rows += [{"id": name, "original_reply": "a", "intervened_reply": "b", "note": "x"} for name in ("nobody", "none")]
    found = {note.what: (note.count, note.ids) for note in elsewhere.imported(rows).warnings}
    assert found == {
        "cells without a reply, left out: not asked": (1, (f"{first}, intervened_reply",)),
        "pairs with a failed call": (1, (failed,)),
        "replies to no pair of the folder, left out": (4, tuple(f"{n}/{r}" for n in ("nobody", "none") for r in ROLES)),
        "columns that are not read, left out": (3, ("reasoning", "finish", "note")),
        "pairs without both replies: the run is incomplete": (2, (first, last)),
    }
    document = cb.score(elsewhere.out)
    outcomes = document.overall.outcomes
    assert (document.missing, document.complete, outcomes["failed"], outcomes["unparsed"]) == (3, False, 1, 1)
    words = ("import", "replies", elsewhere.file, "--pairs", elsewhere.folder, "--judge", "their judge")
    shown = call(*words, "--out", f"{elsewhere.out}-1").stdout
    assert "warning: columns that are not read, left out (3): reasoning, finish, note" in shown
    report = json.loads(call(*words, "--out", f"{elsewhere.out}-2", "--json").stdout)
    assert {note["what"]: note["count"] for note in report["warnings"]} == {what: n for what, (n, _) in found.items()}


def test_a_wrong_row_is_refused_with_its_line(elsewhere: Elsewhere, rows: list[dict[str, Any]]) -> None:
    for change, message in (
        ({"intervened_reply": ["a"]}, "reply to the intervened picture: \"['a']\" is no text"),
        ({"cost": "much"}, "Expected `float | null`, got `str` - at `$.cost`"),
        ({"tokens_in": -1}, "Expected `int` >= 0 - at `$.tokens_in`"),
    ):
        error = elsewhere.refused([rows[0], rows[1] | change])
        assert "line 2" in error
        assert message in error
    error = elsewhere.refused([rows[0], rows[0]])
    assert f"line 2: a second reply to the original picture of {rows[0]['id']!r}; keep one" in error
    error = elsewhere.refused([{"id": "x", "variant": "first", "reply": "a"}])
    assert "'first' is neither original nor intervened" in error
    assert "a row needs the columns id, original_reply" in elsewhere.refused([{"id": "x", "answer": "a"}])
    assert "has no reply to any pair" in elsewhere.refused([rows[0] | {"id": "nobody"}])
    assert "name the judge" in elsewhere.refused(rows, "")


def test_the_import_command_writes_a_run_that_can_be_scored(elsewhere: Elsewhere, rows: list[dict[str, Any]]) -> None:
    elsewhere.file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("import", "replies", elsewhere.file, "--out", elsewhere.out)
    refused = call(*words)
    assert refused.exit_code == 2
    assert "give --judge NAME and, if they are about pairs, --pairs FOLDER" in refused.stderr
    result = done(*words, "--pairs", elsewhere.folder, "--judge", "theirs")
    assert f"{elsewhere.out}: 36 replies of theirs to 36 questions about smoke" in result
    assert result.splitlines()[-1] == f"next: counterbench score {elsewhere.out}"
    wrong = call("import", "pairs", elsewhere.file, "--out", "x", "--judge", "theirs")
    assert "--pairs, --for and --judge are for replies and inspect-log, not for 'pairs'" in wrong.stderr
