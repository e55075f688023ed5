"""R2I-Score on judged checks made by hand: a picture of which every number is worked out, parts, and the scorings."""

from __future__ import annotations

import pytest
from t2i.judged import SIGNATURE, check

from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.protocols import protocol
from counterbench.t2i.protocols.asks import checks_asked
from counterbench.t2i.protocols.numbers import document
from counterbench.t2i.scores.document import Document
from counterbench.t2i.scores.results import CheckResult

R2I = protocol("r2i-score")
Grades = list[tuple[float, str, float | None]]  # weight, dimension, grade; None: a reply that could not be read

# Of one prompt: Σ w s = 9 · 1 + 7 · 0.5 + 5 · 0.7 + 2 · 1 = 18, Σ w = 23.
WORKED: Grades = [(9, "reasoning", 1), (7, "reasoning", 0.5), (5, "alignment", 0.7), (2, "quality", 1)]


def picture(grades: Grades, **fields: object) -> list[CheckResult]:
    return [
        check(**({"level": "image", "check": f"q{n}", "weight": weight, "dimension": dimension, "credit": grade,
                  "answer": None, "outcome": "answer" if grade is not None else "unparsed"} | fields))
        for n, (weight, dimension, grade) in enumerate(grades, 1)
    ]  # fmt: skip


def scored(rows: list[CheckResult], scoring: str = "default") -> Document:
    return document(R2I, rows, levels=("image",), provenance=SIGNATURE, scoring_name=scoring)


def score(rows: list[CheckResult], scoring: str = "default") -> float | None:
    return scored(rows, scoring).columns["score"].value


def slices(of: Document, what: str) -> dict[str, float | None]:
    return {name: part["score"].value for name, part in of.slices[what].items()}


def test_a_picture_worked_by_hand() -> None:
    found = scored(picture(WORKED))
    assert found.headline == ["score"]
    assert found.columns["score"].value == pytest.approx(18 / 23)
    assert slices(found, "dimension") == pytest.approx({"reasoning": 12.5 / 16, "alignment": 0.7, "quality": 1})
    assert score(picture(WORKED), "as-released") == 0.78


def test_means_are_over_prompts_by_category_and_subcategory() -> None:
    causal = {"category": "causal", "discipline": "cause-to-effect"}
    rows = picture(WORKED, group="a", **causal)
    rows += picture(
        [(7, "reasoning", 0), (3, "quality", 1)], group="b", category="causal", discipline="effect-to-cause"
    )
    rows += picture([(10, "reasoning", 1)], group="c", category="logical", discipline="deductive")
    found = scored(rows)
    assert found.columns["score"].value == pytest.approx((18 / 23 + 0.3 + 1) / 3)
    assert slices(found, "category") == pytest.approx({"causal": (18 / 23 + 0.3) / 2, "logical": 1})
    assert slices(found, "subcategory") == pytest.approx(
        {"cause-to-effect": 18 / 23, "effect-to-cause": 0.3, "deductive": 1}
    )
    assert slices(found, "dimension")["quality"] == 1  # of the two prompts that ask for it
    assert "discipline" not in found.slices


def test_what_is_in_no_dimension_is_in_the_score_and_what_weighs_0_in_neither() -> None:
    rows = picture([(40, "", 1), (60, "", 0), (0, "", 1)])
    assert score(rows) == 0.4
    assert "dimension" not in scored(rows).slices


def test_what_each_scoring_makes_of_a_lost_reply() -> None:
    lost: Grades = [(9, "reasoning", 1), (5, "alignment", None), (2, "quality", 0.25)]
    assert score(picture(lost)) is None
    assert score(picture(lost), "of-all") == 9.5 / 16
    assert score(picture(lost), "as-released") == round(9.5 / 11, 2)
    assert scored(picture(lost)).slices["dimension"]["reasoning"]["score"].value == 1


def test_a_judge_is_told_the_criteria_and_may_give_any_grade_from_0_to_1() -> None:
    criteria = "1: shattered. 0.7: cracked. 0: whole."
    asked = Check(id="q1", text="Is it broken?", criteria=criteria, answer_type="score", expected="1", weight=9)
    prompt = Prompt(id="a/image", group="a", level="image", text="A vase that fell.", checks=(asked,))
    (ask,) = checks_asked(prompt, {})
    assert (ask.text, ask.answer_type) == (f"Is it broken?\n{criteria}", "score")
    assert prompt.text not in ask.text
    assert R2I.template == "default"
