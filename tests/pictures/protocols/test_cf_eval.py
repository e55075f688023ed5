"""CF-Eval on judged checks made by hand: S, gates, losses, rates, prior, bounds, parts, differences."""

import math
from typing import Any

import msgspec
import pytest
from pictures.judged import LEVELS, SIGNATURE, check, difference, gone, picture_rows, right, usual
from pictures.lawful import of_laws

from counterbench.errors import InputError
from counterbench.pictures.protocols.cf_eval import RATES, SCORINGS, CFEval
from counterbench.pictures.protocols.numbers import document
from counterbench.pictures.scores.document import Bounds, ModelDocument
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.words.about_numbers import no_change_lines
from counterbench.prompts.prompt_set import PromptSet
from counterbench.stats.intervals import Estimate

PRIOR = 3 / 26  # S of a picture that passes visual integrity alone
Rows = list[CheckResult]


def scored(rows: Rows, scoring: str = "default", levels: tuple[str, ...] = LEVELS, **options: Any) -> ModelDocument:
    options = {"provenance": SIGNATURE} | options
    if "threshold" in options:
        options["scoring"] = SCORINGS[scoring].at(options.pop("threshold"))
    return document(CFEval(), rows, levels=levels, scoring_name=scoring, **options)


def value(scores: ModelDocument | dict[str, Estimate], name: str) -> float | None:
    columns = scores if isinstance(scores, dict) else scores.columns
    return columns[name].value if name in columns else None


def values(scores: ModelDocument | dict[str, Estimate], prefix: str = "") -> tuple[float | None, ...]:
    return tuple(value(scores, prefix + rate) for rate in RATES)


def by_level(l1: Rows, l2: Rows, l3: Rows) -> Rows:
    return [
        msgspec.structs.replace(row, level=level)
        for level, rows in zip(LEVELS, (l1, l2, l3), strict=True)
        for row in rows
    ]


def model_rows(kinds: str, groups: int = 6, **fields: Any) -> Rows:
    """Groups of a model whose picture at each level is right (r) or of prior (h)."""
    make = {"r": right, "h": usual}
    return [
        row
        for i in range(groups)
        for row in by_level(*(make[kind](group=f"g{i}", law=f"law {i % 3}", **fields) for kind in kinds))
    ]


# --- S, PRR and RRR -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ("rrr", (1, 1, 1, 1, 1)),
        ("rhh", (1, PRIOR, PRIOR, PRIOR, math.sqrt(PRIOR))),  # prior: .115 and .340
        ("rrh", (1, 1, PRIOR, 1, PRIOR)),  # literal: RRR .115, below prior's
        ("hrr", (PRIOR, 0, 0, 0, None)),  # gated; RRR is 0 / √0
    ],
)
def test_rates_of_planted_models_are_as_by_hand(kinds: str, expected: tuple[float, ...]) -> None:
    assert values(scored(model_rows(kinds))) == pytest.approx(expected)


README = (picture_rows(1, 0.75, 1), picture_rows(1, 0.5, 0), picture_rows(1, 0.2, 0))
L1, L2, L3 = (3 + 11.25 + 8) / 26, 10.5 / 26, 6 / 26
BEYOND = ([check(credit=1)], [check(credit=1.5)], [check(credit=-0.5)])
LOST = (gone("missing"), right(), right())


@pytest.mark.parametrize(
    ("scoring", "levels", "expected"),
    [
        pytest.param("readme", README, (L1, L2, L3, L2 / L1, L3 / L2 * L3), id="the formulas of the README"),
        pytest.param("default", README, (L1, L2, L3, L2 / math.sqrt(L1), L3 / math.sqrt(L2)), id="those of the paper"),
        pytest.param("as-released", BEYOND, (1, 1.5, -0.5), id="the release does not clamp"),
        pytest.param("default", BEYOND, (1, 1, 0), id="we do"),
        pytest.param("as-released", LOST, (0, 0, 0, None, None), id="the release has 0 behind a lost L1"),
        pytest.param("paper", LOST, (None,) * 5, id="the paper has nothing there"),
        pytest.param("default", (usual(), gone("missing"), right()), (PRIOR, 0, 0), id="behind a closed gate all is 0"),
    ],
)
def test_each_way_to_count_has_its_numbers(
    scoring: str, levels: tuple[Rows, Rows, Rows], expected: list[float]
) -> None:
    assert values(scored(by_level(*levels), scoring))[: len(expected)] == pytest.approx(expected)


def test_a_zero_denominator_gives_an_undefined_rate() -> None:
    nothing = picture_rows(0, 0, 0)
    found = scored(by_level(nothing, right(), right()), scoring="default", threshold=0)
    assert values(found) == (0, 1, 1, None, 1)
    assert b'"prr":{"value":null,"low":null,"high":null}' in msgspec.json.encode(found)


