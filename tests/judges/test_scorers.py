"""Scorers: which of two pictures has the larger number; what is no number; what they cannot be asked."""

import math
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judges.compared import comparison, replies_to, shown
from PIL import Image

import counterbench as cb
from counterbench.answers.choices import PREFERENCE
from counterbench.answers.outcomes import Answer
from counterbench.asking.asker import answer_to
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.base import Reply
from counterbench.judges.scorers import MAX_REMEMBERED, Memo, numbers_in, order, with_numbers
from counterbench.judges.specs import is_by_order
from counterbench.testing import check_judge, sample_queries

MODULE = """
from PIL import Image

def matches(image, text, bonus="0"):
    return float(image.getpixel((0, 0)) == Image.new("RGB", (1, 1), text).getpixel((0, 0))) + float(bonus)

class Matches:
    def __init__(self, bonus="0"):
        self.bonus = bonus
    def score(self, image, text):
        return matches(image, text, self.bonus)

class Neither:
    pass
"""


USES = """
FACTOR = 1

def helper(bonus):
    return bonus

class Base:
    def zero(self):
        return 7

class Mine:
    def own(self):
        return 1

    def score(self, image, text):
        return self.own() + FACTOR * sum(helper(bonus) + Base().zero() for bonus in text)
"""


FINITE = st.floats(allow_nan=False, allow_infinity=False)


def match(image: Image.Image, text: str) -> float:
    return float(shown(image) in text)


def matches(images: list[Image.Image], texts: list[str]) -> list[float]:
    return list(map(match, images, texts))


class Matching:
    def __init__(self, method: str) -> None:
        setattr(self, method, match if method == "score" else matches)


def answer(reply: Reply, prompt: str = "red") -> str | None:
    outcome = answer_to(comparison("red", "blue", prompt), reply)
    return outcome.value if isinstance(outcome, Answer) else None


def numpy_match(image: Image.Image, text: str) -> np.float32:
    return np.float32(match(image, text))


@pytest.mark.parametrize("scorer", [match, matches, numpy_match, Matching("score"), Matching("scores")])
def test_the_picture_with_the_larger_number_is_better(scorer: Any) -> None:
    queries = [comparison("red", "blue", prompt, id=prompt) for prompt in ("red", "a blue one", "green")]
    replies = replies_to(cb.scorer(scorer, name="mine"), queries)
    assert [answer(reply) for reply in replies] == ["first", "second", "equal"]
    assert [numbers_in(reply.text or "") for reply in replies] == [(1, 0), (0, 1), (0, 0)]


@given(FINITE, FINITE, st.booleans())
def test_every_reply_is_read_as_its_answer_and_keeps_its_numbers(first: float, second: float, line: bool) -> None:
    query = comparison("red", "blue", "red", template="answer-line" if line else "default")
    text = with_numbers(first, second, order(first, second))
    outcome = answer_to(query, Reply(text=text))
    assert isinstance(outcome, Answer)
    assert outcome.value == ("equal" if first == second else "first" if first > second else "second")
    assert numbers_in(text) == (first, second)


def test_numbers_within_the_margin_are_equal() -> None:
    def close(image: Image.Image, text: str) -> float:
        return 0.5 + 0.05 * match(image, text)

    query = comparison("red", "blue", "red")
    for margin, expected in ((0.0, "first"), (0.04, "first"), (0.06, "equal")):
        judge = cb.scorer(close, margin=margin)
        assert answer(replies_to(judge, [query])[0]) == expected
    with pytest.raises(InputError, match="margin"):
        cb.scorer(close, margin=-1)


@pytest.mark.parametrize("as_lists", [False, True])
def test_a_picture_and_a_text_are_scored_once(as_lists: bool) -> None:
    scored = Counter[tuple[str, str]]()

    def counted(image: Image.Image, text: str) -> float:
        scored[shown(image), text] += 1
        return match(image, text)

    def counted_lists(images: list[Image.Image], texts: list[str]) -> list[float]:
        return list(map(counted, images, texts))

    both = [("red", "blue"), ("blue", "red"), ("red", "green"), ("green", "blue")]
    queries = [comparison(*two, prompt, id=f"{two}{prompt}") for two in both for prompt in ("red", "blue")]
    judge = cb.scorer(counted_lists if as_lists else counted, name="counted", batch=3)
    first = replies_to(judge, queries)
    assert [reply.text for reply in replies_to(judge, queries)] == [reply.text for reply in first]
    assert len(scored) == 6  # of three pictures and two texts
    assert set(scored.values()) == {1}


