"""Names of models' runs, tables, rows and columns: how scores are grouped and titled, wherever they are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from counterbench.pictures.scores.document import (
    ModelDocument,
    Numbers,
)
from counterbench.runs.usage import distinct, short_names
from counterbench.text import counted, some

NameForm: TypeAlias = Literal["short", "whole", "as asked"]
_MAX_NAMES = 4  # the most names in a line


def by_set(documents: Sequence[ModelDocument]) -> list[list[ModelDocument]]:
    """The documents in groups of one prompt set, protocol and scoring; each group is shown in one table."""
    sets: dict[tuple[object, ...], list[ModelDocument]] = {}
    for document in documents:
        source = document.provenance
        sets.setdefault((source.prompts_digest, source.protocol, source.scoring, source.threshold), []).append(document)
    return list(sets.values())


def kinds_of_parts(documents: Sequence[ModelDocument], first: Sequence[str]) -> list[str]:
    """The kinds of parts (law, dimension, …) that get a table of their own.

    A kind gets one if a run has several parts of it, and their numbers are not those of an earlier kind. `first`: the
    kinds that come first; the others follow in the protocol's order.
    """
    kinds, earlier = list[str](), list[list[Numbers]]()
    for kind in dict.fromkeys((*first, *(kind for document in documents for kind in document.slices))):
        by_run = [document.slices.get(kind, {}) for document in documents]
        parts = [part for by_name in by_run for part in by_name.values()]
        is_known = any(len(parts) == len(others) and all(part in others for part in parts) for others in earlier)
        if max(map(len, by_run)) > 1 and not is_known:
            earlier.append(parts)
            kinds.append(kind)
    return kinds


def columns_of_losses(documents: Sequence[ModelDocument]) -> list[str]:
    """The columns "pictures" and "replies", each only if some run could not use all of its pictures or replies."""
    used_of_all = [uses(document) for document in documents]
    return [name for name in ("pictures", "replies") if any(row[name][0] < row[name][1] for row in used_of_all)]


def uses(document: ModelDocument) -> dict[str, tuple[int, int]]:
    """For "pictures" the numbers of scored ones and of all; for "replies" those of answered checks and of all."""
    outcomes = [level.outcomes for level in document.counts.values()]
    return {
        "pictures": (document.scored, document.pictures),
        "replies": (sum(counts["answer"] for counts in outcomes), sum(sum(counts.values()) for counts in outcomes)),
    }


def row_name(document: ModelDocument) -> str:
    """The run's name in a table, with notes on its defects: laws or skills left out, incomplete."""
    n_left_out, n_laws = len(document.left_out), len(document.slices.get("law", ()))
    scope = f"{n_laws} of {n_laws + n_left_out} laws" if n_laws else f"without {cut_list([*document.left_out], False)}"
    defects = [scope] if n_left_out else []
    defects += [] if document.complete else ["incomplete"]
    return document.generator + (f" ({', '.join(defects)})" if defects else "")


def unit(document: ModelDocument) -> str:
    """The word for one unit of a run's means: "prompt" if each group has one prompt, else "group"."""
    return "group" if len(document.counts) > 1 else "prompt"


def clusters(document: ModelDocument) -> str:
    """The number of laws, groups or prompts over which a run's intervals are, in words."""
    laws = len(document.slices.get("law", ()))
    if laws > max(1, document.clusters):
        return f"{counted(laws, 'law')} of unequal sizes, which count as {document.clusters}"
    if repeats_words(document):
        prompts = counted(document.rests_on[main_number(document)], "prompt")
        return f"{prompts}, which count as {document.clusters}, since some have the same words"
    return counted(document.clusters, "law" if laws > 1 else unit(document))


def repeats_words(document: ModelDocument) -> bool:
    """True if some of a run's prompts have the same words, so that they count as one (`cluster_name`)."""
    of_prompts = unit(document) == "prompt" and not document.slices.get("law")
    return of_prompts and document.clusters < document.rests_on.get(main_number(document), 0)


def main_number(document: ModelDocument) -> str:
    """The name of the number that stands for a run where there is room for one.

    It is "score" (the mean) if there is one, else S at the last level ("s_l3"), else the last headline number.
    """
    levels = [name for name in document.headline if name.startswith("s_")]
    return "score" if "score" in document.columns else (levels or document.headline)[-1]


def cut_list(names: Sequence[str], in_full: bool) -> str:
    """Names as one text, "a, b and 3 more" if there are many; `in_full`: every one of them."""
    return ", ".join(names) if in_full or len(names) <= _MAX_NAMES else some(names, _MAX_NAMES - 1)


class _Generator(NamedTuple):
    """A generator with the field names that `short_names`, which is made for judges, reads."""

    judge: str  # the generator's name, which is shortened
    name: str  # the user's name for it; empty if there is none


# Texts that tell runs of the same name apart; the first one that differs is used.
_DISTINCTIONS: tuple[Callable[[ModelDocument], str], ...] = (
    lambda document: f"on {document.provenance.prompts}",
    lambda document: f"under {document.protocol}",
    lambda document: f"in {Path(document.run).name}",
    lambda document: f"in {document.run}",
)


def distinct_documents(documents: Sequence[ModelDocument], names: NameForm = "short") -> list[ModelDocument]:
    """The documents, each with a title of its own in place of its generator.

    The title is the generator's name, with the judge's if there are several, and a note if the judge saw the prompt;
    where two are still alike, with what tells them apart (`_DISTINCTIONS`). `names`: "short" for terminals, "whole" for
    files; both prefer the name that the user gave. "as asked": the generator as the document has it.
    """
    infos = [document.provenance for document in documents]
    judges = short_names(infos, names == "whole")
    generators = [document.generator for document in documents]
    if names != "as asked":
        named = zip(generators, infos, strict=True)
        of_generators = [_Generator(generator, info.generator_name) for generator, info in named]
        generators = short_names(of_generators, names == "whole")
    titles = [
        f"{name}{f' by {judge}' if len(set(judges)) > 1 else ''}{' (prompt shown)' if info.prompt_shown else ''}"
        for name, judge, info in zip(generators, judges, infos, strict=True)
    ]
    titles = distinct(titles, *([f" {describe(document)}" for document in documents] for describe in _DISTINCTIONS))
    return [msgspec.structs.replace(run, generator=title) for run, title in zip(documents, titles, strict=True)]
