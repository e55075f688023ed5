"""Ratings of models by comparisons of their pictures, as a table and lines for people."""

from collections.abc import Iterator
from typing import Any

from counterbench.cli.grid import Table
from counterbench.pictures.scores.ratings import Ratings
from counterbench.pictures.words import rating, ratings_lines
from counterbench.stats.intervals import Estimate


def ranking_of(of: Ratings) -> list[dict[str, Any]]:
    """The ranking, best first, as `score --json` has it in each run of the protocol pairwise."""
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
        table.add_row(each.model, str(each.rank), rating(each), *(f"{n:g}" for n in (each.won, each.tied, each.lost)))
    yield table
    yield from ratings_lines(of)
