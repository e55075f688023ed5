"""PicWorld's three layers and PW-Score, 0 … 10, from a picture's recorded facts (section 3.2.4, Eq. 3–6; figure 11).

S1 (adherence) is about facts on existence: is each expected thing there? S2 (realism) is about facts on state: does it
look as expected? S3 (nuance) adds awards for expectations that are met, and subtracts inconsistencies. The paper gives
the rules twice, as equations and in the Judger's prompt, and the two differ. A scoring's `Layers` name the one in use:

                          equation                    prompt
S1 with any failure       10 − Σ P (Eq. 3)            9 − Σ P
S2, an important failure  1.0 (Eq. 4)                 as without it
Σ B in S3                 as it is (Eq. 5)            5 at most

P is the penalty of a failed fact: 5, 3 or 1 by its importance. B is the foundation award of a met expectation. In both,
S1 is exactly 1.0 if a fact of high importance fails, although several failures of lower importance may give 0. The
equations do not give the values of an award, a bonus or an inconsistency: the prompt does, for both. The paper's figure
7 has an S1 of 4.0 although a fact of high importance failed: that is 9 − 5, and neither rule.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from counterbench.pictures.scores.results import CheckResult, PictureScore
from counterbench.pictures.scores.rules import DEFAULT, Scoring
from counterbench.prompts.prompt_set import Check

EXISTENCE, STATE = "existence", "state"
FOUNDATION, EXCELLENCE, INCONSISTENCY = "foundation", "excellence", "inconsistency"
AWARDS = (FOUNDATION, EXCELLENCE)
LayerScores = tuple[float, float, float]  # S1, S2, S3
_ZEROS: LayerScores = (0.0, 0.0, 0.0)
_MANY = 99  # the most inconsistencies that are counted: more than all awards together can outweigh
HIGH = 3  # the weight of high importance
MAX_SCORE = 10.0
FAILED = 1.0  # S1, and S2, where a fact of high importance fails
PENALTY = {3: 5.0, 2: 3.0, 1: 1.0}  # of a failed fact, by its importance
SHARES = (0.25, 0.5, 0.25)  # of S1, S2 and S3 in S (Eq. 6)
_FIRST, _EACH_MORE = 2.5, 4.0  # penalties in S3 of the first inconsistency, and of each further one
_MAX_FOUNDATION = 5.0  # of all foundation awards together, by the Judger's prompt


class Layers(Scoring, frozen=True, kw_only=True):
    """One way to count PW-Agent: by the paper's equations, or by the Judger's prompt."""

    by: Literal["equation", "prompt"] = "equation"


# The equations are the default, under both names.
SCORINGS: dict[str, Layers] = {
    DEFAULT: Layers(),
    "equation": Layers(),
    "prompt": Layers(by="prompt"),
}


class State(NamedTuple):
    """A fact of the second layer: the answer about the state of an expected thing."""

    importance: int  # 1, 2 or 3
    confidence: float | None  # 0 … 1, of the answer that meets the fact; None if the fact fails


def adherence(failed: Sequence[int], scoring: Layers) -> float:
    """S1 (Eq. 3), 0 … 10; `failed`: the importance (1, 2 or 3) of each failed fact on existence."""
    if HIGH in failed:
        return FAILED
    start = 9.0 if scoring.by == "prompt" and failed else MAX_SCORE
    return max(0.0, start - sum(PENALTY[importance] for importance in failed))


def realism(states: Sequence[State], scoring: Layers) -> float:
    """S2 (Eq. 4), 0 … 10, from every fact on state, met or failed; there must be at least one."""
    if scoring.by == "equation" and any(state.confidence is None and state.importance == HIGH for state in states):
        return FAILED
    met = sum(state.importance * state.confidence for state in states if state.confidence is not None)
    return MAX_SCORE * met / sum(state.importance for state in states)


def nuance(foundations: Sequence[float], bonuses: Sequence[float], inconsistencies: int, scoring: Layers) -> float:
    """S3 (Eq. 5), 0 … 10.

    `foundations` (each 1 … 1.5) and `bonuses` (each 0 … 3): of the met expectations. `inconsistencies`: their number.
    """
    base = min(_MAX_FOUNDATION, sum(foundations)) if scoring.by == "prompt" else sum(foundations)
    penalty = _FIRST + _EACH_MORE * (inconsistencies - 1) if inconsistencies > 0 else 0.0
    return min(MAX_SCORE, max(0.0, base + sum(bonuses) - penalty))


def total(layers: Sequence[float]) -> float:
    """The total score S: the sum of the scores of the layers, each times its share in `SHARES` (Eq. 6)."""
    return sum(share * layer for share, layer in zip(SHARES, layers, strict=True))


def expectation_of(check: Check | CheckResult) -> str:
    """The expectation that a check is about, by its id: "e1" for "e1-state-2"; empty if the id names none."""
    id = check.id if isinstance(check, Check) else check.check
    match = re.fullmatch(rf"(.+)-{re.escape(check.dimension)}(?:-\d+)?", id)
    return match[1] if match else ""


def layers_of(picture: PictureScore, scoring: Layers) -> LayerScores | None:
    """S1, S2 and S3 of a picture; None if a lost fact leaves the picture out.

    A picture that the model refused or left blank is 0 in all three, unless the scoring says otherwise.
    """
    rows = picture.checks
    is_models_own = picture.status in ("refused", "blank") and scoring.missing_data == "own"
    if is_models_own or (picture.status != "ok" and scoring.missing_data == "zero"):
        return _ZEROS
    if scoring.missing_data in ("own", "out"):
        return _layer_scores(rows, scoring) if all(row.credit is not None for row in rows) else None
    return _layer_scores([_as_met(row) if scoring.missing_data == "one" else _as_failed(row) for row in rows], scoring)


def span(picture: PictureScore, scoring: Layers) -> tuple[LayerScores, LayerScores]:
    """The least and the largest value of each layer over all possible outcomes of the lost facts.

    Both are the same if nothing was lost. A further failed fact may raise a layer: if one of high importance fails, the
    layer is 1.0, which may be more than the other failed facts leave of it. So three cases are tried: all lost facts
    met, all failed, and all failed except those of high importance, which are met with a confidence of 0. The least and
    the largest of different layers may be from different cases.
    """
    ways = [
        _layer_scores([fill(row) for row in picture.checks], scoring) for fill in (_as_met, _as_failed, _as_barely_met)
    ]
    low, high = (tuple(map(take, *ways)) for take in (min, max))
    return (low if picture.status == "ok" else _ZEROS), high


def _layer_scores(rows: Sequence[CheckResult], scoring: Layers) -> LayerScores:
    """S1, S2 and S3 from the checks of a picture, all of which have a credit."""
    by_kind: dict[str, list[CheckResult]] = {}
    for row in rows:
        by_kind.setdefault(row.dimension, []).append(row)
    failed = [int(row.weight) for row in by_kind.get(EXISTENCE, ()) if not _is_met(row)]
    states = [State(int(row.weight), row.credit if _is_met(row) else None) for row in by_kind[STATE]]
    missed = {expectation_of(row) for row in by_kind[STATE] if not _is_met(row)}
    foundations, bonuses = (
        [row.credit or 0.0 for row in by_kind.get(kind, ()) if expectation_of(row) not in missed] for kind in AWARDS
    )
    contradictions = sum(_inconsistencies(row) for row in by_kind.get(INCONSISTENCY, ()))
    # A credit (0 … 1) is the place of an award on its scale: 1 … 1.5 for a foundation, 0 … 3 for a bonus.
    s3 = nuance([1 + credit / 2 for credit in foundations], [3 * credit for credit in bonuses], contradictions, scoring)
    return adherence(failed, scoring), realism(states, scoring), s3


def _is_met(row: CheckResult) -> bool:
    """True if the answer is the expected one."""
    return row.answer == row.expected


def _inconsistencies(row: CheckResult) -> int:
    """The number of inconsistencies that a check states; without an answer 0 if its credit is not 0, else _MANY."""
    if not row.answer:
        return 0 if row.credit else _MANY
    return int(row.answer) if len(row.answer) <= 2 else _MANY  # a reply may have thousands of digits


def _as_met(row: CheckResult) -> CheckResult:
    """The row; if it is lost, as one that is met with full credit."""
    return row if row.credit is not None else msgspec.structs.replace(row, credit=1.0, answer=row.expected, **_OK)


def _as_failed(row: CheckResult) -> CheckResult:
    """The row; if it is lost, as one that failed."""
    return row if row.credit is not None else msgspec.structs.replace(row, credit=0.0, answer=None, **_OK)


def _as_barely_met(row: CheckResult) -> CheckResult:
    """The row; if it is lost, as failed, but one of high importance as met with a confidence of 0."""
    if row.credit is not None or row.weight < HIGH:
        return _as_failed(row)
    return msgspec.structs.replace(_as_met(row), credit=0.0)


_OK = {"picture": "ok", "outcome": "answer"}
