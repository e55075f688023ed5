"""Pairs for tests of diagnosis, made by hand: keys with the fields that matter, and what was replied."""

from __future__ import annotations

from typing import Any

from counterbench.answers.outcomes import Answer, Refused, Unparsed
from counterbench.runs.folder import RunInfo
from counterbench.runs.queries import Key
from counterbench.scoring.results import PairResult
from counterbench.scoring.rules import Judged

RAMBLES, DECLINES, FAILS, MISSING = "<rambles>", "<declines>", None, "<missing>"


def pair(
    truths: tuple[str, str],
    replies: tuple[str | None, str | None],
    *,
    id: str = "p",
    kind: str = "yes-no",
    misreadings: tuple[dict[str, str], dict[str, str]] = ({}, {}),
    **fields: Any,
) -> PairResult:
    """A pair with these truths and replies; relevant where the truths differ."""
    given = {"family": "f", "category": "c", "skill": "s", "truth": "computed"} | fields
    keys = tuple(
        Key(
            id=f"{id}/{role}",
            group=id,
            role=role,
            expected=truths[i],
            answer_type=kind,
            relevant=truths[0] != truths[1],
            form="yes-no" if kind == "yes-no" else "open",
            misreadings=misreadings[i],
            **given,
        )
        for i, role in enumerate(("original", "intervened"))
    )
    judged = [judge(said, key) for said, key in zip(replies, keys, strict=True)]
    return PairResult((keys[0], keys[1]), *judged, replies.count(FAILS), replies.count(MISSING))


def judge(said: str | None, key: Key) -> Judged | None:
    if said is FAILS or said == MISSING:
        return None
    if said == RAMBLES:
        return Judged(Unparsed("rambles"), False)
    if said == DECLINES:
        return Judged(Refused("declines"), False)
    return Judged(Answer(said), said == key.expected)


def run_info(**fields: Any) -> RunInfo:
    """What a run says of itself, with these fields and others that do not matter."""
    given: dict[str, Any] = {"suite": "s", "suite_digest": "d", "seed": 0, "judge": "j", "votes": 1, "queries": 0}
    return RunInfo(**(given | {"template": "default", "template_digest": "w", "versions": {}} | fields))