def test_the_oldest_number_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counterbench.judges.scorers.MAX_REMEMBERED", 2)
    memo = Memo()
    for name in "abc":
        memo.keep((name, "", 0), name)
    assert list(memo.values()) == ["b", "c"]
    assert MAX_REMEMBERED > 10_000


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.nan, "nan"), (math.inf, "inf"), ("0.5", "str"), (True, "bool"), (None, "NoneType"), ([0.1, 0.2], "list"),
        (np.array([1.0, 2.0]), "ndarray"),
    ],
)  # fmt: skip
def test_what_is_no_finite_number_fails_for_that_question_alone(value: Any, words: str) -> None:
    def at_times(image: Image.Image, text: str) -> Any:
        return value if text == "odd" else match(image, text)

    def lists(images: list[Image.Image], texts: list[str]) -> Any:
        return [at_times(image, text) for image, text in zip(images, texts, strict=True)]

    queries = [comparison("red", "blue", prompt, id=prompt) for prompt in ("red", "odd", "blue")]
    for scorer in (at_times, lists):
        replies = replies_to(cb.scorer(scorer, name="mine"), queries)
        assert [reply.failure is None for reply in replies] == [True, False, True]
        assert replies[1].failure is not None
        assert words in replies[1].failure.message


def test_an_exception_fails_for_that_question_alone_also_in_a_list() -> None:
    def lists(images: list[Image.Image], texts: list[str]) -> list[float]:
        if "long" in texts:
            raise IndexError("too long")
        return matches(images, texts)

    replies = replies_to(
        cb.scorer(lists), [comparison("red", "blue", prompt, id=prompt) for prompt in ("red", "long", "blue")]
    )
    assert [answer(reply) if reply.text else reply.failure for reply in replies][::2] == ["first", "second"]
    assert replies[1].failure is not None
    assert (replies[1].failure.kind, replies[1].failure.message) == ("IndexError", "too long")


def test_a_list_of_another_length_fails() -> None:
    (reply,) = replies_to(cb.scorer(lambda images, texts: [1.0]), [comparison("red", "blue", "red")])
    assert reply.failure is not None
    assert reply.failure.kind == "wrong-number"


def test_a_changed_scorer_is_another_judge() -> None:
    def scored_by(factor: float) -> str:
        return cb.scorer(lambda image, text: factor * match(image, text)).name

    assert scored_by(1) == scored_by(1)
    names = {scored_by(1), scored_by(2), cb.scorer(match).name, cb.scorer(match, margin=0.1).name}
    assert len(names) == 4
    assert all(map(is_by_order, names))
    assert not is_by_order("function:match@1")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return bonus", "return bonus * 2"),
        ("FACTOR = 1", "FACTOR = 2"),
        ("return 1", "return 3"),
        ("return 7", "return 8"),
    ],
    ids=["a function", "a constant", "another method", "a class"],
)
def test_a_change_in_what_a_scorer_uses_of_its_module_is_another_judge(old: str, new: str) -> None:
    def named(source: str) -> str:
        module = ModuleType("mine")
        exec(source, vars(module))
        return cb.scorer(module.Mine()).name

    assert named(USES) == named(f"{USES}\ndef not_used():\n    return 9\n")
    assert named(USES) != named(USES.replace(old, new))


class Held:
    """A scorer with a model, in whose place there is a dictionary."""

    def __init__(self, weights: dict[str, float]) -> None:
        self.model = weights

    def score(self, image: Image.Image, text: str) -> float:
        return self.model["sign"] * match(image, text)


