"""The question to a judge (`Query`, without the truth) and the truth for scoring (`Key`), joined by id; templates.

A prompt template is a system text and a suffix for each answer type, from a small TOML file with a digest.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from counterbench.answers import ANSWER_TYPES, SUFFIXED, in_json, in_line, kind_of, scale_of
from counterbench.drawing.collage import beside
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError, unknown
from counterbench.files import catalog, formats


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """One question about any number of pictures, also none."""

    id: str
    group: str  # shared by the queries of one pair
    role: str  # tells the queries of a group apart: "original" or "intervened" in a pair
    pictures: tuple[Picture, ...]
    text: str
    answer_type: str
    system: str = ""
    prompt: str = ""  # of a generated picture; the template decides if the judge sees it
    repeat: int = 0  # index among repeated questions; a judge that samples may vary its seed by it
    labels: dict[str, str] = {}  # labels in the text that may be the answer, each mapped to itself; see `Key.labels`
    answer_line: bool = False  # the reply gives reasons and a last line "Answer: …"; only that line is read
    in_json: bool = False  # the reply is a JSON object (`answers.reply_schema`); a server that can is given the schema

    def __post_init__(self) -> None:
        if "\0" in self.text or "\0" in self.prompt or "\0" in self.system:
            raise InputError(f"{self.id}: its words have a NUL, which is no character of a text; take it out")

    def phrased(self, answer: str) -> str:
        """The answer in the form that the query asks for, as our own judges give it, without reasons."""
        return in_line(answer) if self.answer_line else in_json(answer, self.answer_type) if self.in_json else answer

    @property
    def digest(self) -> str:
        """A digest of the question: text, answer type and decoded pixels; not of ids, repeats or labels."""
        parts = [self.system, self.text, self.answer_type, *(p.digest for p in self.pictures)]
        if self.prompt:
            parts.append(f"prompt: {self.prompt}")
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).hexdigest()


def on_one_sheet(query: Query, most: int) -> Query:
    """The query for a judge that takes `most` pictures at once; if that is 1, two pictures become one, side by side."""
    if most > 1 or len(query.pictures) != 2:
        return query
    return msgspec.structs.replace(query, pictures=(beside(*query.pictures),))


class Key(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The truth about one query, and where its score belongs. A line of a run's `keys.jsonl`."""

    format: Literal["counterbench.key/1"] = "counterbench.key/1"
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
    # The wrong answer that each known fault gives ("off-by-one": "5"), for planted judges and diagnosis.
    misreadings: dict[str, str] = {}
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


TEMPLATE_FORMAT: Literal["counterbench.template/1"] = "counterbench.template/1"
DEFAULT, SHOWN, STRUCTURED = "default", "shown-prompt", "structured"
# The words before a prompt, in a template that shows it.
PROMPT_SHOWN = "This picture was made from the prompt:"
# The questions for a rating of how well a picture shows its prompt, by scale; the protocol `direct` asks the first.
_HOW_WELL = "How well does the picture show what the prompt asks for?"
RATING_QUESTIONS = {
    "1-5": (
        f"{_HOW_WELL}\n5: all of it, exactly. 4: all but a small thing. "
        "3: most of it, with several small things wrong. "
        "2: something important is missing or wrong. 1: hardly any of it."
    ),
    "0-10": (
        f"{_HOW_WELL}\n10: all of it, exactly. 8: all but a small thing. "
        "5: most of it, with several small things wrong. "
        "2: something important is missing or wrong. 0: nothing of it."
    ),
}
# The suffixes of these answer types, for templates that have suffixes but none for these. They are in no shipped file:
# a further suffix would change a template's digest, so that no certificate or run of it would be valid any more.
USUAL = {
    "choice": "Answer with one of the choices, in its own words.",
    "finding": (
        'Answer with a JSON object with the keys "answer" ("yes", "no" or "uncertain", by nothing but what the picture '
        'shows), "evidence" (one sentence: what in the picture says so) and "confidence" (a number from 0 to 1).'
    ),
    "rating": "Answer with a single number from {low} to {high}.",
    "ratings": "Answer with a JSON object that gives each name a single number from {low} to {high}.",
    "word": "Answer with that word alone.",
}


