"""The band of a level's mean, corrected by a judge's known errors; never the headline."""

from collections.abc import Iterable, Mapping, Sequence

from counterbench.stats.correction import DRAWS, SEED, Correction, Errors, Part, Stratum
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.results import CheckResult, group_results
from counterbench.t2i.scores.rules import Scoring, picture_score


def band(
    rows: Iterable[CheckResult],
    *,
    levels: Sequence[str],
    errors: Mapping[str, Errors],
    draws: int = DRAWS,
    seed: int = SEED,
) -> dict[str, Estimate | None]:
    """The ungated mean of S at each level as it would be without the judge's errors, with a 95 % interval.

    A level's mean is Σ aᵣ sᵣ over its checks r, the parts of a point as one. They are grouped by the skills and
    expected answers of their parts; each such share of the weight is corrected by the errors of these skills, and the
    shares are added up again (see `stats.correction`). If one part decides a point, its lost parts do not count.

    It is about these very pictures, not about further laws: `score` has the interval for those. It holds if the judge
    errs on these pictures at the same rates as on those of known truth, and independently from check to check. Neither
    can be tested here, and therefore it is called a band. A picture that the model refused or left blank is 0 without a
    judge; pictures that the default scoring leaves out are left out here.

    `errors` has the errors of every skill; the judge must tell something there (sensitivity + specificity over 1). None
    for a level without a scored picture. InputError if rows contradict one another.
    """
    by_level = _strata(rows, levels)
    used = sorted({part.skill for strata in by_level.values() for stratum in strata or () for part in stratum.parts})
    correction = Correction({skill: errors[skill] for skill in used}, draws, seed)
    return {level: None if strata is None else correction.mean(strata) for level, strata in by_level.items()}


def _strata(rows: Iterable[CheckResult], levels: Sequence[str]) -> dict[str, list[Stratum] | None]:
    """The strata of each level; None without a scored picture."""
    how, known = Scoring(), list(rows)
    groups = group_results(known, levels)
    points: dict[tuple[str, str], list[CheckResult]] = {}
    for row in known:
        points.setdefault(_point(row), []).append(row)
    by_level: dict[str, list[Stratum] | None] = {}
    for level in levels:
        scored = [[p for p in g.pictures[level].values() if picture_score(p, how) is not None] for g in groups]
        scored = [pictures for pictures in scored if pictures]
        strata: dict[tuple[object, ...], Stratum] = {}
        for pictures in scored:
            for picture in pictures:
                each = 1 / (len(scored) * len(pictures) * sum(row.weight for row in picture.checks))
                for row in picture.checks:
                    # Without a credit the picture is the model's own failure, which is 0.
                    if row.weight > 0 and row.credit is not None:
                        _add(strata, points[_point(row)], each * row.weight)
        by_level[level] = list(strata.values()) if scored else None
    return by_level


def _point(row: CheckResult) -> tuple[str, str]:
    return row.sample_id, row.point or f"/{row.check}"


def _add(strata: dict[tuple[object, ...], Stratum], rows: Sequence[CheckResult], weight: float) -> None:
    """Put a point of this weight, whose parts are these rows, into its stratum."""
    either = len(rows) > 1 and all(row.expected == "no" for row in rows)  # see `results.joined`
    parts = tuple(
        sorted(
            Part(row.skill, row.expected == "no", min(1.0, max(0.0, row.credit)))
            for row in rows
            if row.credit is not None
        )
    )
    stratum = strata.setdefault((either, parts), Stratum(parts=parts, either=either))
    stratum.share += weight
    stratum.squares += weight**2
