"""The results of `align`: judges, and metrics that a table brings, beside people; and the names of judges.

Every number over all labels (`BesidePeople`) is also given for parts of them (`Agreement.slices`).
"""

import msgspec

from counterbench.pictures.comparing.judges import SideBySide, names_of
from counterbench.pictures.comparing.preferences import EvaluatorChoice, Preferred
from counterbench.results.measures import plain
from counterbench.results.scores import Share
from counterbench.stats.agreement import spearman
from counterbench.stats.intervals import Estimate
from counterbench.text import brief, counted, html_table


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's answers to yes/no checks beside people's.

    Shares have exact intervals (Clopper and Pearson 1934), as if the checks were independent.
    """

    checks: int  # their number
    sensitivity: Share  # checks to which the judge says yes, among those to which people say yes
    specificity: Share  # the same for no
    balanced_accuracy: float | None  # the mean of both (Brodersen et al. 2010)
    kappa: float | None  # Cohen's
    accuracy: Share  # checks with the same answer
    f1: float | None  # of yes: 2 TP / (2 TP + FP + FN); null where neither says yes


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """The order of items by a judge's scores beside the order by people's."""

    items: int  # pictures, or models
    tau_b: float | None  # Kendall's
    spearman: float | None
    pearson: float | None
    pairs: int  # of items that are compared
    strict: float | None  # as `accuracy`, where the judge ties only equal scores
    # The share of pairs that the judge has in people's order, ties included (Deutsch, Foster and Freitag 2023); its
    # scores count as tied if they differ by at most `epsilon`.
    accuracy: float | None
    epsilon: float | None  # the one with the largest accuracy


class ScoreDifferences(msgspec.Struct, frozen=True):
    """The judge's score of a picture less people's, both from 0 to 1 (CF-World, Fig. 5a)."""

    pictures: int
    mean: Estimate  # its interval is over laws, or groups of prompts, as that of a score
    within: Share  # pictures whose two scores differ by at most 0.125; exact interval, as if they were independent
    quartiles: list[float]  # the lower one, the median, the upper one
    bins: list[int]  # pictures by the nearest of −1, −0.75, …, 1


class AtThreshold(msgspec.Struct, frozen=True):
    """Pictures that pass by the judge, with a score of at least `threshold`, beside those that pass by people."""

    threshold: float | None  # 0 … 1; null: for each fold the one that is best on all others
    accuracy: Share  # pictures that pass, or fail, by both; exact interval, as if they were independent
    balanced_accuracy: float | None
    f1: float | None  # of passing


class Thresholds(msgspec.Struct, frozen=True):
    """The judge's score as a yes/no answer, by threshold, beside people's (CF-World, Table 4).

    A picture passes by people if the mean of their numbers, 0 … 1, is 0.5 or more.
    """

    pictures: int
    accuracy: float  # balanced, at 0.5
    threshold: float  # the one with the highest balanced accuracy on these pictures, which is too high on others
    accuracy_there: float  # at `threshold`, on these pictures
    rows: list[AtThreshold]  # at 0.3 … 0.7
    # Cross-validation. Groups of prompts are dealt into ten folds, or as many as there are groups. Each fold's pictures
    # are judged by the threshold that is best on the others. Null if these do not pass and fail by people.
    held_out: AtThreshold | None
    chosen: list[float]  # the thresholds of the folds, sorted


class BesidePeople(msgspec.Struct, frozen=True, kw_only=True):
    """All numbers of one judge beside people, over all labels or over a part of them."""

    answers: Answers  # to yes/no checks
    # The order of pictures by S, for pictures that people rated, or whose every check with a weight they labelled (not
    # under a protocol whose S is no mean of checks). Only pictures of one prompt are compared in pairs.
    pictures: Ordered
    models: Ordered | None  # the order of models by their mean S of these pictures; null for one model
    # Both are null unless people's numbers are from 0 to 1, and for metrics, whose scale is unknown.
    differences: ScoreDifferences | None
    thresholds: Thresholds | None  # null unless people pass some pictures and fail others
    preferences: Preferred | None  # of a table of preferences


class Foretold(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's result on drawn pairs of one skill (or law) beside its agreement with people about real pictures.

    A pair is two drawn scenes with one question; the CCS is the share of pairs with both answers right.
    """

    judge: str
    name: str  # of the skill or law
    drawn: Estimate  # the CCS on drawn pairs
    people: float  # the balanced accuracy beside people
    checks: int


