"""Planted judges: the fault they were built with at the stated dose, nothing else, and the same every time."""

import asyncio
import functools
import math
from collections.abc import Callable, Iterator, Sequence

import msgspec
import pytest
from sweeping import swept

from counterbench.answers import answer_type, parse
from counterbench.answers.outcomes import Failed, Refused, Unparsed
from counterbench.errors import InputError
from counterbench.judges.base import Reply
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import PROMPT_SHOWN, SHOWN, Key, Query, load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

# Faults that show where something is not there, a law was altered, a prompt is shown or words are painted: not on the
# paper's shapes.
ELSEWHERE = {"agreeable", "bag-of-words", "first-mentioned", "prior-bound", "prompt-led", "text-led"}
# Faults that show where a picture is not flat, or was treated: the pairs asked here are neither.
OF_PICTURES = {"style-blind", "fickle"}
# Faults that show in comparisons of two pictures (tests/suites/test_comparisons.py).
OF_COMPARISONS = {"first-bias", "lazy", "prettier-wins"}


@functools.cache
def material(suite: str = "counterbench-550", limit: int = 400) -> tuple[tuple[Query, ...], tuple[Key, ...]]:
    source = SuiteSource(load_suite(suite), limit)
    return tuple(queries(source)), tuple(keys(source))


def replies(spec: str, known: Sequence[Key], queries: Sequence[Query] = ()) -> list[Reply]:
    """The replies to `queries`, else to a question for each key."""
    blank = material()[0][0]
    shaped = [msgspec.structs.replace(blank, id=k.id, group=k.group, answer_type=k.answer_type) for k in known]
    return list(asyncio.run(PlantedJudge(spec, known).answer(queries or shaped)))


@functools.cache
def all_replies(spec: str) -> tuple[Reply, ...]:
    queries, known = material()
    return tuple(replies(spec, known, queries))


def texts(spec: str, known: Sequence[Key] = ()) -> list[str | None]:
    return [reply.text for reply in (replies(spec, known) if known else all_replies(spec))]


def wrong_keys(spec: str) -> list[Key]:
    _, known = material()
    return [key for key, reply in zip(known, all_replies(spec), strict=True) if reply.text != key.expected]


@functools.cache
def true_answers() -> list[str]:
    return [key.expected for key in material()[1]]


@swept("name", sorted(set(PLANTED) - {"constant", "random"}))
def test_without_a_dose_every_planted_judge_is_the_oracle(name: str) -> None:
    assert texts(f"{name}?p=0") == true_answers()


@pytest.mark.slow
@swept("name", sorted(set(PLANTED) - ELSEWHERE - OF_PICTURES - OF_COMPARISONS - {"oracle", "constant"}))
def test_another_seed_gives_other_answers(name: str) -> None:
    dose = "p=1" if name in ("random", "blind") else "p=0.5"
    assert texts(f"{name}?{dose}&seed=1") != texts(f"{name}?{dose}&seed=2")
    assert texts(f"{name}?{dose}&seed=0") == texts(f"{name}?{dose}")


@pytest.mark.slow
@swept("name", sorted(set(PLANTED) - ELSEWHERE - OF_PICTURES - OF_COMPARISONS - {"oracle", "constant", "random"}))
def test_a_higher_dose_shows_more_and_never_less(name: str) -> None:
    low, high = {key.id for key in wrong_keys(f"{name}?p=0.2")}, {key.id for key in wrong_keys(f"{name}?p=0.9")}
    assert low < high


@pytest.mark.slow
@swept("name", sorted(ELSEWHERE))
def test_faults_on_laws_and_generated_pictures_show_by_their_dose(name: str) -> None:
    known = [
        msgspec.structs.replace(key, misreadings={name: "yes"} if i % 2 else {}, expected="no", answer_type="yes-no")
        for i, key in enumerate(material()[1])
    ]
    shown = f'{PROMPT_SHOWN} "a ball"\n'
    queries = [msgspec.structs.replace(query, text=shown + query.text) for query in material()[0]]

    def fooled(spec: str) -> set[int]:
        return {i for i, reply in enumerate(replies(spec, known, queries)) if reply.text == "yes"}

    low, high, always = fooled(f"{name}?p=0.3"), fooled(f"{name}?p=0.7"), fooled(f"{name}?p=1")
    assert low < high < always == set(range(1, len(known), 2))
    assert fooled(f"{name}?p=0.3&seed=4") != low


