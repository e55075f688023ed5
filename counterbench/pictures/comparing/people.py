"""Judges beside people: how far a judge agrees with people's labels, ratings or preferences of the same pictures.

`align`, the main function, takes a table from people and runs of judges, and gives an `Alignment`: for each judge an
`Agreement` about single checks (questions about a picture) and about the order of pictures and of models. A label is a
person's answer to one check of one picture; a rating is a person's number for a whole picture; a preference is the
better one of two pictures. S is the score of a picture, 0 … 1. The shapes of the result come first; `_agreement` makes
one judge's part, from what `_Joined` gathers run by run.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from counterbench.errors import InputError
from counterbench.pictures.comparing.judges import SideBySide, names_of, side_by_side
from counterbench.pictures.comparing.preferences import COLUMNS as PREFERENCE_COLUMNS
from counterbench.pictures.comparing.preferences import (
    Preference,
    Preferred,
    has_preferences,
    preferred,
    read_preferences,
)
from counterbench.pictures.judging.judged_run import JudgedRun, load_models
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.cf_eval.gate import LEVELS, ROUNDING, THRESHOLD
from counterbench.pictures.run_scores import admission_of_run, labels_of, score
from counterbench.pictures.scores.labels import (
    OPTIONAL,
    PLACES,
    HumanLabel,
    affirmed,
    human_score,
    labels_with_credits,
    read_labels,
    unused_label_lines,
)
from counterbench.pictures.scores.results import CheckResult, PictureScore
from counterbench.pictures.scores.rules import Scoring
from counterbench.prompts.skills import skill_of
from counterbench.results.measures import plain
from counterbench.results.scores import Share, share
from counterbench.runs.folder import refuse_repeats
from counterbench.stats.agreement import cohen_kappa, kendall_tau_b, krippendorff_alpha, spearman, tie_calibration
from counterbench.stats.intervals import Estimate, clopper_pearson
from counterbench.text import brief, counted, html_table

# The columns of a table of labels, ratings or preferences.
COLUMNS = tuple(dict.fromkeys((*PLACES, "check", "label", "rating", *OPTIONAL, *PREFERENCE_COLUMNS)))


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's answers to yes/no checks beside people's.

    Shares have exact intervals (Clopper and Pearson 1934), as if the checks were independent.
    """

    checks: int  # their number
    sensitivity: Share  # checks to which the judge says yes, among those to which people say yes
    specificity: Share  # the same for no
    balanced_accuracy: float | None  # the mean of both
    kappa: float | None  # Cohen's


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """The order of items by a judge's scores beside the order by people's."""

    items: int  # pictures, or models
    tau_b: float | None  # Kendall's
    spearman: float | None
    pairs: int  # of items that are compared
    strict: float | None  # as `accuracy`, where the judge ties only equal scores
    # The share of pairs that the judge has in people's order, ties included (Deutsch, Foster and Freitag 2023); its
    # scores count as tied if they differ by at most `epsilon`.
    accuracy: float | None
    epsilon: float | None  # the one with the largest accuracy


class GateAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """CF-Eval's gate beside people: does it let those pictures of L1 through whose S by people is 0.5 or more?

    The gate is a threshold of the judge's S at level L1, the prompts that state the real law.
    """

    pictures: int
    accuracy: float  # balanced, at the protocol's threshold of 0.5
    threshold: float  # the one with the highest accuracy
    accuracy_there: float  # at `threshold`


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


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """One judge, as it was asked, beside people; over all of its runs."""

    judge: str
    name: str
    template: str
    protocol: str
    runs: list[str]
    answers: Answers  # to yes/no checks
    # The order of pictures by S, for pictures that people rated, or whose every check with a weight they labelled (not
    # under a protocol whose S is no mean of checks). Only pictures of one prompt are compared in pairs.
    pictures: Ordered
    models: Ordered | None  # the order of models by their mean S of these pictures; null for one model
    gate: GateAgreement | None  # of cf-eval
    preferences: Preferred | None  # of a table of preferences
    foretold: list[Foretold]  # one for each skill or law; none without a certificate
    left_out: list[str]  # notes on labels that are not used, and on facts that the labels do not tell


class Alignment(msgspec.Struct, frozen=True):
    """The agreement of judges with the answers of people, as `align --json` writes it."""

    labels: str
    raters: Raters | None  # null if the file names fewer than two
    judges: list[Agreement]
    agreement: list[SideBySide]  # every two judges on the same pictures
    others: list[str]  # generators without a run here, whose labels are not used

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