# --- the gate -----------------------------------------------------------------------------------------------------


def test_the_gate_uses_the_groups_mean() -> None:
    # Samples of S_L1 1 and 3/26: their mean passes, although one picture alone does not.
    rows = by_level(right() + usual(sample=1), right() + right(sample=1), right() + right(sample=1))
    default, per_picture = scored(rows), scored(rows, "per-picture")
    assert values(default)[1:3] == (1, 1)
    assert values(per_picture)[1:3] == (0.5, 0.5)
    assert (value(default, "share_gated"), value(per_picture, "share_gated")) == (0, 0.5)
    assert values(default, "ungated_")[1:3] == (1, 1)


def test_a_score_exactly_at_the_threshold_passes() -> None:
    # 3/26 and 23/26 sum to 1, in floating point to a hair less; alone, 13/26 is one half.
    half = usual() + picture_rows(0, 1, 1, sample=1)
    assert values(scored(by_level(half, right(), right())))[1] == 1
    halves = [check(check=f"c{i}", weight=13, credit=i) for i in (0, 1)]
    assert values(scored(by_level(halves, right(), right())))[1] == 1
    assert values(scored(by_level(halves, right(), right()), "per-picture"))[1] == 1
    below = [*halves, check(check="c2", weight=1, credit=0)]
    assert values(scored(by_level(below, right(), right()), "per-picture"))[1] == 0


def test_an_unknown_gate_leaves_the_group_out() -> None:
    rows = model_rows("rrr", 1)
    rows += by_level(*(kind(group="z") for kind in (lambda **f: gone("missing", **f), right, usual)))
    found = scored(rows)
    assert values(found) == (1, 1, 1, 1, 1)
    assert values(found, "ungated_")[2] == pytest.approx((1 + PRIOR) / 2)
    assert (found.counts["l1"].groups_scored, found.counts["l1"].groups) == (1, 2)


def test_the_assessment_point_is_scored_alone_behind_the_same_gate() -> None:
    rows = model_rows("rrr", 1) + by_level(*(kind(group="z") for kind in (right, usual, usual)))
    found = scored(rows)
    assert values(found, "point_")[:3] == (1, 0.5, 0.5)
    assert values(found)[1] == pytest.approx((1 + PRIOR) / 2)
    # The gate is the weighted S_L1 here too: an assessment point that fails alone leaves 11/26, and closes it.
    failing = scored(by_level(picture_rows(1, 0, 1), right(), right()))
    assert values(failing, "point_")[:2] == (0, 0)
    assert values(failing, "ungated_point_")[:2] == (0, 1)


# --- what is lost -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["missing", "unreadable"])
def test_a_picture_without_replies_has_no_score(status: str) -> None:
    found = scored(by_level(right() + right(sample=1), right() + gone(status, sample=1), right() + right(sample=1)))
    assert values(found)[1] == 1
    assert not found.complete
    assert (found.counts["l2"].pictures_scored, found.counts["l2"].pictures) == (1, 2)


@pytest.mark.parametrize("outcome", ["unparsed", "refused", "failed", "unasked"])
def test_a_failed_reply_gives_no_score(outcome: str) -> None:
    lost = [check(check="a", weight=3), check(check="b", credit=None, outcome=outcome)]
    found = scored(by_level(right(), right(sample=1) + lost, right()))
    assert values(found)[1] == 1
    assert found.counts["l2"].outcomes[outcome] == 1
    assert found.counts["l2"].outcomes["answer"] == 4
    assert found.complete == (outcome in ("unparsed", "refused"))
    assert found.bounds["s_l2"] == pytest.approx(Bounds((1 + 3 / 18) / 2, 1, 1))


def test_each_scoring_counts_losses_in_its_own_way() -> None:
    l2 = right() + gone("refused", sample=1) + gone("missing", sample=2) + picture_rows(1, 1, None, sample=3)
    l1 = [row for sample in range(4) for row in right(sample=sample)]
    rows = by_level(l1, l2, l1)
    found = {name: values(scored(rows, name))[1] for name in SCORINGS}
    assert found == pytest.approx(
        {"default": 1 / 2, "per-picture": 1 / 2, "paper": 1, "as-released": (1 + 18 / 26) / 4, "readme": 1 / 2}
    )


# --- prior --------------------------------------------------------------------------------------------------------


def marks(point: float | None, contrast: float | None, **fields: Any) -> Rows:
    """A picture by the credits of its assessment point and of its contrast check, whose right answer is no."""
    outcome = {"outcome": "unparsed"}
    return [
        check(credit=point, **({} if point is not None else outcome), **fields),
        check(
            check="prior",
            dimension="contrast",
            weight=0,
            expected="no",
            credit=contrast,
            **({} if contrast is not None else outcome),
            **fields,
        ),
    ]


