"""What PW-Agent asks about a picture, what follows without a question, and what planted judges make of it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pictures.carded import cards, judged
from pictures.preparing.authors import Author
from pictures.pw_worlds import PW, worlds

import counterbench as cb
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.pictures.judging.judged_run import results_of
from counterbench.pictures.protocols.asks import Ask, CheckReply
from counterbench.pictures.protocols.replies import waves
from counterbench.pictures.scores.results import CheckResult
from counterbench.runs.queries import Query

PROMPT = worlds(1).prompts[0]
YES, NO, UNCERTAIN = Answer("yes", 0.9, "I see it."), Answer("no", 0.8, "There is none."), Answer("uncertain", 0.3)
AWARDS = ["call.foundation", "call.excellence"]


def replies(**outcomes: Outcome) -> Callable[[str], Outcome]:
    """A reply to each question by its id, "_" for "-"; yes to others, and what the Judger says."""
    known = {id.replace("_", "-"): outcome for id, outcome in outcomes.items()}
    judger: dict[str, Outcome] = {
        "call.foundation": Answer('{"e1_foundation":1.5,"e2_foundation":1,"e3_foundation":1.25}'),
        "call.excellence": Answer('{"e1_excellence":3,"e2_excellence":0,"e3_excellence":1}'),
        "inconsistencies": Answer("1"),
    }
    return lambda id: known.get(id, judger.get(id, YES))


def walked(reply: Callable[[str], Outcome]) -> dict[str, Ask]:
    return waves(partial(PW.ask, PROMPT), lambda id: CheckReply(reply(id))).asks


def results_by_check(reply: Callable[[str], Outcome | None]) -> dict[str, CheckResult]:
    return {row.check: row for row in results_of(PW, PROMPT, 0, "ok", reply)}


def test_existence_is_asked_first_then_state_then_the_judgers_records() -> None:
    check_replies: dict[str, CheckReply] = {}
    waves = []
    while asks := PW.ask(PROMPT, check_replies):
        waves.append([ask.id for ask in asks])
        check_replies |= {ask.id: CheckReply(replies()(ask.id)) for ask in asks}
    existence, state = ([f"e{n}-{kind}" for n in (1, 2, 3)] for kind in ("existence", "state-1"))
    assert waves[:2] == [existence, state]
    assert sorted(waves[2]) == ["call.excellence", "call.foundation", "inconsistencies"]
    asks = walked(replies())
    assert {asks[id].answer_type for id in (*existence, *state)} == {"finding"}
    assert [ask for ask in asks.values() if not ask.sees] == []
    assert [ask for ask in asks.values() if PROMPT.text in ask.text] == []  # nobody is told what was asked for


def test_a_thing_that_is_absent_ends_its_dependent_questions() -> None:
    reply = replies(e2_existence=NO)
    asks = walked(reply)
    assert "e2-state-1" not in asks
    assert [check.id for check in asks["call.foundation"].checks] == ["e1-foundation", "e3-foundation"]
    found = results_by_check(reply)
    assert (found["e2-existence"].credit, found["e2-existence"].answer) == (0, "no")
    for id in ("e2-state-1", "e2-foundation", "e2-excellence"):
        assert (found[id].credit, found[id].outcome, found[id].answer) == (0, "answer", None)


def test_after_an_unsure_answer_the_state_is_asked_and_no_fact_is_met() -> None:
    reply = replies(e2_existence=UNCERTAIN, e3_state_1=UNCERTAIN)
    assert "e2-state-1" in walked(reply)
    found = results_by_check(reply)
    assert [found[id].credit for id in ("e2-existence", "e3-state-1", "e3-foundation")] == [0, 0, 0]
    assert found["e2-foundation"].credit == 0  # its scale's end: 1


@pytest.mark.parametrize("none", [Refused("I cannot"), Unparsed("hm")])
def test_a_reply_that_is_no_answer_is_lost_and_ends_no_questions(none: Outcome) -> None:
    reply = replies(e1_existence=none, e2_state_1=none, inconsistencies=none)
    assert {"e1-state-1", *AWARDS} <= walked(reply).keys()
    found = results_by_check(reply)
    lost = {id for id, row in found.items() if row.credit is None}
    assert lost == {"e1-existence", "e2-state-1", "inconsistencies"}
    assert "No answer." in walked(reply)["inconsistencies"].text


def test_the_judger_is_shown_every_fact_with_its_evidence() -> None:
    asks = walked(replies(e2_existence=NO, e3_state_1=UNCERTAIN))
    text = asks["inconsistencies"].text
    assert "- existence, high importance: Is there a cup? Yes (confidence 0.9): I see it." in text
    assert "- existence, medium importance: Is there a cup? No (confidence 0.8): There is none." in text
    assert "- state, medium importance: Does the cup have a shadow? Not asked: it is not there." in text
    assert "- state, low importance: Does the cup have a shadow? Uncertain (confidence 0.3)." in text
    lines = asks["call.foundation"].text
    assert lines.startswith(text.rpartition("\n")[0])
    assert "e1-foundation: The cup has a shadow on the floor.\nBecause: What is lit" in lines


def test_a_missing_or_off_scale_number_of_the_judger_loses_only_itself() -> None:
    numbers = Answer('{"e1_foundation":1.5,"e3_foundation":1}')
    found = results_by_check(lambda id: numbers if id == "call.foundation" else replies()(id))
    assert [found[f"e{n}-foundation"].credit for n in (1, 2, 3)] == [1, None, 0]
    assert found["e2-foundation"].outcome == "unparsed"


# ---- through a run, by planted judges


def test_evidence_reaches_the_judgers_facts_and_confidence_s2(tmp_path: Path) -> None:
    images = cards(worlds(1), tmp_path / "images")

    def says(query: Query) -> str:
        if query.answer_type == "finding":
            return '{"answer": "yes", "evidence": "A cup, \\"half full\\", no jug.", "confidence": 0.5}'
        awards = '{"e1-foundation": 1, "e2-foundation": 1.5, "e1-excellence": 0}'
        return "0" if query.answer_type == "integer" else awards

    judge = Author(says, "judge")
    judged(images, tmp_path / "run", judge)
    text = judge.queries["g0/image/0/inconsistencies"].text
    assert text.count('Yes (confidence 0.5): A cup, "half full", no jug.') == 6
    assert judge.queries["g0/image/0/e1-state-1"].text.endswith('"confidence" (a number from 0 to 1).')
    bounds = cb.t2i_score(tmp_path / "run").bounds  # an award of three, and two bonuses, were left out of the replies
    assert (bounds["s1"].worst, bounds["s2"].worst, bounds["s2"].best) == (10, 5, 5)
    assert (bounds["s3"].worst, bounds["s3"].best) == (1 + 1.5 + 1, 10)