def align(path: Path, runs: Sequence[Path], columns: Mapping[str, str] = {}) -> Alignment:
    """The agreement of these runs' judges with people's labels, ratings or preferences in the table at `path`.

    `columns`: our names of the table's columns, by its own. Labels of pictures or checks that no run has are left out
    and counted. InputError if no label is of any run's generator and pictures, a run is named twice, or the runs are
    about several generators and the labels do not name theirs.
    """
    refuse_repeats(runs)
    preferences = read_preferences(path, columns) if has_preferences(path, columns) else []
    labels = [] if preferences else read_labels(path, ratings=True, columns=columns)
    judged_runs = [of_model for run in runs for of_model in load_models(run)]
    unused_generators = generators_without_run(path, labels, judged_runs) if labels else []
    by_judge: dict[tuple[object, ...], list[JudgedRun]] = {}
    for run in judged_runs:
        settings = (run.info.judge, run.info.template_digest, run.info.repeats, run.kept.info.prompt_shown)
        by_judge.setdefault((*settings, run.protocol.name, run.protocol.version), []).append(run)
    agreements = [_agreement(judged, labels, preferences) for judged in by_judge.values()]
    alignment = Alignment(str(path), raters_of(labels, judged_runs), agreements, [], unused_generators)
    scored_runs = [[(run, score(run)) for run in judged] for judged in by_judge.values()] if len(by_judge) > 1 else []
    return msgspec.structs.replace(alignment, agreement=side_by_side(scored_runs, alignment.names))


def generators_without_run(path: Path, labels: Sequence[HumanLabel], runs: Sequence[JudgedRun]) -> list[str]:
    """The generators that labels name and that have no run here.

    InputError if no label fits a run, or if the runs have several generators and a label names none.
    """
    drawn = {(run.kept.model.generator, run.kept.model.images_digest) for run in runs}
    if len(drawn) > 1 and not all(label.generator for label in labels):
        raise InputError(
            f"{path}: these runs are about pictures of {len(drawn)} generators, and some labels do not name theirs: "
            "name the generator, or its folder, in a column `generator` or `model`"
        )
    used_places = {label.where for run in runs for label in labels_of(run, labels)}
    others = list(dict.fromkeys(label.generator for label in labels if label.where not in used_places))
    samples = {row.sample_id for run in runs for row in run.rows}
    labels_used = (label for run in runs for label in labels_of(run, labels))
    if used_places and not any(label.sample in samples for label in labels_used):
        first = labels[0]
        raise InputError(
            f"{first.where}: {first.sample or first.prompt!r}: these runs have no such picture, and none of any other "
            f"label; their ids are like {min(samples)!r} for pictures, {min(samples).rpartition('/')[0]!r} for prompts"
        )
    if not used_places:
        raise InputError(
            f"{path}, column 'generator': none of these runs is about pictures of {', '.join(others)}; they are about "
            f"those of {', '.join(sorted(generator for generator, _ in drawn))}"
        )
    return others


def answers(people: Sequence[bool], judge: Sequence[bool]) -> Answers:
    """The agreement of people's and a judge's answers to the same yes/no checks, in the same order; True is yes."""
    by_truth = {truth: [answer for person, answer in zip(people, judge, strict=True) if person is truth]
            for truth in (True, False)}  # fmt: skip
    shares = [share(by_truth[truth].count(truth), len(by_truth[truth]), clopper_pearson) for truth in (True, False)]
    values = [estimate.value for estimate in shares if estimate.value is not None]
    return Answers(
        checks=len(people),
        sensitivity=shares[0],
        specificity=shares[1],
        balanced_accuracy=fmean(values) if len(values) == 2 else None,
        kappa=cohen_kappa(people, judge),
    )


