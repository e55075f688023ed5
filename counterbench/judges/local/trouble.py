"""Readable errors and quiet output while transformers and diffusers load a model."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from counterbench.errors import CounterbenchError, JudgeError
from counterbench.judges.local.batching import OUT_OF_MEMORY, as_failure


@contextlib.contextmanager
def quiet(logging: Any) -> Iterator[None]:
    """No progress bars where nobody watches. `logging` is that of the library: transformers' or diffusers'."""
    if sys.stderr.isatty() or not logging.is_progress_bar_enabled():
        yield
        return
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.enable_progress_bar()


@contextlib.contextmanager
def clear_errors(where: str, what: str, smaller: str) -> Iterator[None]:
    """Turn the errors of a library into one JudgeError that says what to check.

    `what` is the thing to load; `smaller` is the option with which it needs less memory at once.
    """
    try:
        yield
    except CounterbenchError:
        raise
    except Exception as error:  # of many kinds, for one reason: this model cannot be loaded
        raise JudgeError(f"{where}: {_advice(error, what, smaller)}") from error


def _advice(error: Exception, what: str, smaller: str) -> str:
    text = " ".join(str(error).split())
    short = text[:300] + ("…" if len(text) > 300 else "")
    if as_failure(error).kind == OUT_OF_MEMORY:
        return f"does not fit into the device's memory; try dtype=bfloat16, or {smaller}"
    if "trust_remote_code" in text:
        return "brings Python code of its own; read it, and if you trust it, add trust_remote_code=true"
    if isinstance(error, ImportError):
        return f"needs a package that is not installed: {short}"
    if isinstance(error, OSError) and ("connect" in text or "offline" in text or "not a valid model" in text):
        return (
            "cannot be had from the hub or from its cache on this machine; check the name, the network and (for a "
            "gated model) HF_TOKEN, or give the path of a folder"
        )
    if "AutoPipeline" in text:
        return f"is not a pipeline that draws pictures from words: {short}"
    return f"cannot be loaded ({type(error).__name__}: {short}); check that it is a whole {what}"
