"""Words about the ratings of models from comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.pictures.scores.ratings import Rated, Ratings
from counterbench.text import counted

_MAX_CYCLES = 3  # cycles of models that are named


def rating(rated: Rated) -> str:
    """A model's rating with its interval, as text."""
    return f"{rated.rating:.0f}" + ("" if rated.low is None else f" [{rated.low:.0f}, {rated.high:.0f}]")


def ratings_lines(ratings: Ratings) -> Iterator[str]:
    """Lines on the meaning of ranks and intervals, losses, and what the answers say of the judge."""
    yield (
        "models that share a rank are not shown to differ (Holm, 5 %); intervals: bootstrap of whole prompts, never "
        "narrower than for as many independent comparisons"
    )
    if ratings.prompts == 1:
        yield "only one prompt: no interval, and no model is shown to be better"
    yield (
        f"{counted(ratings.comparisons, 'comparison')} of {counted(ratings.prompts, 'prompt')}; left out: "
        f"{ratings.unread} without an answer in one of the two orders"
    )
    by_number = any(model.mean_number is not None for model in ratings.models)
    if by_number:
        yield "mean number: not a share; no claim (a few prompts with a wide range may decide it)"
    if ratings.margin is not None:
        yield f"numbers within {ratings.margin:.3g} are equal, as in 9 of 10 questions of its certificate's controls"
    answers = ratings.said
    yield f"the judge said first {answers[FIRST]:,}, second {answers[SECOND]:,}, equal {answers[EQUAL]:,} times"
    if ratings.same.value is not None and not by_number:  # by numbers it is so by construction
        one_sided = f"first in both orders {ratings.first_both:,}, second in both {ratings.second_both:,}"
        same_outcome = f"{ratings.same.hits:,} of {ratings.same.of:,} ({100 * ratings.same.value:.0f} %)"
        yield f"the same outcome in both orders: {same_outcome}; {one_sided}"
    if ratings.leans:
        name = f"{ratings.leans.upper()}-BIAS (position bias)"
        yield f"{name}: its answers depend on the order and favour the {ratings.leans} picture"
    if ratings.lazy:
        cause = "it does not look (see its drawn test)" if ratings.margin is None else "its margin is too large"
        yield f"LAZY: nearly all its answers are equal; the pictures are alike, or {cause}"
    for cycle in ratings.cycles[:_MAX_CYCLES]:
        yield f"a cycle: {cycle} (each has more than half of the points against the next)"
    if len(ratings.cycles) > _MAX_CYCLES:
        yield f"… and {len(ratings.cycles) - _MAX_CYCLES} more cycles"
