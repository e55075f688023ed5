"""Two judges, or one judge under two protocols, on the same pictures: agreement in the ranking, and check by check.

`side_by_side` takes the scored runs of each judge (a run: one model's pictures with the judge's answers) and gives a
`SideBySide` for every two judges with pictures in common: the order of the models by each judge's number
(`SameRanking`) and the answers to the same checks, which are questions about a picture (`SameAnswers`). `compare` and
`swap` use it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean, pstdev
from typing import TypeAlias

import msgspec

from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.scores.document import ModelDocument
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.words.run_names import main_number
from counterbench.results.measures import NONE, heading, plain
from counterbench.runs.usage import Called, distinct, short_names
from counterbench.stats.agreement import cohen_kappa, kendall_tau_b, spearman
from counterbench.text import brief, counted, html_table

Viewed: TypeAlias = tuple[JudgedRun, ModelDocument]
Views: TypeAlias = Sequence[Sequence[Viewed]]  # for each judge, as it was asked, its runs with their scores
# The headings of a table, the number of its first columns that hold words, and the note under it.
COLUMNS = ("first", "second", "by", "models", "tau-b", "turned", "checks", "same", "kappa", "yes from only one")
WORDS = 3
SPREAD = ("first", "second", "pictures", "means", "standard deviations", "Spearman")  # of another table, also headings
NOTE = (
    "tau-b: Kendall's rank correlation of the two rankings; turned: pairs of models in opposite order; checks: those "
    "that both answered; same: the share with the same answer. Agreement does not show which judge is right"
)
_RowPairs: TypeAlias = list[tuple[CheckResult, CheckResult]]  # rows of both judges about one check of one picture


class SameRanking(msgspec.Struct, frozen=True):
    """The order of models by a number of one judge beside that by a number of the other."""

    first: str  # the name of the first judge's number
    second: str  # the name of the second judge's number
    models: int  # the number of models of which both numbers are defined
    tau_b: float | None  # Kendall's; null of fewer than two models, or where one judge ties all
    turned: list[tuple[str, str]]  # two models: the first has more by the first judge, the second by the second


class SameAnswers(msgspec.Struct, frozen=True):
    """The answers of two judges to the same checks of the same pictures."""

    asked: int  # checks that both were asked
    answered: int  # those that both answered
    same: int  # those with the same answer
    share: float | None  # `same` of `answered`
    kappa: float | None  # Cohen's
    only_first: int  # yes/no checks to which only the first judge says yes
    only_second: int


class SameScores(msgspec.Struct, frozen=True):
    """Two judges' scores of the same pictures: their means and spreads, as shares of each judge's scale, 0 … 1."""

    pictures: int  # those that both scored
    first_mean: float
    second_mean: float
    first_sd: float  # standard deviation of these pictures' scores
    second_sd: float
    spearman: float | None


class SideBySide(msgspec.Struct, frozen=True):
    """Two judges, or one under two protocols, and their agreement on the same pictures; not who is right."""

    first: str
    second: str
    models: list[str]  # those whose pictures both judged
    pictures: int
    rankings: list[SameRanking]
    answers: SameAnswers
    scores: SameScores | None  # null if no picture has a score by both

    def __repr__(self) -> str:
        agreement = f"the same answer to {self.answers.same} of {counted(self.answers.answered, 'check')}"
        return brief(self, f"{self.first} and {self.second} on {counted(self.pictures, 'picture')}: {agreement}")

    def _repr_html_(self) -> str:
        """An HTML table for notebooks."""
        return html_table("Judges side by side on the same pictures", COLUMNS, self.rows)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells of a table under `COLUMNS`: a row for each number by which models are ordered."""
        answers = self.answers
        only_one = f"{answers.only_first}, {answers.only_second}" if answers.answered else NONE
        cells = (str(answers.answered), plain(answers.share), plain(answers.kappa), only_one)
        orders = [
            (" / ".join(dict.fromkeys(map(heading, (r.first, r.second)))), plain(r.tau_b), str(len(r.turned)))
            for r in self.rankings
        ] or [(NONE, NONE, NONE)]
        return [
            (self.first, self.second, by, str(len(self.models)), *order, *(cells if not place else [""] * len(cells)))
            for place, (by, *order) in enumerate(orders)
        ]

    @property
    def spread(self) -> list[tuple[str, ...]]:
        """The cells of a table under `SPREAD`: one row, or none if no picture has a score by both."""
        if (scores := self.scores) is None:
            return []
        pairs = ((scores.first_mean, scores.second_mean), (scores.first_sd, scores.second_sd))
        cells = (", ".join(map(plain, pair)) for pair in pairs)
        return [(self.first, self.second, str(scores.pictures), *cells, plain(scores.spearman))]

    @property
    def unrelated(self) -> str:
        """A sentence that says that the two share no number, and what to do; empty if they share one."""
        if self.answers.answered or any(ranking.tau_b is not None for ranking in self.rankings):
            return ""
        return (
            f"{self.first} and {self.second} share no number: they were asked different questions, and a ranking needs "
            "pictures of two models or more. Compare runs of one protocol, or name runs of more models"
        )

    @property
    def turns(self) -> list[str]:
        """A line for each two models that the judges rank in opposite order by a number."""
        return [
            f"{self.first} ranks {model} above {other} by {heading(ranking.first)}, {self.second} the reverse"
            for ranking in self.rankings
            for model, other in ranking.turned
        ]


