"""Judges beside people: how far a judge agrees with people's labels, ratings or preferences of the same pictures.

`align`, the main function, takes a table from people and runs of judges, and gives an `Alignment`: for each judge an
`Agreement` about single checks (questions about a picture) and about the order of pictures and of models. A label is a
person's answer to one check of one picture; a rating is a person's number for a whole picture; a preference is the
better one of two pictures. S is the score of a picture, 0 … 1. `joining` puts people's answers beside the judge's, row
by row; `beside_people` makes all numbers from such rows, of all of them and of each part.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from counterbench.errors import InputError
from counterbench.files.rows import read_columns
from counterbench.pictures.comparing.joined_rows import KINDS, Joined, ScoreBySample
from counterbench.pictures.comparing.joining import Joining, is_mean_of_checks
from counterbench.pictures.comparing.judges import names_of, side_by_side
from counterbench.pictures.comparing.people_numbers import answers, differences, ordered, thresholds
from counterbench.pictures.comparing.people_results import Agreement, Alignment, BesidePeople, Foretold, Raters
from counterbench.pictures.comparing.preferences import COLUMNS as PREFERENCE_COLUMNS
from counterbench.pictures.comparing.preferences import (
    Preference,
    evaluator_choices,
    has_preferences,
    joined_preferences,
    preferred,
    read_preferences,
)
from counterbench.pictures.judging.judged_run import JudgedRun, load_models
from counterbench.pictures.run_scores import admission_of_run, labels_of, score
from counterbench.pictures.scores.labels import (
    OPTIONAL,
    PLACES,
    HumanLabel,
    labels_with_credits,
    read_labels,
    unused_label_lines,
)
from counterbench.pictures.scores.results import by_key, cluster_name
from counterbench.prompts.from_laws import LEVELS
from counterbench.runs.folder import refuse_repeats
from counterbench.stats.agreement import krippendorff_alpha
from counterbench.text import counted

# The columns of a table of labels, ratings or preferences.
COLUMNS = tuple(dict.fromkeys((*PLACES, "check", "label", "rating", *OPTIONAL, *PREFERENCE_COLUMNS)))

METRIC_COLUMNS = ("metric", "value")  # of a table of other numbers of the pictures


def align(path: Path, runs: Sequence[Path], columns: Mapping[str, str] = {}, metrics: Path | None = None) -> Alignment:
    """The agreement of these runs' judges with people's labels, ratings or preferences in the table at `path`.

    `columns`: our names of the table's columns, by its own. `metrics`: a table of other numbers of the pictures, whose
    metrics stand beside the judges. Labels of pictures or checks that no run has are left out and counted.
    InputError if no label, or no number, is of any run's generator and pictures, a run is named twice, or the runs are
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
    evaluators = _evaluators_by_name(list(by_judge.values()))
    choices = [row for row in preferences if {row.first, row.second} <= evaluators.keys()]
    people = (labels, [row for row in preferences if not {row.first, row.second} <= evaluators.keys()])
    agreements = [_of_judge(judged, *people) for judged in by_judge.values()]
    agreements += [] if metrics is None else _of_metrics(metrics, judged_runs, *people)
    scored_runs = [[(run, score(run)) for run in judged] for judged in by_judge.values()] if len(by_judge) > 1 else []
    alignment = Alignment(str(path), raters_of(labels, judged_runs), agreements, [], unused_generators)
    names = {name: alignment.names[place] for name, place in evaluators.items()}
    return msgspec.structs.replace(
        alignment,
        agreement=side_by_side(scored_runs, alignment.names),
        choices=evaluator_choices(choices, names, judged_runs),
    )


def _evaluators_by_name(evaluators: Sequence[Sequence[JudgedRun]]) -> dict[str, int]:
    """The place of each evaluator by each name that it alone has.

    These are its judge, its protocol, its name in tables, and the paths of its runs.
    """
    infos, protocols = [runs[0].info for runs in evaluators], [runs[0].protocol.name for runs in evaluators]
    shown = [names_of(infos, protocols, [info.template for info in infos], whole=whole) for whole in (False, True)]
    called = [
        {info.judge, info.name, name, *words, *(str(run.kept.path) for run in runs)}
        for info, name, *words, runs in zip(infos, protocols, *shown, evaluators, strict=True)
    ]
    times = Counter(name for names in called for name in names)
    return {name: place for place, names in enumerate(called) for name in names if name and times[name] == 1}


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


def beside_people(joined: Joined, from_0_to_1: bool) -> BesidePeople:
    """All numbers of a judge beside people, from the rows of both.

    `from_0_to_1`: True if people's numbers of all pictures are on this scale, those of other parts included.
    """
    pictures = joined.pictures
    people, judge = [row.people for row in pictures], [row.judge for row in pictures]
    by_model = by_key((row.model, (row.people, row.judge)) for row in pictures)
    means = [tuple(map(fmean, zip(*scores, strict=True))) for scores in by_model.values()]
    same_scale = bool(pictures) and joined.max_score is not None and from_0_to_1
    scores = [number / (joined.max_score or 1) for number in judge]
    clusters = [cluster_name(row.about.law, row.about.words, row.about.group) for row in pictures]
    return BesidePeople(
        answers=answers([row.person for row in joined.checks], [row.judge for row in joined.checks]),
        pictures=ordered(people, judge, [row.about.prompt_id for row in pictures]),
        models=ordered([human for human, _ in means], [judged for _, judged in means]) if len(means) > 1 else None,
        differences=differences(people, scores, clusters) if same_scale else None,
        thresholds=thresholds(people, scores, [row.about.group for row in pictures]) if same_scale else None,
        preferences=preferred(joined.preferences) if joined.preferences else None,
    )


