"""How far a judge's known errors could have moved the level means: a band beside the number, never the headline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from counterbench.errors import InputError
from counterbench.stats.bootstrap import DRAWS, SEED
from counterbench.stats.correction import Correction, Errors, Stratum
from counterbench.stats.intervals import Estimate
from counterbench.stats.validation import check_share
from counterbench.t2i.scores.results import CheckResult, Picture, group_results
from counterbench.t2i.scores.rules import Scoring, picture_score


def band(
    rows: Iterable[CheckResult],
    *,
    levels: Sequence[str],
    errors: Mapping[str, Errors],
    draws: int = DRAWS,
    seed: int = SEED,
) -> dict[str, Estimate | None]:
    """What the ungated mean of S at each level would be had the judge made no mistake, with a 95 % interval.

    A level's mean is Σ aᵣ sᵣ over its checks r. Its checks are put together by skill and expected answer; each such
    share of the weight is corrected by its skill's errors, and the shares are added up again (see `stats.correction`).

    It is about these very pictures, not about further laws: `score` has the interval for those. It holds where the
    judge errs on these pictures at the rates at which it erred on those of known truth, and independently from check
    to check. Neither can be seen from here, which is why it is a band. What the model refused or left blank is 0
    without judge; pictures that the default scoring leaves out are left out here.

    None for a level without a scored picture. InputError if a skill has no errors here, or a judge at it tells nothing
    (sensitivity + specificity at most 1), or rows contradict one another; ValueError if counts cannot be.
    """
    by_level = _strata(rows, levels)
    used = sorted({stratum.skill for strata in by_level.values() for stratum in strata or ()})
    _check(used, errors)
    correction = Correction({skill: errors[skill] for skill in used}, draws, seed)
    return {level: None if strata is None else correction.mean(strata) for level, strata in by_level.items()}


def _strata(rows: Iterable[CheckResult], levels: Sequence[str]) -> dict[str, list[Stratum] | None]:
    """The strata of each level, by skill and whether no is the expected answer; None without a scored picture."""
    how = Scoring()
    groups = group_results(rows, levels)
    found: dict[str, list[Stratum] | None] = {}
    for level in levels:
        scored = [[p for p in g.pictures[level].values() if picture_score(p, how) is not None] for g in groups]
        scored = [pictures for pictures in scored if pictures]
        strata: dict[tuple[str, bool], Stratum] = {}
        for pictures in scored:
            for picture in pictures:
                _add(strata, picture, 1 / (len(scored) * len(pictures)))
        found[level] = list(strata.values()) if scored else None
    return found


def _add(strata: dict[tuple[str, bool], Stratum], picture: Picture, part: float) -> None:
    """Put the checks of one picture, which is `part` of the mean, into their strata."""
    total = sum(row.weight for row in picture.checks)
    for row in picture.checks:
        if row.weight > 0 and row.credit is not None:  # None: the picture is the model's own failure, known to be 0
            negative = row.expected == "no"
            stratum = strata.setdefault((row.skill, negative), Stratum(skill=row.skill, negative=negative))
            weight = part * row.weight / total
            stratum.share += weight
            stratum.credit += weight * min(1.0, max(0.0, row.credit))
            stratum.squares += weight**2


def _check(skills: Sequence[str], errors: Mapping[str, Errors]) -> None:
    if missing := [skill for skill in skills if skill not in errors]:
        raise InputError(
            f"no sensitivity and specificity of the judge at {', '.join(missing)}; take them from its certificate's run"
        )
    for skill in skills:
        for name in ("sensitivity", "specificity"):
            hits, of = getattr(errors[skill], name)
            check_share(hits, of, f"{name} at {skill}")
            if of == 0:
                raise InputError(f"{name} at {skill} rests on 0 pictures of known truth; test some first")
        (sens, yes), (spec, no) = errors[skill].sensitivity, errors[skill].specificity
        if sens * no + spec * yes <= yes * no:
            raise InputError(
                f"at {skill} the judge's sensitivity {sens / yes:.3f} and specificity {spec / no:.3f} sum to at most "
                "1: it tells nothing there, and nothing can be corrected by it"
            )
