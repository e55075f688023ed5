"""Ratings of models from comparisons of their pictures, and what the answers say of the judge. No I/O.

A match is two models' pictures of one sample (a prompt and a number). They are shown twice, in both orders, and the
judge says "first", "second" or "equal". `matches` chooses the comparisons to make; `points` gives the outcome of a
match from its two answers; `ratings` computes the `Ratings` of all models from all outcomes, by a statistical model of
comparisons with ties (`stats.davidson`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.errors import InputError
from counterbench.results.scores import Share, share
from counterbench.scene.seeds import Stream
from counterbench.stats.davidson import POINTS, Matrix, Strengths, connected, covariance, resampled, strengths
from counterbench.stats.paired import holm

RESAMPLES = 400  # of prompts, for standard errors
# A judge leans to a place if its answers that depend on the order show it with a p below MAX_P (exact binomial test);
# it is lazy if at least the share LAZY of its answers is "equal".
MAX_P, LAZY = 1e-3, 0.9


class Match(NamedTuple):
    """Two models' pictures of one sample, by the names of the models."""

    sample: str
    first: str
    second: str

    @property
    def id(self) -> str:
        """The id of the comparison in a run: "<sample>/<first>~<second>"."""
        return f"{self.sample}/{self.first}~{self.second}"


class Points(NamedTuple):
    """The outcome of a comparison for its first model; the three add up to 1."""

    won: float
    tied: float
    lost: float

    @property
    def first(self) -> float:
        """The first model's points: a tie counts half."""
        return self.won + self.tied / 2


