"""PW-Agent's sums: a hand-worked example in every scoring, each equation by itself, what is lost, what stands where."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures.judged import SIGNATURE
from pictures.pw_worlds import PW, facts
from sweeping import swept

from counterbench.errors import InputError
from counterbench.pictures.protocols.numbers import document
from counterbench.pictures.protocols.pw_agent.layers import SCORINGS, State, adherence, nuance, realism
from counterbench.pictures.scores.document import ModelDocument
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

Rows = list[CheckResult]
EQUATION, PROMPT = SCORINGS["equation"], SCORINGS["prompt"]


def scored(rows: Rows, scoring: str = "default", **options: Any) -> ModelDocument:
    options = {"levels": ("image",), "provenance": SIGNATURE} | options
    return document(PW, rows, scoring_name=scoring, **options)


def pw_scores(rows: Rows, scoring: str = "default") -> list[float | None]:
    columns = scored(rows, scoring).columns
    return [columns[name].value for name in ("s1", "s2", "s3", "s")]


# Six expectations, of importance 3, 2, 2, 1, 1, 3, each with a question on existence and one on a state.
# Existence: those of importance 2 (the second) and 1 (the fourth) fail; so do their states, which are not asked.
# State: of importance 3 at 0.9, 2 failed, 2 at 0.5, 1 failed, 1 at 1, 3 at 0.8.
# Foundations 1, 1.5, 1.25, 1 of the four that are met; bonuses 2, 0, 0.5, 3; two contradictions.
WEIGHTS = (3, 2, 2, 1, 1, 3)
EXAMPLE = {
    "existence": [True, False, True, False, True, True],
    "states": [0.9, None, 0.5, None, 1.0, 0.8],
    "awards": [(1, 2), (1.5, 3), (1.5, 0), (1.5, 3), (1.25, 0.5), (1, 3)],
    "contradictions": 2,
    "weights": WEIGHTS,
}
# S1: P = 3 + 1. S2: (3·0.9 + 2·0.5 + 1·1 + 3·0.8) of 12. S3: B = 1 + 1.5 + 1.25 + 1 = 4.75, E = 5.5, P = 2.5 + 4.
S2 = 10 * (2.7 + 1.0 + 1.0 + 2.4) / 12
S3 = 4.75 + 5.5 - 6.5


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [("default", (10 - 4, S2, S3)), ("equation", (10 - 4, S2, S3)), ("prompt", (9 - 4, S2, S3))],
)
def test_pw_agent_scores_equal_a_hand_worked_example(scoring: str, expected: tuple[float, float, float]) -> None:
    whole = 0.25 * expected[0] + 0.5 * expected[1] + 0.25 * expected[2]
    assert pw_scores(facts(**EXAMPLE), scoring) == pytest.approx([*expected, whole])  # type: ignore[arg-type]


@pytest.mark.parametrize(("scoring", "s1", "s2"), [("equation", 1.0, 1.0), ("prompt", 1.0, 10 * (2.7 + 1 + 1) / 12)])
def test_a_failure_of_high_importance_caps_s1_and_by_equation_4_also_s2(scoring: str, s1: float, s2: float) -> None:
    high = EXAMPLE | {"existence": [*EXAMPLE["existence"][:5], False], "states": [*EXAMPLE["states"][:5], None]}  # type: ignore[index]
    assert pw_scores(facts(**high), scoring)[:2] == pytest.approx([s1, s2])  # type: ignore[arg-type]


@swept(
    ("failed", "equation", "prompt"),
    [
        ([], 10, 10),
        ([1], 9, 8),
        ([2], 7, 6),
        ([2, 2, 2], 1, 0),
        ([2, 2, 2, 2], 0, 0),
        ([3], 1, 1),
        ([3, 2, 2, 2, 2], 1, 1),  # never less than where it fails alone
    ],
)
def test_s1_follows_its_equation(failed: list[int], equation: float, prompt: float) -> None:
    assert (adherence(failed, EQUATION), adherence(failed, PROMPT)) == (equation, prompt)


def test_s2_weighs_the_confidence_in_met_facts_by_importance() -> None:
    states = [State(2, 0.5), State(1, None), State(1, 1.0)]
    assert realism(states, EQUATION) == realism(states, PROMPT) == 5
    assert realism([State(3, 0.0), State(1, 1.0)], EQUATION) == 2.5  # met without confidence is met
    assert (realism([State(3, None), State(1, 1.0)], EQUATION), realism([State(3, None)], PROMPT)) == (1, 0)


@swept(
    ("foundations", "bonuses", "contradictions", "equation", "prompt"),
    [
        ([], [], 0, 0, 0),
        ([1, 1.5], [0, 0], 0, 2.5, 2.5),
        ([1.5] * 6, [0] * 6, 0, 9, 5),
        ([1.5] * 8, [0] * 8, 1, 9.5, 2.5),  # 12 awarded: nothing but the result is held to 10
        ([1.5] * 2, [3, 3], 0, 9, 9),
        ([1.5] * 4, [3, 3], 0, 10, 10),
        ([1], [3], 1, 1.5, 1.5),
        ([1], [3], 2, 0, 0),
        ([1.5] * 4, [3, 1], 3, 0, 0),
    ],
)
def test_s3_follows_its_equation(
    foundations: list[float], bonuses: list[float], contradictions: int, equation: float, prompt: float
) -> None:
    assert nuance(foundations, bonuses, contradictions, EQUATION) == equation
    assert nuance(foundations, bonuses, contradictions, PROMPT) == prompt


# ---- means and parts


def test_a_prompts_score_is_the_mean_of_its_pictures_with_ordered_slices() -> None:
    more = {"category": "physical-world", "discipline": "optics"}
    rows = facts([True], [1.0], [(1, 0)], weights=(2,), **more)
    rows += facts([False], [None], [(1, 0)], weights=(2,), sample=1, **more)
    rows += facts([True], [0.5], [(1, 0)], weights=(2,), group="h", category="abstract", discipline="stem")
    found = scored(rows)
    assert pw_scores(rows) == pytest.approx([(8.5 + 10) / 2, 5, (0.5 + 1) / 2, 0.25 * 9.25 + 2.5 + 0.25 * 0.75])
    assert found.headline == ["s1", "s2", "s3", "s"]
    parts = {what: {name: part["s2"].value for name, part in slices.items()} for what, slices in found.slices.items()}
    assert parts == {"category": {"physical-world": 5, "abstract": 5}, "subcategory": {"optics": 5, "stem": 5}}
    assert list(found.slices["category"]) == ["physical-world", "abstract"]
    assert scored(rows[::-1]) == found


# ---- what is lost


def test_a_picture_with_a_lost_fact_is_left_out_and_widens_the_bounds() -> None:
    whole = facts([True], [1.0], [(1, 0)], weights=(2,))
    lossy = whole + facts([None], [0.5], [(1, 0)], weights=(3,), group="h")
    assert pw_scores(lossy) == pw_scores(whole)
    bounds = scored(lossy).bounds
    assert (bounds["s1"].worst, bounds["s1"].best) == ((10 + 1) / 2, 10)
    assert bounds["s2"].worst == bounds["s2"].best == 7.5


def test_bounds_hold_where_a_met_fact_lowers_the_score() -> None:
    rows = facts([False] * 4 + [None], [0.5] * 4 + ["lost"], [(1, 0)] * 5, weights=(2, 2, 2, 2, 3))
    low = scored(rows).bounds
    assert (low["s1"].worst, low["s1"].best) == (0, 1)  # the lost one, if it failed, would make it 1
    assert (low["s2"].worst, low["s2"].best) == (1, pytest.approx(10 * 7 / 11))
    none = scored(facts([True], ["lost"], [(1, 0)], weights=(3,))).bounds["s2"]
    assert (none.worst, none.best) == (0, 10)  # met with no confidence is less than failed


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_bounds_hold_the_score_for_any_lost_fact(data: st.DataObject) -> None:

    count = data.draw(st.integers(1, 4))
    weights = tuple(data.draw(st.sampled_from((1, 2, 3))) for _ in range(count))
    existence = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    states = data.draw(st.lists(st.none() | st.sampled_from((0.0, 0.3, 1.0)), min_size=count, max_size=count))
    awards = [(data.draw(st.sampled_from((1, 1.25, 1.5))), data.draw(st.sampled_from((0, 1, 3)))) for _ in range(count)]
    whole = facts(existence, states, awards, data.draw(st.integers(0, 3)), weights=weights)  # type: ignore[arg-type]
    gone = data.draw(st.sets(st.integers(0, len(whole) - 1)))
    lossy = [
        msgspec.structs.replace(row, credit=None, answer=None, outcome="failed") if i in gone else row
        for i, row in enumerate(whole)
    ]
    for scoring in ("equation", "prompt"):
        bounds = scored(lossy, scoring).bounds
        for name, value in zip(("s1", "s2", "s3", "s"), pw_scores(whole, scoring), strict=True):
            worst, best = bounds[name].worst, bounds[name].best
            assert worst is not None
            assert best is not None
            assert value is not None
            assert worst - 1e-9 <= value <= best + 1e-9


# ---- the contract


def test_an_unfitting_set_is_refused_with_the_check() -> None:
    def prompt_set_of(*checks: Check) -> PromptSet:
        return PromptSet("mine", ("image",), [Prompt(id="a/image", group="a", level="image", text="A", checks=checks)])

    with pytest.raises(InputError, match=r"'mine' has no questions.*t2i prepare.*pw-agent"):
        PW.fits(prompt_set_of())
    with pytest.raises(InputError, match=r"'mine', 'a/image', check 'q'.*dimension 'looks'.*checklist"):
        PW.fits(prompt_set_of(Check(id="q", text="Is it?", dimension="looks")))
    state = {"id": "e1-state-1", "text": "Is it?", "dimension": "state", "answer_type": "finding"}
    with pytest.raises(InputError, match=r"weight 2\.5"):
        PW.fits(prompt_set_of(Check(**state, weight=2.5)))
    with pytest.raises(InputError, match="no check on a state"):
        PW.fits(prompt_set_of(Check(**state | {"id": "e1-existence", "dimension": "existence"}, weight=3)))
    PW.fits(prompt_set_of(Check(**state, weight=3)))


@pytest.mark.parametrize("id", ["cup-state-1", "my-cup-state", "state"])
def test_an_award_needs_an_id_that_names_its_state(id: str) -> None:
    """An award that belongs to no state would be kept although nothing was met."""
    state = Check(id=id, text="Is it?", dimension="state", answer_type="finding", weight=3)
    awards = [
        Check(id=f"{name}-foundation", text="How?", dimension="foundation", answer_type="rating:1-1.5", expected="1.5")
        for name in ("my-cup", "my-spoon")
    ]
    checks = (state, msgspec.structs.replace(state, id="my-spoon-state-1"), *awards)
    prompts = PromptSet("mine", ("image",), [Prompt(id="a/image", group="a", level="image", text="A", checks=checks)])
    if id == "my-cup-state":
        PW.fits(prompts)
        return
    where = "state" if id == "state" else "my-cup-foundation"
    with pytest.raises(InputError, match=rf"'a/image', check '{where}': .*whose .*name it NAME-"):
        PW.fits(prompts)