@pytest.mark.parametrize(
    ("answer_type", "low", "high"), [("grade", "0", "1"), ("score", "0", "1"), ("rating:1-5", "1", "5")]
)
def test_a_biased_judge_leans_to_an_end_of_a_scale_of_grades(answer_type: str, low: str, high: str) -> None:
    key = msgspec.structs.replace(material()[1][0], answer_type=answer_type, expected=low)
    assert texts("yes-bias?p=1", [key]) == [high]
    assert texts("no-bias?p=1", [key]) == [low]


def test_a_prompt_led_judge_is_right_without_a_prompt() -> None:
    known = [msgspec.structs.replace(key, misreadings={"prompt-led": "7"}) for key in material()[1]]
    assert texts("prompt-led?p=1", known) == true_answers()


def test_a_planted_judge_is_refused_where_the_truth_is_unknown() -> None:
    known = [msgspec.structs.replace(key, truth="unknown", expected="") for key in material()[1]]
    assert {reply.failure and reply.failure.kind for reply in replies("oracle", known)} == {"no-truth"}


def test_noise_is_always_wrong_with_an_answer_of_the_right_type() -> None:
    assert len(wrong_keys("noisy?p=1")) == len(true_answers())
    for key, text in zip(material()[1], texts("noisy?p=1"), strict=True):
        assert answer_type(key.answer_type).canonical(text or "") == text


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_a_noisy_judge_errs_as_often_as_its_dose(p: float) -> None:
    n = len(true_answers())
    assert len(wrong_keys(f"noisy?p={p}")) == pytest.approx(p * n, abs=4 * math.sqrt(n * p * (1 - p)))


def test_the_planted_judge_sticky_repeats_the_originals_answer() -> None:
    for i, key in enumerate(material()[1]):
        assert texts("sticky?p=1")[i] == true_answers()[i - (key.role == "intervened")]
    assert {key.role for key in wrong_keys("sticky?p=1")} == {"intervened"}
    assert [key for key in wrong_keys("sticky?p=1") if not key.relevant] == []


def test_the_planted_judge_blind_answers_from_the_words_alone() -> None:
    by_words: dict[str, set[str | None]] = {}
    for query, text in zip(material()[0], texts("blind"), strict=True):
        by_words.setdefault(query.text, set()).add(text)
    assert [answers for answers in by_words.values() if len(answers) != 1] == []


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_bias_is_one_answer_to_every_yes_no_question(answer: str) -> None:
    for key, text in zip(material()[1], texts(f"{answer}-bias?p=1"), strict=True):
        assert text == (answer if key.answer_type == "yes-no" else key.expected)


TOUCHED: dict[str, Callable[[Key], bool]] = {
    "off-by-one": lambda key: key.answer_type == "integer",
    "saturating": lambda key: key.answer_type == "integer",
    "arrow-blind": lambda key: key.skill == "arrow-target" and "nearest-tail" in key.misreadings,
    "colour-confusion": lambda key: key.answer_type == "colour",
    "small-blind": lambda key: key.traits["size"] == "small",
    "left-blind": lambda key: key.traits["column"] == "left",
}


@swept("fault", TOUCHED)
def test_a_fault_touches_questions_of_its_own_kind_only(fault: str) -> None:
    assert wrong_keys(f"{fault}?p=1")
    assert [key for key in wrong_keys(f"{fault}?p=1") if not TOUCHED[fault](key)] == []


def test_miscounting_is_one_off_and_saturated_counts_are_four() -> None:
    counts = [(i, int(key.expected)) for i, key in enumerate(material()[1]) if key.answer_type == "integer"]
    assert {int(texts("off-by-one?p=1")[i] or "") - truth for i, truth in counts} == {-1, 1}
    assert [(i, truth) for i, truth in counts if texts("saturating?p=1")[i] != str(min(truth, 4))] == []


@pytest.mark.parametrize(("name", "kind"), [("unparsed", Unparsed), ("refusing", Refused)])
def test_refusing_and_unparsed_replies_parse_as_such(name: str, kind: type) -> None:
    for key, text in zip(material()[1], texts(f"{name}?p=1"), strict=True):
        assert isinstance(parse(text or "", key.answer_type), kind)


