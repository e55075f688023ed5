"""Judged checks made by hand, for tests."""

from collections.abc import Sequence
from typing import Any

from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.pictures.protocols.numbers import Countable, Paired, paired
from counterbench.pictures.scores.document import ModelProvenance
from counterbench.pictures.scores.results import CheckResult

LEVELS = ("l1", "l2", "l3")
WEIGHTS = {"visual-integrity": 3, "assessment-point": 15, "logic-consistency": 8}

SIGNATURE = ModelProvenance(
    prompts="laws",
    prompts_digest="d1",
    generator="planted:some",
    samples=1,
    generator_seed=0,
    judge="planted:oracle",
    template="plain",
    template_digest="abcdef0123456789",
    prompt_shown=False,
    parser="1",
    certificate="c1",
    version="0",
)


def check(**fields: Any) -> CheckResult:
    """One check: of the assessment point of g/l1/0, rightly answered, unless told otherwise."""
    defaults: dict[str, Any] = {
        "group": "g",
        "level": "l1",
        "sample": 0,
        "check": "point",
        "dimension": "assessment-point",
        "weight": 15.0,
        "skill": "position",
        "credit": 1.0,
        "answer": "yes",
    }
    return CheckResult(**(defaults | fields))


def picture_rows(integrity: float | None, point: float | None, logic: float | None, **fields: Any) -> list[CheckResult]:
    """The three checks of one picture with weights 3, 15 and 8; None is a reply that could not be read."""
    status = fields.get("picture", "ok")
    rows = []
    for (dimension, weight), credit in zip(WEIGHTS.items(), (integrity, point, logic), strict=True):
        lost: dict[str, Any] = {"outcome": "unasked"} if status != "ok" else {}
        if credit is None and status == "ok":
            lost = {"outcome": "unparsed"}
        defaults = {"check": dimension, "dimension": dimension, "weight": weight, "credit": credit, "skill": dimension}
        rows.append(check(**defaults, **(lost | fields)))
    return rows


def right(**fields: Any) -> list[CheckResult]:
    """A picture that is right in everything: S = 1."""
    return picture_rows(1, 1, 1, **fields)


def usual(**fields: Any) -> list[CheckResult]:
    """A picture of prior: only its visual integrity passes, S = 3/26."""
    return picture_rows(1, 0, 0, **fields)


def gone(status: str, **fields: Any) -> list[CheckResult]:
    """A picture that is not there to be judged."""
    return picture_rows(None, None, None, picture=status, **fields)


def difference(first: Sequence[CheckResult], second: Sequence[CheckResult]) -> Paired:
    """Two models under CF-Eval, paired."""
    left, right = (Countable(CFEval(), rows, CFEval.scorings["default"], "") for rows in (first, second))
    return paired(left, right, {row.prompt_id for row in first}, names=("one", "two"), levels=LEVELS)
