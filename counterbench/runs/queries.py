"""What a judge is asked (`Query`: no truth in it) and what scoring knows (`Key`), joined by id and never by order."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from counterbench.drawing.picture import Picture

KEY_FORMAT: Literal["counterbench.key/1"] = "counterbench.key/1"


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """One question about 0..n pictures. `group` joins the queries of one pair, `role` says which of them this is.

    `prompt` is what a generated picture was made from; a wording says whether a judge is shown it. `vote` counts the
    times that the same question is asked: a judge that samples may vary its seed by it.
    """

    id: str
    group: str
    role: str
    pictures: tuple[Picture, ...]
    text: str
    answer_type: str
    system: str = ""
    prompt: str = ""
    vote: int = 0

    @property
    def digest(self) -> str:
        """A digest of what is asked: the text, the answer type and the decoded pixels, but not of ids or votes."""
        parts = [self.system, self.text, self.answer_type, *(p.digest for p in self.pictures)]
        if self.prompt:
            parts.append(f"prompt: {self.prompt}")
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).hexdigest()


class Key(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The truth about one query, and where its score belongs. A line of a run's `keys.jsonl`.

    `truth` is "unknown" for a generated picture of which nobody knows what it shows: `expected` is then empty.
    `misreadings` are the answers that known faults would give ("off-by-one": "5"), from the scene; planted judges
    and diagnosis use them.
    """

    format: Literal["counterbench.key/1"] = KEY_FORMAT
    id: str
    group: str
    role: str
    expected: str
    answer_type: str
    relevant: bool
    family: str
    category: str
    skill: str
    form: str
    truth: Literal["computed", "published", "unknown"]
    weight: float = 1.0
    difficulty: dict[str, int] = {}
    misreadings: dict[str, str] = {}
