"""The pairs that a task asks about, and its metadata about them, by which its log is joined to them again."""

from __future__ import annotations

import msgspec

from counterbench.suites.attempts import attempted
from counterbench.suites.sources import Source, open_source

# The key in a task's metadata under which `import inspect-log` looks.
METADATA = "counterbench"


class Selection(msgspec.Struct, frozen=True):
    """The pairs that are asked about: a source and the options of `probe` that choose among its pairs."""

    source: str
    limit: int | None = None
    seed: int | None = None
    attempt: int | None = None
    size: int | None = None
    style: str = "flat"

    def open(self) -> Source:
        """The source of these pairs; InputError as `open_source` and `attempted` raise it."""
        source = open_source(self.source, self.seed, self.limit, self.size, self.style)
        return attempted(source, self.attempt, self.limit)


class Asked(msgspec.Struct, frozen=True):
    """A task's metadata about all its samples: enough to find the same pairs and template again."""

    selection: Selection
    suite: str
    suite_digest: str
    template: str
    template_digest: str
    version: str