def ordered(people: Sequence[float], judge: Sequence[float], sets: Sequence[object] = ()) -> Ordered:
    """The agreement about the order of items, from people's and a judge's scores of each, in the same order.

    `sets` names each item's set: only items of one set are compared in pairs. Without it all items are one set.
    """
    places_by_set: dict[object, list[int]] = defaultdict(list)
    for place in range(len(people)):
        places_by_set[sets[place] if sets else None].append(place)
    several = [places for places in places_by_set.values() if len(places) > 1]
    accuracies = tie_calibration([([people[i] for i in places], [judge[i] for i in places]) for places in several])
    strict, accuracy, epsilon = accuracies or (None, None, None)
    return Ordered(
        items=len(people),
        tau_b=kendall_tau_b(people, judge),
        spearman=spearman(people, judge),
        pairs=sum(len(places) * (len(places) - 1) // 2 for places in several),
        strict=strict,
        accuracy=accuracy,
        epsilon=epsilon,
    )


def majority(labels: Iterable[bool]) -> bool | None:
    """The answer of the majority; None for a tie."""
    answers = list(labels)
    return None if 2 * sum(answers) == len(answers) else 2 * sum(answers) > len(answers)


class _Joined:
    """The answers and scores of people and of one judge about the same pictures, gathered run by run.

    `people` and `judge` have the answers to the same yes/no checks, in one order; `by_name` has the same in pairs,
    (person's, judge's), by skill and by law. `scores` has a row for each picture: generator, prompt, people's S, the
    judge's S.

    Counts of what is left out: `tied_checks`, on which raters are tied; `lost_checks`, without an answer of the judge;
    `partly_labelled`, graded checks with a label, of pictures that have an unlabelled check; `no_mean`, graded
    ones under a protocol whose score of a picture is no mean of its checks; `no_score`, rated pictures without S.
    """

    def __init__(self) -> None:
        """Begin without any answer, score or count."""
        self.people: list[bool] = []
        self.judge: list[bool] = []
        self.scores: list[tuple[str, str, float, float]] = []
        self.by_name: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
        self.tied_checks = self.lost_checks = self.partly_labelled = self.no_mean = self.no_score = 0

    def add(self, run: JudgedRun, labels: Sequence[HumanLabel]) -> None:
        """Add the labels of one run's pictures beside the judge's answers and scores."""
        by_check: dict[tuple[str, str], list[float]] = defaultdict(list)
        rows: dict[tuple[str, str], CheckResult] = {}
        for label, row, credit in labels_with_credits(run.rows, labels):
            by_check[label.sample, label.check].append(credit)
            rows[label.sample, label.check] = row
        for place, row in rows.items():
            if row.yes_no:
                self._add_answer(row, by_check[place], skill_of(run.prompts.checks[row.prompt_id, row.check]))
        if any(not label.check for label in labels):
            self._add_rated(run, labels)
            return
        if type(run.protocol).of_picture is not Protocol.of_picture:  # its number is no mean of the labels' credits
            self.no_mean += sum(not row.yes_no for row in rows.values())
            return
        self._add_pictures(run, {place: fmean(credits) for place, credits in by_check.items()})

    def _add_rated(self, run: JudgedRun, ratings: Sequence[HumanLabel]) -> None:
        """Add the mean rating of each picture by people beside the protocol's own number of it."""
        by_picture: dict[str, list[float]] = defaultdict(list)
        for rating in ratings:
            by_picture[rating.sample].append(float(rating.label))
        for picture, judged in run.pictures():
            if picture.id in by_picture:
                self._add_scores(run, picture, fmean(by_picture[picture.id]), judged)
                self.no_score += judged is None or picture.status != "ok"

    def _add_scores(self, run: JudgedRun, picture: PictureScore, people: float, judge: float | None) -> None:
        """Add a picture's score by people beside the judge's, if the judge has one."""
        if judge is not None and picture.status == "ok":
            self.scores.append((run.kept.model.images, picture.id.rpartition("/")[0], people, judge))

    def _add_answer(self, row: CheckResult, credits: Sequence[float], skill: str) -> None:
        """Add people's majority answer to a yes/no check beside the judge's; lost and tied checks are only counted.

        `credits`: one for each person, 1 if the person gave the expected answer.
        """
        person = majority((credit == 1) == (row.expected == "yes") for credit in credits)
        self.lost_checks += row.credit is None
        self.tied_checks += row.credit is not None and person is None
        if row.credit is not None and person is not None:
            self.people.append(person)
            self.judge.append(affirmed(row))
            for name in filter(None, {skill, row.law}):
                self.by_name[name].append((person, affirmed(row)))

    def _add_pictures(self, run: JudgedRun, credits: Mapping[tuple[str, str], float]) -> None:
        """Add S of each picture by people's credits beside the judge's; it needs a label of every check."""
        rows: dict[str, list[CheckResult]] = defaultdict(list)
        for row in run.rows:
            rows[row.sample_id].append(row)
        for picture, by_judge in run.pictures(Scoring()):
            by_people = human_score(rows[picture.id], credits)
            if by_people is None:
                graded = (row for row in rows[picture.id] if not row.yes_no)
                self.partly_labelled += sum((row.sample_id, row.check) in credits for row in graded)
            else:
                self._add_scores(run, picture, by_people, by_judge)


def _agreement(runs: Sequence[JudgedRun], labels: Sequence[HumanLabel], preferences: Sequence[Preference]) -> Agreement:
    """The agreement of one judge, over all its runs, with people's labels, ratings or preferences."""
    first, gathered = runs[0], _Joined()
    for run in runs:
        gathered.add(run, labels_of(run, labels))
    models: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for model, _, human, judged in gathered.scores:
        models[model].append((human, judged))
    means = [tuple(map(fmean, zip(*scores, strict=True))) for scores in models.values()]
    left_out = [f"{counted(gathered.no_score, 'rated picture')} without a score"] if gathered.no_score else []
    left_out += [
        f"{counted(count, 'labelled check')} {why}"
        for count, why in (
            (gathered.lost_checks, "of pictures that are not there, or without an answer of the judge"),
            (gathered.partly_labelled, "with grades, of pictures not all of whose checks are labelled"),
            (gathered.no_mean, f"with grades: S of {first.protocol.name} cannot be computed from labels of checks"),
            (gathered.tied_checks, "on which raters are tied"),
        )
        if count
    ]
    drawn = admission_of_run(first).evidence.drawn
    foretold = [
        Foretold(judge=first.info.name, name=name, drawn=drawn[name].ccs, people=balanced, checks=result.checks)
        for name, answer_pairs in sorted(gathered.by_name.items())
        for result in [answers(*map(list, zip(*answer_pairs, strict=True)))]
        if name in drawn and (balanced := result.balanced_accuracy) is not None
    ]
    by_place = {label.where: label for run in runs for label in labels_of(run, labels)}
    left_out += unused_label_lines([row for run in runs for row in run.rows], list(by_place.values()))
    rated = any(not label.check for label in labels)
    if labels and len(gathered.scores) < 2 and not rated and type(first.protocol).of_picture is Protocol.of_picture:
        scored = counted(len(gathered.scores), "picture has", "pictures have")
        left_out.append(f"the order of pictures: {scored} labels of all checks with a weight; two or more are needed")
    return Agreement(
        judge=first.info.judge,
        name=first.info.name,
        template=first.info.template,
        protocol=first.protocol.name,
        runs=[str(run.kept.path) for run in runs],
        answers=answers(gathered.people, gathered.judge),
        pictures=ordered(
            [human for *_, human, _ in gathered.scores],
            [judged for *_, judged in gathered.scores],
            [prompt for _, prompt, *_ in gathered.scores],
        ),
        models=ordered([human for human, _ in means], [judged for _, judged in means]) if len(means) > 1 else None,
        preferences=preferred(preferences, runs) if preferences else None,
        gate=_gate(gathered.scores) if first.protocol.labelled_by == "group" else None,
        foretold=foretold,
        left_out=left_out,
    )


def _gate(scores: Sequence[tuple[str, str, float, float]]) -> GateAgreement | None:
    """The gate's agreement with people about the pictures of L1; None unless people pass some of them and fail others.

    `scores`: a row for each picture: generator, prompt, people's S, the judge's S.
    """
    pairs = [(human >= THRESHOLD, judged) for _, prompt, human, judged in scores if prompt.endswith(f"/{LEVELS[0]}")]
    found: dict[float, float] = {}  # balanced accuracy by threshold
    for threshold in sorted({THRESHOLD, *(judged for _, judged in pairs)}):
        people, passed = [human for human, _ in pairs], [judged >= threshold - ROUNDING for _, judged in pairs]
        if (accuracy := answers(people, passed).balanced_accuracy) is not None:
            found[threshold] = accuracy
    if not found:
        return None
    best = max(found, key=lambda threshold: (found[threshold], -abs(threshold - THRESHOLD)))
    return GateAgreement(pictures=len(pairs), accuracy=found[THRESHOLD], threshold=best, accuracy_there=found[best])


def raters_of(labels: Sequence[HumanLabel], runs: Sequence[JudgedRun]) -> Raters | None:
    """The agreement of the raters of these runs' pictures with each other; None of fewer than two."""
    raters = {label.rater for label in labels}
    if len(raters) < 2:
        return None
    ratings: dict[bool, dict[str, dict[object, float]]] = {True: defaultdict(dict), False: defaultdict(dict)}
    for run in runs:
        for label, row, credit in labels_with_credits(run.rows, labels_of(run, labels)):
            value = 1 - credit if row.expected == "no" else credit  # 1 for the answer yes, right or wrong
            ratings[row.yes_no][label.rater][label.generator, label.sample, label.check] = value
        for rating in (label for label in labels_of(run, labels) if not label.check):
            ratings[False][rating.rater][rating.generator, rating.sample, ""] = float(rating.label)
    return Raters(len(raters), len(labels), _alpha(ratings[True]), _alpha(ratings[False], graded=True))


def _alpha(by_rater: Mapping[str, Mapping[object, float]], graded: bool = False) -> float | None:
    """Krippendorff's alpha of labels, by rater and labelled thing; `graded`: ordinal, else nominal."""
    things = dict.fromkeys(thing for values in by_rater.values() for thing in values)
    ratings = [[values.get(thing) for thing in things] for values in by_rater.values()]
    return krippendorff_alpha(ratings, "ordinal" if graded else "nominal")
