"""Joins people's labels or ratings to a judge's answers and scores, or to a metric's values, run by run."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from counterbench.pictures.comparing.joined_rows import JoinedCheck, JoinedPicture, ScoreBySample
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.scores.labels import HumanLabel, affirmed, human_score, labels_with_credits
from counterbench.pictures.scores.results import CheckResult, PictureScore, by_key
from counterbench.pictures.scores.rules import Scoring, picture_score
from counterbench.prompts.skills import skill_of
from counterbench.text import counted


def majority(labels: Iterable[bool]) -> bool | None:
    """The answer of the majority; None for a tie."""
    answers = list(labels)
    return None if 2 * sum(answers) == len(answers) else 2 * sum(answers) > len(answers)


def is_mean_of_checks(protocol: Protocol) -> bool:
    """True if a picture's score is the mean of its checks, so that people's labels of them give one too."""
    return type(protocol).of_picture is Protocol.of_picture


class Joining:
    """The rows of people and of one judge about the same pictures, gathered run by run.

    Counts of what is left out: `tied_checks`, on which raters are tied; `lost_checks`, without an answer of the judge;
    `partly_labelled`, graded checks with a label, of pictures that have an unlabelled check; `no_mean`, graded
    ones under a protocol whose score of a picture is no mean of its checks; `no_score`, rated pictures without S.
    """

    def __init__(self) -> None:
        """Begin without any row or count."""
        self.checks: list[JoinedCheck] = []
        self.pictures: list[JoinedPicture] = []
        self.by_dimension: list[JoinedPicture] = []
        self.tied_checks = self.lost_checks = self.partly_labelled = self.no_mean = self.no_score = 0

    def add(self, run: JudgedRun, labels: Sequence[HumanLabel], metric: ScoreBySample | None) -> None:
        """Add the labels of one run's pictures beside the judge's answers and scores.

        `metric`: the values of a metric by sample, which stand in the place of the judge's scores; None for a judge.
        """
        with_credits = labels_with_credits(run.rows, labels)
        by_check = by_key(((row.sample_id, row.check), credit) for _, row, credit in with_credits)
        rows = [row for row in run.rows if (row.sample_id, row.check) in by_check]
        for row in rows if metric is None else ():
            if row.yes_no:
                skill = skill_of(run.prompts.checks[row.prompt_id, row.check])
                self._add_answer(row, by_check[row.sample_id, row.check], skill)
        if any(not label.check for label in labels):
            self._add_rated(run, labels, metric)
        elif not is_mean_of_checks(run.protocol):
            self.no_mean += sum(not row.yes_no for row in rows)
        else:
            self._add_pictures(run, {place: fmean(credits) for place, credits in by_check.items()}, metric)

    def notes(self, protocol: str) -> list[str]:
        """Lines on what is left out."""
        counts = (
            (self.no_score, "rated picture", "without a score"),
            (self.lost_checks, "labelled check", "of pictures that are not there, or without an answer of the judge"),
            (self.partly_labelled, "labelled check", "with grades, of pictures not all of whose checks are labelled"),
            (self.no_mean, "labelled check", f"with grades: S of {protocol} cannot be computed from labels of checks"),
            (self.tied_checks, "labelled check", "on which raters are tied"),
        )
        return [f"{counted(count, noun)} {why}" for count, noun, why in counts if count]

    def _add_rated(self, run: JudgedRun, ratings: Sequence[HumanLabel], metric: ScoreBySample | None) -> None:
        """Add the mean rating of each picture by people beside the protocol's own number of it, or the metric's."""
        by_picture = by_key((rating.sample, float(rating.label)) for rating in ratings)
        for picture, judged in run.pictures():
            if picture.id in by_picture:
                score = judged if metric is None else metric.get(picture.id)
                self._add_score(run.kept.model.images, picture, fmean(by_picture[picture.id]), score)
                self.no_score += score is None or picture.status != "ok"

    def _add_score(self, model: str, picture: PictureScore, people: float, judge: float | None, part: str = "") -> None:
        """Add a picture's score by people beside the judge's, if it has one; `part`: the only dimension that counts."""
        if judge is not None and picture.status == "ok":
            rows = self.by_dimension if part else self.pictures
            about = picture.checks[0]
            rows.append(JoinedPicture(about=about, dimension=part, model=model, people=people, judge=judge))

    def _add_answer(self, row: CheckResult, credits: Sequence[float], skill: str) -> None:
        """Add people's majority answer to a yes/no check beside the judge's; lost and tied checks are only counted.

        `credits`: one for each person, 1 if the person gave the expected answer.
        """
        person = majority((credit == 1) == (row.expected == "yes") for credit in credits)
        self.lost_checks += row.credit is None
        self.tied_checks += row.credit is not None and person is None
        if row.credit is not None and person is not None:
            named = {"dimension": row.dimension, "skill": skill}
            self.checks.append(JoinedCheck(about=row, person=person, judge=affirmed(row), **named))

    def _add_pictures(
        self, run: JudgedRun, credits: Mapping[tuple[str, str], float], metric: ScoreBySample | None
    ) -> None:
        """Add S of each picture by people's credits beside the judge's, or a metric's; all its checks need a label.

        S by the checks of each dimension is added too, for those all of whose checks have a label.
        """
        rows = by_key((row.sample_id, row) for row in run.rows)
        model = run.kept.model.images
        for picture, by_judge in run.pictures(Scoring()):
            of_picture = rows[picture.id]
            by_people = human_score(of_picture, credits)
            if by_people is None:
                graded = (row for row in of_picture if not row.yes_no)
                self.partly_labelled += sum((row.sample_id, row.check) in credits for row in graded)
            else:
                score = by_judge if metric is None else metric.get(picture.id)
                self._add_score(model, picture, by_people, score)
                self.no_score += metric is not None and score is None
            for part in dict.fromkeys(row.dimension for row in of_picture if row.dimension and metric is None):
                by_people = human_score([row for row in of_picture if row.dimension == part], credits)
                if by_people is not None:
                    self._add_score(model, picture, by_people, picture_score(picture, Scoring(), part), part)
