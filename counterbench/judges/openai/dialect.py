"""The parameters that a server refuses: learnt from its errors, and remembered while the judge is open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from counterbench.judges.openai.requests import OPTIONAL

# Asked for together, refused together.
_TOGETHER = (frozenset({"logprobs", "top_logprobs"}), frozenset({"include", "top_logprobs"}))
# "This model only support stream mode", "must be … for non-streaming calls": refusals of requests without streaming.
_STREAM = re.compile(r"\bstream(?:ing|ed)?\b", re.IGNORECASE)
# Two names for one thing: newer models take only the second, many servers only the first.
_OLD_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"


class Dialect:
    """The parameters that one server does not accept."""

    def __init__(self) -> None:
        self.refused: set[str] = set()
        self.streams = False  # True if it replies only in streams

    def speak(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """`body` as this server takes it."""
        spoken = {name: value for name, value in body.items() if name not in self.refused}
        if _OLD_LIMIT in body and _OLD_LIMIT in self.refused and _NEW_LIMIT not in self.refused | body.keys():
            spoken[_NEW_LIMIT] = body[_OLD_LIMIT]
        if self.streams:
            spoken["stream"] = True
            if "messages" in body and "stream_options" not in self.refused:
                spoken["stream_options"] = {"include_usage": True}
        return spoken

    def dropped(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        """The parameters of `body` that are left out, by name."""
        spoken = self.speak(body)
        renamed = {_OLD_LIMIT} if _NEW_LIMIT in spoken else set()
        return tuple(sorted(name for name in body if name not in spoken and name not in renamed))

    def learn(self, sent: Mapping[str, Any], message: str, parameter: str = "") -> bool:
        """True if a refusal of `sent` is about parameters that can be left out; they are left out from now on.

        They are `parameter`, which the server names, or else those that its message mentions. If it mentions only
        streaming, the reply is asked for as a stream from now on.
        """
        optional = {name for name in sent if name in OPTIONAL}
        named = {parameter.split(".")[0].split("[")[0]} & optional
        named = named or {name for name in optional if re.search(rf"(?<![\w-]){name}(?![\w-])", message)}
        for group in _TOGETHER:
            if named & group:
                named |= group & optional
        self.refused |= named
        if not named and not self.streams and _STREAM.search(f"{parameter} {message}"):
            self.streams = True
            return True
        return bool(named)