def names_of(judges: Sequence[Called], *ways: Sequence[str], whole: bool = False) -> list[str]:
    """A name for each judge, with the protocol or template (`ways`) that tells it from the others.

    Each of `ways` has one word for each judge, which is added if names would be equal without it. Names are shortened
    unless `whole`.
    """
    places = [str(place) for place in range(1, len(judges) + 1)]
    return distinct(short_names(judges, whole), *([f" ({way})" for way in column] for column in (*ways, places)))


def side_by_side(views: Views, names: Sequence[str]) -> list[SideBySide]:
    """The comparison of every two judges with pictures in common; pictures are the same if their ids and digests are.

    `views` has the scored runs of each judge, and `names` the judges' names, in the same order, then perhaps others.
    """
    compared = []
    for (name, view), (other_name, other_view) in combinations(zip(names, views, strict=False), 2):
        if shared := list(_same_models(view, other_view)):
            row_pairs = [rows for (run, _), (other, _), ids in shared for rows in _same_checks(run, other, ids)]
            rankings = _rankings([(document, other) for (_, document), (_, other), _ in shared])
            models, pictures = [document.generator for (_, document), *_ in shared], sum(len(ids) for *_, ids in shared)
            answers, scores = _same_answers(row_pairs), _same_scores(shared)
            compared.append(SideBySide(name, other_name, models, pictures, rankings, answers, scores))
    return compared


def _same_models(first: Sequence[Viewed], second: Sequence[Viewed]) -> Iterator[tuple[Viewed, Viewed, set[str]]]:
    """Each run of the first judge, the second judge's run with the most of its pictures, and the ids of these pictures.

    Both runs are about the same model. Runs without a picture in common are left out.
    """
    for viewed in first:
        own = _pictures(viewed)
        candidates = [
            ({id for id, _ in own & _pictures(other)}, other)
            for other in second
            if other[0].kept.model.generator == viewed[0].kept.model.generator
        ]
        ids, match = max(candidates, key=lambda match: len(match[0]), default=(set(), viewed))
        if ids:
            yield viewed, match, ids


def _pictures(viewed: Viewed) -> set[tuple[str, str]]:
    """The id and the digest of each picture that is there."""
    return {(row.id, row.picture_digest) for row in viewed[0].kept.samples if row.status == "ok"}


def _rankings(couples: Sequence[tuple[ModelDocument, ModelDocument]]) -> list[SameRanking]:
    """The judges' orders of the models by each headline number that both have; empty for fewer than two models.

    Under two protocols the order is by the main number of each. `couples`: a model's scores by both judges.
    """
    document, other = couples[0]
    numbers = [(name, name) for name in document.headline if name in other.headline]
    if document.protocol != other.protocol:
        numbers = [(main_number(document), main_number(other))]
    return [_ranking(first, second, couples) for first, second in numbers] if len(couples) > 1 else []


def _ranking(first: str, second: str, couples: Sequence[tuple[ModelDocument, ModelDocument]]) -> SameRanking:
    """The order of models by a number of one judge beside that by a number of the other."""
    numbers = [(own.columns[first].value, other.columns[second].value, own.generator) for own, other in couples]
    defined = [(a, b, model) for a, b, model in numbers if a is not None and b is not None]
    turned = [
        (row[2], other[2]) if row[0] > other[0] else (other[2], row[2])
        for row, other in combinations(defined, 2)
        if (row[0] - other[0]) * (row[1] - other[1]) < 0
    ]
    tau = kendall_tau_b([a for a, _, _ in defined], [b for _, b, _ in defined])
    return SameRanking(first, second, len(defined), tau, turned)


def _same_scores(shared: Sequence[tuple[Viewed, Viewed, set[str]]]) -> SameScores | None:
    """The spread of both judges' scores of the same pictures; None without such a picture."""
    pairs = [
        (ours[id] / run.protocol.max_score, theirs[id] / other.protocol.max_score)
        for (run, _), (other, _), ids in shared
        for ours, theirs in [(run.numbers, other.numbers)]
        for id in sorted(ids & ours.keys() & theirs.keys())
    ]
    if not pairs:
        return None
    first, second = map(list, zip(*pairs, strict=True))
    spread = (fmean(first), fmean(second), pstdev(first), pstdev(second))
    return SameScores(len(pairs), *spread, spearman(first, second))


def _same_checks(first: JudgedRun, second: JudgedRun, ids: set[str]) -> _RowPairs:
    """The rows of both runs about the same checks of these pictures, asked in the same words.

    Samples with the same picture file share a reply, which is counted once.
    """
    second_rows = {(row.sample_id, row.check): row for row in second.asked_rows}
    pairs = []
    for row in (row for row in first.asked_rows if row.sample_id in ids):
        checks = [run.prompts.checks.get((row.prompt_id, row.check)) for run in (first, second)]
        words = [None if check is None else (check.text, check.answer_type) for check in checks]
        match = second_rows.get((row.sample_id, row.check))
        if match is not None and words[0] == words[1]:
            pairs.append((row, match))
    return pairs


def _same_answers(pairs: _RowPairs) -> SameAnswers:
    """The agreement of two judges' answers, from the rows of both about the same checks."""
    answers = [(a.answer, b.answer) for a, b in pairs if a.answer is not None and b.answer is not None]
    same = sum(a == b for a, b in answers)
    return SameAnswers(
        asked=len(pairs),
        answered=len(answers),
        same=same,
        share=same / len(answers) if answers else None,
        kappa=cohen_kappa([a for a, _ in answers], [b for _, b in answers]),
        only_first=answers.count(("yes", "no")),
        only_second=answers.count(("no", "yes")),
    )
