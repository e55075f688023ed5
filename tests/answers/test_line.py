"""Replies that were asked for a last line "Answer: …": that line is read to the end of the reply, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.answers import ANSWER_TYPES, Answer, Refused, Unparsed, in_line, meant, parse, read_reply
from counterbench.answers.outcomes import Outcome
from counterbench.answers.parsing import NO_LINE
from counterbench.answers.soft import Token, from_logprobs

# For every answer type: an answer as a judge writes it, and what it comes to.
ANSWERS = {
    "yes-no": ("Yes.", Answer("yes")),
    "integer": ("four", Answer("4")),
    "colour": ("teal", Answer("cyan")),
    "colour-shape": ("the red circle", Answer("red circle")),
    "grade": ("0.5", Answer("0.5")),
    "score": (".25", Answer("0.25")),
    "verdict": ('{"answer": "no", "confidence": 0.25}', Answer("no", 0.25)),
    "finding": ('{"answer": "yes", "evidence": "a dog", "confidence": 1}', Answer("yes", 1.0, "a dog")),
    "text": ("a cat", Answer("cat")),
    "word": ('"BOLD"', Answer("bold")),
    "description": ("A room.\nA chair in it.", Answer("A room.\nA chair in it.")),
    "rating:1-10": ("7 out of 10", Answer("7")),
    "ratings:1-5": ('{"light": 2, "anatomy": 4}', Answer('{"anatomy":4,"light":2}')),
}
REASONS = "At first sight the answer is no, or 3, and it may be blue: a green square.\nBut look: **so** it is.\n\n"


def result(text: str, kind: str = "yes-no", finish: str = "stop") -> Outcome:
    return read_reply(text, kind, finish, answer_line=True)


def test_every_answer_type_is_tried() -> None:
    assert {kind.partition(":")[0] for kind in ANSWERS} == {*ANSWER_TYPES, "rating", "ratings"}


@swept("kind", ANSWERS)
def test_only_the_answer_line_is_read_and_not_the_reasons(kind: str) -> None:
    words, outcome = ANSWERS[kind]
    assert result(f"{REASONS}Answer: {words}", kind) == result(in_line(words), kind) == outcome


@swept("kind", ANSWERS)
def test_a_reply_without_the_answer_line_is_no_answer(kind: str) -> None:
    words, _ = ANSWERS[kind]
    assert result(words, kind) == result(f"{REASONS}So the answer is {words}", kind) == NO_LINE


@swept("kind", ANSWERS)
def test_two_answer_lines_or_a_reply_cut_off_are_no_answer(kind: str) -> None:
    words, _ = ANSWERS[kind]
    assert result(f"Answer: {words}\nLooking again.\nAnswer: {words}", kind) == Unparsed("2 lines begin with 'Answer:'")
    assert result(f"Answer: {words}", kind, "length") == Unparsed("cut off at the length limit")


@swept(
    "line",
    [
        # of another form
        "The answer: yes", "Yes is my answer: yes", "Answer yes", 'My "Answer: yes"', '"answer": "yes"',
        "2 Answer: yes", "1.5. Answer: yes", "not (Answer: yes)", "Answer (not final): yes", "a. Answer: yes",
        "Wrong answer: yes",
        # crossed out or unticked
        "~~Answer: yes~~", "❌ Answer: yes", "- [ ] Answer: yes", "☐ Answer: yes", "✗ Answer: yes", "?Answer: yes",
        "<!-- Answer: yes -->", "¬ Answer: yes", "- ❌ **Answer:** yes",
        # only mentioned
        '"Answer: yes" cannot be right.', "(Answer: yes) (wrong)", '1. "Answer: yes" is wrong.', "`Answer: yes` or so?",
    ],
)  # fmt: skip
def test_a_line_that_is_no_answer_line_does_not_count(line: str) -> None:
    assert result(line) == result(REASONS + line) == NO_LINE
    assert result(f"{line}\nAnswer: no") == Answer("no")


@swept("answer", ["", "yes or no", "maybe yes", "yes\nWait, that's wrong.", "…", "not yes"])
def test_doubt_in_the_answer_line_is_no_answer(answer: str) -> None:
    assert isinstance(result(f"{REASONS}Answer: {answer}"), Unparsed)


def test_only_the_first_turn_counts_if_the_model_asks_itself_another_question() -> None:
    further = "\n\nQuestion: Is it blue?\nIt is not.\nAnswer: no"
    assert result(f"Answer: yes{further}") == Answer("yes")
    question = "Is the circle left of the square?\nIts x is smaller.\nAnswer: yes"
    assert result(f"I look at both.\n{question}") == Answer("yes")  # a question of its reasons


def test_json_after_the_answer_line_may_span_lines_and_have_a_key_answer() -> None:
    written = 'Answer:\n```json\n{\n  "answer": "yes",\n  "confidence": 0.5\n}\n```'
    assert result(REASONS + written, "verdict") == Answer("yes", 0.5)


def test_an_answer_line_in_hidden_reasoning_does_not_count() -> None:
    assert result("<think>\nAnswer: no\n</think>\nAnswer: yes") == Answer("yes")
    assert result("<think>\nAnswer: no") == NO_LINE


def test_a_declining_reply_is_a_refusal_with_or_without_the_line() -> None:
    declined = "I'm sorry, but I can't help with that."
    assert result(declined) == result(in_line(declined)) == Refused("can't help")
    assert result("Answer: yes", finish="refusal") == Refused("Answer: yes")


def test_a_decorated_answer_line_counts() -> None:
    assert result("1. Answer: yes\n2. Answer: no") == Unparsed("2 lines begin with 'Answer:'")
    assert result("• Answer: no\nAnswer: no") == Unparsed("2 lines begin with 'Answer:'")


@given(
    st.text("-•*_#>|([{\"'“«$\\ \t\xa0\ufeff1.9)✅➡~❌]ax", max_size=12),
    st.sampled_from(["yes", "no"]),
    st.text("-•*_#|)]}\"'”»$ \t\xa0.✅\n", max_size=6),
)
def test_decoration_never_changes_the_value_that_is_read(before: str, value: str, after: str) -> None:
    assert result(f"{REASONS}{before}Answer: {value}") in (Answer(value), NO_LINE)
    outcome = result(f"{REASONS}{before}Answer: {value}{after}")
    assert outcome == Answer(value) or isinstance(outcome, Unparsed)


def test_a_long_line_of_marks_is_read_quickly() -> None:
    assert result("- |" * 200_000) == NO_LINE
    assert result(f"{'(' * 200_000}Answer: yes{')x' * 100_000}") == NO_LINE


@given(st.text(max_size=80), st.sampled_from(sorted(ANSWERS)))
def test_the_answer_line_is_read_as_the_same_words_alone(words: str, kind: str) -> None:
    """Whatever the words are: but for a further line, and for marks that end reasoning or a turn before it."""
    if not any(sign in words.casefold() for sign in ("answer", "<", "[", "◁", ":", "：", "|")):
        assert result(in_line(words), kind) in (parse(words, kind), parse(f" {words}", kind))


def test_reasons_do_not_change_the_answer() -> None:
    plain, other = (read_reply(reply, "yes-no", answer_line=True) for reply in ("So.\nAnswer: yes", "Answer: Yes"))
    assert meant(plain) == meant(other)


def test_the_soft_answer_is_taken_at_the_word_in_the_answer_line() -> None:
    tokens = [Token("No", -0.1, (("Yes", -3.0),)), Token(" cup.\nAnswer:", 0.0), Token(" yes", -0.2, ((" no", -2.0),))]
    assert from_logprobs(tokens[:1], answer_line=True) is None
    found = from_logprobs(tokens, answer_line=True)
    assert 0.8 < found.p_yes < 0.9