class Raters(msgspec.Struct, frozen=True):
    """The agreement of raters with each other: Krippendorff's alpha over things that two or more of them labelled.

    Null where nothing was labelled twice, or all labels are the same.
    """

    raters: int
    labels: int
    yes_no: float | None  # nominal, for yes/no checks
    graded: float | None  # ordinal, for credits of graded checks, or ratings of pictures

    @property
    def line(self) -> str:
        """The raters' agreement with each other, in words."""
        alphas = (("yes/no checks", self.yes_no), ("grades or ratings", self.graded))
        agreements = [f"{kind} {plain(alpha)}" for kind, alpha in alphas if alpha is not None]
        alphas_text = ", ".join(agreements) or "undefined: nothing has two labels, or all labels are the same"
        return f"Krippendorff's alpha between {counted(self.raters, 'rater')}: {alphas_text}"


class Agreement(BesidePeople, frozen=True, kw_only=True):
    """One judge, as it was asked, beside people, over all of its runs; or a metric, without runs."""

    judge: str
    name: str
    template: str = ""  # empty for a metric, as `protocol`
    protocol: str = ""
    runs: list[str] = []
    # CF-Eval's gate: the thresholds over pictures of L1, the prompts that state the real law.
    gate: Thresholds | None = None
    # By kind (dimension of checks; category, discipline and level of prompts), then by name. A dimension has the
    # pictures' scores by its checks alone. A kind with a single name is left out.
    slices: dict[str, dict[str, BesidePeople]]
    foretold: list[Foretold] = []  # one for each skill or law; none without a certificate
    left_out: list[str]  # notes on labels that are not used, and on facts that the labels do not tell


class Alignment(msgspec.Struct, frozen=True):
    """The agreement of judges with the answers of people, as `align --json` writes it."""

    labels: str
    raters: Raters | None  # null if the file names fewer than two
    judges: list[Agreement]
    agreement: list[SideBySide]  # every two judges on the same pictures
    others: list[str]  # generators without a run here, whose labels are not used
    choices: list[EvaluatorChoice] = []  # people's, between two judges

    @property
    def foretells(self) -> float | None:
        """Spearman's ρ of the drawn CCS and the accuracy beside people, over judges and skills; None if undefined."""
        rows = [row for judge in self.judges for row in judge.foretold]
        return spearman([row.drawn.value or 0 for row in rows], [row.people for row in rows])

    @property
    def names(self) -> list[str]:
        """A name for each judge as it was asked."""
        judges = self.judges
        return names_of(judges, [judge.protocol for judge in judges], [judge.template for judge in judges])

    @property
    def whole_names(self) -> list[str]:
        """A name for each judge as it was asked, not shortened, for other programs."""
        judges = self.judges
        return names_of(judges, [judge.protocol for judge in judges], [judge.template for judge in judges], whole=True)

    @property
    def _table_rows(self) -> list[tuple[str, ...]]:
        """The cells of a table: each judge's name, kappa, Spearman's rho and Kendall's tau-b."""
        numbers = ((judge.answers.kappa, judge.pictures.spearman, judge.pictures.tau_b) for judge in self.judges)
        return [(name, *map(plain, row)) for name, row in zip(self.names, numbers, strict=True)]

    def __repr__(self) -> str:
        rhos = "; ".join(f"{name} {rho}" for name, _, rho, _ in self._table_rows)
        return brief(self, f"with {self.labels}, Spearman's rho of pictures: {rhos}")

    def _repr_html_(self) -> str:
        """An HTML table for notebooks."""
        return html_table(f"Judges beside {self.labels}", ("judge", "kappa", "Spearman", "tau-b"), self._table_rows)
