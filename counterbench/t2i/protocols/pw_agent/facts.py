"""The recorded facts of one judged picture, and their layers: as they are, the least, the largest."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from counterbench.t2i.protocols.pw_agent.asking import (
    AWARDS,
    EXISTENCE,
    INCONSISTENCY,
    STATE,
    expectation_of,
)
from counterbench.t2i.protocols.pw_agent.layers import HIGH, MOST, Layers, State, adherence, nuance, realism
from counterbench.t2i.scores.results import CheckResult, Picture

Three = tuple[float, float, float]  # S1, S2, S3
_NONE: Three = (0.0, 0.0, 0.0)
_MANY = 99  # the most inconsistencies that are counted: more than all awards together can outweigh


def layers_of(picture: Picture, how: Layers) -> Three | None:
    """S1, S2 and S3 of a picture; None if a lost fact leaves the picture out.

    A picture that the model refused or left blank is 0 in all three, unless the scoring says otherwise.
    """
    rows = picture.checks
    own = picture.status in ("refused", "blank") and how.missing_data == "own"
    if not rows or own or (picture.status != "ok" and how.missing_data == "zero"):
        return _NONE if rows else None
    if how.missing_data == "own" or how.missing_data == "out":
        return _sums(rows, how) if all(row.credit is not None for row in rows) else None
    return _sums([_met(row) if how.missing_data == "one" else _failed(row) for row in rows], how)


def span(picture: Picture, how: Layers) -> tuple[Three, Three]:
    """The least and the largest of each layer, for any outcome of lost facts; both are the same if nothing was lost.

    A layer does not grow with every fact: one of high importance that fails makes it 1.0, which may be more than the
    others leave of it. So three cases are tried: all lost facts met, all of them failed, and all failed except those of
    high importance, which are met without any confidence. The least and the largest of different layers may be from
    different cases.
    """
    rows = picture.checks
    if not rows:
        return _NONE, (MOST, MOST, MOST)
    ways = [_sums([complete(row) for row in rows], how) for complete in (_met, _failed, _barely)]
    low, high = (tuple(map(take, *ways)) for take in (min, max))
    return (low if picture.status == "ok" else _NONE), high


def _sums(rows: Sequence[CheckResult], how: Layers) -> Three:
    """The layers of rows that all have a credit."""
    of: dict[str, list[CheckResult]] = {}
    for row in rows:
        of.setdefault(row.dimension, []).append(row)
    failed = [int(row.weight) for row in of.get(EXISTENCE, ()) if not _is_met(row)]
    states = [State(int(row.weight), row.credit if _is_met(row) else None) for row in of[STATE]]
    missed = {expectation_of(row) for row in of[STATE] if not _is_met(row)}
    foundations, bonuses = (
        [row.credit or 0.0 for row in of.get(kind, ()) if expectation_of(row) not in missed] for kind in AWARDS
    )
    contradictions = sum(_count(row) for row in of.get(INCONSISTENCY, ()))
    # A credit is the place of an award on its scale: from 1 to 1.5, and from 0 to 3.
    awards = nuance([1 + credit / 2 for credit in foundations], [3 * credit for credit in bonuses], contradictions, how)
    return adherence(failed, how), realism(states, how), awards


def _is_met(row: CheckResult) -> bool:
    return row.answer == row.expected


def _count(row: CheckResult) -> int:
    if not row.answer:
        return 0 if row.credit else _MANY
    return int(row.answer) if len(row.answer) <= 2 else _MANY  # a reply may have thousands of digits


def _met(row: CheckResult) -> CheckResult:
    return row if row.credit is not None else msgspec.structs.replace(row, credit=1.0, answer=row.expected, **_OK)


def _failed(row: CheckResult) -> CheckResult:
    return row if row.credit is not None else msgspec.structs.replace(row, credit=0.0, answer=None, **_OK)


def _barely(row: CheckResult) -> CheckResult:
    """The row as failed; one of high importance as met, with its state without any confidence."""
    if row.credit is not None or row.weight < HIGH:
        return _failed(row)
    return msgspec.structs.replace(_met(row), credit=0.0)


_OK = {"picture": "ok", "outcome": "answer"}
