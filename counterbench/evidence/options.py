"""The options of `validate` (see `asking.options`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterbench.asking.options import ATTEMPT, PLAN, SIZE, STYLE, TEMPLATE, AskOptions, Flag, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbench.files.addresses import PathLike
    from counterbench.judges.base import Judge
    from counterbench.prompts.prompt_set import PromptSet
    from counterbench.suites.families.ladders import Ladder

LADDERS_HELP = "--for ladder: these alone, or those that questions need (default: all)."


@dataclass(frozen=True)
class ValidationOptions(AskOptions):
    """Options of a validation, the class `Validation`, which also gives its forecast.

    `target`: a prompt set or its name, a generator's folder of pictures, or a suite. `policy`, `template`: names or
    files. `ladders`: of the suite `ladder`, those to test, by name, or a prompt set that needs them; by default all.
    The others are those of `probe`.
    """

    judge: Judge | Callable[..., Any] | str
    target: PathLike | PromptSet
    _: KW_ONLY
    policy: PathLike = option("standard", Flag("What must be shown: a shipped policy's name, or a file."))
    out: PathLike | None = option(None, Flag("The run's folder (default: runs/SUITE--JUDGE).", Path))
    attempt: int | None = option(None, ATTEMPT)
    size: int | None = option(None, SIZE)
    style: str = option("flat", STYLE)
    template: str = option("structured", TEMPLATE)
    ladders: str | Sequence[str] | Mapping[str, Ladder] = option("", Flag(LADDERS_HELP, str, "A,B|PROMPTS"))


@dataclass(frozen=True)
class ValidateOptions(ValidationOptions):
    """Options of the function and the command `validate`: those of a validation, and `plan`, to forecast it only."""

    plan: bool = option(False, PLAN)
