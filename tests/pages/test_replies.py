"""Replies as they came: the last final record by id and vote, failures in words, long ones cut and said so."""

from pathlib import Path

import msgspec
from planted_runs import read_journal, rewrite, write_run

from counterbench.answers.outcomes import Failed
from counterbench.pages.gather import LONGEST, raw_replies


def test_replies_are_word_for_word_and_by_vote(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke", votes=2)
    records = read_journal(run)
    said = "  Yes,\n<b>I think</b> so \u202e"
    second = next(i for i, r in enumerate(records) if r.vote == 1)
    records[second] = msgspec.structs.replace(records[second], reply=said)
    rewrite(run, records)
    found = raw_replies(run)
    assert set(found) == {r.id for r in records}
    assert found[records[second].id] == [records[second - 1].reply, said]


def test_a_failure_is_shown_and_never_hides_an_answer(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke")
    first, second, *rest = read_journal(run)
    failed = Failed("timeout", "no word in 60 s")
    lost = msgspec.structs.replace(first, reply=None, failure=failed, outcome="failed")
    after = msgspec.structs.replace(second, reply=None, failure=failed, outcome="failed")
    rewrite(run, [lost, second, after, *rest])
    found = raw_replies(run)
    assert found[first.id] == ["[no reply; timeout: no word in 60 s]"]
    assert found[second.id] == [second.reply]
    rewrite(run, [lost, first, second, *rest])
    assert raw_replies(run)[first.id] == [first.reply]


def test_long_replies_are_cut_and_say_so_and_a_run_without_a_journal_has_none(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke")
    first, *rest = read_journal(run)
    rewrite(run, [msgspec.structs.replace(first, reply="x" * (LONGEST + 1234)), *rest])
    (shown,) = raw_replies(run)[first.id]
    assert shown.startswith("x" * LONGEST + " [")
    assert "the journal has 1,234 more characters" in shown
    (run / "journal.jsonl").unlink()
    assert raw_replies(run) == {}