def points(ahead: str | None, back: str | None) -> Points | None:
    """The outcome of a match from its two answers, each of which is half of it; None if one of them is missing.

    `ahead`: the answer with the pictures in the match's order. `back`: the answer with the two exchanged, so that
    "second" is for the match's first model.
    """
    if ahead is None or back is None:
        return None
    won, tied, lost = (
        ((ahead == first) + (back == second)) / 2 for first, second in ((FIRST, SECOND), (EQUAL,) * 2, (SECOND, FIRST))
    )
    return Points(won, tied, lost)


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    """One model in `Ratings`: its rating, interval and rank, and the comparisons that it won, tied and lost.

    An outcome in one order counts as half a comparison.
    """

    model: str
    rating: float  # 400 points are odds of 10 to 1; the mean of the models is 1000
    low: float | None  # 95 %, see `_spread`; None from one prompt
    high: float | None
    rank: int  # 1 + the number of models that are shown to be better (Holm, 5 % over all pairs of models)
    won: float
    tied: float
    lost: float
    mean_number: float | None = None  # of a judge that gives numbers (a scorer, a rater), over pictures; no claim


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings of all models, and what the answers say of the judge."""

    models: list[Rated]  # the best first
    comparisons: int
    prompts: int
    unread: int  # comparisons with an answer that is lost
    said: dict[str, int]  # by answer ("first", "second", "equal"): its number
    same: Share  # comparisons with the same outcome in both orders, of those with both answers
    first_both: int  # comparisons in which first is better in both orders: the answer depends on the order
    second_both: int
    leans: str  # "first" or "second": shown to prefer that place; else empty
    lazy: bool  # nearly all answers are equal
    margin: float | None = None  # a scorer's two numbers within it are equal, by its certificate; None without one
    cycles: list[str]  # "a > b > c > a": each of three models wins more than half of the points against the next


def matches(
    models: Sequence[str], samples: Iterable[tuple[str, Sequence[str]]], most: int | None = None
) -> list[Match]:
    """The comparisons to make: for each sample all pairs of the models that have it, or `most` of these pairs.

    `samples`: each sample's id with the models that have it. If not all pairs are taken, those that were taken least
    before come first, in random order, so that all come equally often. InputError if the comparisons do not link all
    models.
    """
    pair_uses, model_uses, chosen = Counter[tuple[str, str]](), Counter[str](), list[Match]()
    for sample, sample_models in samples:
        pairs = list(combinations(sorted(sample_models), 2))
        if most is not None and most < len(pairs):
            left_pairs = Stream("matches", sample).shuffled(pairs)
            pairs = []
            while len(pairs) < most:
                rarest = min(left_pairs, key=lambda pair: (pair_uses[pair], model_uses[pair[0]] + model_uses[pair[1]]))
                left_pairs.remove(rarest)
                pairs.append(rarest)
                pair_uses[rarest] += 1
                model_uses.update(rarest)
        chosen += [Match(sample, *pair) for pair in pairs]
    links = np.zeros((len(models), len(models)))
    for match in chosen:
        links[models.index(match.first), models.index(match.second)] = 1
    if not connected(links):
        raise InputError(
            f"{len(chosen)} comparisons do not link all {len(models)} models: give more --matches, or more prompts of "
            "which all models have pictures"
        )
    return chosen


def ratings(
    models: Sequence[str],
    outcomes: Mapping[Match, Points],
    answers: Iterable[tuple[str, str]],
    unread: int,
    words: Mapping[str, str] = {},
) -> Ratings:
    """The ratings from the outcomes of comparisons.

    `answers`: the two answers of each comparison that has both, in one order and the other. `unread`: the number of
    comparisons that lack an answer. `words`: of each prompt, by its group; those with the same words count as one.
    """
    index_of = {model: i for i, model in enumerate(models)}
    by_prompt: dict[str, tuple[Matrix, Matrix]] = {}
    shape = (len(models), len(models))
    for match, outcome in outcomes.items():
        group = match.sample.rsplit("/", 2)[0]  # with its levels
        wins, ties = by_prompt.setdefault(words.get(group, group), (np.zeros(shape), np.zeros(shape)))
        i, j = index_of[match.first], index_of[match.second]
        wins[i, j] += outcome.won
        wins[j, i] += outcome.lost
        ties[[i, j], [j, i]] += outcome.tied
    if not by_prompt:
        raise InputError("no comparison has both answers: nothing to rate")
    matrices_of_prompts = [by_prompt[prompt] for prompt in sorted(by_prompt)]
    wins, ties = (np.sum(matrices, axis=0) for matrices in zip(*matrices_of_prompts, strict=True))
    fitted, prompts = strengths(wins, ties), len(matrices_of_prompts)
    rated, errors = fitted.ratings, _spread(fitted, wins, ties, matrices_of_prompts)
    half = [_half_width(prompts) * float(errors[i, i]) for i in range(len(models))] if prompts > 1 else []
    better_pairs = _better(rated, errors, prompts)
    counts = Counter(answer_pairs := list(answers))
    single_answers = [answer for pair in answer_pairs for answer in pair]
    same_outcomes = counts[FIRST, SECOND] + counts[SECOND, FIRST] + counts[EQUAL, EQUAL]
    first_both, second_both = counts[FIRST, FIRST], counts[SECOND, SECOND]
    return Ratings(
        models=sorted(
            (
                Rated(
                    model=model, rating=rated[i],
                    low=rated[i] - half[i] if half else None, high=rated[i] + half[i] if half else None,
                    rank=1 + sum((j, i) in better_pairs for j in range(len(models))),
                    won=float(wins[i].sum()), tied=float(ties[i].sum()), lost=float(wins[:, i].sum()),
                )
                for i, model in enumerate(models)
            ),
            key=lambda row: (row.rank, -row.rating),
        ),
        comparisons=len(outcomes),
        prompts=prompts,
        unread=unread,
        said={name: single_answers.count(name) for name in (FIRST, SECOND, EQUAL)},
        same=share(same_outcomes, len(answer_pairs)),
        first_both=first_both,
        second_both=second_both,
        leans=_preferred_place(first_both, second_both),
        lazy=bool(single_answers) and single_answers.count(EQUAL) >= LAZY * len(single_answers),
        cycles=list(_cycles(models, wins + ties / 2)),
    )  # fmt: skip


def _spread(fitted: Strengths, wins: Matrix, ties: Matrix, by_prompt: Sequence[tuple[Matrix, Matrix]]) -> Matrix:
    """The standard errors, n × n for n models: at (i, i) of rating i, at (i, j) of the difference of ratings i and j.

    Whole prompts are resampled. Few prompts, or prompts that all have one outcome, give the same ratings again and
    again, so an error is never less than that of as many independent comparisons (for a difference: between models of
    equal strength). `by_prompt`: the wins and ties of each prompt, n × n each; their sums are `wins` and `ties`.
    """
    redrawn, models = np.array(resampled(by_prompt, RESAMPLES)), range(len(wins))
    covariances = POINTS**2 * covariance(Strengths(np.zeros(len(wins)), fitted.ties), wins, ties)
    variances = np.diag(covariances)
    min_variances = variances[:, None] + variances - 2 * covariances
    np.fill_diagonal(min_variances, POINTS**2 * np.diag(covariance(fitted, wins, ties)))
    deviations = np.array([[np.std(redrawn[:, i] - (redrawn[:, j] if i != j else 0)) for j in models] for i in models])
    count = len(by_prompt)  # prompts that are drawn from themselves scatter too little: Bessel's correction
    errors: Matrix = np.maximum(deviations, np.sqrt(min_variances)) * (count / max(1, count - 1)) ** 0.5
    return errors


def _half_width(prompts: int) -> float:
    """The number of standard errors on each side of a 95 % interval, for numbers from so many prompts."""
    from scipy.stats import t

    return float(t.ppf(0.975, prompts - 1))


def _better(rated: Sequence[float], spread: Matrix, prompts: int) -> set[tuple[int, int]]:
    """The pairs of models (i, j), by index, of which i is shown to be better than j; none from one prompt.

    `rated`: the ratings. `spread`: the standard errors, as `_spread` gives them. `prompts`: the number of prompts. The
    test is a t test with Holm's correction over all pairs of models, at 5 %.
    """
    from scipy.stats import t

    if prompts < 2:
        return set()
    pairs = list(combinations(range(len(rated)), 2))
    p = [2 * float(t.sf(abs(rated[i] - rated[j]) / spread[i, j], prompts - 1)) for i, j in pairs]
    shown = [pair for pair, adjusted in zip(pairs, holm(p), strict=True) if adjusted is not None and adjusted < 0.05]
    return {(i, j) if rated[i] > rated[j] else (j, i) for i, j in shown}


def _preferred_place(first_both: int, second_both: int) -> str:
    """The place, "first" or "second", that a judge is shown to prefer; empty if it is not shown.

    `first_both`: the comparisons in which it says "first" in both orders; `second_both`: likewise "second".
    """
    from scipy.stats import binomtest

    if not first_both + second_both or binomtest(first_both, first_both + second_both).pvalue >= MAX_P:
        return ""
    return FIRST if first_both > second_both else SECOND


def _cycles(models: Sequence[str], points_won: Matrix) -> Iterable[str]:
    """Each cycle of three models as text, "a > b > c > a": each wins more than half of the points against the next.

    `points_won[i, j]`, (n, n) for n models: the points of i against j.
    """
    beats = points_won > points_won.T
    for a, b, c in combinations(range(len(models)), 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            if beats[x, y] and beats[y, z] and beats[z, x]:
                yield " > ".join(models[k] for k in (x, y, z, x))
