"""How a judge is asked: a system text and a suffix for each answer type, from a small TOML file with a digest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.answers import answer_type
from counterbench.errors import InputError
from counterbench.files import catalog, formats
from counterbench.runs.queries import Query

WORDING_FORMAT: Literal["counterbench.wording/1"] = "counterbench.wording/1"
DEFAULT, SHOWN = "default", "shown-prompt"
# What a judge is told before a prompt, by a wording that shows it.
PROMPT_SHOWN = "This picture was made from the prompt:"


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wording file. A type without a suffix is asked without one.

    `shows_prompt`: before the question, the judge is told the prompt that the picture was made from, where there is
    one. Otherwise it never learns it.
    """

    format: Literal["counterbench.wording/1"]
    name: str
    description: str = ""
    system: str = ""
    suffix: dict[str, str] = {}
    shows_prompt: bool = False

    @property
    def digest(self) -> str:
        """A hex digest of what a judge is told: system text, suffixes, whether it is shown prompts; not the name."""
        told: list[object] = [self.system, self.suffix]
        if self.shows_prompt:  # a wording that shows none keeps the digest it had before there were prompts
            told.append("shows_prompt")
        return hashlib.blake2b(msgspec.json.encode(told, order="sorted"), digest_size=16).hexdigest()

    def dress(self, query: Query) -> Query:
        """The query as it is put to a judge; its prompt is in the text or nowhere."""
        suffix = self.suffix.get(query.answer_type, "")
        text = f"{query.text} {suffix}" if suffix else query.text
        if self.shows_prompt and query.prompt:
            text = f'{PROMPT_SHOWN} "{query.prompt}"\n{text}'
        return msgspec.structs.replace(query, text=text, system=self.system, prompt="")


def load_wording(name: str = DEFAULT) -> Wording:
    """A shipped wording by its bare name, or a wording file; InputError names the file and the valid keys."""
    path: Path = catalog.find("probes/wordings", "wording", name)
    wording = formats.read_typed_toml(path, Wording, WORDING_FORMAT)
    for kind in wording.suffix:
        try:
            answer_type(kind)
        except InputError as error:
            raise InputError(f"{path}, suffix: {error}") from None
    return wording
