"""A pair and a question as a row: the same fields in every export. Workers draw and take digests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import msgspec

from counterbench.errors import InputError
from counterbench.runs.pair_queries import keys_of, questions_of
from counterbench.runs.queries import Key, Query
from counterbench.runs.wordings import Wording
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.folder import picture_name
from counterbench.suites.sources import Source
from counterbench.suites.workers import count as worker_count
from counterbench.suites.workers import in_chunks

_CHUNK = 4  # pairs a task: with many workers and large pictures, what waits to be written is not small
_LONGEST = 80  # signs of a name; a tar of the oldest kind takes 100


class PairRows(msgspec.Struct, frozen=True):
    """A pair as rows: `pair`, a row about both of its pictures, and `questions`, one about each.

    `pictures` are the PNGs, original and intervened, and `paths` what their files are called in a folder of pairs.
    `name` is the pair's id as a part of any file's name: without dots, slashes or blanks.
    """

    name: str
    pair: dict[str, Any]
    questions: tuple[dict[str, Any], dict[str, Any]]
    pictures: tuple[bytes, bytes]
    paths: tuple[str, str]


def rows(
    source: Source,
    wording: Wording,
    *,
    workers: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[PairRows]:
    """The rows of every pair, in the source's order, some at a time in memory; progress counts those that were taken.

    InputError for a pair without pictures, and for one whose pictures are not as they were recorded.
    """
    total = len(source)
    made = in_chunks(_Rows(source, wording), source, workers=worker_count(workers), chunk=_CHUNK, total=total)
    for done, row in enumerate(made, 1):
        yield row
        on_progress(done, total)


def file_name(id: str) -> str:
    """An id as a part of a file's name: letters, digits, - and _ stay, others become %XX; long ones are cut.

    >>> file_name("spatial-000001"), file_name("a/b v1.2")
    ('spatial-000001', 'a%2Fb%20v1%2E2')
    """
    name = quote(id, safe="").replace(".", "%2E").replace("~", "%7E")
    if len(name) > _LONGEST:
        name = f"{name[:40]}-{hashlib.blake2b(id.encode(), digest_size=8).hexdigest()}"
    return name


@dataclass(frozen=True)
class _Rows:
    """The workers' task."""

    source: Source
    wording: Wording

    def __call__(self, pairs: list[Pair]) -> list[PairRows]:
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: Pair) -> PairRows:
        pictures = self.source.pictures(pair)
        if not pictures:
            raise InputError(
                f"{self.source.name}: pair {pair.id!r} came without pictures, and an export is made of them; import it "
                "again, with its pictures, into another --out"
            )
        queries = [self.wording.dress(query) for query in questions_of(pair, pictures)]
        keys = keys_of(pair, self.source.style)
        first, second = (question_row(query, key, pair.question) for query, key in zip(queries, keys, strict=True))
        return PairRows(
            name=file_name(pair.id),
            pair=pair_row(pair, first["pixels"], second["pixels"]),
            questions=(first, second),
            pictures=(pictures[0].png, pictures[1].png),
            paths=(picture_name(pair, ROLES[0]), picture_name(pair, ROLES[1])),
        )


def pair_row(pair: Pair, original_pixels: str, intervened_pixels: str) -> dict[str, Any]:
    """A pair as a row, without its pictures; the digests are those of their decoded pixels."""
    return {
        "id": pair.id,
        "question": pair.question,
        "answer_type": pair.answer_type,
        "original_answer": pair.original_answer,
        "intervened_answer": pair.intervened_answer,
        "relevant": pair.relevant,
        "family": pair.family,
        "category": pair.category,
        "skill": pair.skill,
        "form": pair.form,
        "intervention": pair.intervention,
        "difficulty": pair.difficulty,
        "original_pixels": original_pixels,
        "intervened_pixels": intervened_pixels,
    }


def question_row(query: Query, key: Key, question: str) -> dict[str, Any]:
    """A question as a row, without its picture: the query as it is put to a judge, and its key.

    `prompt` is all that is said to a judge beside `system`, its system text. `query_digest` is what a run of ours
    records as asked. `labels`: those that the words name and that may answer them, each with what it stands for.
    `answer_line`: the prompt asks for a last line "Answer: …", which alone is to be read.
    """
    return {
        "id": query.id,
        "pair": query.group,
        "role": query.role,
        "question": question,
        "prompt": query.text,
        "system": query.system,
        "answer": key.expected,
        "answer_type": key.answer_type,
        "labels": key.labels,
        "answer_line": query.answer_line,
        "relevant": key.relevant,
        "family": key.family,
        "category": key.category,
        "skill": key.skill,
        "form": key.form,
        "query_digest": query.digest,
        "pixels": query.pictures[0].digest,
    }


def all_words(question: Mapping[str, Any]) -> str:
    """What is said of a question's row in one text, where no system text can be given apart."""
    return "\n".join(words for words in (question["system"], question["prompt"]) if words)
