"""What transformers raises or prints while it loads a checkpoint, made fit for a person to read."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from transformers.utils import logging

from counterbench.errors import CounterbenchError, JudgeError
from counterbench.judges.local.batching import OUT_OF_MEMORY, as_failure


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No progress bars where nobody watches."""
    if sys.stderr.isatty() or not logging.is_progress_bar_enabled():
        yield
        return
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.enable_progress_bar()


@contextlib.contextmanager
def clear_errors(where: str) -> Iterator[None]:
    """What transformers raises, as one JudgeError that says what to check."""
    try:
        yield
    except CounterbenchError:
        raise
    except Exception as error:  # of many kinds, for one reason: this checkpoint cannot be loaded
        raise JudgeError(f"{where}: {_advice(error)}") from error


def _advice(error: Exception) -> str:
    text = " ".join(str(error).split())
    short = text[:300] + ("…" if len(text) > 300 else "")
    if as_failure(error).kind == OUT_OF_MEMORY:
        return "does not fit into the device's memory; try dtype=bfloat16, or device_map=auto"
    if "trust_remote_code" in text:
        return "brings Python code of its own; read it, and if you trust it, add trust_remote_code=true"
    if isinstance(error, ImportError):
        return f"needs a package that is not installed: {short}"
    if isinstance(error, OSError) and ("connect" in text or "offline" in text or "not a valid model" in text):
        return (
            "cannot be had from the hub or from its cache on this machine; check the name, the network and (for a "
            "gated model) HF_TOKEN, or give the path of a folder"
        )
    return f"cannot be loaded ({type(error).__name__}: {short}); check that it is a whole image-text-to-text checkpoint"