def test_reversion_to_prior_is_distinguished_from_yes_bias() -> None:
    l2 = marks(0, 0) + marks(1, 0, sample=1) + marks(1, 1, sample=2) + marks(0, 1, sample=3)
    l2 += marks(0.5, 0, sample=4) + marks(None, 0, sample=5) + marks(0, None, sample=6)
    found = scored(by_level(right(), l2, right()))
    assert found.secondary == ["share_gated", "prior_l2"]  # the others have no contrast check
    # Of five pictures: two lost a reply.
    names = ("prior_l2", "both_l2", "asked_l2", "neither_l2")
    assert [value(found, name) for name in names] == pytest.approx([0.2, 0.2, 0.2, 0.4])


def test_references_are_scores_of_planted_models() -> None:
    prompts = of_laws("falling", "wind")
    found = CFEval().references(prompts)
    names = ["s_l1", "s_l2", "s_l3", "prr", "rrr", "share_gated", "prior_l2", "prior_l3"]
    names += ["missing_l1", "missing_l2", "missing_l3"]
    expected = [1, PRIOR, PRIOR, PRIOR, math.sqrt(PRIOR), 0, 1, 1, 0, 0, 0]
    assert found["prior"] == pytest.approx(dict(zip(names, expected, strict=True)))
    assert scored(model_rows("rrr"), references=found).references == found
    assert CFEval().references(PromptSet(prompts.name, prompts.levels, prompts.prompts)) == {}  # of no seed


def test_rates_are_sliced_by_depth_with_no_change_apart() -> None:
    kinds = {"two steps": "rrh", "no-change": "rrr", "one step": "rhh", "stated": "rrr"}
    rows = [row for depth, kind in kinds.items() for row in model_rows(kind, 2, depth=depth)]
    for place, row in enumerate(rows):
        rows[place] = msgspec.structs.replace(row, group=f"{row.group} {row.depth}")
    document = scored(rows)
    parts = document.slices["depth"]
    assert list(parts) == ["stated", "one step", "two steps", "no-change"]
    assert {name: values(part)[2:] for name, part in parts.items()} == {
        "stated": (1, 1, 1),
        "one step": pytest.approx((PRIOR, PRIOR, math.sqrt(PRIOR))),
        "two steps": pytest.approx((PRIOR, 1, PRIOR)),
        "no-change": (1, 1, 1),
    }
    assert scored(model_rows("rrr")).slices.get("depth", {}) == {}  # as an earlier version has them
    moving = scored([row for row in rows if row.depth != "no-change"])
    assert (document.columns, document.bounds) == (moving.columns, moving.bounds)
    assert document.slices["law"] == moving.slices["law"]
    assert document.slice_units["depth"]["no-change"] == 2
    assert document.groups == moving.groups + 2
    assert no_change_lines(document) == ["2 no-change groups, left out of the headline: S_L3 1.00, RRR 1.00"]
    assert no_change_lines(moving) == []
    assert values(scored([row for row in rows if row.depth == "no-change"]).columns)[2:] == (1, 1, 1)


def test_moved_and_unaffected_things_have_their_own_slices() -> None:
    fields = {"dimension": "logic-consistency", "point": "logic-consistency", "weight": 2}
    credits = [("moved", 0), ("moved", 1), ("unaffected", 1), ("unaffected", 1)]
    parts = [check(check=f"{tag}-{i}", tags=(tag,), credit=credit, **fields) for i, (tag, credit) in enumerate(credits)]
    found = scored(by_level(parts, parts, parts)).slices["tag"]
    assert {tag: value(part, "ungated_s_l3") for tag, part in found.items()} == {"moved": 0, "unaffected": 1}


# --- groups that lack a level -------------------------------------------------------------------------------------


def test_a_rate_is_over_the_groups_that_have_both_its_levels() -> None:
    def rows_of(group: str, **levels: Rows) -> Rows:
        return [msgspec.structs.replace(r, group=group, level=level) for level, rows in levels.items() for r in rows]

    half = picture_rows(1, 0.5, 1)
    rows = rows_of("all", l1=right(), l2=half, l3=usual())
    rows += rows_of("no l1", l2=right(), l3=right())  # no gate is known, so that nothing gated counts
    rows += rows_of("l1 alone", l1=half)
    rows += rows_of("no l3", l1=right(), l2=right())
    found = scored(rows)
    s = (3 + 7.5 + 8) / 26
    assert values(found) == pytest.approx(((2 + s) / 3, (1 + s) / 2, PRIOR, (1 + s) / 2, PRIOR / math.sqrt(s)))
    assert values(found, "ungated_") == pytest.approx(
        ((2 + s) / 3, (2 + s) / 3, (1 + PRIOR) / 2, (1 + s) / 2, (1 + PRIOR) / 2 / math.sqrt((1 + s) / 2))
    )
    names = [*RATES, "ungated_s_l2", "ungated_prr", "ungated_rrr"]
    assert [found.rests_on[name] for name in names] == [3, 2, 1, 2, 1, 3, 2, 2]
    assert [count.groups for count in found.counts.values()] == [3, 3, 2]
    assert found.complete
    for name, bound in found.bounds.items():  # nothing was lost
        assert (bound.worst, bound.best) == pytest.approx((value(found, name),) * 2), name


