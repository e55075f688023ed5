"""Judged checks, one row each, put together into pictures and groups: the input of every protocol's scores. No I/O."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

import msgspec

from counterbench.errors import InputError, unknown

JudgeOutcome = Literal["answer", "unparsed", "refused", "failed", "unasked"]
PictureStatus = Literal["ok", "missing", "refused", "blank", "unreadable"]
JUDGE_OUTCOMES: tuple[JudgeOutcome, ...] = get_args(JudgeOutcome)
PICTURE_STATUSES: tuple[PictureStatus, ...] = get_args(PictureStatus)


class CheckResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One check of one sample, as it was judged.

    InputError if the fields contradict one another, or if the weight or the credit is no number.
    """

    group: str
    level: str
    sample: int
    check: str
    dimension: str
    weight: float
    skill: str
    expected: str = "yes"
    law: str = ""
    discipline: str = ""
    variant: str = ""
    depth: str = ""
    category: str = ""
    criterion: str = ""
    tags: tuple[str, ...] = ()
    point: str = ""  # that it is a part of (see `joined`)
    question: str = ""  # the id of a question about several checks
    # 1 for the answer about a right picture, a graded check's own number (0 … 1), or None: the picture is not `ok`, or
    # the outcome is no answer. The expected answer of a contrast check is the right picture's too, so a credit of 0
    # affirms the prior's outcome.
    credit: float | None = None
    answer: str | None = None  # the reply in canonical form
    p_yes: float | None = None  # the judge's probability of yes, among yes and no; None if the reply does not tell
    residual: float | None = None  # the judge's probability of neither (0 … 1); None if the reply does not tell
    outcome: JudgeOutcome = "answer"
    picture: PictureStatus = "ok"

    def __post_init__(self) -> None:
        if not 0 <= self.weight < math.inf:
            raise InputError(f"{self.where}: a weight of {self.weight}; it must be 0 or more")
        if self.credit is None:
            return
        if not math.isfinite(self.credit):
            raise InputError(f"{self.where}: a credit of {self.credit}; it must be a number, from 0 to 1")
        if self.picture != "ok":
            raise InputError(f"{self.where}: a credit for a picture that is {self.picture}; it must be null")
        if self.outcome != "answer":
            raise InputError(f"{self.where}: a credit for an outcome that is {self.outcome}; it must be null")

    @property
    def sample_id(self) -> str:
        """The picture's name, "<group>/<level>/<k>"."""
        return f"{self.group}/{self.level}/{self.sample}"

    @property
    def where(self) -> str:
        """The place, for messages."""
        return f"{self.sample_id}, check {self.check!r}"


class Picture(msgspec.Struct, frozen=True, gc=False):
    """One sample of one prompt with all its checks, the parts of a point as one."""

    status: PictureStatus
    checks: tuple[CheckResult, ...]

    @property
    def id(self) -> str:
        """The picture's name, as in its checks."""
        return self.checks[0].sample_id


class GroupResult(msgspec.Struct, frozen=True):
    """One group."""

    name: str
    law: str
    discipline: str
    variant: str
    category: str
    depth: str
    pictures: dict[str, dict[int, Picture]]  # by level and then by sample, none at a level that it lacks

    @property
    def cluster(self) -> str:
        """The cluster that intervals resample as a whole: the law, or without one the group itself."""
        return f"law {self.law}" if self.law else f"group {self.name}"


def group_results(rows: Iterable[CheckResult], levels: Sequence[str]) -> list[GroupResult]:
    """The rows as groups, by name; the result does not depend on the order of rows.

    InputError if a row's level is not among `levels`, a check comes twice, rows of a picture or group contradict one
    another, or a picture's weights sum to 0. A sample that was drawn, or should have been, must have its rows even if
    no check was asked: a sample without a row is not counted.
    """
    by_group: dict[str, list[CheckResult]] = {}
    for row in rows:
        if row.level not in levels:
            raise unknown("level", row.level, levels, row.where)
        by_group.setdefault(row.group, []).append(row)
    return [_group(name, of, levels) for name, of in sorted(by_group.items())]


def _group(name: str, rows: Sequence[CheckResult], levels: Sequence[str]) -> GroupResult:
    by_level: dict[str, dict[int, dict[str, CheckResult]]] = {level: {} for level in levels}
    for row in rows:
        if by_level[row.level].setdefault(row.sample, {}).setdefault(row.check, row) is not row:
            raise InputError(f"{row.where}: there are two rows of it")
    pictures = {
        level: {sample: _picture(list(checks.values())) for sample, checks in sorted(of.items())}
        for level, of in by_level.items()
    }
    for field in ("law", "discipline", "variant", "category", "depth"):
        values = sorted({str(getattr(row, field)) for row in rows})
        if len(values) > 1:
            raise InputError(f"group {name!r}: its rows have different values of {field!r}: {', '.join(values)}")
    first = rows[0]
    return GroupResult(name, first.law, first.discipline, first.variant, first.category, first.depth, pictures)


def _picture(rows: Sequence[CheckResult]) -> Picture:
    first = rows[0]
    statuses = sorted({row.picture for row in rows})
    if len(statuses) > 1:
        raise InputError(f"picture {first.sample_id!r} is {' and '.join(statuses)} at once")
    if sum(row.weight for row in rows) <= 0:
        raise InputError(f"picture {first.sample_id!r}: the weights of its checks sum to 0; give one a weight above 0")
    return Picture(first.picture, tuple(sorted(joined(rows), key=lambda row: row.check)))


def joined(rows: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """The rows of a picture, with the parts of each point joined to one row of their joint weight.

    A point is affirmed only if all its parts are. So a point is right only if each part is; and a point that asks only
    for things that should not be there, such as the prior's outcome, finds them only if each part does. If a part has
    no credit, the point has none, unless another part decides it.
    """
    points: dict[str, list[CheckResult]] = {}
    for row in rows:
        if row.point:
            points.setdefault(row.point, []).append(row)
        else:
            yield row
    for parts in points.values():
        denied = all(row.expected == "no" for row in parts)
        known = [row.credit for row in parts if row.credit is not None]
        decided = len(known) == len(parts) or (1.0 if denied else 0.0) in known
        first = next((row for row in parts if row.credit is None), parts[0]) if not decided else parts[0]
        weight = sum(row.weight for row in parts)
        if not decided:
            yield msgspec.structs.replace(first, weight=weight)
            continue
        credit = max(known) if denied else min(known)
        of_one = {"answer": None, "p_yes": None, "residual": None}
        yield msgspec.structs.replace(first, weight=weight, credit=credit, outcome="answer", **of_one)
