"""Exceptions of any provider's SDK, as inspect raises them, as failed replies; parameters that a request lacks.

Inspect knows two dozen providers, and SDKs with exceptions of their own. What they have in common is read from their
attributes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Reply, Retry
from counterbench.judges.openai.failures import RETRY_DELAY, failed_reply, status_reply
from counterbench.judges.openai.replies import dig
from counterbench.judges.openai.server_options import Access

# Exceptions of the SDKs that were generated as OpenAI's was, with which inspect reaches most providers.
_AS_OPENAI = frozenset({"APIStatusError", "APIConnectionError", "TimeoutError"})
# Exceptions that an SDK raises where the body of a reply is none of its form, such as one that a proxy cut off.
_MALFORMED = frozenset({"JSONDecodeError", "TypeError", "AttributeError", "KeyError", "IndexError"})
# The names that providers give to a parameter, in lower case and without "_", where these are not its own.
_SENT_AS = {
    "max_tokens": {"maxoutputtokens", "maxcompletiontokens", "maxnewtokens", "maxgenlen"},
    "seed": {"randomseed"},
    "reasoning_effort": {"effort", "reasoning", "thinking", "thinkinglevel", "thinkingbudget", "thinkingconfig"},
    "reasoning_tokens": {"budgettokens", "thinkingbudget", "reasoning"},
    "effort": {"outputconfig"},
}


def cause_of(error: BaseException) -> BaseException:
    """The exception of the provider's SDK, without those of tenacity and of inspect around it."""
    attempt = getattr(error, "last_attempt", None)  # of tenacity's RetryError
    wrapped = type(error).__name__ == "ModelGenerateError"
    inner = attempt.exception() if attempt is not None else error.__cause__ if wrapped else None
    return error if inner is None else cause_of(inner)


def status_of(error: BaseException) -> int | None:
    """The HTTP status in an exception of an SDK; None if there is none."""
    response = getattr(error, "response", None)  # of boto, a dict
    codes = [getattr(error, name, None) for name in ("status_code", "code")]
    codes.append(dig(response, "ResponseMetadata", "HTTPStatusCode"))
    return next((code for code in codes if isinstance(code, int) and 400 <= code < 600), None)


def failed(error: BaseException, decision: Any, access: Access, model: str, reached: bool) -> Reply:
    """The failed reply for an exception of a provider's SDK (see `cause_of`).

    `decision`: whether inspect would ask again, as its provider says. `access`: the address and the key. `reached`:
    True if this provider ever answered anything.
    """
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & _AS_OPENAI:
        return failed_reply(error, access, model, reached)
    name, message = type(error).__name__, access.message(getattr(error, "message", "") or str(error))
    if (status := status_of(error)) is not None:
        headers = _headers(error)
        if delay := RETRY_DELAY.search(str(error)):
            headers.setdefault("retry-after", delay[1])
        return status_reply(status, message, "", access, model, headers)
    if name == "PrerequisiteError":  # a package or a variable is missing, or a parameter is not for this model
        return Reply(failure=Failed(name, message), stop=f"{access.url}: {message}")
    if kinds & _MALFORMED:
        return Reply(failure=Failed("malformed", f"{name}: {message}"), retry=Retry())
    overload = getattr(decision, "kind", "") == "rate_limit"
    retry = Retry(getattr(decision, "retry_after", None), overload) if decision else None
    return Reply(failure=Failed(name, message), retry=retry)


def unsent(parameters: Mapping[str, Any], request: object) -> set[str]:
    """The names of those parameters that a provider left out of a request; none if the request is not known."""
    keys = set(_keys(request))
    return {name for name in parameters if keys and not keys & {_plain(name), *_SENT_AS.get(name, ())}}


def _headers(error: BaseException) -> dict[str, str]:
    """The headers of the response in an exception, names in lower case; empty if there are none."""
    response = getattr(error, "response", None)
    headers = dig(response, "ResponseMetadata", "HTTPHeaders") or getattr(response, "headers", None)
    return {str(name).lower(): str(value) for name, value in dict(headers or {}).items()}


def _keys(data: object) -> Iterator[str]:
    """All keys in JSON data that have a value."""
    for name, value in data.items() if isinstance(data, dict) else ():
        if value is not None:
            yield _plain(str(name))
            yield from _keys(value)
    for value in data if isinstance(data, list) else ():
        yield from _keys(value)


def _plain(name: str) -> str:
    """A parameter's name in lower case and without "_": "top_p" and "topP" are one."""
    return name.lower().replace("_", "")
