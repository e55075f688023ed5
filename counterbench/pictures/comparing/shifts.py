"""A new judge beside the old one on the same pictures: what becomes of the models' scores, and of their order.

`ranking` (for `swap`) compares a new judge's run with the old judge's, model by model; `explain_moves` (for `watch`)
says for each model whose score moved if the judge or the model changed. A `Shift` is one model's main number by both
judges, with the difference. The crosswalk is a line from old scores to new ones: it translates a further model's score.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.pictures.comparing.judges import SideBySide, side_by_side
from counterbench.pictures.judging.judged_run import JudgedRun, load_models
from counterbench.pictures.protocols.numbers import Countable, Paired, paired
from counterbench.pictures.run_scores import admission_of_run, part_of, score
from counterbench.pictures.scores.measure import clusters_of, measure
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.pictures.words.run_names import distinct_documents, main_number
from counterbench.results.judge_changes import Moved, Shift
from counterbench.stats.crosswalk import CrosswalkLine, fit_line
from counterbench.stats.intervals import Estimate

# The number of points of `Ranking.crosswalk`, from the lowest of the models' old scores to the highest.
CROSSWALK_POINTS = 5


class CrosswalkPoint(msgspec.Struct, frozen=True):
    """A score by the old judge, and the new judge's score of a further model that has it."""

    old: float
    new: Estimate


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges on the same pictures of some models."""

    number: str  # the name of the protocol's main number
    models: list[Shift]
    agreement: SideBySide  # in answers, and in the order of the models
    crosswalk: list[CrosswalkPoint]  # points of the line; empty with fewer than three models, or too few groups
    moved: list[str]  # the models whose scores change with the judge (Bonferroni: any by chance in 5 % at most)
    run: str  # of the new judge


def ranking(old: Path, new: Path, names: tuple[str, str]) -> Ranking:
    """The run of the new judge beside that of the old one, without the laws and skills that the old one may not score.

    `names`: of the old judge and the new one.

    InputError if no group of any model is scored by both.
    """
    old_runs, new_runs = ({run.kept.model.name: run for run in load_models(path)} for path in (old, new))
    parts = [_scored_parts(run, new_runs[name]) for name, run in old_runs.items() if name in new_runs]
    sides = [[(run, score(run)) for run in side] for side in zip(*parts, strict=True)]
    documents = distinct_documents([document for _, document in sides[0]])
    number = main_number(documents[0])
    generators = [document.generator for document in documents]
    pairs = {
        model: _paired(old_run, new_run, model) for model, (old_run, new_run) in zip(generators, parts, strict=True)
    }
    line = _line(list(pairs.values()), number)
    adjusted = [_shift(model, pair, number, 0.05 / len(pairs)) for model, pair in pairs.items()]
    (agreement,) = side_by_side(sides, names)
    return Ranking(
        number=number,
        models=[_shift(model, pair, number) for model, pair in pairs.items()],
        agreement=agreement,
        crosswalk=_crosswalk_points(line),
        moved=[shift.model for shift in adjusted if shift.is_shown],
        run=str(new),
    )


def explain_moves(before: Path, again: Path, later: Path) -> list[Moved]:
    """The causes of each move of a model's score from the run `before` to the run `later`: the judge, or the model.

    `again` is `before` judged once more, by the judge of `later`. All intervals together hold with 95 %.

    InputError if the runs have no model in common, or were not asked the same.
    """
    runs = [{run.kept.model.name: run for run in load_models(path)} for path in (before, again, later)]
    common_names = [name for name in runs[0] if all(name in models for models in runs)]
    if not common_names:
        raise InputError(f"{later}: has no model of {before}, which has: {', '.join(runs[0])}")
    moves, alpha = [], 0.05 / (2 * len(common_names))
    for name in common_names:
        first, second, third = _scored_parts(*(models[name] for models in runs))
        number = main_number(score(first))
        judge, pictures = (
            _shift(first.kept.model.title, _paired(*couple, name), number, alpha)
            for couple in ((first, second), (second, third))
        )
        cause: Literal["judge", "model", ""] = "judge" if judge.is_shown else "model" if pictures.is_shown else ""
        moves.append(Moved(model=judge.model, judge=judge, pictures=pictures, what=cause))
    return moves


def _scored_parts(old: JudgedRun, *others: JudgedRun) -> list[JudgedRun]:
    """The part of each run that the old run's judge may score; all of it if that judge may score nothing."""
    admission = admission_of_run(old)
    return [part_of(run, admission.counts) if admission.admitted else run for run in (old, *others)]


def _paired(old: JudgedRun, new: JudgedRun, model: str) -> Paired:
    """One model's scores by the new and the old judge, paired by group; differences are new less old."""
    ids = {prompt.id for prompt in old.prompts.prompts if prompt.checks}
    first, second = (
        Countable(run.protocol, run.rows, run.protocol.scorings[DEFAULT], str(run.kept.path)) for run in (new, old)
    )
    names = f"{model} in {new.kept.path}", f"in {old.kept.path}"
    return paired(first, second, ids, names=names, levels=old.prompts.levels)


def _shift(model: str, pair: Paired, number: str, alpha: float = 0.05) -> Shift:
    """One model's number by both judges, with the difference; `alpha`: of its interval."""
    new, old = (measure(*part).columns[number] for part in zip(pair.parts, pair.formulas, strict=True))
    difference = pair.differences[number].interval(alpha)
    return Shift(model=model, groups=len(pair.units), old=old, new=new, difference=difference)


def _crosswalk_points(line: CrosswalkLine | None) -> list[CrosswalkPoint]:
    """Points of the line from old scores to new ones, over the range of the old; none without a line."""
    if line is None:
        return []
    lowest, highest = line.old_range
    last = CROSSWALK_POINTS - 1
    old_scores = [min(lowest + (highest - lowest) * step / last, highest) for step in range(CROSSWALK_POINTS)]
    return [CrosswalkPoint(old, new) for old in old_scores if (new := line.at(old)) is not None]


def _line(pairs: Sequence[Paired], number: str) -> CrosswalkLine | None:
    """The line from old scores to new ones, fitted to the models' groups; None if they are too few."""
    models = []
    for pair in pairs:
        new, old = (part.columns[number] for part in pair.parts)
        rows = zip(clusters_of(pair.units), old, new, strict=True)
        models.append([(cluster, a, b) for cluster, a, b in rows if a is not None and b is not None])
    return fit_line(models)
