"""Judged checks, one row each, put together into pictures and groups: the input of every protocol's scores. No I/O.

A check is one question about a picture; a sample is one picture of a prompt, or the place of one that never came.
"""

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Literal, TypeVar, get_args

import msgspec

from counterbench.errors import InputError

LAW, WORDS = "law ", "words "  # the beginnings of the names of clusters (see `cluster_name`)
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

JudgeOutcome = Literal["answer", "unparsed", "refused", "failed", "unasked"]
PictureStatus = Literal["ok", "missing", "refused", "blank", "unreadable"]
JUDGE_OUTCOMES: tuple[JudgeOutcome, ...] = get_args(JudgeOutcome)
PICTURE_STATUSES: tuple[PictureStatus, ...] = get_args(PictureStatus)
# The fields that all rows of a group share: a group is the prompts of one subject, one at each level.
_ABOUT_GROUP = ("law", "discipline", "variant", "category", "depth")


class CheckResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One check of one sample, as it was judged. InputError if the credit is no number."""

    group: str
    level: str
    sample: int  # from 0, among the pictures of the prompt
    check: str  # its id
    dimension: str
    weight: float
    skill: str
    expected: str = "yes"
    words: str = ""  # of its prompt, as `plain_words` gives them
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
    p_expected: float | None = None  # its probability of the expected whole number, among all; None likewise
    residual: float | None = None  # the judge's probability of neither (0 … 1); None if the reply does not tell
    follows: bool = False  # its credit follows from answers to other checks (`Protocol.follows`)
    outcome: JudgeOutcome = "answer"
    picture: PictureStatus = "ok"

    def __post_init__(self) -> None:
        """InputError if the credit is no finite number."""
        if self.credit is not None and not math.isfinite(self.credit):
            raise InputError(f"{self.where}: a credit of {self.credit}; it must be a number, from 0 to 1")

    @property
    def sample_id(self) -> str:
        """The picture's name, "<group>/<level>/<k>"."""
        return f"{self.group}/{self.level}/{self.sample}"

    @property
    def prompt_id(self) -> str:
        """The prompt's id, "<group>/<level>"."""
        return f"{self.group}/{self.level}"

    @property
    def yes_no(self) -> bool:
        """True for a yes/no check."""
        return self.expected in ("yes", "no")

    @property
    def where(self) -> str:
        """The picture and the check, as messages name them."""
        return f"{self.sample_id}, check {self.check!r}"


class PictureScore(msgspec.Struct, frozen=True, gc=False):
    """A picture of a prompt with the results of all its checks, from which its score follows (`rules.picture_score`).

    The parts of one point are one check here (see `joined`).
    """

    status: PictureStatus
    checks: tuple[CheckResult, ...]

    @property
    def id(self) -> str:
        """The picture's name, as in its checks."""
        return self.checks[0].sample_id


class GroupResult(msgspec.Struct, frozen=True):
    """The pictures of one group of prompts with the results of their checks, and the fields that describe the group."""

    name: str
    words: str  # of its prompt; "" if it has one at each of several levels
    law: str
    discipline: str
    variant: str
    category: str
    depth: str
    pictures: dict[str, dict[int, PictureScore]]  # by level and then by sample, none at a level that it lacks

    @property
    def every_picture(self) -> Iterator[PictureScore]:
        """The pictures of all levels."""
        return (picture for of_level in self.pictures.values() for picture in of_level.values())

    @property
    def cluster(self) -> str:
        """The name of the cluster that intervals resample as a whole (see `cluster_name`)."""
        return cluster_name(self.law, self.words, self.name)


def cluster_name(law: str, words: str, group: str) -> str:
    """The cluster of a group of prompts: its law, or without one all groups of one prompt with the same words.

    A prompt that a table repeats under other ids is no further evidence. `words`: "" of a group of several prompts.
    """
    return f"{LAW}{law}" if law else f"{WORDS}{words}" if words else f"group {group}"


@lru_cache(maxsize=4096)
def plain_words(text: str) -> str:
    """A prompt without case, spacing, quotation marks and the marks that end a clause: so two are the same words."""
    return " ".join(re.findall(r"[^\s.,;:!?…'\"“”‘’]+", text.casefold()))  # "2 + 3" is not "2 - 3"


def group_results(rows: Iterable[CheckResult], levels: Sequence[str]) -> list[GroupResult]:
    """The rows as groups, sorted by name; the result does not depend on the order of rows.

    InputError if the rows of a group have different laws, categories or the like. A sample that was drawn, or should
    have been, must have its rows even if no check was asked: a sample without a row is not counted.
    """
    by_group = by_key((row.group, row) for row in rows)
    return [_group(name, group_rows, levels) for name, group_rows in sorted(by_group.items())]


def by_key(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key in the order of the pairs (key, value); keys are in the order of their first pair."""
    values = defaultdict[K, list[V]](list)
    for key, value in pairs:
        values[key].append(value)
    return dict(values)


def _group(name: str, rows: Sequence[CheckResult], levels: Sequence[str]) -> GroupResult:
    """One group from its rows, by level and sample; InputError if the rows differ in a field of the group."""
    fields: dict[str, str] = {}
    for field, found in zip(_ABOUT_GROUP, zip(*set(map(attrgetter(*_ABOUT_GROUP), rows)), strict=True), strict=True):
        values = sorted(set(map(str, found)))
        if len(values) > 1:
            raise InputError(f"group {name!r}: its rows have different values of {field!r}: {', '.join(values)}")
        fields[field] = values[0]
    by_level: dict[str, dict[int, list[CheckResult]]] = {level: {} for level in levels}
    for row in rows:
        by_level[row.level].setdefault(row.sample, []).append(row)
    pictures = {
        level: {
            sample: PictureScore(checks[0].picture, tuple(sorted(joined(checks), key=lambda row: row.check)))
            for sample, checks in sorted(by_sample.items())
        }
        for level, by_sample in by_level.items()
    }
    words = rows[0].words if len(levels) == 1 else ""
    return GroupResult(name=name, words=words, pictures=pictures, **fields)


def joined(rows: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """The rows of a picture, with the parts of each point joined to one row of their joint weight.

    A point is affirmed only if all its parts are. So a point is right only if each part is; and a point that asks only
    for things that should not be there, such as the prior's outcome, finds them only if each part does. If a part has
    no credit, the point has none, unless another part decides it.
    """
    by_point = by_key((row.point, row) for row in rows)
    yield from by_point.pop("", ())
    for parts in by_point.values():
        all_no = all(row.expected == "no" for row in parts)
        credits = [row.credit for row in parts if row.credit is not None]
        weight = sum(row.weight for row in parts)
        if len(credits) < len(parts) and (1.0 if all_no else 0.0) not in credits:
            uncredited = next(row for row in parts if row.credit is None)
            yield msgspec.structs.replace(uncredited, weight=weight)
            continue
        credit = max(credits) if all_no else min(credits)
        cleared = {"answer": None, "p_yes": None, "p_expected": None, "residual": None}
        yield msgspec.structs.replace(parts[0], weight=weight, credit=credit, outcome="answer", **cleared)
