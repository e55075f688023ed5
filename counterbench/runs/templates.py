"""Prompt templates: a system text and a suffix for each answer type, from a small TOML file with a digest."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.answers import ANSWER_TYPES, SUFFIXED, kind_of, scale_of
from counterbench.errors import InputError, unknown
from counterbench.files import catalog, formats
from counterbench.runs.queries import Query

TEMPLATE_FORMAT: Literal["counterbench.template/1"] = "counterbench.template/1"
DEFAULT, SHOWN = "default", "shown-prompt"
# The words before a prompt, in a template that shows it.
PROMPT_SHOWN = "This picture was made from the prompt:"
# Suffixes of these types in a template that has suffixes, but not for these. They are in no shipped file: another
# suffix would change a template's digest, so that no certificate or run of it would be valid any more.
USUAL = {
    "choice": "Answer with one of the choices, in its own words.",
    "finding": (
        'Answer with a JSON object with the keys "answer" ("yes", "no" or "uncertain", by nothing but what the picture '
        'shows), "evidence" (one sentence: what in the picture says so) and "confidence" (a number from 0 to 1).'
    ),
    "rating": "Answer with a single number from {low} to {high}.",
    "ratings": "Answer with a JSON object that gives each name a single number from {low} to {high}.",
}


class PromptTemplate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A template file. A type without a suffix is asked without one; for those in USUAL see there."""

    format: Literal["counterbench.template/1"]
    name: str
    description: str = ""
    system: str = ""
    # By the type's name, without its scale or choices ("rating"); {low} and {high} stand for the ends of the scale.
    suffix: dict[str, str] = {}
    shows_prompt: bool = False  # the prompt of a generated picture comes before the question
    answer_line: bool = False  # the suffixes ask for reasons and a last line "Answer: …"; only that line is read

    @property
    def digest(self) -> str:
        """A hex digest of the system text, the suffixes, `shows_prompt` and `answer_line`; not of the name."""
        parts: list[object] = [self.system, self.suffix]
        if self.shows_prompt:  # a template that shows none keeps the digest it had before there were prompts
            parts.append("shows_prompt")
        if self.answer_line:
            parts.append("answer_line")
        return hashlib.blake2b(msgspec.json.encode(parts, order="sorted"), digest_size=16).hexdigest()

    def dress(self, query: Query) -> Query:
        """The query as it is put to a judge; its prompt is in the text or nowhere, its own system text is kept."""
        suffix = self._suffix(query.answer_type)
        text = f"{query.text} {suffix}" if suffix else query.text
        if self.shows_prompt and query.prompt:
            text = f'{PROMPT_SHOWN} "{query.prompt}"\n{text}'
        line = self.answer_line and kind_of(query.answer_type) in self.suffix
        system = query.system or self.system
        return msgspec.structs.replace(query, text=text, system=system, prompt="", answer_line=line)

    def _suffix(self, answer_type: str) -> str:
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
    """A shipped template by its bare name, or a template file; InputError names the file and the valid keys."""
    path: Path = catalog.find("probes/templates", "template", name)
    template = formats.read_typed_toml(path, PromptTemplate, TEMPLATE_FORMAT)
    kinds = [*ANSWER_TYPES, *SUFFIXED]
    for kind in template.suffix:
        if kind not in kinds:
            raise unknown("answer type", kind, kinds, f"{path}, suffix")
    return template


def load_templates(names: str | Sequence[str]) -> tuple[PromptTemplate, ...]:
    """The templates of these names or files, also in one text with commas; InputError for two that are alike."""
    listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    if not listed:
        raise InputError("template: name at least one")
    templates = tuple(map(load_template, listed))
    for i, one in enumerate(templates):
        if same := next((w for w in templates[:i] if w.name == one.name or w.digest == one.digest), None):
            raise InputError(f"templates {', '.join(listed)}: {same.name!r} and {one.name!r} ask or are called alike")
    return templates
