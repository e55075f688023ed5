"""Scenes of the shipped suites, so that nobody trains on the scenes of tests.

Training items have their own randomness, so an item of a suite, of any seed or attempt, occurs only by chance: if a
kind has few scenes, above all the empty picture.
"""

from __future__ import annotations

from functools import cache

from counterbench.files import catalog
from counterbench.scene.pairs import Pair
from counterbench.suites.families import family
from counterbench.suites.families.laws import LawFamily
from counterbench.suites.suite import load_suite


def is_shipped(pair: Pair) -> bool:
    """True if a shipped suite has a pair with one of its two scenes, with any question."""
    return any(scene.digest in _shipped(_of_laws(pair.family)) for scene in pair.scenes)


def _of_laws(name: str) -> bool:
    """True if a family shows laws. Families with and without laws share no scene except the empty one."""
    return isinstance(family(name), LawFamily)


@cache
def _shipped(of_laws: bool) -> frozenset[str]:
    """The digests of all scenes of shipped suites, of laws or of shapes: takes seconds, once in a process; 2 MB."""
    suites = [load_suite(name) for name in catalog.names("scenes")]
    return frozenset(
        scene.digest
        for suite in suites
        for part in suite.parts
        if _of_laws(part.family) == of_laws
        for index in range(part.count)
        for scene in suite.sample(part, index).scenes
    )
