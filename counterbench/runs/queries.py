"""The question to a judge (`Query`, without the truth) and the truth for scoring (`Key`), joined by id."""

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from counterbench.answers import in_line
from counterbench.drawing.picture import Picture

KEY_FORMAT: Literal["counterbench.key/1"] = "counterbench.key/1"


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """One question about any number of pictures, also none."""

    id: str
    group: str  # shared by the queries of one pair
    role: str  # tells the queries of a group apart
    pictures: tuple[Picture, ...]
    text: str
    answer_type: str
    system: str = ""
    prompt: str = ""  # of a generated picture; the template decides if the judge sees it
    vote: int = 0  # index among repeated questions; a judge that samples may vary its seed by it
    labels: dict[str, str] = {}  # labels in the text that may be the answer, each mapped to itself; see `Key.labels`
    answer_line: bool = False  # the reply gives reasons and a last line "Answer: …"; only that line is read

    def phrased(self, answer: str) -> str:
        """Format an answer as the query asks for it, for judges that know the answer and need no reasons."""
        return in_line(answer) if self.answer_line else answer

    @property
    def digest(self) -> str:
        """A digest of the question: text, answer type and decoded pixels; not of ids, votes or labels."""
        parts = [self.system, self.text, self.answer_type, *(p.digest for p in self.pictures)]
        if self.prompt:
            parts.append(f"prompt: {self.prompt}")
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).hexdigest()


class Key(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The truth about one query, and where its score belongs. A line of a run's `keys.jsonl`."""

    format: Literal["counterbench.key/1"] = KEY_FORMAT
    id: str
    group: str
    role: str
    expected: str  # empty if `truth` is "unknown"
    answer_type: str
    relevant: bool
    family: str
    category: str
    skill: str
    law: str = ""  # that the question tests; empty if none
    cell: str = ""  # in which a certificate counts it; empty if none, see `cell_of`
    form: str
    truth: Literal["computed", "published", "unknown"]  # "unknown" for generated pictures
    weight: float = 1.0
    difficulty: Mapping[str, int | float] = {}
    misreadings: dict[
        str, str
    ] = {}  # wrong answer by known fault ("off-by-one": "5"), for planted judges and diagnosis
    labels: dict[str, str] = {}  # the meaning of each of the query's labels ("A": "blue square")
    traits: dict[str, str] = {}  # properties that a diagnosis compares with errors ("size": "small")
    kinds: tuple[str, ...] = ()  # of a law's picture ("right", "prior", "swapped", …); a certificate counts them apart


def cell_of(key: Key) -> str:
    """The cell that a key's question tests: "<law>/<check>", or "<family>/<form>" of a question about no law."""
    return key.cell or f"{key.family}/{key.form}"


def labels_in(row: Mapping[str, Any]) -> dict[str, str]:
    """The `labels` of a question's row: a mapping, pairs, or either in JSON, as tables have it."""
    labels = row["labels"]
    return dict(msgspec.json.decode(labels) if isinstance(labels, str) else labels)
