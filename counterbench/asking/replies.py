"""Checks of a judge's replies, so that a journal can keep them: a judge may be anybody's code."""

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Reply

# Servers write this for the logarithm of 0, for which JSON has no word.
_LOG_ZERO = -9999.0
_MESSAGE = 500


def checked(replies: object, count: int) -> list[Reply]:
    """`count` replies of the right types; anything else that the judge returned becomes a failure."""
    if not isinstance(replies, Sequence) or isinstance(replies, str | bytes):
        failure = Failed("wrong-type", f"the judge returned {type(replies).__name__}, not a list of replies")
    elif len(replies) != count:
        failure = Failed("wrong-number", f"{len(replies)} replies to {count} queries")
    else:
        return [_sound(reply) for reply in replies]
    return [Reply(failure=failure)] * count


def raised(error: Exception) -> Failed:
    """Turn an exception of a judge into a failure, so that the run goes on."""
    return Failed(type(error).__name__, _writable(str(error)[:_MESSAGE]))


def _sound(reply: object) -> Reply:
    if not isinstance(reply, Reply):
        return Reply(failure=Failed("wrong-type", f"the judge returned {type(reply).__name__}, not Reply"))
    try:
        plain = msgspec.to_builtins(reply, builtin_types=(bytes, bytearray))  # neither is a text
        sound = msgspec.convert(_writable(plain), Reply)
        if sound.cost is not None and sound.cost < 0:
            raise ValueError(f"it costs {sound.cost}")
    except (ValueError, TypeError, RecursionError) as error:
        return Reply(failure=Failed("wrong-type", f"a reply's fields are not of their types: {error}"))
    return sound


def _writable(value: Any) -> Any:
    """`value` so that JSON can keep it: half surrogate pairs in texts written out; ValueError for infinity and nan."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, float) and not math.isfinite(value):
        if value == -math.inf:
            return _LOG_ZERO
        raise ValueError(f"{value} is no number")
    if isinstance(value, int) and abs(value) >= 2**63:
        return None
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(item) for item in value]
    return value
