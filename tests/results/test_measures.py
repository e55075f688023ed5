"""The table of measures: every share of a score is in it, and numbers are written alike wherever they stand."""

import msgspec
import pytest

from counterbench.results.measures import CHANGE, FRACTION, MEASURES, PERCENT, POINTS, Notation, heading, notation_of
from counterbench.results.scores import Score, Share
from counterbench.stats.intervals import UNDEFINED, Estimate


def test_every_share_of_a_score_is_a_measure_in_its_order() -> None:
    shares = [field.name for field in msgspec.structs.fields(Score) if field.type is Share]
    assert [measure.key for measure in MEASURES] == shares


@pytest.mark.parametrize(
    ("notation", "written", "undefined"),
    [
        (FRACTION, "0.50 [−0.25, 0.75]", "–"),
        (CHANGE, "+0.50 [−0.25, +0.75]", "–"),
        (PERCENT, "50.0 [−25.0, 75.0]", "–"),
        (POINTS, "+50.0 [−25.0, +75.0]", "–"),
    ],
)
def test_a_number_is_written_with_the_interval_that_it_has(notation: Notation, written: str, undefined: str) -> None:
    assert notation.whole(Estimate(0.5, -0.25, 0.75)) == written
    assert notation.whole(Estimate(0.5, None, None)) == written.partition(" ")[0]
    assert notation.whole(UNDEFINED) == undefined


def test_a_number_of_pictures_is_called_as_its_column_unless_the_table_names_it() -> None:
    columns = ("s_l2", "s_mine", "ungated_prr", "prior_l3", "point_s_l1", "counterfactual", "s2", "change")
    names = ["S_L2", "mine", "PRR", "prior at L3", "point s l1", "altered", "S2", "change"]
    assert [*map(heading, columns)] == names
    assert [notation_of(column).signed for column in columns] == [False] * 7 + [True]
