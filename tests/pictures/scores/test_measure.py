"""Which units a number is a mean over, and which clusters are resampled for its interval."""

import pytest
from pictures.judged import LEVELS, right

from counterbench.pictures.scores.measure import clusters_of, differences, measure
from counterbench.pictures.scores.results import CheckResult, plain_words
from counterbench.pictures.scores.scores import ByPrompt, Formula, ScorePart, Unit

UNITS = (Unit("a", "law one"), Unit("b", "law one"), Unit("c", "law two"))
BOTH = Formula(("x", "y"), lambda x, y: x * y)


def test_a_formula_counts_every_unit_of_its_columns() -> None:
    part = ScorePart(UNITS, (True,) * 3, {"x": [1.0, None, 0.5], "y": [1.0, 0.5, None]})
    assert measure(part, {"both": BOTH}).rests_on == {"x": 2, "y": 2, "both": 3}


def test_clusters_are_those_of_the_units_and_a_single_law_is_split_into_units() -> None:
    assert clusters_of(UNITS) == ["law one", "law one", "law two"]
    assert clusters_of(UNITS[:2]) == ["a", "b"]


def test_units_are_named_by_level_only_if_there_are_several_levels() -> None:
    rows = [
        CheckResult(group="g", level=level, sample=0, check="c", dimension="d", weight=1, skill="s", credit=1.0)
        for level in ("l1", "l2")
    ]
    for levels, names, units in ((("l1", "l2"), ["l1", "l2"], ["g/l1", "g/l2"]), (("l1",), [""], ["g"])):
        prompts = ByPrompt([row for row in rows if row.level in levels], levels)
        assert prompts.named("level") == names
        assert [unit.name for unit in prompts.part((), lambda picture: {}).units] == units


def test_prompts_of_the_same_words_are_one_cluster_under_any_ids() -> None:
    names, texts = [f"p{k}" for k in range(24)], ["a red circle", "A red  circle…"] * 12
    rows = [right(group=name, words=plain_words(text))[0] for name, text in zip(names, texts, strict=True)]
    prompts = ByPrompt(rows, LEVELS[:1])
    part = prompts.part(("score",), lambda picture: {"score": 1.0})
    assert set(clusters_of(part.units)) == {"words a red circle"}
    measured = measure(part, {})
    assert (measured.clusters, measured.columns["score"].low) == (1, None)


def test_a_difference_is_as_sure_with_every_prompt_given_twice() -> None:
    def p(times: int) -> float | None:
        units = tuple(Unit(f"p{k}-{copy}", f"words {k}") for k in range(12) for copy in range(times))
        columns = [[float(k < right) for k in range(12) for _ in range(times)] for right in (12, 7)]
        first, second = (ScorePart(units, (True,) * len(units), {"score": column}) for column in columns)
        return differences((first, second), ({}, {}), ["score"])["score"].p()

    assert p(1) == pytest.approx(p(2), rel=1e-9)
    assert p(1) > 0.05  # type: ignore[operator]