def test_a_reply_is_marked_right_partly_wrong_or_lost() -> None:
    rows = [check(credit=credit, answer="no", expected="yes") for credit in (1, 0.5, 0, None)]
    assert [CFEval().mark(row) for row in rows] == ["right", "partly", "wrong", "lost"]


# --- levels without a gate ----------------------------------------------------------------------------------------


def test_a_set_of_two_levels_has_means_without_a_gate_and_their_change() -> None:
    levels = ("factual", "counterfactual")
    rows = [
        check(group=f"g{i}", level=level, credit=credit, law=f"law {i}")
        for i, credits in enumerate(((1, 1), (1, 0), (1, 0.5), (0, 0)))
        for level, credit in zip(levels, credits, strict=True)
    ]
    found = scored(rows, levels=levels)
    assert [value(found, f"s_{level}") for level in levels] == [0.75, 0.375]
    assert found.headline == ["s_factual", "s_counterfactual", "change"]
    assert value(found, "change") == -0.375
    assert values(found) == (None,) * 5
    assert not [name for name in found.columns if "ungated" in name or "gated" in name]
    assert found.bounds["s_factual"] == Bounds(0.75, 0.75, 0.75)
    assert found.provenance.threshold is None


def test_factual_and_altered_variants_of_rules_are_scored_apart() -> None:
    made = (("factual", 1), ("factual", 0.5), ("up", 0.5), ("down", 0), ("", 0.25))
    rows = [check(group=f"g{i}", level="rule", variant=variant, credit=c) for i, (variant, c) in enumerate(made)]
    found = scored(rows, levels=("rule",))
    assert [value(found, name) for name in ("factual", "counterfactual")] == [0.75, 0.25]


# --- intervals, parts, differences --------------------------------------------------------------------------------


def test_intervals_are_over_laws() -> None:
    rows = model_rows("rrr")  # six groups of three laws
    assert scored(rows).clusters == 3
    assert scored([msgspec.structs.replace(row, law="") for row in rows]).clusters == 6


def test_scores_are_sliced_by_discipline_law_and_variant() -> None:
    rows = model_rows("rrr", 3, discipline="physics", variant="up")
    rows += [
        msgspec.structs.replace(row, group="z" + row.group, law="other", discipline="biology", variant="down")
        for row in model_rows("rhh", 2)
    ]
    found = scored(rows)
    assert found.slice_units["discipline"] == {"biology": 2, "physics": 3}
    assert list(found.slices["law"]) == ["law 0", "law 1", "law 2", "other"]
    assert list(found.slices["variant"]) == ["law 0/up", "law 1/up", "law 2/up", "other/down"]
    assert values(found.slices["discipline"]["physics"]) == (1, 1, 1, 1, 1)
    assert values(found.slices["law"]["other"])[1] == pytest.approx(PRIOR)
    assert found.slices["law"]["law 0"]["s_l1"].low is None  # a single group says nothing of chance
    assert found.slice_units["law"]["other"] == 2


def test_a_difference_leaves_out_groups_that_either_model_lost() -> None:
    second = [
        msgspec.structs.replace(row, picture="missing", credit=None, outcome="unasked")
        if (row.group, row.level) == ("g0", "l3")
        else row
        for row in model_rows("rrh")
    ]
    found = difference(model_rows("rrr"), second)
    assert (len(found.units), found.left_out) == (5, 1)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (right(group="another"), "not asked the same checks"),
        (
            [msgspec.structs.replace(r, picture="missing", credit=None, outcome="unasked") for r in model_rows("rrr")],
            "have no group that both have scored",
        ),
    ],
)
def test_differences_of_unlike_runs_are_refused(second: Rows, message: str) -> None:
    with pytest.raises(InputError) as caught:
        difference(model_rows("rrr"), second)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([], {}, "there is no judged check"),
        (model_rows("rrr"), {"threshold": 1.5}, "--threshold must be from 0 to 1, as S_L1 is, not 1.5"),
        (model_rows("rrr"), {"scoring": "papper"}, "unknown scoring 'papper' (did you mean 'paper'?)"),
    ],
)
def test_contradictory_rows_and_bad_options_are_refused(rows: Rows, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        scored(rows, **options)
    assert message in str(caught.value)