def test_the_planted_judge_failing_returns_failures() -> None:
    assert {(type(reply.failure), reply.text) for reply in all_replies("failing?p=1")} == {(Failed, None)}


def test_the_planted_judge_random_spreads_over_its_answers() -> None:
    for kind in ("yes-no", "colour"):
        given = [t for k, t in zip(material()[1], texts("random"), strict=True) if k.answer_type == kind]
        alphabet = answer_type(kind).alphabet
        assert set(given) == set(alphabet)
        assert max(map(given.count, alphabet)) < 2 * len(given) / len(alphabet)


@swept("kind", ["rating:1-5", "rating:-2.5-2", "rating:0-100", "description", "ratings:1-5"])
@swept("name", ["random", "constant", "noisy?p=1"])
def test_the_planted_judge_random_also_guesses_values_that_no_pair_has(name: str, kind: str) -> None:
    key = msgspec.structs.replace(material()[1][0], answer_type=kind)
    key = msgspec.structs.replace(key, expected='{"anatomy":2,"light":5}') if kind == "ratings:1-5" else key
    (text,) = texts(name, [key])
    assert answer_type(kind).canonical(text or "") == text


def test_the_constant_judge_says_the_chosen_answer() -> None:
    assert set(texts("constant?answer=no")) == {"no"}
    assert set(texts("constant?answer=red%20circle")) == {"red circle"}


def test_a_question_without_a_key_fails_with_the_reason() -> None:
    queries, known = material()
    (reply,) = replies("oracle", known[1:], queries[:1])
    assert reply.failure == Failed("no-key", f"planted:oracle was built without the key of {queries[0].id}")


def graded(difficulty: dict[str, float], truth: str = "yes", kind: str = "yes-no", n: int = 2000) -> list[Key]:
    key = msgspec.structs.replace(material()[1][0], expected=truth, answer_type=kind, difficulty=difficulty)
    return [msgspec.structs.replace(key, id=f"{i}", group=f"{i}") for i in range(n)]


@pytest.mark.slow
@pytest.mark.parametrize(("at", "slope"), [(4.0, 1.0), (0.1, 20.0), (3.0, -0.5)])
def test_a_threshold_judge_is_right_by_a_logistic_function_of_the_difficulty(at: float, slope: float) -> None:
    for step in (-2, -1, 0, 1, 2):
        known = graded({"gap": at + step / abs(slope)})
        right = texts(f"threshold?at={at}&slope={slope}", known).count("yes")
        expected = 1 / (1 + math.exp(step * slope / abs(slope)))
        assert right / len(known) == pytest.approx(expected, abs=0.04)


def test_a_threshold_judge_says_one_side_beyond_its_threshold() -> None:
    unseen = {"gap": 99}
    assert set(texts("threshold", graded(unseen))) == {"no"}
    assert set(texts("threshold?answer=yes", graded(unseen, "no"))) == {"yes"}
    assert len(set(texts("threshold?answer=yes", graded(unseen, "blue", "colour")))) == 1
    assert set(texts("threshold?at=1e9&slope=1e300", graded(unseen))) == {"yes"}


def test_a_threshold_judge_uses_the_named_dial_or_the_first() -> None:
    both = graded({"count": 99, "size": -99})
    assert set(texts("threshold", both)) == set(texts("threshold?dial=count", both)) == {"no"}
    assert set(texts("threshold?dial=size", both)) == {"yes"}
    PlantedJudge("threshold?dial=count", both).refuse_unplantable(load_template())
    for spec in ("threshold?dial=size", "threshold?dial=siez", "threshold?at=1000"):
        with pytest.raises(InputError, match="can show on none of these questions"):
            PlantedJudge(spec, both).refuse_unplantable(load_template())


IMPORTED = [
    msgspec.structs.replace(key, misreadings={}, traits={}, difficulty={}, truth="published") for key in material()[1]
]
ANYWHERE = {"oracle", "style-blind", "noisy", "constant", "random", "blind", "unparsed", "refusing", "failing"}


