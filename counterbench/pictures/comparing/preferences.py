"""People's preferences between two models' pictures of a prompt, beside a judge's scores of these pictures.

A table has the columns id (of the sample, or of its prompt, whose number may stand in a column sample), first, second
(two models) and better: first, second, equal, or a model's name.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.errors import InputError
from counterbench.files.rows import read_columns, renamed_rows
from counterbench.pictures.comparing.joined_rows import JoinedPreference, ScoreBySample
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.run_scores import samples_of
from counterbench.pictures.scores.labels import the_sample
from counterbench.pictures.scores.ratings import Match
from counterbench.pictures.scores.results import by_key
from counterbench.results.scores import Share, share
from counterbench.stats.agreement import kendall_tau_b, spearman, tie_calibration
from counterbench.stats.intervals import clopper_pearson
from counterbench.stats.paired import mcnemar_exact
from counterbench.text import counted

COLUMNS = ("id", "first", "second", "better")
BETTER = (FIRST, SECOND, EQUAL)
SamplesByName: TypeAlias = Mapping[str, Sequence[str]]  # ids by each name that a sample may have


class Preference(msgspec.Struct, frozen=True):
    """One person's preference between two models' pictures of one sample."""

    sample: str  # its name, or that of its prompt
    first: str  # the names of the models
    second: str
    better: str  # of `BETTER`
    rater: str
    where: str  # the place in the table, for messages
    number: str = ""  # of the sample, where its prompt is named
    generator: str = ""  # whose picture it is, where `first` and `second` are judges


class Preferred(msgspec.Struct, frozen=True, kw_only=True):
    """The agreement of a judge's scores with all preferences, over pairs of pictures, each decided by a majority.

    Pairwise accuracy is that of Deutsch, Foster and Freitag (2023), as in R2I-Bench's Table 3: people's ties count. A
    correlation is of people's preference (1 for the first model, -1 for the second, 0 for a tie) and the judge's score
    of the first less that of the second; the first model is the first by name.
    """

    right: Share  # of the pairs that people decide, those that the judge's scores order likewise; exact interval
    tied: int  # of these, pairs with equal scores: half of them would be right by chance
    equal: int  # pairs that people call equal, or are split on
    lost: int  # pairs of pictures without a score of the judge
    first_lost: str = ""  # the first of these: place, picture and models
    tau_b: float | None = None  # Kendall's
    spearman: float | None = None
    strict: float | None = None  # pairwise accuracy, over all pairs, where the judge ties only equal scores
    accuracy: float | None = None  # the same, where its scores are tied if they differ by at most `epsilon`
    epsilon: float | None = None  # the one with the largest accuracy on these pairs


class EvaluatorChoice(msgspec.Struct, frozen=True):
    """The pictures on which people prefer one evaluator's verdict to another's, each decided by a majority.

    PicWorld's Table 2. The table names evaluators in the place of models.
    """

    first: str  # the evaluators
    second: str
    first_better: int  # pictures
    second_better: int
    equal: int  # pictures whose verdicts people call equal, or are split on
    share: Share  # of the first among the decided ones; exact interval
    p: float  # of the exact two-sided sign test of the decided ones
    lost: int = 0  # pictures that no run has: not counted


def has_preferences(path: Path, columns: Mapping[str, str] = {}) -> bool:
    """True if a table is one of preferences; `columns`: our names by theirs."""
    return "better" in next((row.columns for row in renamed_rows(path, columns)), ())


def read_preferences(path: Path, columns: Mapping[str, str] = {}) -> list[Preference]:
    """The preferences in a table; InputError with the place if one cannot be read. `columns`: our names by theirs."""
    preferences = []
    for row in read_columns(path, COLUMNS, ("rater", "sample", "generator", "model"), columns):
        sample, first, second, better = map(row.filled, COLUMNS)
        better = {first: FIRST, second: SECOND}.get(better, better.lower())
        if better not in BETTER:
            raise InputError(f"{row.where}, column 'better': {better!r}; choose from: {', '.join(BETTER)}, or a model")
        if first == second:
            raise InputError(f"{row.where}: 'first' and 'second' are both {first!r}; a preference is between two")
        texts = row.text("rater"), row.where, row.text("sample"), row.text("generator") or row.text("model")
        preferences.append(Preference(sample, first, second, better, *texts))
    return preferences


def decisions(preferences: Sequence[Preference], by_name: SamplesByName) -> dict[tuple[str, str, str], tuple[int, str]]:
    """The preference of most raters, and where its first row stands, by sample and by the two names, sorted.

    1: the first, by more than half of the raters; -1: the second; 0: neither, or no such majority. `by_name`: as
    `samples_of` gives it. InputError if a preference may be about several samples.
    """
    choices: dict[tuple[str, str, str], list[int]] = {}
    rows: dict[tuple[str, str, str], str] = {}
    for row in preferences:
        first, second = sorted((row.first, row.second))
        place = (the_sample(by_name, row.sample, row.where, row.number) or row.sample, first, second)
        choice = {FIRST: 1, SECOND: -1, EQUAL: 0}[row.better]
        choices.setdefault(place, []).append(choice if first == row.first else -choice)
        rows.setdefault(place, f"{row.where}: {row.sample!r} of {row.first} and {row.second}")
    return {
        place: (next((way for way in (1, -1) if 2 * chosen.count(way) > len(chosen)), 0), rows[place])
        for place, chosen in choices.items()
    }


def joined_preferences(
    preferences: Sequence[Preference], runs: Sequence[JudgedRun], metric: Sequence[ScoreBySample] | None = None
) -> list[JoinedPreference]:
    """People's preferences beside one judge's scores of the same pictures, or its own comparisons.

    `metric`: for each run the values of a metric, which stand in the place of the judge's scores. InputError if no
    preference is about two pictures that the judge (not a metric) has scored or compared, or if one may be about
    several samples.
    """
    scores: dict[tuple[str, str], float] = {}
    called = {name: run.kept.model.name for run in runs for name in (run.kept.model.generator, run.kept.model.title)}
    called |= {run.kept.model.name: run.kept.model.name for run in runs}
    by_judge = [run.comparisons.outcomes for run in runs if run.comparisons is not None and metric is None]
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

    for place, run in enumerate(runs):
        by_sample = run.numbers if metric is None else metric[place]
        for name in (run.kept.model.name, run.kept.model.title, run.kept.model.generator):
            scores |= {(name, id): score for id, score in by_sample.items()}
    by_name, about = samples_of(runs), {row.sample_id: row for run in runs for row in run.rows}
    joined = [
        JoinedPreference(about=about.get(place[0]), better=better, lead=lead(*place), where=where)
        for place, (better, where) in decisions(preferences, by_name).items()
    ]
    if joined and metric is None and all(row.lead is None for row in joined):
        models = ", ".join(dict.fromkeys(run.kept.model.title for run in runs))
        picture_names = sorted({name for names in by_name.values() for name in names})
        raise InputError(
            f"{joined[0].where}: these runs have no such two pictures, and none of all {counted(len(joined), 'pair')}; "
            f"they are about {models}, with picture ids like {', '.join(map(repr, picture_names[:1]))}"
        )
    return joined


def preferred(rows: Sequence[JoinedPreference]) -> Preferred:
    """The agreement of one judge with these preferences."""
    leads = [(row.better, row.lead) for row in rows if row.lead is not None]
    decided = [lead * better for better, lead in leads if better]
    lost = [row.where for row in rows if row.lead is None]
    people, judge = [better for better, _ in leads], [lead for _, lead in leads]
    accuracies = tie_calibration([((person, 0), (lead, 0)) for person, lead in zip(people, judge, strict=True)])
    strict, accuracy, epsilon = accuracies or (None, None, None)
    return Preferred(
        right=share(sum(product > 0 for product in decided), len(decided), clopper_pearson),
        tied=decided.count(0),
        equal=len(leads) - len(decided),
        lost=len(lost),
        first_lost=next(iter(lost), ""),
        tau_b=kendall_tau_b(people, judge),
        spearman=spearman(people, judge),
        strict=strict,
        accuracy=accuracy,
        epsilon=epsilon,
    )


def evaluator_choices(
    choices: Sequence[Preference], names: Mapping[str, str], runs: Sequence[JudgedRun]
) -> list[EvaluatorChoice]:
    """People's choices between every two evaluators that a table compares, in the table's order of names.

    `names`: the evaluators' names, by each name that a table may give them. InputError if the runs are about several
    models and a row names none.
    """
    renamed = [msgspec.structs.replace(row, first=names[row.first], second=names[row.second]) for row in choices]
    models = {(run.kept.model.title, run.kept.model.generator) for run in runs}  # two runs may be of copies of a folder
    if len(models) > 1 and (unnamed := [row.where for row in renamed if not row.generator]):
        titles = ", ".join(sorted(title for title, _ in models))
        raise InputError(
            f"{unnamed[0]}: whose picture is it? These runs are about {titles}: name one in a column `model`"
        )
    order = {name: place for place, name in enumerate(dict.fromkeys(row.first for row in renamed))}
    by_name, ids = samples_of(runs), {row.id for run in runs for row in run.kept.samples}
    leads = list[tuple[tuple[str, str], int | None]]()  # by pair: 1 if its first is better, -1, 0; None: lost
    for model in dict.fromkeys(row.generator for row in renamed):
        of_model = [row for row in renamed if row.generator == model]
        for (sample, *pair), (better, _) in decisions(of_model, by_name).items():
            first, second = sorted(pair, key=lambda name: order.get(name, len(order)))
            lead = better if first == pair[0] else -better
            leads.append(((first, second), lead if sample in ids else None))
    found = []
    for names_of_two, of_two in by_key(leads).items():
        wins = (of_two.count(1), of_two.count(-1))
        decided, p = share(wins[0], sum(wins), clopper_pearson), mcnemar_exact(*wins)
        found.append(EvaluatorChoice(*names_of_two, *wins, of_two.count(0), decided, p, of_two.count(None)))
    return found
