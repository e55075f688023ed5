"""Which pairs a task asks about, and what its metadata says of them, so that its log can be joined to them again."""

from __future__ import annotations

import msgspec

from counterbench.suites.attempts import attempted
from counterbench.suites.sources import Source, open_source

# What a task's metadata says for `import inspect-log` stands under this name.
METADATA = "counterbench"


class Selection(msgspec.Struct, frozen=True):
    """Which pairs are asked about: a source and the options of `probe` that choose among its pairs."""

    source: str
    limit: int | None = None
    seed: int | None = None
    attempt: int | None = None
    size: int | None = None
    style: str = "flat"

    def open(self) -> Source:
        """Those pairs; InputError as `open_source` and `attempted` raise it."""
        found = open_source(self.source, self.seed, self.limit, self.size, self.style)
        return attempted(found, self.attempt, self.limit)


class Asked(msgspec.Struct, frozen=True):
    """What a task's metadata says of all its samples: enough to find the same pairs and wording again."""

    selection: Selection
    suite: str
    suite_digest: str
    wording: str
    wording_digest: str
    version: str