def test_a_scorer_that_holds_a_model_needs_a_name_of_its_own() -> None:
    """Its code does not tell one model from another, and a certificate of one must not admit the other."""
    with pytest.raises(InputError, match="the scorer Held holds model, and two such scorers would have one name"):
        cb.scorer(Held({"sign": 1}))
    names = {cb.scorer(Held({"sign": sign}), name=name).name for sign, name in ((1, "up"), (-1, "down"))}
    assert {name.partition("?")[0] for name in names} == {"scorer-object:up", "scorer-object:down"}
    weights = [1.0]
    with pytest.raises(InputError, match="holds weights"):
        cb.scorer(lambda image, text: weights[0] * match(image, text))


def test_a_scorer_of_a_module_has_options_and_its_name_opens_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores_here.py").write_text(MODULE)
    query = comparison("red", "blue", "red")
    for name in ("matches", "Matches"):
        judge = open_judge(f"scorer:scores_here:{name}?bonus=2&margin=0.5")
        (reply,) = replies_to(judge, [query])
        assert numbers_in(reply.text or "") == (3, 2)
        assert open_judge(judge.name).name == judge.name
        with pytest.raises(InputError, match="the digest of its code is"):
            open_judge(f"scorer:scores_here:{name}?source=0")
    for spec, words in {
        "scorer:scores_here:Neither": "has no score, scores",
        "scorer:scores_here:nothing": "unknown name",
        "scorer:scores_here": "is not scorer:MODULE:NAME",
        "scorer:": "names nothing",
        "scorer:scores_here:Matches?margin=x": "margin",
        "scorer:planted:nobody": "bag-of-words",
    }.items():
        with pytest.raises(InputError, match=words):
            open_judge(spec)


async def later(image: Image.Image, text: str) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("scorer", "words"),
    [
        (lambda image: 0.0, "too many positional"), (object(), "no method score"), (Matching, "give an instance"),
        (later, "is async"),
    ],
)  # fmt: skip
def test_what_has_another_shape_is_refused(scorer: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        cb.scorer(scorer)


def test_a_scorer_keeps_the_contract_of_judges() -> None:
    check_judge(lambda: cb.scorer(matches))
    replies = replies_to(cb.scorer(matches), sample_queries(2))
    assert {reply.failure.kind for reply in replies if reply.failure is not None} == {"wrong-type"}


def test_questions_about_one_picture_are_refused_before_the_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--for pairwise"):
        cb.probe("smoke", cb.scorer(match), tmp_path / "run", limit=2)
    assert not (tmp_path / "run").exists()


def test_comparisons_are_asked_and_their_numbers_kept(tmp_path: Path) -> None:
    judge = cb.scorer(lambda image, text: float(np.asarray(image).mean()))
    run = cb.probe("pairwise", judge, tmp_path / "run", limit=3)
    assert run.complete
    lines = (tmp_path / "run" / "journal.jsonl").read_text().splitlines()
    assert len(lines) == 6
    assert all(" against " in line for line in lines)


def test_planted_scorers_repeat_their_noise_and_tie_where_they_are_blind() -> None:
    from planted_runs import keys_of

    known = [key for key in keys_of("pairwise", 60) if key.relevant]
    by_spec = {}
    for spec in ("oracle?sd=0.1", "oracle?sd=0.1&seed=1", "any-colour", "bag-of-words", "oracle"):
        judge = open_judge(f"scorer:planted:{spec}", lambda: known)
        queries = [
            comparison("red", "blue", key.id, id=key.id, answer_type=PREFERENCE, group=key.group, role=key.role)
            for key in known
        ]
        replies = replies_to(judge, queries)
        assert replies_to(judge, queries) == replies
        by_spec[spec] = [answer(reply) for reply in replies]
    truth = [key.expected for key in known]
    assert by_spec["oracle"] == by_spec["oracle?sd=0.1"] == by_spec["oracle?sd=0.1&seed=1"] == truth
    for spec, ties in {
        "any-colour": lambda key: key.skill == "count" and not key.family.startswith("prior"),
        "bag-of-words": lambda key: key.skill not in ("presence", "colour"),
    }.items():
        tied = [key for key, value in zip(known, by_spec[spec], strict=True) if value == "equal"]
        assert [key for key in known if ties(key)] == [key for key in tied if ties(key)]
        assert any(ties(key) for key in known)
