"""Exceptions of the SDK as failed `Reply` objects that say if asking again may help, and what a server does not take.

`Dialect` leaves out the parameters that a server refuses. It learns them from the server's errors, and remembers them
while the model is open.
"""

import email.utils
import re
import time
from collections.abc import Mapping
from typing import Any

import msgspec
import openai

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Reply, Retry
from counterbench.judges.openai.replies import body_start
from counterbench.judges.openai.server_options import Access

# Faults that concern every question: of the key, the account, the address. Any other status of 400 and more may be
# about the content of one question.
_ABOUT_ALL = frozenset({401, 402, 403, 404, 405, 407, 410})
# Google's servers put the seconds to wait into the body; its SDK shows the body as Python does, in single quotes.
RETRY_DELAY = re.compile(r"""["']retryDelay["']\s*:\s*["'](\d{1,6}(?:\.\d{1,9})?)s["']""")
# Codes of errors that asking again does not help, though their status 429 suggests that.
_OUT_OF_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
# Codes (or types) of a request that a filter or the model's policy declined, in lower case.
REFUSAL_CODES = frozenset({
    "moderation_blocked", "content_policy_violation", "content_filter", "contentfilter", "content_filtered",
    "responsibleaipolicyviolation", "safety_violation",
})  # fmt: skip
# Parameters that are left out if a server refuses them.
OPTIONAL = frozenset(
    {"temperature", "seed", "max_tokens", "max_completion_tokens", "max_output_tokens", "logprobs", "top_logprobs",
     "include", "response_format", "text", "store", "stream_options"}
)  # fmt: skip

# Groups of parameters that mean nothing without each other: if one is refused, all of its group are left out.
_TOGETHER = (frozenset({"logprobs", "top_logprobs"}), frozenset({"include", "top_logprobs"}))
# "This model only support stream mode", "must be … for non-streaming calls": refusals of requests without streaming.
_STREAM = re.compile(r"\bstream(?:ing|ed)?\b", re.IGNORECASE)
# Two names for one thing: newer models take only the second, many servers only the first.
_OLD_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"


class TooLarge(openai.OpenAIError):
    """A reply is larger than the most that is read."""


def failed_reply(error: Any, access: Access, model: str, reached: bool) -> Reply:
    """The failed reply for an exception of a call to the model `model`.

    `access`: the server's address and key. `reached`: True if this server ever answered anything. The exception may be
    of any SDK that was generated as OpenAI's was (Anthropic's, Groq's): their classes have the same names.
    """
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "APIStatusError" in kinds:
        headers = dict(error.response.headers)
        if delay := RETRY_DELAY.search(error.response.text):
            headers.setdefault("retry-after", delay[1])
        message, bare_status = error.message, f"Error code: {error.status_code}"
        if message == bare_status:  # the SDK says no more about a body without the API's shape
            message = f"{message}: {body_start(error.response.content)}"
        # The SDK does not find the error in a list of one, the form of Gemini.
        body = error.body[0] if isinstance(error.body, list) and error.body else error.body
        body = body.get("error", body) if isinstance(body, dict) else body
        fields = body if isinstance(body, dict) else {}
        code = getattr(error, "code", None)
        code = code if isinstance(code, str) and code else fields.get("code") or fields.get("type")
        reply = status_reply(error.status_code, message, str(code or ""), access, model, headers)
        # A 403 without JSON comes from a firewall, which judges the content of a request.
        from_firewall = error.status_code == 403 and not isinstance(body, dict)
        return msgspec.structs.replace(reply, only_this=True) if reply.stop and from_firewall else reply
    cause = error.__cause__ or error
    if isinstance(cause, TooLarge):
        return Reply(failure=Failed("too-large", str(cause)))
    if kinds & {"TimeoutError", "APITimeoutError"}:
        return Reply(failure=Failed("timeout", "no complete reply within the timeout"), retry=Retry(overload=True))
    if "APIConnectionError" in kinds:
        failure = Failed("connection", access.message(f"{type(cause).__name__}: {cause}"))
        if not reached and type(cause).__name__ == "ConnectError":
            why = f"cannot connect to {access.url} ({cause}): is the server up, and is --base-url right?"
            return Reply(failure=failure, stop=why)
        return Reply(failure=failure, retry=Retry())
    retry = Retry() if "OpenAIError" in kinds else None
    return Reply(failure=Failed(type(error).__name__, access.message(str(error))), retry=retry)


