"""Judges beside people: runs and a file of labels, joined by picture and check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from counterbench.errors import InputError
from counterbench.runs.folder import refuse_repeats
from counterbench.stats.agreement import krippendorff_alpha
from counterbench.t2i.comparing.alignment import Answers, Gate, Ordered, answers, gate, majority, ordered, ratings
from counterbench.t2i.judging.results import JudgedRun, load_judged
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.cf_eval import GatedScoring
from counterbench.t2i.protocols.cf_eval.gate import ROUNDING
from counterbench.t2i.run_scores import labels_of
from counterbench.t2i.scores.labels import WHOLE, HumanLabel, affirmed, credited, human_score, read_labels, strangers
from counterbench.t2i.scores.results import CheckResult, Picture, group_results
from counterbench.t2i.scores.rules import DEFAULT, Scoring, picture_score
from counterbench.text import counted

YES_NO = ("yes", "no")


class Raters(msgspec.Struct, frozen=True):
    """The agreement of raters with each other: Krippendorff's alpha over things that two or more of them labelled.

    Null where nothing was labelled twice, or all labels are the same.
    """

    raters: int
    labels: int
    yes_no: float | None  # nominal, for yes/no checks and whole pictures
    graded: float | None  # ordinal, for credits of graded checks


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """One judge, as it was asked, beside people; over all of its runs."""

    judge: str
    name: str
    wording: str
    protocol: str
    runs: list[str]
    answers: Answers  # to yes/no checks
    # S of the pictures whose every check with a weight people labelled; none under a protocol whose number of a picture
    # is no mean of its checks. Pairs are of pictures of one prompt.
    pictures: Ordered
    models: Ordered | None  # the means of these by generator; null for one model
    gate: Gate | None  # null under a protocol without one
    left_out: list[str]  # notes on labels that are not used, and on facts that the labels do not tell


class Alignment(msgspec.Struct, frozen=True):
    """`t2i align --json`."""

    labels: str
    raters: Raters | None  # null if the file names fewer than two
    judges: list[Agreement]
    others: list[str]  # generators without a run here, whose labels are not used


def align(path: Path, runs: Sequence[Path]) -> Alignment:
    """The labels in a CSV beside the answers of these runs' judges about the same pictures.

    Labels of pictures or checks that no run has are left out and counted. InputError if no label is of any run's
    generator, a run is named twice, or the runs are about several generators and the labels do not name theirs.
    """
    refuse_repeats(runs)
    labels = read_labels(path)
    read = [load_judged(run) for run in runs]
    others = of_others(path, labels, read)
    by_judge: dict[tuple[object, ...], list[JudgedRun]] = {}
    for run in read:
        asked = (run.info.judge, run.info.wording_digest, run.info.votes, run.kept.info.prompt_shown)
        by_judge.setdefault((*asked, run.protocol.name, run.protocol.version), []).append(run)
    agreements = [_agreement(of, labels) for of in by_judge.values()]
    return Alignment(str(path), _raters(labels, read), agreements, others)


def of_others(path: Path, labels: Sequence[HumanLabel], runs: Sequence[JudgedRun]) -> list[str]:
    """The labels' generators without a run here; InputError if none has a run, or a label may be of several."""
    drawn = {(run.kept.info.generator, run.kept.info.images_digest) for run in runs}
    if len(drawn) > 1 and not all(label.generator for label in labels):
        raise InputError(
            f"{path}: these runs are about the pictures of {len(drawn)} generators, and not every label says of which: "
            "name the generator, or its folder, in a column `generator`"
        )
    used = {label.where for run in runs for label in labels_of(run, labels)}
    others = list(dict.fromkeys(label.generator for label in labels if label.where not in used))
    if not used:
        raise InputError(
            f"{path}, column 'generator': none of these runs is about pictures of {', '.join(others)}; they are about "
            f"those of {', '.join(sorted(generator for generator, _ in drawn))}"
        )
    return others