@swept("name", sorted(PLANTED))
def test_a_fault_that_can_show_on_none_of_the_questions_is_refused(name: str) -> None:
    if name in ANYWHERE:
        PlantedJudge(name, IMPORTED[:2]).refuse_unplantable(load_template())
        return
    of_another_kind = [key for key in IMPORTED if key.answer_type == "colour" and not key.relevant]
    message = rf"planted:{name}: '{name}' can show on none of .*it needs {PLANTED[name].needs}"
    with pytest.raises(InputError, match=message):
        PlantedJudge(name, of_another_kind).refuse_unplantable(load_template())


@swept("name", sorted(set(PLANTED) - ELSEWHERE - OF_PICTURES - OF_COMPARISONS))
def test_one_suitable_question_is_enough_for_a_fault(name: str) -> None:
    known = material()[1]
    first = min((known.index(key) for key in wrong_keys(f"{name}?p=1")), default=0)

    def read() -> Iterator[Key]:
        yield from known[: first + 3]  # the rest of its pair, and what shows that it ended
        pytest.fail("read on")

    PlantedJudge(name, read).refuse_unplantable(load_template())


def test_each_of_several_faults_must_be_able_to_show() -> None:
    known = [key for key in material()[1] if key.skill != "arrow-target"]
    PlantedJudge("sticky+colour-confusion", known).refuse_unplantable(load_template())
    with pytest.raises(InputError, match="'arrow-blind' can show on none"):
        PlantedJudge("off-by-one+arrow-blind", known).refuse_unplantable(load_template())


def test_prompt_led_needs_a_template_that_shows_prompts() -> None:
    known = [msgspec.structs.replace(material()[1][0], misreadings={"prompt-led": "7"})]
    PlantedJudge("prompt-led", known).refuse_unplantable(load_template(SHOWN))
    with pytest.raises(InputError, match="and a template that shows the prompt"):
        PlantedJudge("prompt-led", known).refuse_unplantable(load_template())


@swept(
    ("spec", "message"),
    [
        ("orakle", r"unknown planted judge 'orakle' \(did you mean 'oracle'\?\); choose from: agreeable, .*yes-bias"),
        ("", "unknown planted judge ''"),
        ("noisy?q=0.1", r"planted:noisy\?q=0.1: unknown option 'q'.*choose from: answer, at, colour, count, dial, "),
        ("noisy?0.1", "unknown option '0.1'"),
        ("noisy?p=2", r"planted:noisy\?p=2: option 'p': expected float <= 1"),
        ("noisy?p=-0.1", "option 'p': expected float >= 0"),
        ("noisy?p=nan", "option 'p': expected float"),
        ("noisy?p=inf", "option 'p': expected float <= 1"),
        ("noisy?p=much", "option 'p': expected float"),
        ("noisy?p=", "option 'p': expected float"),
        ("threshold?at=inf", "option 'at': expected float <= 1"),
        ("threshold?slope=nan", "option 'slope': expected float"),
        ("noisy?seed=x", "option 'seed': expected int"),
        ("noisy?seed=-1", "option 'seed': expected int >= 0"),
        ("noisy?p=0.1&speed=3", r"unknown option 'speed' \(did you mean 'seed'\?\)"),
        ("sticky+nonsense", "unknown planted judge 'nonsense'"),
        ("sticky+sticky", "is named twice"),
        ("sticky+", "unknown planted judge ''"),
    ],
)
def test_a_wrong_option_is_an_error_that_names_it(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        PlantedJudge(spec, [])


def test_faults_of_one_judge_show_independently() -> None:
    keys_and_texts = zip(material()[1], texts("refusing+unparsed"), strict=True)
    kinds = [type(parse(text or "", key.answer_type)) for key, text in keys_and_texts]
    refused, unparsed = (kinds.count(kind) / len(kinds) for kind in (Refused, Unparsed))
    assert refused == pytest.approx(0.3, abs=0.05)
    assert unparsed == pytest.approx(0.7 * 0.3, abs=0.05)


def test_the_later_of_two_faults_decides() -> None:
    assert set(texts("blind+refusing?p=1")) == {"I'm sorry, but I can't help with that."}
    assert texts("sticky+blind?p=1") == texts("blind+sticky?p=1")
    _, known = material()
    for key, text in zip(known, texts("yes-bias+off-by-one?p=1"), strict=True):
        assert text == "yes" or key.answer_type != "yes-no"
