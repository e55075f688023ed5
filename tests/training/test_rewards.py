"""What a reply earns: as it is scored, with no answer told apart from a wrong one; and the same by pairs."""

from typing import Any

import pytest
from sweeping import swept

from counterbench.errors import InputError
from counterbench.training import ccs_rewards, items, reward

LABELS = [["A", "blue square"], ["B", "red circle"]]


def row(answer: str, answer_type: str = "yes-no", pair: str = "p", role: str = "original", **more: Any) -> Any:
    return {"answer": answer, "answer_type": answer_type, "labels": [], "pair": pair, "role": role, **more}


@swept(
    ("reply", "item", "worth"),
    [
        ("Yes.", row("yes"), 1.0),
        ("no", row("yes"), 0.0),
        ("<think>no, or yes?</think> Yes", row("yes"), 1.0),
        ("Let me see", row("yes"), None),
        ("", row("yes"), None),
        ("yes and no", row("yes"), None),
        ("I'm sorry, but I can't help with that.", row("yes"), None),
        ("turquoise", row("cyan", "colour"), 1.0),
        ("Shape A", row("blue square", "colour-shape", labels=LABELS), 1.0),
        ("B", row("blue square", "colour-shape", labels=LABELS), 0.0),
    ],
)
def test_a_replys_reward_equals_its_score(reply: str, item: Any, worth: float | None) -> None:
    assert reward(reply, item) == worth


def test_a_reply_that_was_cut_off_is_no_answer() -> None:
    assert reward("Yes", row("yes"), "length") is None
    assert ccs_rewards(["yes", "no"], [row("yes"), row("no", role="intervened")], ["stop", "length"]) == [0.0, None]


def group_rewards(*rows: tuple[str, Any]) -> list[float | None]:
    return ccs_rewards([reply for reply, _ in rows], [item for _, item in rows])


@swept(
    ("replies", "worth"),
    [
        (("yes", "no"), [1.0, 1.0]),
        (("yes", "yes"), [0.0, 0.0]),
        (("no", "no"), [0.0, 0.0]),
        (("no", "yes"), [0.0, 0.0]),
        (("yes", "hm"), [0.0, None]),
        (("hm", "hm"), [None, None]),
    ],
)
def test_a_pair_earns_only_if_both_answers_are_right(replies: tuple[str, str], worth: list[float | None]) -> None:
    assert group_rewards((replies[0], row("yes")), (replies[1], row("no", role="intervened"))) == worth


def test_a_right_reply_earns_the_share_of_right_replies_to_the_partner_question() -> None:
    yes, no = row("yes"), row("no", role="intervened")
    mixed = [("no", no), ("yes", yes), ("no", yes), ("no", no), ("yes", yes), ("yes", no), ("hm", no)]
    apart = [("yes", row("yes", pair="q")), ("no", row("no", pair="q", role="intervened"))]
    assert group_rewards(*mixed[:4], *apart, *mixed[4:]) == [2 / 3, 0.5, 0.0, 2 / 3, 1.0, 1.0, 0.5, 0.0, None]
    # The mean over both groups is the CCS to be expected: 2 of 3 are right on the one, 2 of 4 on the other.
    worth = [value or 0.0 for value in group_rewards(*mixed)]
    assert sum(w for w, (_, item) in zip(worth, mixed, strict=True) if item is yes) / 3 == pytest.approx(2 / 3 * 2 / 4)
    assert sum(w for w, (_, item) in zip(worth, mixed, strict=True) if item is no) / 4 == pytest.approx(2 / 3 / 2)


def test_half_a_pair_is_refused() -> None:
    with pytest.raises(InputError, match="pair 'p': its intervened picture's question is not in the batch; keep both"):
        group_rewards(("no", row("yes")))


def test_a_template_that_asks_for_a_line_has_that_line_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counterbench.training.is_shipped", lambda pair: False)  # it takes seconds to draw all of them
    item = next(items("smoke", template="answer-line"))
    text = f"It may be otherwise.\nAnswer: {item['answer']}"
    assert reward(text, item) == 1.0
    assert reward(item["answer"], item) is None


@pytest.mark.parametrize("labels", ['{"A":"blue square"}', '[["A","blue square"]]', {"A": "blue square"}])
def test_labels_are_accepted_in_the_forms_of_tables(labels: object) -> None:
    assert reward("Shape A", row("blue square", "colour-shape", labels=labels)) == 1.0