def is_from_0_to_1(joined: Joined) -> bool:
    """True if people's numbers of all pictures are from 0 to 1."""
    return all(0 <= row.people <= 1 for row in joined.pictures)


def _of_judge(runs: Sequence[JudgedRun], labels: Sequence[HumanLabel], preferences: Sequence[Preference]) -> Agreement:
    """The agreement of one judge, over all its runs, with people."""
    first = runs[0]
    joined, left_out = _joined(runs, labels, preferences)
    by_place = {label.where: label for run in runs for label in labels_of(run, labels)}
    left_out += unused_label_lines([row for run in runs for row in run.rows], list(by_place.values()))
    rated = any(not label.check for label in labels)
    if labels and len(joined.pictures) < 2 and not rated and is_mean_of_checks(first.protocol):
        scored = counted(len(joined.pictures), "picture has", "pictures have")
        left_out.append(f"the order of pictures: {scored} labels of all checks with a weight; two or more are needed")
    of_l1 = joined.parts("level").get(LEVELS[0])
    is_gated = first.protocol.labelled_by == "group"
    return Agreement(
        **_parts(joined),
        judge=first.info.judge,
        name=first.info.name,
        template=first.info.template,
        protocol=first.protocol.name,
        runs=[str(run.kept.path) for run in runs],
        gate=beside_people(of_l1, is_from_0_to_1(joined)).thresholds if is_gated and of_l1 is not None else None,
        foretold=_foretold(first, joined),
        left_out=left_out,
    )


def _of_metrics(
    path: Path, runs: Sequence[JudgedRun], labels: Sequence[HumanLabel], preferences: Sequence[Preference]
) -> list[Agreement]:
    """The agreement of each metric in a table with people; prompts and checks are those of one run of each model.

    That is one whose score of a picture follows from people's labels, if there is one.
    """
    by_model: dict[str, JudgedRun] = {}
    for run in sorted(runs, key=lambda run: (run.comparisons is not None, not is_mean_of_checks(run.protocol))):
        by_model.setdefault(run.kept.model.images, run)
    next(read_columns(path, METRIC_COLUMNS, (*PLACES, *OPTIONAL)), None)  # names a column that the table lacks
    numbers = read_labels(path, ratings=True, columns={"rating": "value", "rater": "metric"}, with_holes=True)
    generators_without_run(path, numbers, runs)
    found = []
    for name in dict.fromkeys(number.rater for number in numbers):
        own = [number for number in numbers if number.rater == name]
        values = [{number.sample: float(number.label) for number in labels_of(run, own)} for run in by_model.values()]
        joined, left_out = _joined(list(by_model.values()), labels, preferences, values)
        found.append(Agreement(**_parts(joined), judge=name, name=name, left_out=left_out))
    return found


def _joined(
    runs: Sequence[JudgedRun],
    labels: Sequence[HumanLabel],
    preferences: Sequence[Preference],
    metric: Sequence[ScoreBySample] | None = None,
) -> tuple[Joined, list[str]]:
    """All rows of one judge and people, and lines on what is left out; `metric`: a metric's values for each run."""
    protocol, joining = runs[0].protocol, Joining()
    for place, run in enumerate(runs):
        joining.add(run, labels_of(run, labels), None if metric is None else metric[place])
    max_score = protocol.max_score if metric is None else None
    compared = joined_preferences(preferences, runs, metric)
    joined = Joined(max_score, joining.checks, joining.pictures, compared, joining.by_dimension)
    return joined, joining.notes(protocol.name)


def _parts(joined: Joined) -> dict[str, Any]:
    """The fields of an `Agreement` that are numbers: of all rows, and by parts."""
    scale = is_from_0_to_1(joined)
    slices = {kind: {name: beside_people(part, scale) for name, part in parts.items()}
              for kind in KINDS if len(parts := joined.parts(kind)) > 1}  # fmt: skip
    return {**msgspec.structs.asdict(beside_people(joined, scale)), "slices": slices}


def _foretold(run: JudgedRun, joined: Joined) -> list[Foretold]:
    """The drawn test beside people, by skill and law; `run`: one of the judge's."""
    drawn = admission_of_run(run).evidence.drawn
    by_name = by_key((name, row) for row in joined.checks for name in {row.skill, row.about.law} if name)
    return [
        Foretold(judge=run.info.name, name=name, drawn=drawn[name].ccs, people=balanced, checks=result.checks)
        for name, rows in sorted(by_name.items())
        for result in [answers([row.person for row in rows], [row.judge for row in rows])]
        if name in drawn and (balanced := result.balanced_accuracy) is not None
    ]


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
