"""Pairs, keys and records made by hand, with the fields that matter, and what was replied."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from counterbench.answers.outcomes import Answer, Failed, Refused, Unparsed
from counterbench.diagnosis.faults import find_faults
from counterbench.results.results import PairResult, RunResults
from counterbench.results.rules import Judged
from counterbench.runs.folder import Record, RunInfo
from counterbench.runs.queries import Key
from counterbench.runs.usage import UsageCounter

RAMBLES, DECLINES, FAILS, MISSING = "<rambles>", "<declines>", None, "<missing>"


def key(id: str, expected: str = "yes", **fields: Any) -> Key:
    """The key of a question, "<group>/<role>", with these fields and others that do not matter."""
    group, _, role = id.partition("/")
    given: dict[str, Any] = {"answer_type": "yes-no", "relevant": True, "family": "f", "category": "c", "skill": "s"}
    given |= {"form": "yes-no", "truth": "computed", "role": role or "original"} | fields
    return Key(id=id, group=group, expected=expected, **given)


def record(id: str, reply: str | None = "yes", repeat: int = 0, **fields: Any) -> Record:
    """An attempt with this reply, or a failure without one."""
    ending = ("failed", Failed("by hand")) if reply is None else ("answer", None)
    given = {"identity": f"{id} {repeat}", "asked": "", "parser": "1", "time": ""} | fields
    return Record(id=id, repeat=repeat, reply=reply, outcome=ending[0], failure=ending[1], **given)


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
    keys = [
        key(
            f"{id}/{role}",
            truths[i],
            answer_type=kind,
            relevant=truths[0] != truths[1],
            form="yes-no" if kind == "yes-no" else "open",
            misreadings=misreadings[i],
            **fields,
        )
        for i, role in enumerate(("original", "intervened"))
    ]
    judged = [judged_reply(reply, key) for reply, key in zip(replies, keys, strict=True)]
    return PairResult((keys[0], keys[1]), *judged, replies.count(FAILS), replies.count(MISSING))


def judged_reply(reply: str | None, key: Key) -> Judged | None:
    if reply is FAILS or reply == MISSING:
        return None
    if reply == RAMBLES:
        return Judged(Unparsed("rambles"), False)
    if reply == DECLINES:
        return Judged(Refused("declines"), False)
    return Judged(Answer(reply), reply == key.expected)


def run_info(**fields: Any) -> RunInfo:
    """What a run says of itself, with these fields and others that do not matter."""
    given: dict[str, Any] = {"suite": "s", "suite_digest": "d", "seed": 0, "judge": "j", "repeats": 1, "queries": 0}
    return RunInfo(**(given | {"template": "default", "template_digest": "w", "versions": {}} | fields))


def run_results(pairs: list[PairResult], judge: str = "j", suite_digest: str = "d") -> RunResults:
    """The results of a judge's run."""
    info, observed = run_info(judge=judge, suite_digest=suite_digest), UsageCounter().observations(Path("nowhere"))
    return RunResults(path=Path(judge), info=info, pairs=pairs, scoring="default", observed=observed)


def faults_named(pairs: Sequence[PairResult]) -> list[str]:
    """The faults that a diagnosis names."""
    return [found.name for found in find_faults(pairs).named]
