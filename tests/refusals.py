"""Whether a call is refused, and in which words: for tables of what must be."""

from collections.abc import Callable

import msgspec

from counterbench.errors import CounterbenchError


def refusal(call: Callable[[], object], *kinds: type[Exception]) -> str:
    """The message of the error that refuses a call (of `kinds`, or any of counterbench's or JSON's); "" if none does.

    An error of another kind is no refusal and fails the test.
    """
    expected = kinds or (CounterbenchError, msgspec.ValidationError)
    try:
        call()
    except expected as error:
        return str(error) or "refused"
    return ""
