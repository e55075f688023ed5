"""The options of `validate`, `swap` and `watch` (see `asking.options`)."""

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


@dataclass(frozen=True)
class SwapOptions(AskOptions):
    """Options of `swap`.

    `old`: a judge, or the folder of its run, which serves in its place. `target`: as of `validate`, or a run about
    pictures that the old judge has judged; by default the suite `certify`, or that of the run. `delta`: a difference of
    less does not matter.
    """

    old: Judge | Callable[..., Any] | PathLike
    new: Judge | Callable[..., Any] | str
    target: str = ""
    _: KW_ONLY
    delta: float = option(
        0.05, Flag("The equivalence margin: a smaller difference does not matter (0.05: 5 points).", float)
    )
    out: PathLike | None = option(None, Flag("The folder of both runs (default: runs/swap-SUITE--OLD--NEW).", Path))
    template: str = option("", Flag("How both are asked (default: structured, or that of OLD's run)."))
    repeats: int = 1
    name: str = ""


@dataclass(frozen=True)
class WatchOptions(AskOptions):
    """Options of `watch`.

    `run`: a judge's run, about pairs or pictures, or its certificate. `later`: a later run of the same prompts by
    the same judge, whose scores moved. `judge`: by default it is opened by the name that the run has. `pairs`: the size
    of the bank of first replies (by default 600), or of a look, which asks some of its pairs again (20). `by_look`: a
    look is one unit, for a judge whose errors come in groups.
    """

    run: PathLike
    later: PathLike | None = None
    _: KW_ONLY
    judge: Judge | Callable[..., Any] | str = option("", Flag("The judge, if the run's name of it cannot be opened."))
    pairs: int | None = option(
        None,
        Flag("Pairs of the bank (default: 600) or of a look (default: 20), in whole rounds of cells.", int, minimum=1),
    )
    by_look: bool = option(
        False,
        Flag(
            "Count a look as one unit, for judges whose errors come in groups; use it at all looks, or at none.", bool
        ),
    )
    repeats: int = 1
    name: str = ""


@dataclass(frozen=True)
class WatchCall(WatchOptions):
    """Options of the call `watch`. `start`: ask the bank of first replies, once."""

    start: bool = option(False, Flag("Ask the bank of first replies, once.", bool))
