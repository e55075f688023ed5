"""What a judge is asked (`Query`: no truth in it) and what scoring knows (`Key`), joined by id and never by order."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from counterbench.answers import in_line
from counterbench.drawing.picture import Picture

KEY_FORMAT: Literal["counterbench.key/1"] = "counterbench.key/1"


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """One question about 0..n pictures. `group` joins the queries of one pair, `role` says which of them this is.

    `prompt` is what a generated picture was made from; a wording says whether a judge is shown it. `vote` counts the
    times that the same question is asked: a judge that samples may vary its seed by it. `labels`: those that the words
    name and that may answer them, each as itself: what they stand for, only a key says. `answer_line`: it asks for the
    answer in a last line "Answer: …", after reasons, and nothing else in the reply is read.
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
    labels: dict[str, str] = {}
    answer_line: bool = False

    def put(self, answer: str) -> str:
        """An answer as the query asks for it: for judges that know the answer and need no reasons."""
        return in_line(answer) if self.answer_line else answer

    @property
    def digest(self) -> str:
        """A digest of what is asked: text, answer type and decoded pixels; not of ids, votes or labels."""
        parts = [self.system, self.text, self.answer_type, *(p.digest for p in self.pictures)]
        if self.prompt:
            parts.append(f"prompt: {self.prompt}")
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).hexdigest()


class Key(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The truth about one query, and where its score belongs. A line of a run's `keys.jsonl`.

    `truth` is "unknown" for a generated picture of which nobody knows what it shows: `expected` is then empty.
    `law` and `cell`: what it tests, as a certificate counts it (`cell_of`); empty where a pair has none.
    `misreadings` are the answers that known faults would give ("off-by-one": "5"), from the scene; planted judges
    and diagnosis use them. `labels`: what each of the query's labels stands for ("A": "blue square"). `traits`: what
    a diagnosis may find errors to go with ("size": "small"). `kinds`: the picture kinds of a law's picture ("right",
    "prior", "swapped", …), which a certificate counts apart.
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
    law: str = ""
    cell: str = ""
    form: str
    truth: Literal["computed", "published", "unknown"]
    weight: float = 1.0
    difficulty: Mapping[str, int | float] = {}
    misreadings: dict[str, str] = {}
    labels: dict[str, str] = {}
    traits: dict[str, str] = {}
    kinds: tuple[str, ...] = ()


def cell_of(key: Key) -> str:
    """The cell that a key's question tests: "<law>/<check>", or "<family>/<form>" of a question about no law."""
    return key.cell or f"{key.family}/{key.form}"


def labels_in(row: Mapping[str, Any]) -> dict[str, str]:
    """The `labels` of a question's row: a mapping, pairs, or either in JSON, as tables have it."""
    labels = row["labels"]
    return dict(msgspec.json.decode(labels) if isinstance(labels, str) else labels)
