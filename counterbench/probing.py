"""Pairs to queries and keys: two questions a pair, the same words, one about each picture."""

from __future__ import annotations

from collections.abc import Iterator

from counterbench.misreadings import misreadings
from counterbench.pairs import ROLES, Pair
from counterbench.queries import Key, Query
from counterbench.sources import Source


def query_id(pair: Pair, role: str) -> str:
    """The id that joins a query, its key and its records."""
    return f"{pair.id}/{role}"


def queries(source: Source) -> Iterator[Query]:
    """The questions of every pair, in the source's order."""
    for pair in source:
        pictures = source.pictures(pair)
        for i, role in enumerate(ROLES):
            yield Query(
                id=query_id(pair, role),
                group=pair.id,
                role=role,
                pictures=pictures[i : i + 1],
                text=pair.question,
                answer_type=pair.answer_type,
            )


def keys(source: Source) -> Iterator[Key]:
    """The truth of every query, in the same order."""
    for pair in source:
        for i, role in enumerate(ROLES):
            scene = (pair.original, pair.intervened)[i]
            known = misreadings(pair.program, scene) if pair.program is not None and scene is not None else {}
            yield Key(
                id=query_id(pair, role),
                group=pair.id,
                role=role,
                expected=pair.answers[i],
                answer_type=pair.answer_type,
                relevant=pair.relevant,
                family=pair.family,
                category=pair.category,
                skill=pair.skill,
                form=pair.form,
                truth=pair.truth,
                difficulty=pair.difficulty,
                misreadings=known,
            )
