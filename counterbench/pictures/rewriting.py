"""Prompts in other words, as an author (a language model) writes them by a template.

A template says in which words: it is a TOML file in `probes/rewrites/`, or one of the user. `Rewriting` is what
`preparing.prepare` has the author do; the result is a prompt set that is a variant of the original: its items have the
same ids and the same checks. The shipped templates serve T2I-CoReBench's rewritten prompts (section 4.3), without and
with reasons first, and the pipeline of R2I-Bench (section 4); their words are ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import msgspec

from counterbench.files import catalog, formats
from counterbench.pictures.protocols.asks import Ask, CheckReplies
from counterbench.pictures.protocols.authors import AuthorQuestion, FilledText, WrittenTexts, one_line
from counterbench.prompts.files import PromptSetName
from counterbench.prompts.prompt_set import Prompt, PromptSet

FOLDER = "probes/rewrites"
REWRITE_FORMAT: Literal["counterbench.rewrite/1"] = "counterbench.rewrite/1"
_FORM = """

End with a JSON list, and nothing behind it. It holds one object with one key, "prompt": the new prompt, in one line \
of at most {longest} characters."""


class RewriteTemplate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that says how prompts are put into other words."""

    format: Literal["counterbench.rewrite/1"] = REWRITE_FORMAT
    name: PromptSetName  # added to the name of the set
    description: str = ""
    system: FilledText  # the author's task; the form of its reply is added to it
    longest: Annotated[int, msgspec.Meta(ge=1)] = 2000  # the most characters of a new prompt


def load_rewrite(name: str) -> RewriteTemplate:
    """A shipped template by its bare name, or a template file; InputError names the file and what is valid."""
    path = catalog.find(FOLDER, "rewrite template", name)
    return formats.read_typed_toml(path, RewriteTemplate, REWRITE_FORMAT)


class _NewWords(WrittenTexts, frozen=True, rename={"words": "prompt"}):
    """The one item of the list that an author writes."""

    words: FilledText


@dataclass(frozen=True)
class Rewriting:
    """The task of an author who puts every prompt of a set into other words (`preparing.AuthorTask`)."""

    template: RewriteTemplate
    version = 1
    writes = "other words"
    prepared = 1

    @property
    def name(self) -> str:
        """The template's name."""
        return self.template.name

    def prepare(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The question for the new prompt; once more, if the reply cannot be used."""
        return self._question(prompt).asks(replies)

    def written(self, prompt: Prompt, replies: CheckReplies) -> Prompt | None:
        """The prompt with its new text, in one line; None if no reply can be used."""
        items = self._question(prompt).items(replies)
        return msgspec.structs.replace(prompt, text=one_line(items[0].words)) if items else None

    def set_of(self, prompts: PromptSet, written: Mapping[str, Prompt]) -> PromptSet:
        """The variant, of the prompts that have new words."""
        name = f"{prompts.name}-{self.name}"
        return replace(prompts, name=name, prompts=list(written.values()), variant_of=prompts.digest)

    def _question(self, prompt: Prompt) -> AuthorQuestion[_NewWords]:
        """The question to the author for the new words of a prompt."""
        system = self.template.system + _FORM.format(longest=self.template.longest)
        return AuthorQuestion("rewrite", f"The prompt is:\n{prompt.text}", system, _NewWords, "prompt", self._faults)

    def _faults(self, items: Sequence[_NewWords]) -> Iterator[str]:
        """The faults of an author's list: it has not one prompt, or the prompt is too long."""
        if len(items) != 1:
            yield f"it has {len(items)} prompts, and there must be exactly 1"
        longest = max((len(one_line(item.words)) for item in items), default=0)
        if longest > self.template.longest:
            yield f"the prompt has {longest:,} characters, and there must be at most {self.template.longest:,}"
