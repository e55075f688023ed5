"""Which units a number is a mean over, and which clusters are resampled for its interval."""

from counterbench.pictures.scores.measure import clusters_of, measure
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.scores import ByPrompt, Formula, ScorePart, Unit

UNITS = (Unit("a", "one"), Unit("b", "one"), Unit("c", "two"))
BOTH = Formula(("x", "y"), lambda x, y: x * y)


def test_a_formula_counts_every_unit_of_its_columns() -> None:
    part = ScorePart(UNITS, (True,) * 3, {"x": [1.0, None, 0.5], "y": [1.0, 0.5, None]})
    assert measure(part, {"both": BOTH}).rests_on == {"x": 2, "y": 2, "both": 3}


def test_clusters_are_those_of_the_units_and_a_single_cluster_is_split_into_units() -> None:
    assert clusters_of(UNITS) == ["one", "one", "two"]
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
