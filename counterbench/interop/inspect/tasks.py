"""Tasks for inspect_ai: one for each shipped suite (`counterbench/counterbench_550`), and `counterbench/pairs`.

Every start of inspect loads this module, by the entry point group `inspect_ai`: so it only names tasks, the scorer and
its metrics, and each of them imports its code when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from inspect_ai import task

from counterbench.files import catalog
from counterbench.interop.inspect.scorer import pair_scorer

if TYPE_CHECKING:
    from inspect_ai import Task

__all__ = ["pair_scorer", "pairs"]


def pairs(
    source: str,
    limit: int | None = None,
    template: str = "default",
    seed: int | None = None,
    attempt: int | None = None,
    size: int | None = None,
    style: str = "flat",
) -> Task:
    """Every question about a folder of pairs, a suite file or a shipped suite; the others are the options of `probe`.

    `limit` takes families in turn; inspect's own `--limit` cuts in the order of the file.
    """
    from counterbench.interop.inspect.log import Selection
    from counterbench.interop.inspect.samples import pairs_task

    return pairs_task(Selection(source, limit, seed, attempt, size, style), template)


def _of_suite(name: str) -> Callable[..., Task]:
    """The task of one shipped suite: its options are its parameters, where inspect looks for them."""

    def suite(
        limit: int | None = None,
        template: str = "default",
        seed: int | None = None,
        attempt: int | None = None,
        size: int | None = None,
        style: str = "flat",
    ) -> Task:
        """Every question about this suite; the options are those of `pairs`."""
        return pairs(name, limit, template, seed, attempt, size, style)

    return suite


task(name="pairs")(pairs)
for _name in catalog.names("scenes"):
    task(name=_name.replace("-", "_"))(_of_suite(_name))
