"""Any judge that a caller gives: an object, a function, or a name."""

import contextlib
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from counterbench.errors import InputError
from counterbench.judges import KINDS, is_spec, open_judge
from counterbench.judges.base import Judge
from counterbench.judges.functions import FunctionJudge
from counterbench.judges.panel import NOTHING_NEW, PANEL, panel_of
from counterbench.judges.specs import missing
from counterbench.runs.queries import Key

SHAPE = "a function (image, question) that returns the reply's text, or an object with " + ", ".join(
    ("name", "max_batch", "max_in_flight", "async answer(batch)", "async close()")
)


def opened(judge: Judge | Callable[..., Any] | str, keys: Callable[[], Iterable[Key]], **connection: str) -> Judge:
    """The judge itself, or the judge that a name or a function stands for; `connection`: options of `open_judge`.

    InputError, with all that is missing, for an object or a function of the wrong shape.
    """
    if isinstance(judge, str):
        return open_judge(judge, keys, **connection)
    if isinstance(judge, type):
        raise InputError(f"the judge is the class {judge.__name__}: give an instance, {judge.__name__}(…)")
    lacks = missing(judge, Judge)
    if not lacks:
        for name in ("answer", "close"):
            if not inspect.iscoroutinefunction(getattr(judge, name)):
                raise InputError(f"the judge {type(judge).__name__}: {name} must be `async def {name}`")
        return judge  # type: ignore[return-value]
    if not callable(judge):
        raise InputError(f"the judge {type(judge).__name__} has no {', '.join(lacks)}; a judge is {SHAPE}")
    with contextlib.suppress(ValueError):  # a builtin does not tell its parameters
        shape = inspect.signature(judge)
        try:
            shape.bind(None, "")
        except TypeError as error:
            raise InputError(
                f"the judge {getattr(judge, '__name__', type(judge).__name__)}{shape} cannot be called with an image "
                f"and a question ({error}); a judge is {SHAPE}"
            ) from None
    return FunctionJudge(judge)


def judge_of_run(run: object, name: str, judge: Judge | Callable[..., Any] | str) -> Judge | Callable[..., Any] | str:
    """The judge to open for the run `run`: `judge` if given, else `name`, the name of the judge that it asked.

    InputError if there is no `judge`, and `name` is not one that `open_judge` takes, or is a panel's.
    """
    if panel_of(judge) is not None or (not judge and name.startswith(PANEL)):
        raise InputError(f"{run}: {NOTHING_NEW}")
    if not judge and not is_spec(name):
        raise InputError(
            f"{run}: its judge cannot be opened by its name {name!r}; --judge names it, one of: {', '.join(KINDS)}"
        )
    return judge or name
