"""Checklists and R2I-Score on judged checks made by hand: means over prompts, what is lost, slices, weights, bounds."""

from typing import Any

import msgspec
import pytest
from pictures.judged import SIGNATURE, check

from counterbench.errors import InputError
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.checklist import Checklist, R2IScore
from counterbench.pictures.protocols.numbers import document
from counterbench.pictures.scores.document import Bounds, ModelDocument
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

Rows = list[CheckResult]
CHECKLIST, R2I = Checklist(), R2IScore()


def check_rows(credits: dict[str, float | None], **fields: Any) -> Rows:
    """A picture's checks of weight 1 with these credits; None is a reply that could not be read."""
    return [
        check(**({"level": "image", "check": id, "dimension": "", "weight": 1, "credit": credit}
                 | ({} if credit is not None else {"outcome": "unparsed"}) | fields))
        for id, credit in credits.items()
    ]  # fmt: skip


def gone_picture(status: str, **fields: Any) -> Rows:
    """A picture that is not there, with two checks."""
    return check_rows({"a": None, "b": None}, picture=status, outcome="unasked", **fields)


def graded(*grades: tuple[float, str, float | None], **fields: Any) -> Rows:
    """A picture's checks of these weights, dimensions and grades."""
    rows = (check_rows({f"q{n}": grade}, weight=w, dimension=d, **fields) for n, (w, d, grade) in enumerate(grades, 1))
    return [row for part in rows for row in part]


def scored(rows: Rows, scoring: str = "default", by: Protocol = CHECKLIST, **options: Any) -> ModelDocument:
    options = {"levels": ("image",), "provenance": SIGNATURE} | options
    return document(by, rows, scoring_name=scoring, **options)


def score(rows: Rows, scoring: str = "default", **options: Any) -> float | None:
    return scored(rows, scoring, **options).columns["score"].value


def slices(result: ModelDocument, what: str) -> dict[str, tuple[float | None, int]]:
    """Each part's score, and over how many prompts it is a mean."""
    return {name: (part["score"].value, result.slice_units[what][name]) for name, part in result.slices[what].items()}


# ---- the score


def test_a_pictures_score_is_its_share_of_yes_averaged_over_prompts() -> None:
    rows = check_rows({"a": 1, "b": 0}) + check_rows({"a": 1}, sample=1)  # two samples of one prompt: 0.5 and 1
    rows += check_rows({"a": 0, "b": 0, "c": 0}, group="h")
    assert score(rows) == pytest.approx((0.75 + 0) / 2)
    found = scored(rows)
    assert (found.headline, found.secondary, found.rests_on) == (["score"], [], {"score": 2})
    assert (found.prompts, found.pictures, found.scored) == (2, 3, 3)


def test_each_level_counts_as_a_prompt_of_its_own() -> None:
    rows = check_rows({"a": 1}, level="easy") + check_rows({"a": 0}, level="hard")
    rows += check_rows({"a": 1}, level="easy", group="h")
    found = scored(rows, levels=("easy", "hard"))
    assert (found.columns["score"].value, found.prompts, found.groups) == (pytest.approx(2 / 3), 3, 2)
    assert slices(found, "level") == {"easy": (1, 2), "hard": (0, 1)}
    assert "level" not in scored(check_rows({"a": 1})).slices


@pytest.mark.parametrize(
    ("scoring", "lost", "refused", "missing"),
    [("default", None, 0, None), ("of-all", 0.5, 0, 0), ("as-released", 1, 0, None)],
)
def test_each_scoring_treats_lost_replies_and_missing_pictures_its_way(
    scoring: str, lost: float | None, refused: float, missing: float | None
) -> None:
    assert score(check_rows({"a": 1, "b": None}), scoring) == lost
    assert score(gone_picture("refused"), scoring) == score(gone_picture("blank"), scoring) == refused
    assert score(gone_picture("missing"), scoring) == score(gone_picture("unreadable"), scoring) == missing
    assert score(check_rows({"a": None, "b": None}), scoring) == (0 if scoring == "of-all" else None)


def test_a_set_without_questions_does_not_fit() -> None:
    empty = PromptSet("mine", ("image",), [Prompt(id="a/image", group="a", level="image", text="A cat.")])
    with pytest.raises(InputError, match="'mine' has no questions: give its prompts checks"):
        CHECKLIST.fits(empty)
    prompt = msgspec.structs.replace(empty.prompts[0], checks=(Check(id="c", text="A cat?"),))
    CHECKLIST.fits(empty.holding([prompt]))


# ---- parts


