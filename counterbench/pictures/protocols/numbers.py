"""The document of a run's judged checks, for any protocol: intervals, slices, losses; and two runs, paired.

`document` takes the rows of one run (`CheckResult`: a check, its answer and its credit), a protocol and a scoring (the
way to count), and gives a `ModelDocument`. `paired` takes two runs, each as a `Countable`, and gives their differences
over the units (groups of prompts, or prompts) that both have scored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache

import msgspec

from counterbench.errors import InputError, chosen
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.scores.document import Bounds, JudgeStatus, Leaning, ModelDocument, ModelProvenance
from counterbench.pictures.scores.measure import counts, differences, is_complete, means, measure, soft_counts
from counterbench.pictures.scores.results import CheckResult, group_results
from counterbench.pictures.scores.rules import DEFAULT, MissingData, PictureScores, Scoring, credited
from counterbench.pictures.scores.scores import Formula, ScorePart, Scores, Unit
from counterbench.stats.clusters import Inference
from counterbench.stats.intervals import Estimate

# The status of a judge that nobody certified.
UNTESTED = JudgeStatus()
Rows = Iterable[CheckResult]


def document(
    protocol: Protocol,
    rows: Rows,
    *,
    levels: Sequence[str],
    provenance: ModelProvenance,
    scoring: Scoring | None = None,
    scoring_name: str = DEFAULT,
    judge_status: JudgeStatus = UNTESTED,
    run: str = "",
    references: Mapping[str, Mapping[str, float | None]] | None = None,
    leaning: Leaning | None = None,
) -> ModelDocument:
    """The scores of one run from its judged checks.

    `levels`: the prompt set's, in order. `scoring`: the way to count, by default the protocol's scoring of that name.
    `judge_status`: the result of the judge's test. `run`: the run's path, also for messages. `references`: the numbers
    of planted models (`Protocol.references`). `leaning`: the judge's leaning to yes, if it was measured.
    InputError if there is no row, or rows contradict one another (see `group_results`), or do not fit the scoring (see
    `credited`).
    """
    scoring = scoring or chosen("scoring", scoring_name, protocol.scorings)
    scored_rows = credited(rows, scoring, run)
    groups = group_results(scored_rows, levels)
    if not groups:
        raise InputError("there is no judged check to score")
    result = protocol.score(scored_rows, levels, scoring)
    whole = measure(result.whole, result.formulas)
    scores = PictureScores(groups, scoring)
    counts_by_level = {level: counts(groups, scores, level) for level in levels}
    parts_of = protocol.slices(scored_rows, levels, scoring)
    slices = {
        kind: {name: measure(part, result.formulas).columns for name, part in parts.items()}
        for kind, parts in parts_of.items()
        if parts
    }
    return ModelDocument(
        run=run,
        protocol=protocol.name,
        generator=provenance.generator,
        judge=provenance.judge,
        **msgspec.structs.asdict(judge_status),
        complete=all(map(is_complete, counts_by_level.values())),
        provenance=msgspec.structs.replace(provenance, scoring=scoring_name, threshold=result.threshold),
        groups=len(groups),
        clusters=whole.clusters,
        prompts=sum(count.groups for count in counts_by_level.values()),
        pictures=sum(count.pictures for count in counts_by_level.values()),
        scored=sum(count.pictures_scored for count in counts_by_level.values()),
        headline=list(result.headline),
        secondary=list(result.secondary),
        columns=whole.columns,
        by_word=whole.columns,
        rests_on=whole.rests_on,
        slices=slices,
        slice_units={kind: {name: len(parts_of[kind][name].units) for name in parts} for kind, parts in slices.items()},
        category_of=_category_of(scored_rows),
        counts=counts_by_level,
        bounds=_bounds(protocol, scored_rows, levels, scoring, result),
        references={name: dict(line) for name, line in (references or {}).items()},
        leaning=leaning,
        soft=soft_counts(scored_rows) if scoring.soft else None,
    )


def _category_of(rows: Sequence[CheckResult]) -> dict[str, str]:
    """For each dimension whose checks with a weight are all about prompts of one category, that category."""
    pairs = dict.fromkeys((row.dimension, row.category) for row in rows if row.dimension and row.weight > 0)
    times = Counter(dimension for dimension, _ in pairs)
    return {dimension: category for dimension, category in pairs if times[dimension] == 1 and category}


def columns_of(
    protocol: Protocol, rows: Rows, levels: Sequence[str], scoring: Scoring, run: str = ""
) -> dict[str, Estimate]:
    """The columns, with intervals, of the document that these rows would give."""
    result = protocol.score(credited(rows, scoring, run), levels, scoring)
    return measure(result.whole, result.formulas).columns


def _bounds(
    protocol: Protocol, rows: Sequence[CheckResult], levels: Sequence[str], scoring: Scoring, result: Scores
) -> dict[str, Bounds]:
    """Three values of each number: lost checks count as wrong, leave their pictures out, and count as right.

    Numbers that do not grow with every credit have their own `Protocol.ends`.
    """
    as_wrong, left_out, as_right = (means(result),) * 3  # if nothing is lost, all ways count the same
    if any(row.credit is None for row in rows):
        handlings: tuple[MissingData, ...] = ("zero", "out", "one")
        ways = (msgspec.structs.replace(scoring, missing_data=handling) for handling in handlings)
        as_wrong, left_out, as_right = (means(protocol.score(rows, levels, way)) for way in ways)
    ends, by_name = protocol.ends(rows, levels, scoring), {}
    for name in result.bounded:
        worst, best = ends.get(name, (as_wrong.get(name), as_right.get(name)))
        dropped = left_out.get(name)  # moved into the range of the whole, if it is outside
        if dropped is not None and best is not None:
            dropped = min(dropped, best)
        if dropped is not None and worst is not None:
            dropped = max(dropped, worst)
        by_name[name] = Bounds(worst, dropped, best)
    return by_name


class Paired(msgspec.Struct, frozen=True):
    """Two models' scores over the units (groups or prompts) that both have scored, with their differences."""

    names: tuple[str, str]
    units: tuple[Unit, ...]
    parts: tuple[ScorePart, ScorePart]  # of the scores, over these units
    formulas: tuple[Mapping[str, Formula], Mapping[str, Formula]]  # of numbers computed from means, by name
    differences: dict[str, Inference]  # by each number that both have as their result, first less second
    left_out: int  # the number of other units