def status_reply(
    status: int, message: str, code: str, access: Access, model: str, headers: Mapping[str, str] | None = None
) -> Reply:
    """The reply for an HTTP status with a message: a failure, or (from a content filter) a refusal.

    `code`: the server's code of the error, "" for none. `headers`: of the response, for the seconds to wait.
    """
    message = access.message(message)
    failure = Failed(f"http-{status}", message)
    if code.lower() in REFUSAL_CODES:
        return Reply(text=message, finish="content_filter", model=model, cost=0.0)  # an error is not charged
    if status == 429 and code in _OUT_OF_CREDIT:
        return Reply(failure=failure, stop=f"{access.url} says that the account is out of credit: {message}")
    if status in (408, 409, 429) or status >= 500:
        overload = status in (429, 503, 529)
        return Reply(failure=failure, retry=Retry(retry_after(headers or {}), overload))
    why = f"{access.url} answered {status} for model {model!r}: {message}; {_advice(status, access)}"
    return Reply(failure=failure, stop=why, only_this=status >= 400 and status not in _ABOUT_ALL)


def _advice(status: int, access: Access) -> str:
    """Advice to the user on a response with this HTTP status."""
    if 300 <= status < 400:
        return "the address has moved: give the new one as --base-url"
    key = f"the key in {access.key_env}" if access.key_env else "no key was sent; name its variable (?key_env=NAME)"
    address = "check the model's name, and that --base-url ends where the API begins (often in /v1)"
    advice = {
        401: f"check the key: {key}",
        402: "check the account's credit",
        403: f"check whether this account may use the model: {key}",
        404: address,
        405: address,
        413: "the request is too large for this server: check its limit on pictures",
    }
    return advice.get(status, "check the model (does it take pictures?) and the judge's options")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds to wait, by a server's `retry-after-ms` or `retry-after` (seconds or a date); None without."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return seconds if 0 <= seconds < 1e9 else None
    try:
        return max(0.0, email.utils.parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def refusal_of(error: openai.APIStatusError) -> tuple[str, str]:
    """The words with which a server refuses a request, unchanged, and the parameter that it names, if any.

    From a list of faults by pydantic, only messages and places are used: it may repeat the whole request.
    """
    try:
        data = error.response.json()
    except (ValueError, RecursionError):
        return error.response.text, ""
    faults = data.get("detail") if isinstance(data, dict) else None
    if isinstance(faults, list):
        messages = [f"{fault.get('msg', '')} {fault.get('loc', '')}" for fault in faults if isinstance(fault, dict)]
        return "; ".join(messages), ""
    return error.response.text, str(error.param or "")


class Dialect:
    """The parameters that one server does not accept, among those that may be left out (`optional`).

    `speak` makes a request as the server takes it; `learn` is told of the server's refusals.
    """

    def __init__(self, optional: frozenset[str] = OPTIONAL) -> None:
        self.optional = optional
        self.refused: set[str] = set()
        self.streams = False  # True if it replies only in streams

    def speak(self, body: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """`body` as this server takes it, and the names of the parameters that are left out."""
        accepted = {name: value for name, value in body.items() if name not in self.refused}
        if _OLD_LIMIT in body and _OLD_LIMIT in self.refused and _NEW_LIMIT not in self.refused | body.keys():
            accepted[_NEW_LIMIT] = body[_OLD_LIMIT]
        if self.streams:
            accepted["stream"] = True
            if "messages" in body and "stream_options" not in self.refused:
                accepted["stream_options"] = {"include_usage": True}
        renamed = {_OLD_LIMIT} if _NEW_LIMIT in accepted else set()
        return accepted, tuple(sorted(body.keys() - accepted.keys() - renamed))

    def learn(self, sent: Mapping[str, Any], message: str, parameter: str = "") -> bool:
        """True if a refusal of `sent` is about parameters that can be left out; they are left out from now on.

        They are `parameter`, which the server names, or else those that its message mentions. True also for a message
        that mentions only streaming: the reply is asked for as a stream from now on.
        """
        optional = sent.keys() & self.optional
        refused = {parameter.split(".")[0].split("[")[0]} & optional
        refused = refused or {name for name in optional if re.search(rf"(?<![\w-]){name}(?![\w-])", message)}
        for group in _TOGETHER:
            if refused & group:
                refused |= group & optional
        self.refused |= refused
        may_stream = "stream_options" in self.optional and not self.streams
        if not refused and may_stream and _STREAM.search(f"{parameter} {message}"):
            self.streams = True
            return True
        return bool(refused)
