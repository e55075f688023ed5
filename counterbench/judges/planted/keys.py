"""The keys that a planted judge works with: all of them, or read along with the questions so that few are held."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from counterbench.runs.queries import Key

# Pairs that are held at once: more than a judge is asked about at the same time.
_HELD = 1000


class KeyReader:
    """Finds the keys of a pair. `keys` gives all of them anew each time, the keys of a pair side by side.

    Questions come in the order of the keys, or nearly; a question about an earlier pair makes it read from the start.
    """

    def __init__(self, keys: Callable[[], Iterable[Key]]) -> None:
        self._keys = keys
        self._pairs: Iterator[tuple[str, list[Key]]] = iter(())
        self._held: OrderedDict[str, list[Key]] = OrderedDict()

    def pairs(self) -> Iterator[tuple[str, list[Key]]]:
        """Every pair's name and keys, read anew."""
        return ((name, list(keys)) for name, keys in groupby(self._keys(), lambda key: key.group))

    def of_pair(self, group: str, id: str) -> list[Key]:
        """The keys of the pair that has key `id`; empty if there is none. Keys may be added later."""
        if not self._has(group, id) and not (self._read_up_to(group) and self._has(group, id)):
            self._pairs = self.pairs()
            self._read_up_to(group)
        return self._held.get(group, [])

    def _has(self, group: str, id: str) -> bool:
        return any(key.id == id for key in self._held.get(group, ()))

    def _read_up_to(self, group: str) -> bool:
        for name, keys in self._pairs:
            self._held[name] = keys
            if len(self._held) > _HELD:
                self._held.popitem(last=False)
            if name == group:
                return True
        return False
