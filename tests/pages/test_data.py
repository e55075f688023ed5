"""The data behind the page about pairs: each pair's card, replies as they came, the plot of a ranking, mistakes."""

from pathlib import Path

import msgspec
import pytest
from handmade import DECLINES, FAILS, MISSING, RAMBLES, pair
from planted_runs import read_journal, rewrite, write_run
from sweeping import swept

from counterbench.answers.outcomes import Failed
from counterbench.pages.frame import dot_plot
from counterbench.pages.gather import MAX_REPLY, gather, raw_replies
from counterbench.pages.page import OUTCOMES, mistakes, pair_card
from counterbench.stats.intervals import Estimate


@swept(
    ("truths", "replies", "outcomes"),
    [
        (("yes", "no"), ("yes", "no"), ["right"]),
        (("yes", "no"), ("yes", "yes"), ["wrong", "collapsed"]),
        (("yes", "no"), ("no", "yes"), ["wrong"]),
        (("yes", "yes"), ("yes", "yes"), ["right"]),
        (("yes", "yes"), ("no", "no"), ["wrong"]),
        (("yes", "yes"), ("yes", "no"), ["wrong", "unstable"]),
        (("yes", "no"), ("yes", RAMBLES), ["unparsed"]),
        (("yes", "no"), ("no", RAMBLES), ["wrong", "unparsed"]),
        (("yes", "no"), (DECLINES, "no"), ["refused"]),
        (("yes", "no"), (FAILS, "no"), ["failed"]),
        (("yes", "no"), (FAILS, DECLINES), ["refused", "failed"]),
    ],
)
def test_a_pairs_card_has_the_outcome_of_each_reply(
    truths: tuple[str, str], replies: tuple[str | None, str | None], outcomes: list[str]
) -> None:
    result = pair(truths, replies)
    raw = {key.id: ["[no reply]"] for key in result.keys}
    card = pair_card("p", [result], [raw])
    assert card.judges[0].outcomes == outcomes
    assert set(outcomes) <= set(OUTCOMES)
    assert card.truth == truths
    assert card.relevant == (truths[0] != truths[1])


def test_an_unasked_question_is_marked_missing() -> None:
    card = pair_card("p", [pair(("yes", "no"), ("yes", MISSING))], [{}])
    assert card.judges[0].outcomes == ["missing"]
    assert card.judges[0].intervened.outcome == "missing"
    assert card.judges[0].original.right


def test_judges_keep_their_order_and_replies() -> None:
    right_pair, wrong_pair = pair(("3", "4"), ("3", "4"), kind="integer"), pair(("3", "4"), ("3", "3"), kind="integer")
    ids = [key.id for key in right_pair.keys]
    replies = [{ids[0]: ["three"], ids[1]: ["four"]}, {ids[0]: ["3"], ids[1]: ["It is three."]}]
    card = pair_card("p", [right_pair, wrong_pair], replies)
    assert [judge.intervened.said for judge in card.judges] == [["four"], ["It is three."]]
    assert [judge.intervened.right for judge in card.judges] == [True, False]
    assert card.judges[1].intervened.read == "3"


def test_replies_are_shown_verbatim_by_repeat(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke", repeats=2)
    records = read_journal(run)
    reply = "  Yes,\n<b>I think</b> so \u202e"
    second = next(i for i, r in enumerate(records) if r.repeat == 1)
    records[second] = msgspec.structs.replace(records[second], reply=reply)
    rewrite(run, records)
    found = raw_replies(run)
    assert set(found) == {r.id for r in records}
    assert found[records[second].id] == [records[second - 1].reply, reply]


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


def test_long_replies_are_cut_with_a_note_and_no_journal_means_no_replies(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "smoke")
    first, *rest = read_journal(run)
    rewrite(run, [msgspec.structs.replace(first, reply="x" * (MAX_REPLY + 1234)), *rest])
    (shown,) = raw_replies(run)[first.id]
    assert shown.startswith("x" * MAX_REPLY + " [")
    assert "the journal has 1,234 more characters" in shown
    (run / "journal.jsonl").unlink()
    assert raw_replies(run) == {}


@pytest.mark.parametrize(("high", "end"), [(0.3, "1"), (0.9, "1"), (1.4, "2")])
def test_the_plots_axis_spans_every_interval(high: float, end: str) -> None:
    numbers = [
        ("a", Estimate(high / 2, 0.0, high)),
        ("b", Estimate(0.2, None, None)),
        ("c", Estimate(None, None, None)),
    ]
    plot = dot_plot("t", numbers)
    assert plot.ticks[-1] == (100, end)
    assert [dot.name for dot in plot.dots] == ["a", "b"]  # an undefined number has no dot
    for dot in plot.dots:
        assert 0 <= dot.low <= dot.value <= dot.high <= 100
    assert plot.dots[0].high == pytest.approx(2 * plot.dots[0].value, abs=0.02)
    assert plot.dots[1].low == plot.dots[1].value == plot.dots[1].high


def test_mistakes_count_each_wrong_answer_by_its_truth(runs: list[Path]) -> None:
    by_judge = {run.label: run for run in gather(runs).runs}
    assert mistakes(by_judge["planted:oracle"]) == []
    found = mistakes(by_judge["planted:off-by-one"])
    measured = by_judge["planted:off-by-one"].diagnosis.measures.counts
    assert sum(times for *_, times, _ in found) == sum(
        times for truth, answers in measured.items() for answer, times in answers.items() if answer != truth
    )
    assert [row for row in found if not measured[row[0]][row[1]] == row[2] <= row[3]] == []
    assert [times for *_, times, _ in found] == sorted((times for *_, times, _ in found), reverse=True)
