"""People's preferences between two models' pictures of a prompt, beside a judge's scores of these pictures.

A table has the columns id (the sample), first, second (two models) and better: first, second, equal, or a model's name.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.errors import InputError
from counterbench.files.rows import read_columns, read_rows
from counterbench.scoring.scores import Share
from counterbench.stats.intervals import clopper_pearson
from counterbench.t2i.judging.results import JudgedRun
from counterbench.t2i.scores.ratings import Match
from counterbench.t2i.scores.results import group_results
from counterbench.t2i.scores.rules import DEFAULT

COLUMNS = ("id", "first", "second", "better")
BETTER = (FIRST, SECOND, EQUAL)


class Preference(msgspec.Struct, frozen=True):
    """One person's preference between two models' pictures of one sample."""

    sample: str
    first: str  # the names of the models
    second: str
    better: str  # of `BETTER`
    rater: str
    where: str


class Preferred(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's order of two pictures beside people's, by the majority of raters."""

    right: Share  # of the pairs that people decide, those that the judge's scores order likewise; exact interval
    tied: int  # of these, pairs with equal scores: half of them would be right by chance
    equal: int  # pairs that people call equal, or are split on
    lost: int  # pairs of pictures without a score of the judge


def has_preferences(path: Path) -> bool:
    """True if a table is one of preferences."""
    return "better" in next((row.columns for row in read_rows(path)), ())


def read_preferences(path: Path) -> list[Preference]:
    """The preferences in a table; InputError with the place if one cannot be read."""
    said = []
    for row in read_columns(path, COLUMNS, ("rater",)):
        sample, first, second, better = map(row.filled, COLUMNS)
        better = {first: FIRST, second: SECOND}.get(better, better.lower())
        if better not in BETTER:
            raise InputError(f"{row.where}, column 'better': {better!r}; choose from: {', '.join(BETTER)}, or a model")
        said.append(Preference(sample, first, second, better, row.text("rater"), row.where))
    return said


def preferred(preferences: Sequence[Preference], runs: Sequence[JudgedRun]) -> Preferred:
    """The preferences beside the scores of one judge's runs about these models, or its own comparisons of them."""
    scores: dict[tuple[str, str], float] = {}
    called = {name: run.kept.model.name for run in runs for name in (run.kept.model.generator, run.kept.model.title)}
    called |= {run.kept.model.name: run.kept.model.name for run in runs}
    by_judge = [run.comparisons.outcomes for run in runs if run.comparisons is not None]
    outcomes = {match: of for each in by_judge for match, of in each.items()}

    def lead(sample: str, first: str, second: str) -> float | None:
        """The judge's lead of the first picture; None if it has not judged both, or compared them."""
        if by_judge:
            one, other = called.get(first, first), called.get(second, second)
            found = outcomes.get(Match(sample, *sorted((one, other))))
            return None if found is None else (found.first - 1 / 2) * (1 if one < other else -1)
        both = scores.get((first, sample)), scores.get((second, sample))
        return None if both[0] is None or both[1] is None else both[0] - both[1]

    for run in runs:
        how, names = (
            run.protocol.scorings[DEFAULT],
            (run.kept.model.name, run.kept.model.title, run.kept.model.generator),
        )
        for group in group_results(run.rows, run.prompts.levels):
            for picture in (picture for of_level in group.pictures.values() for picture in of_level.values()):
                if (said := next(iter(run.protocol.of_picture(picture, how).values()), None)) is not None:
                    scores |= {(name, picture.id): said for name in names}
    votes: dict[tuple[str, str, str], int] = defaultdict(int)
    for each in preferences:
        turned = each.first > each.second
        place = (each.sample, *((each.second, each.first) if turned else (each.first, each.second)))
        votes[place] += {FIRST: 1, SECOND: -1, EQUAL: 0}[each.better] * (-1 if turned else 1)
    right = tied = equal = lost = decided = 0
    for (sample, first, second), vote in votes.items():
        if (ahead := lead(sample, first, second)) is None:
            lost += 1
        elif not vote:
            equal += 1
        else:
            decided, tied, right = decided + 1, tied + (ahead == 0), right + (ahead * vote > 0)
    low, high = clopper_pearson(right, decided) or (None, None)
    share = Share(right / decided if decided else None, low, high, right, decided)
    return Preferred(right=share, tied=tied, equal=equal, lost=lost)
