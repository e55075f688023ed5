"""People's preferences between two models' pictures of a prompt, beside a judge's scores of these pictures.

A table has the columns id (of the sample, or of its prompt, whose number may stand in a column sample), first, second
(two models) and better: first, second, equal, or a model's name.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.errors import InputError
from counterbench.files.rows import read_columns, renamed_rows
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.scores.labels import samples_by_name, the_sample
from counterbench.pictures.scores.ratings import Match
from counterbench.results.scores import Share, share
from counterbench.stats.intervals import clopper_pearson
from counterbench.text import counted

COLUMNS = ("id", "first", "second", "better")
BETTER = (FIRST, SECOND, EQUAL)


class Preference(msgspec.Struct, frozen=True):
    """One person's preference between two models' pictures of one sample."""

    sample: str  # its name, or that of its prompt
    first: str  # the names of the models
    second: str
    better: str  # of `BETTER`
    rater: str
    where: str  # the place in the table, for messages
    number: str = ""  # of the sample, where its prompt is named


class Preferred(msgspec.Struct, frozen=True, kw_only=True):
    """The agreement of a judge's scores with all preferences, over pairs of pictures, each decided by a majority."""

    right: Share  # of the pairs that people decide, those that the judge's scores order likewise; exact interval
    tied: int  # of these, pairs with equal scores: half of them would be right by chance
    equal: int  # pairs that people call equal, or are split on
    lost: int  # pairs of pictures without a score of the judge
    first_lost: str = ""  # the first of these: place, picture and models


def has_preferences(path: Path, columns: Mapping[str, str] = {}) -> bool:
    """True if a table is one of preferences; `columns`: our names by theirs."""
    return "better" in next((row.columns for row in renamed_rows(path, columns)), ())


def read_preferences(path: Path, columns: Mapping[str, str] = {}) -> list[Preference]:
    """The preferences in a table; InputError with the place if one cannot be read. `columns`: our names by theirs."""
    preferences = []
    for row in read_columns(path, COLUMNS, ("rater", "sample"), columns):
        sample, first, second, better = map(row.filled, COLUMNS)
        better = {first: FIRST, second: SECOND}.get(better, better.lower())
        if better not in BETTER:
            raise InputError(f"{row.where}, column 'better': {better!r}; choose from: {', '.join(BETTER)}, or a model")
        preferences.append(Preference(sample, first, second, better, row.text("rater"), row.where, row.text("sample")))
    return preferences


def preferred(preferences: Sequence[Preference], runs: Sequence[JudgedRun]) -> Preferred:
    """People's preferences beside one judge's scores of the same pictures, or its own comparisons.

    InputError if no preference is about two pictures that the judge has scored or compared, or if one may be about
    several samples.
    """
    prompts = {prompt.id: prompt.text for run in runs for prompt in run.prompts.prompts}
    by_name = samples_by_name(prompts, {row.id for run in runs for row in run.kept.samples})
    scores: dict[tuple[str, str], float] = {}
    called = {name: run.kept.model.name for run in runs for name in (run.kept.model.generator, run.kept.model.title)}
    called |= {run.kept.model.name: run.kept.model.name for run in runs}
    by_judge = [run.comparisons.outcomes for run in runs if run.comparisons is not None]
    outcomes = {match: outcome for matches in by_judge for match, outcome in matches.items()}

    def lead(sample: str, first: str, second: str) -> float | None:
        """The lead of the first model's picture over the second's by the judge: above 0 if it puts the first higher.

        None unless it scored both pictures, or compared them.
        """
        if by_judge:
            name, other = called.get(first, first), called.get(second, second)
            found = outcomes.get(Match(sample, *sorted((name, other))))
            return None if found is None else (found.first - 1 / 2) * (1 if name < other else -1)
        ours, theirs = scores.get((first, sample)), scores.get((second, sample))
        return None if ours is None or theirs is None else ours - theirs

    for run in runs:
        model = run.kept.model
        numbers = {picture.id: score for picture, score in run.pictures() if score is not None}
        for name in (model.name, model.title, model.generator):
            scores |= {(name, id): score for id, score in numbers.items()}
    balances: dict[tuple[str, str, str], int] = defaultdict(int)  # raters for the first less raters for the second
    first_rows: dict[tuple[str, str, str], str] = {}  # in words
    for row in preferences:
        is_turned = row.first > row.second
        sample = the_sample(by_name, row.sample, row.where, row.number) or row.sample
        place = (sample, *((row.second, row.first) if is_turned else (row.first, row.second)))
        first_rows.setdefault(place, f"{row.where}: {row.sample!r} of {row.first} and {row.second}")
        balances[place] += {FIRST: 1, SECOND: -1, EQUAL: 0}[row.better] * (-1 if is_turned else 1)
    right = tied = equal = decided = 0
    lost: list[str] = []
    for place, balance in balances.items():
        if (ahead := lead(*place)) is None:
            lost.append(first_rows[place])
        elif not balance:
            equal += 1
        else:
            decided, tied, right = decided + 1, tied + (ahead == 0), right + (ahead * balance > 0)
    if lost and len(lost) == len(balances):
        models = ", ".join(dict.fromkeys(run.kept.model.title for run in runs))
        picture_names = sorted({name for names in by_name.values() for name in names})
        raise InputError(
            f"{lost[0]}: these runs have no such two pictures, and none of all {counted(len(lost), 'pair')}; "
            f"they are about {models}, with picture ids like {', '.join(map(repr, picture_names[:1]))}"
        )
    right_share = share(right, decided, clopper_pearson)
    return Preferred(right=right_share, tied=tied, equal=equal, lost=len(lost), first_lost=next(iter(lost), ""))
