"""The pixel reader's one error: it cannot tell, and does not guess."""

from typing import Literal

from counterbench.errors import CounterbenchError

What = Literal["words", "picture", "match"]

# The texts of replies, without colours, kinds, numbers, "yes" and "no", so that no parser finds an answer in them.
_PLAIN: dict[What, str] = {
    "words": "these words are unknown to this reader",
    "picture": "this picture is unclear to this reader",
    "match": "words and picture fail to match",
}


class CannotRead(CounterbenchError):
    """The reader has no answer. `reason` is for people; `plain` is its gist for a reply and names no answer.

    `what` is the cause: the words, the picture, or that the picture does not decide the question.
    """

    def __init__(self, reason: str, what: What = "picture") -> None:
        super().__init__(reason)
        self.reason = reason
        self.what: What = what

    @property
    def plain(self) -> str:
        """The text of a reply: "I cannot tell: …"."""
        return f"I cannot tell: {_PLAIN[self.what]}"
