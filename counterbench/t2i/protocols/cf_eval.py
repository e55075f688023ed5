"""CF-Eval (CF-World, section 3.3): S of a picture, the gate by S_L1, PRR and RRR, and all that must stand beside them.

PRR = E[S_L2] / √E[S_L1] and RRR = E[S_L3] / √E[S_L2]; the release's README states S_L2 / S_L1 and (S_L3 / S_L2) · S_L3,
which the scoring `readme` uses. E is the mean over groups of the mean over a group's samples. RRR is not monotone: a
model ruled by habit alone can have a higher one than a model that is right at L2 and wrong at L3, so neither rate is
to be read without the references `turkey` and `literal`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from counterbench.errors import InputError
from counterbench.stats.bootstrap import DRAWS, SEED, Resample
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.columns import LEVELS
from counterbench.t2i.scores.document import Difference, Document, Part, Rates, Reference, Signature, Standing
from counterbench.t2i.scores.missing import bounds, complete, counts
from counterbench.t2i.scores.results import CheckResult, GroupResult, group_results
from counterbench.t2i.scores.rules import DEFAULT, scoring
from counterbench.t2i.scores.table import Table, picked

THRESHOLD = 0.5
# Of rows that nobody certified.
NONE = Standing()


def score(
    rows: Iterable[CheckResult],
    *,
    levels: Sequence[str],
    signature: Signature,
    standing: Standing = NONE,
    run: str = "",
    references: Mapping[str, Reference] | None = None,
    scoring_name: str = DEFAULT,
    threshold: float = THRESHOLD,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Document:
    """The scores of one run from its judged checks, under a named scoring.

    `levels` are the prompt set's, in order; only ("l1", "l2", "l3") have a gate, PRR and RRR. The gate lets a group's
    L2 and L3 count where its S_L1 is at least `threshold`. `standing`: what the judge was shown to see.
    `references` are the true numbers of `turkey` and `literal` on the same set (see `reference`). Intervals: 95 %,
    percentile bootstrap over whole laws, `draws` times. InputError if there is no row, rows contradict one another (see
    `group_results`), or the threshold is outside 0 … 1.
    """
    how = scoring(scoring_name)
    groups = _groups(rows, levels, threshold)
    table = Table(groups, levels, how, threshold)
    resample = _resample(groups, draws, seed)
    whole = table.part(range(len(groups)), resample)
    counted = {level: counts(groups, table.scores, level) for level in levels}
    gated_bounds, ungated_bounds = bounds(groups, levels, how, table.threshold)

    def parts(name: Callable[[GroupResult], str]) -> dict[str, Part]:
        return {
            each: table.part(members, _resample([groups[i] for i in members], draws, seed))
            for each, members in sorted(_members(groups, name).items())
        }

    return Document(
        **{field: getattr(whole, field) for field in Part.__struct_fields__},
        run=run,
        generator=signature.generator,
        **msgspec.structs.asdict(standing),
        complete=all(map(complete, counted.values())),
        signature=msgspec.structs.replace(signature, scoring=scoring_name, threshold=table.threshold, draws=draws),
        counts=counted,
        bounds=gated_bounds,
        ungated_bounds=ungated_bounds,
        sweep=table.sweep(resample),
        references=dict(references or {}),
        disciplines=parts(lambda group: group.discipline),
        laws=parts(lambda group: group.law),
        variants=parts(lambda group: f"{group.law}/{group.variant}" if group.variant else ""),
    )


def whole(rows: Iterable[CheckResult], levels: Sequence[str]) -> Part:
    """Of a `score` the numbers of the whole, without intervals."""
    groups = _groups(rows, levels, THRESHOLD)
    table = Table(groups, levels, scoring(DEFAULT), THRESHOLD)
    return table.part(range(len(groups)), _resample(groups, 1, SEED))


def reference(whole: Part) -> Reference:
    """A planted model's numbers as the line that other models' are printed beside."""
    numbers = {name: _value(getattr(whole, name)) for name in Reference.__struct_fields__ if name != "reversion"}
    reverted = {level: habit.reverted.value for level, habit in whole.habit.items()}
    return Reference(**numbers, reversion={level: value for level, value in reverted.items() if value is not None})


def difference(
    first: Iterable[CheckResult],
    second: Iterable[CheckResult],
    *,
    names: tuple[str, str],
    levels: Sequence[str],
    scoring_name: str = DEFAULT,
    threshold: float = THRESHOLD,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Difference:
    """How much larger the first model's numbers are than the second's, paired: both under the same draws of laws.

    Only groups that both have scored at every level are compared. InputError if the two were not asked the same checks
    of a group, if no group is left, or as for `score`.
    """
    how = scoring(scoring_name)
    every = [_groups(rows, levels, threshold) for rows in (first, second)]
    shared = {group.name for group in every[0]} & {group.name for group in every[1]}
    both = [[group for group in groups if group.name in shared] for groups in every]
    asked = [{(row.group, row.level, row.check, row.weight) for row in _rows(groups)} for groups in both]
    if asked[0] != asked[1]:
        group, level, check, _ = min(asked[0] ^ asked[1])
        raise InputError(
            f"{names[0]} and {names[1]} were not asked the same checks (group {group!r}, level {level!r}, check "
            f"{check!r} differs); compare runs on one prompt set"
        )
    tables = [Table(groups, levels, how, threshold) for groups in both]
    kept = [i for i in range(len(both[0])) if all(table.has_all(i) for table in tables)]
    if not kept:
        raise InputError(f"{names[0]} and {names[1]} have no group that both have scored at every level")
    resample = _resample([both[0][i] for i in kept], draws, seed)
    one, other = (table.series(kept, resample) for table in tables)
    found = {name: resample.estimate(one[name] - other[name]) for name in one if name in other}
    return Difference(
        first=names[0],
        second=names[1],
        groups=len(kept),
        left_out=len({group.name for groups in every for group in groups}) - len(kept),
        levels={level: found[f"level {level}"] for level in levels},
        ungated=Rates(**picked(found, "ungated ")) if tuple(levels) == LEVELS else None,
        **picked(found, "gated "),
    )


def _groups(rows: Iterable[CheckResult], levels: Sequence[str], threshold: float) -> list[GroupResult]:
    if not 0 <= threshold <= 1:
        raise InputError(f"a threshold of {threshold}; S_L1 is from 0 to 1, and the paper's threshold is 0.5")
    groups = group_results(rows, levels)
    if not groups:
        raise InputError("there is no judged check to score")
    return groups


def _rows(groups: Sequence[GroupResult]) -> Iterable[CheckResult]:
    return (row for g in groups for of in g.pictures.values() for picture in of.values() for row in picture.checks)


def _members(groups: Sequence[GroupResult], name: Callable[[GroupResult], str]) -> dict[str, list[int]]:
    """The places of the groups with each name; groups without a name are in none."""
    found: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        if name(group):
            found.setdefault(name(group), []).append(place)
    return found


def _resample(groups: Sequence[GroupResult], draws: int, seed: int) -> Resample:
    """Draws of whole laws; of groups where all are of one law, which cannot be drawn from."""
    clusters = [group.cluster for group in groups]
    return Resample(clusters if len(set(clusters)) > 1 else [group.name for group in groups], draws, seed)


def _value(number: Estimate | None) -> float | None:
    return None if number is None else number.value