class _Joined:
    """The answers of people and of one judge to the same checks, gathered run by run."""

    def __init__(self, threshold: float | None) -> None:
        self.threshold = threshold
        self.people: list[bool] = []
        self.judge: list[bool] = []
        self.scores: list[tuple[str, str, float, float]] = []  # generator, prompt, people's S, the judge's
        self.verdicts: list[tuple[bool, bool]] = []
        self.gated: list[float] = []
        self.split = self.lost = self.partly = self.apart = 0

    def add(self, run: JudgedRun, labels: Sequence[HumanLabel]) -> None:
        """Join the labels of this run's pictures."""
        by_check: dict[tuple[str, str], list[float]] = defaultdict(list)
        rows: dict[tuple[str, str], CheckResult] = {}
        for label, row, credit in credited(run.rows, labels):
            by_check[label.sample, label.check].append(credit)
            rows[label.sample, label.check] = row
        self._add_answers([(row, by_check[place]) for place, row in rows.items()])
        whole: dict[str, list[bool]] = defaultdict(list)
        for label in labels:
            if label.check == WHOLE and (label.sample, WHOLE) not in rows:
                whole[label.sample].append(label.label == "yes")
        asked: dict[str, list[CheckResult]] = defaultdict(list)
        for row in run.rows:
            asked[row.sample_id].append(row)
        if type(run.protocol).of_picture is not Protocol.of_picture:  # its number is no mean of the labels' credits
            self.apart += sum(row.expected not in YES_NO for row in rows.values())
            return
        credits = {place: fmean(of) for place, of in by_check.items()}
        for group in group_results(run.rows, run.prompts.levels):
            for level, pictures in group.pictures.items():
                for picture in pictures.values():
                    said, human = picture_score(picture, Scoring()), human_score(asked[picture.id], credits)
                    if human is None:
                        graded = (row for row in asked[picture.id] if row.expected not in YES_NO)
                        self.partly += sum((row.sample_id, row.check) in credits for row in graded)
                    if said is not None and picture.status == "ok":
                        first = run.prompts.levels[0] == level
                        self._add_picture(run, picture, human, said, whole[picture.id] if first else None)

    def _add_answers(self, labelled: Sequence[tuple[CheckResult, Sequence[float]]]) -> None:
        for row, credits in labelled:
            if row.expected not in YES_NO:
                continue
            yes = row.expected == "yes"
            person = majority((credit == 1) == yes for credit in credits)
            self.lost += row.credit is None
            self.split += row.credit is not None and person is None
            if row.credit is not None and person is not None:
                self.people.append(person)
                self.judge.append(affirmed(row))

    def _add_picture(
        self, run: JudgedRun, picture: Picture, human: float | None, said: float, whole: Sequence[bool] | None
    ) -> None:
        if human is not None:
            self.scores.append((run.kept.info.images, picture.id.rpartition("/")[0], human, said))
        if self.threshold is None or whole is None:  # there is no gate, or the picture is of another level
            return
        verdict = majority(whole)
        if verdict is None and human is None:
            return
        self.verdicts.append((human is not None and human >= self.threshold - ROUNDING if verdict is None else verdict,
                              verdict is not None))  # fmt: skip
        self.gated.append(said)


def _agreement(runs: Sequence[JudgedRun], labels: Sequence[HumanLabel]) -> Agreement:
    first = runs[0]
    usual = first.protocol.scorings[DEFAULT]
    both = _Joined(usual.threshold if isinstance(usual, GatedScoring) else None)
    for run in runs:
        both.add(run, labels_of(run, labels))
    models: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for model, _, human, said in both.scores:
        models[model].append((human, said))
    means = [tuple(map(fmean, zip(*of, strict=True))) for of in models.values()]
    left_out = [
        f"{counted(count, 'labelled check')} {why}"
        for count, why in (
            (both.lost, "of pictures that are not there, or without an answer of the judge"),
            (both.partly, "with grades, of pictures not all of whose checks are labelled"),
            (both.apart, f"with grades: {first.protocol.name} has no S of a picture that labels of checks come to"),
            (both.split, "about which raters are split"),
        )
        if count
    ]
    own = {label.where: label for run in runs for label in labels_of(run, labels)}
    left_out += strangers([row for run in runs for row in run.rows], list(own.values()))
    if len(both.scores) < 2 and type(first.protocol).of_picture is Protocol.of_picture:
        whole = counted(len(both.scores), "picture has", "pictures have")
        left_out.append(f"the order of pictures: {whole} a label of every check with a weight; two or more are needed")
    return Agreement(
        judge=first.info.judge,
        name=first.info.name,
        wording=first.info.wording,
        protocol=first.protocol.name,
        runs=[str(run.kept.path) for run in runs],
        answers=answers(both.people, both.judge),
        pictures=ordered(
            [human for *_, human, _ in both.scores],
            [said for *_, said in both.scores],
            [prompt for _, prompt, *_ in both.scores],
        ),
        models=ordered([human for human, _ in means], [said for _, said in means]) if len(means) > 1 else None,
        gate=gate(both.verdicts, both.gated) if both.verdicts else None,
        left_out=left_out,
    )


def _raters(labels: Sequence[HumanLabel], runs: Sequence[JudgedRun]) -> Raters | None:
    raters = {label.rater for label in labels}
    if len(raters) < 2:
        return None
    said: dict[bool, dict[tuple[str, object], float]] = {True: {}, False: {}}
    for run in runs:
        own = labels_of(run, labels)
        labelled = [(label, row.expected, credit) for label, row, credit in credited(run.rows, own)]
        known = {label for label, *_ in labelled}
        pictures = {row.sample_id for row in run.rows}
        labelled += [
            (label, "yes", float(label.label == "yes"))
            for label in own
            if label not in known and label.check == WHOLE and label.sample in pictures
        ]
        for label, expected, credit in labelled:
            thing = (label.generator, label.sample, label.check)
            value = 1 - credit if expected == "no" else credit  # the answer, and not if it is right
            said[expected in YES_NO][label.rater, thing] = value
    yes_no, graded = krippendorff_alpha(ratings(said[True])), krippendorff_alpha(ratings(said[False]), "ordinal")
    return Raters(len(raters), len(labels), yes_no, graded)