def test_slices_are_by_prompt_category_and_by_check_dimension() -> None:
    fields = {"category": "zoo", "discipline": "biology"}
    rows = check_rows({"a": 1}, dimension="colour", tags=("pos",), criterion="C1", **fields)
    rows += check_rows({"b": 0}, dimension="area", tags=("pos", "neg"), criterion="C2", **fields)
    rows += check_rows({"a": 0}, dimension="colour", tags=(), group="h", category="tools")
    found = scored(rows)
    assert slices(found, "category") == {"zoo": (0.5, 1), "tools": (0, 1)}
    assert slices(found, "discipline") == {"biology": (0.5, 1)}
    assert slices(found, "dimension") == {"colour": (0.5, 2), "area": (0, 1)}
    assert slices(found, "tag") == {"neg": (0, 1), "pos": (0.5, 1)}
    assert slices(found, "criterion") == {"C1": (1, 1), "C2": (0, 1)}
    assert "law" not in found.slices
    by = [list(found.slices[what]) for what in ("category", "dimension", "tag")]
    assert by == [["zoo", "tools"], ["colour", "area"], ["pos", "neg"]]  # in the order of the prompts and checks
    assert scored(rows[::-1]) == found


def test_a_tag_that_is_given_twice_counts_once() -> None:
    found = scored(check_rows({"a": 1}, tags=("pos", "pos")) + check_rows({"a": 0}, group="h", tags=("pos",)))
    assert slices(found, "tag") == {"pos": (0.5, 2)}


def test_a_slice_loses_no_picture_for_a_reply_of_another_slice() -> None:
    rows = check_rows({"a": 1}, dimension="colour") + check_rows({"b": None}, dimension="shape")
    found = scored(rows)
    assert found.columns["score"].value is None
    assert slices(found, "dimension") == {"colour": (1, 1), "shape": (None, 1)}


# ---- bounds, differences


def test_bounds_are_the_extremes_that_lost_replies_allow() -> None:
    rows = check_rows({"a": 1, "b": None}) + check_rows({"a": 0}, group="h") + gone_picture("missing", group="i")
    found = scored(rows).bounds["score"]
    assert (found.worst, found.dropped, found.best) == pytest.approx((1 / 6, 1 / 6, 2 / 3))  # left out, it is 0
    assert scored(check_rows({"a": 1})).bounds["score"] == Bounds(1, 1, 1)


# ---- R2I-Score

# Of one prompt: Σ w s = 9 · 1 + 7 · 0.5 + 5 · 0.7 + 2 · 1 = 18, Σ w = 23.
WORKED = ((9, "reasoning", 1), (7, "reasoning", 0.5), (5, "alignment", 0.7), (2, "quality", 1))


def test_r2i_score_equals_a_picture_worked_by_hand() -> None:
    assert score(graded(*WORKED), by=R2I) == pytest.approx(18 / 23)
    assert score(graded(*WORKED), "as-released", by=R2I) == 0.78
    lost = graded((9, "reasoning", 1), (5, "alignment", None), (2, "quality", 0.25))
    assert [score(lost, how, by=R2I) for how in ("default", "of-all", "as-released")] == [
        None,
        9.5 / 16,
        round(9.5 / 11, 2),
    ]
    assert R2I.template == "default"


def test_means_are_over_prompts_by_category_and_subcategory() -> None:
    causal = {"category": "causal", "discipline": "cause-to-effect"}
    rows = graded(*WORKED, group="a", **causal)
    rows += graded((7, "reasoning", 0), (3, "quality", 1), group="b", category="causal", discipline="effect-to-cause")
    rows += graded((10, "reasoning", 1), group="c", category="logical", discipline="deductive")
    found = scored(rows, by=R2I)
    assert found.columns["score"].value == pytest.approx((18 / 23 + 0.3 + 1) / 3)
    by = {what: {name: score for name, (score, _) in slices(found, what).items()} for what in found.slices}
    assert by["category"] == pytest.approx({"causal": (18 / 23 + 0.3) / 2, "logical": 1})
    assert by["subcategory"] == pytest.approx({"cause-to-effect": 18 / 23, "effect-to-cause": 0.3, "deductive": 1})
    assert by["dimension"] == pytest.approx({"reasoning": (12.5 / 16 + 0 + 1) / 3, "alignment": 0.7, "quality": 1})
    assert "discipline" not in by


def test_checks_without_dimension_count_and_weight_0_counts_nowhere() -> None:
    rows = graded((40, "", 1), (60, "", 0), (0, "", 1))
    assert score(rows, by=R2I) == 0.4
    assert "dimension" not in scored(rows, by=R2I).slices