class Countable:
    """A model's rows with credits, and its scores, each computed once for all models that it is paired with.

    InputError at `where` if the rows do not fit the scoring (see `credited`).
    """

    def __init__(self, protocol: Protocol, rows: Rows, scoring: Scoring, where: str) -> None:
        """Give the rows their credits, once."""
        self.protocol, self.scoring = protocol, scoring
        self.rows = credited(rows, scoring, where)
        self.prompts = {row.prompt_id for row in self.rows}
        self.scores = cache(self._scores)

    def _scores(self, prompts: frozenset[str], levels: tuple[str, ...]) -> Scores:
        """The scores of the rows about these prompts."""
        return self.protocol.score([row for row in self.rows if row.prompt_id in prompts], levels, self.scoring)


def paired(
    first: Countable, second: Countable, among: Set[str], *, names: tuple[str, str], levels: Sequence[str]
) -> Paired:
    """Two models' numbers and their differences, on the prompts of `among` that have rows of both.

    `among`: the prompts about which both were asked the same. Only units count that both have scored at every level
    with pictures. InputError if none is left.
    """
    prompts = [model.prompts & among for model in (first, second)]
    common, all_ids = frozenset(prompts[0] & prompts[1]), prompts[0] | prompts[1]
    other_groups = {id.rpartition("/")[0] for id in all_ids} - {id.rpartition("/")[0] for id in common}
    shared = tuple(level for level in levels if any(id.rpartition("/")[2] == level for id in common))
    if not shared:
        raise InputError(f"{names[0]} and {names[1]} were not asked the same checks of any prompt: nothing to compare")
    left, right = (model.scores(common, shared) for model in (first, second))
    parts = on_common_units(left.whole, right.whole)
    units = parts[0].units
    if not units:
        raise InputError(
            f"{names[0]} and {names[1]} have no group that both have scored at every level: nothing to compare"
        )
    headline = [name for name in left.headline if name in right.headline]
    left_out = len({unit.name for scores in (left, right) for unit in scores.whole.units}) - len(units)
    left_out += len(other_groups)
    formulas = (left.formulas, right.formulas)
    return Paired(names, units, parts, formulas, differences(parts, formulas, headline), left_out)


def on_common_units(left: ScorePart, right: ScorePart) -> tuple[ScorePart, ScorePart]:
    """Both parts with only the units that both have scored at every level, in the same order."""
    others = {unit.name: place for place, unit in enumerate(right.units)}
    matched = [
        (place, others[unit.name])
        for place, unit in enumerate(left.units)
        if unit.name in others and left.complete[place] and right.complete[others[unit.name]]
    ]
    return left.only([place for place, _ in matched]), right.only([place for _, place in matched])
