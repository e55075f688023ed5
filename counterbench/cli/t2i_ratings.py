"""Ratings of models by comparisons of their pictures, as a table and lines for people."""

from collections.abc import Iterator
from typing import Any

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.cli.grid import Table
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.ratings import Ratings
from counterbench.text import counted

_MOST_CYCLES = 3


def ranking_of(of: Ratings) -> list[dict[str, Any]]:
    """The ranking, best first, as `t2i score --json` has it in each run of the protocol pairwise."""
    return [
        {"generator": each.model, "rating": Estimate(each.rating, each.low, each.high), "rank": each.rank}
        for each in of.models
    ]


def ratings_page(of: Ratings, run: str) -> Iterator[Table | str]:
    """The ranking of one run, and what its judge's answers say of it."""
    table = Table(f"Ratings (400 points: odds of 10 to 1; mean 1000): {run}")
    table.add_column("model")
    table.add_numbers("rank", "rating [95 %]", "won", "equal", "lost")
    for each in of.models:
        rating = f"{each.rating:.0f}"
        rating += "" if each.low is None else f" [{each.low:.0f}, {each.high:.0f}]"
        table.add_row(each.model, str(each.rank), rating, *(f"{n:g}" for n in (each.won, each.tied, each.lost)))
    yield table
    yield "models of one rank are not shown to differ (Holm, 5 %); intervals by resampling whole prompts"
    yield (
        f"{counted(of.comparisons, 'comparison')} of {counted(of.prompts, 'prompt')}; {of.unread} without an answer in "
        "an order are left out"
    )
    said = of.said
    yield f"the judge said first {said[FIRST]:,}, second {said[SECOND]:,}, equal {said[EQUAL]:,} times"
    if of.same.value is not None:
        hung = f"first in both orders {of.first_both:,}, second in both {of.second_both:,}"
        same = f"{of.same.hits:,} of {of.same.of:,} ({100 * of.same.value:.0f} %)"
        yield f"the same outcome in both orders: {same}; {hung}"
    if of.leans:
        yield f"{of.leans.upper()}-BIAS: what it says hangs on the order, and leans to the {of.leans} picture"
    if of.lazy:
        yield "LAZY: nearly all it says is equal; the pictures are alike, or it does not look (see its drawn test)"
    for cycle in of.cycles[:_MOST_CYCLES]:
        yield f"a circle: {cycle} (each has more than half of the points against the next)"
    if len(of.cycles) > _MOST_CYCLES:
        yield f"… and {len(of.cycles) - _MOST_CYCLES} more circles"