class PromptTemplate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A template file: the words around each question. For answer types without a suffix see USUAL."""

    format: Literal["counterbench.template/1"]
    name: str
    description: str = ""
    system: str = ""
    # By the type's name, without its scale or choices ("rating"); {low} and {high} stand for the ends of the scale.
    suffix: dict[str, str] = {}
    shows_prompt: bool = False  # the prompt of a generated picture comes before the question
    answer_line: bool = False  # the suffixes ask for reasons and a last line "Answer: …"; only that line is read
    in_json: bool = False  # the suffixes ask for a JSON object; servers that can are given its schema

    @property
    def digest(self) -> str:
        """A hex digest of the system text, the suffixes and what else changes the question; not of the name."""
        # A template without these fields keeps the digest that it had before the fields existed.
        also = [name for name in ("shows_prompt", "answer_line", "in_json") if getattr(self, name)]
        parts = msgspec.json.encode([self.system, self.suffix, *also], order="sorted")
        return hashlib.blake2b(parts, digest_size=16).hexdigest()

    def dress(self, query: Query) -> Query:
        """The query as a judge gets it: with the template's words, and its prompt in the text or nowhere."""
        suffix = self._suffix(query.answer_type)
        text = f"{query.text} {suffix}" if suffix else query.text
        if self.shows_prompt and query.prompt:
            text = f'{PROMPT_SHOWN} "{query.prompt}"\n{text}'
        line = self.answer_line and kind_of(query.answer_type) in self.suffix
        system = query.system or self.system
        return msgspec.structs.replace(
            query, text=text, system=system, prompt="", answer_line=line, in_json=self.in_json and bool(suffix)
        )

    def _suffix(self, answer_type: str) -> str:
        """The words after a question: the template's own or, if it has any for other types, the usual ones."""
        kind = kind_of(answer_type)
        suffix = self.suffix.get(kind, USUAL.get(kind, "") if self.suffix else "")
        ends = scale_of(answer_type) if kind in SUFFIXED else None
        return suffix.replace("{low}", ends[0]).replace("{high}", ends[1]) if ends else suffix


def with_prompt(template: PromptTemplate) -> PromptTemplate:
    """The same template, which shows a judge the prompt of a picture too."""
    if template == load_template():
        return load_template(SHOWN)
    if template.shows_prompt:
        return template
    return msgspec.structs.replace(template, name=f"{template.name}, prompt shown", shows_prompt=True)


def load_template(name: str = DEFAULT) -> PromptTemplate:
    """A shipped template by its bare name, or a template file; InputError names the file and the valid fields."""
    path: Path = catalog.find("probes/templates", "template", name)
    template = formats.read_typed_toml(path, PromptTemplate, TEMPLATE_FORMAT)
    kinds = [*ANSWER_TYPES, *SUFFIXED]
    for kind in template.suffix:
        if kind not in kinds:
            raise unknown("answer type", kind, kinds, f"{path}, suffix")
    return template


def load_templates(names: str | Sequence[str]) -> tuple[PromptTemplate, ...]:
    """The templates of these names or files; InputError for two with the same words or the same name.

    `names`: a list, or one text with commas between them.
    """
    listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    if not listed:
        raise InputError("template: name at least one")
    templates = tuple(map(load_template, listed))
    for i, template in enumerate(templates):
        if same := next((w for w in templates[:i] if w.name == template.name or w.digest == template.digest), None):
            alike = f"{same.name!r} and {template.name!r}"
            raise InputError(f"templates {', '.join(listed)}: {alike} have the same words or the same name")
    return templates
