"""Soft answers: which token answers, what its alternatives weigh, and when nothing can be said."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.answers import Answer, parse
from counterbench.answers.soft import SoftAnswer, Token, from_choices, from_logprobs, from_repeats, number_chance

INF = math.inf
THREE_TO_ONE = (math.log(0.6), math.log(0.2))


def soft_answer(*texts: str, at: int, top: tuple[tuple[str, float], ...], logprob: float = -0.1) -> SoftAnswer | None:
    """The soft answer of a reply of which one token has these alternatives, and the others unrelated ones."""
    tokens = [Token(text, -0.01, ((text, -0.01), ("elsewhere", -6.0))) for text in texts]
    if top is TOP and texts[at] not in dict(TOP):  # servers list the token itself, spelled as it is
        top = tuple((texts[at] if text.casefold() == texts[at].strip("▁ ").casefold() else text, p) for text, p in TOP)
    tokens[at] = Token(texts[at], logprob, top)
    return from_logprobs(tokens)


def near(soft: SoftAnswer | None, p_yes: float, residual: float) -> bool:
    return soft.p_yes == pytest.approx(p_yes, abs=1e-9) and soft.residual == pytest.approx(residual, abs=1e-9)


YES, NO = THREE_TO_ONE
TOP = (("Yes", YES), ("No", NO), ("Maybe", -3.0))


def test_yes_and_no_masses_give_a_share_and_a_residual() -> None:
    assert near(soft_answer("Yes", ".", at=0, top=TOP), 0.75, 0.2)
    assert near(soft_answer("No", at=0, top=TOP), 0.75, 0.2)  # a sampled "no" leaves the probabilities as they are


@swept("spelling", ["Yes", " yes", "YES", "Yes.", "▁Yes", "ĠYes", "**Yes", '"yes"', "Yes,", "\nYes"])
def test_every_spelling_of_yes_and_no_counts(spelling: str) -> None:
    assert near(soft_answer("Yes", at=0, top=(("Yes", math.log(0.3)), (spelling, math.log(0.3)), ("no", NO))),
                0.75 if spelling != "Yes" else 0.6, 0.2 if spelling != "Yes" else 0.5)  # fmt: skip
    assert near(soft_answer(spelling, at=0, top=((spelling, YES), ("no", NO))), 0.75, 0.2)


@swept("other", ["yesterday", "Yesterday", "nothing", "None", "not", "now", "y", "n", "", " ", "eyes"])
def test_words_that_only_look_like_yes_or_no_do_not_count(other: str) -> None:
    assert near(soft_answer("Yes", at=0, top=((other, -1.0), *TOP)), 0.75, 0.2)


@swept(
    ("at", "tokens"),
    [
        (0, ("Yes", ", it is.", "\n\nQuestion: Is it?\nAnswer:", " yes")),  # a further turn is none of its own
        (1, ("**", "Yes", "**")),
        (2, ("\n", "\n\n", "Yes")),
        (4, ('{"', "answer", '":', ' "', "yes", '",', ' "', "confidence", '":', " 1", "}")),
        (3, ("The", " answer", " is", " Yes", ".")),
        (3, ("▁Looking", "▁closer", ",", "▁yes", ".")),
        (6, ("There", " is", " no", " cup", ",", " so", " yes")),
        (5, ("There", " is", " no", " cup", ".", " No", ".")),
        (7, ("No", " doubt", ":", " no", ".", " Answer", ":", " no")),
        (11, ("Answer", ":", " yes", ".", " Wait", ",", " no", ".", " Final", " answer", ":", " no")),
        (4, ("<think>", "no", ".", "</think>", "No")),
    ],
)
def test_the_token_that_answers_is_found(at: int, tokens: tuple[str, ...]) -> None:
    assert near(soft_answer(*tokens, at=at, top=TOP), 0.75, 0.2)


@swept(
    ("at", "tokens"),
    [
        (0, ("Yes", "terday", " it")),  # a word that goes on in the next token is another
        (0, ("No", "body", " is")),
        (1, ("Casi", "no")),
        (0, ("y", "es")),
        (2, ("There", " is", " no", " cup", ".")),  # a "no" before a noun
        (1, ("<think>", "yes")),
    ],
)
def test_another_token_is_not_taken_for_the_answer(at: int, tokens: tuple[str, ...]) -> None:
    assert soft_answer(*tokens, at=at, top=TOP) is None


def test_alternatives_that_repeat_the_token_count_once() -> None:
    assert near(soft_answer("Yes", at=0, logprob=YES, top=(("No", NO), ("x", -3.0))), 0.75, 0.2)
    assert near(soft_answer("Yes", at=0, logprob=YES, top=(("Yes", YES), ("No", NO))), 0.75, 0.2)
    assert near(soft_answer("Yes", at=0, logprob=YES, top=(("Yes", YES), ("Yes", YES), ("No", NO))), 0.75, 0.2)
    # Where the two disagree (a temperature), the list is of one piece.
    assert near(soft_answer("Yes", at=0, logprob=-0.0001, top=(("Yes", YES), ("No", NO))), 0.75, 0.2)


@swept("reply", [("Yes", " or", " no"), ("Maybe", " yes"), ("I", " see", " a", " cup"), ("Yep",), ()])
def test_a_reply_that_is_neither_yes_nor_no_has_no_soft_answer(reply: tuple[str, ...]) -> None:
    assert from_logprobs([Token(text, YES, TOP) for text in reply]) is None


def test_without_alternatives_the_other_answer_is_in_the_residual() -> None:
    assert near(soft_answer("Yes", at=0, logprob=math.log(0.6), top=()), 1, 0.4)
    assert near(soft_answer("No", at=0, top=(("No", math.log(0.6)),)), 0, 0.4)
    assert near(soft_answer("Yes", at=0, logprob=YES, top=(("Yes", math.nan), ("No", math.nan))), 1, 0.4)
    assert soft_answer("Yes", at=0, logprob=math.nan, top=()) is None


@pytest.mark.parametrize("never", [-INF, -9999.0, -1e9])
def test_a_logprob_of_minus_9999_weighs_nothing(never: float) -> None:
    assert near(soft_answer("Yes", at=0, top=(("Yes", math.log(0.5)), ("No", never))), 1, 0.5)
    assert near(soft_answer("Yes", at=0, logprob=never, top=(("No", math.log(0.9)), ("Maybe", -5.0))), 0, 0.1)
    assert soft_answer("Yes", at=0, logprob=never, top=(("No", never), ("Maybe", -0.1))) is None


def test_rounding_above_zero_is_forgiven_and_more_is_not_a_log_probability() -> None:
    assert near(soft_answer("Yes", at=0, top=(("Yes", 1e-6), ("No", -INF))), 1, 0)
    assert soft_answer("Yes", at=0, top=(("Yes", 0.7), ("No", -1.0))) is None
    assert soft_answer("Yes", at=0, top=(("Yes", INF), ("No", -1.0))) is None


@pytest.mark.parametrize(("logprob", "known"), [(math.nan, False), (YES, True)])
def test_a_missing_probability_is_null_unless_alternatives_give_it(logprob: float, known: bool) -> None:
    soft = soft_answer("Yes", at=0, logprob=logprob, top=(("No", NO), ("x", -3.0)))
    assert near(soft, 0.75, 0.2) if known else soft is None


def test_likelihoods_of_candidates_give_a_soft_answer() -> None:
    assert near(from_choices({"yes": YES, "no": NO}), 0.75, 0.2)
    assert near(from_choices({"Yes": YES, " no": NO, "uncertain": -1.0}), 0.75, 0.2)
    assert near(from_choices({"yes": math.log(0.3), "Yes": math.log(0.3), "no": NO}), 0.75, 0.2)
    for missing in ({}, {"yes": -0.1}, {"no": -0.1, "maybe": -1.0}):
        assert from_choices(missing) is None
    assert from_choices({"yes": math.nan, "no": -0.1}) is None
    assert from_choices({"yes": -INF, "no": -INF}) is None
    assert from_choices({"yes": -9999.0, "no": -9999.0}) is None
    assert near(from_choices({"yes": -9999.0, "no": NO}), 0, 0.8)
    assert from_choices({"yes": 3.0, "no": -1.0}) is None


def test_tiny_likelihoods_keep_their_proportion() -> None:
    assert near(from_choices({"yes": YES - 20_000, "no": NO - 20_000}), 0.75, 1)


def test_repeats_give_a_soft_answer() -> None:
    assert from_repeats(["yes", "yes", "no", None]) == SoftAnswer(2 / 3, 0.25)
    assert from_repeats(["yes", "uncertain"]) == SoftAnswer(1, 0.5)
    assert from_repeats([None, "uncertain"]) is None
    assert from_repeats([]) is None


LOGPROBS = st.floats(allow_nan=True, allow_infinity=True) | st.floats(-30, 0) | st.just(-9999.0)
TEXTS = st.sampled_from(
    ["Yes", " yes", "no", " No", "NO.", "yesterday", "The", " is", ".", "\n", "**", "<think>", "answer", ":"]
)
TOKENS = st.builds(Token, TEXTS, LOGPROBS, st.lists(st.tuples(TEXTS, LOGPROBS), max_size=6).map(tuple))


@given(st.lists(TOKENS, max_size=8))
def test_any_tokens_give_valid_shares_or_none(tokens: list[Token]) -> None:
    soft = from_logprobs(tokens)
    if soft is not None:
        assert 0 <= soft.p_yes <= 1
        assert 0 <= soft.residual <= 1
        assert isinstance(parse("".join(token.text for token in tokens), "yes-no"), Answer)


@given(st.dictionaries(st.sampled_from(["yes", "Yes", "no", " no", "red"]), LOGPROBS))
def test_any_choices_give_valid_shares_or_none(choices: dict[str, float]) -> None:
    soft = from_choices(choices)
    if soft is not None:
        assert 0 <= soft.p_yes <= 1
        assert 0 <= soft.residual <= 1


def number_token(word: str) -> Token:
    chances = {"four": 0.4, "4": 0.2, " Four": 0.1, "5": 0.2, "five": 0.05, "many": 0.05}
    return Token(word, math.log(chances[word]), tuple((text, math.log(chance)) for text, chance in chances.items()))


@pytest.mark.parametrize("before", [(), ("There", " are ")])
def test_a_number_and_its_word_count_together_among_all_numbers(before: tuple[str, ...]) -> None:
    tokens = [*(Token(text, -0.1) for text in before), number_token("four"), Token(" dogs.", -0.1)]
    assert number_chance(tokens, "4") == pytest.approx(0.7 / 0.95)
    assert number_chance(tokens, "5") == pytest.approx(0.25 / 0.95)
    assert number_chance(tokens, "9") == 0


@pytest.mark.parametrize("texts", [("1", "2"), ("many",), ("4", " or ", "5"), ()])
def test_a_number_of_several_tokens_has_no_soft_answer(texts: tuple[str, ...]) -> None:
    assert number_chance([Token(text, -0.1) for text in texts], "4") is None
