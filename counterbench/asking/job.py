"""A job: one command, or one call of a Python function, that asks a judge, from its options to its result.

All derive from `Job` and take the same steps: `plan` forecasts, `askings` gives the runs one after the other, and
`conclude` derives the result. The same job started again resumes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.asking.options import AskOptions
from counterbench.judges.opening import opened
from counterbench.suites.shards import read_shard

if TYPE_CHECKING:
    from pathlib import Path

    from counterbench.asking.limits import Budget
    from counterbench.judges.base import Judge
    from counterbench.runs.pair_queries import Questions
    from counterbench.runs.queries import Key

J = TypeVar("J", bound="Job")


@dataclass(frozen=True, kw_only=True)
class Job(AskOptions):
    """The base of `Probe`, `Validation`, `Judging`, …: options, and the judge and folder that they name.

    These are opened at first use. `plan` says how much is left to ask, and what that takes; each of the runs of
    `askings` is asked before the next is taken, since later ones depend on replies.
    `budget`: the calls and money that it shares with other jobs; by default its own, by `limits`.
    """

    budget: Budget | None = None

    @classmethod
    def from_options(cls: type[J], options: AskOptions, **others: Any) -> J:
        """The job with these options and `others`, less those of `options` that the job does not have."""
        known = {name: value for name, value in options.fields.items() if name in cls.__dataclass_fields__}
        return cls(**known | others)

    def open_judge(self, judge: Judge | Callable[..., Any] | str, keys: Callable[[], Iterable[Key]] = tuple) -> Judge:
        """The judge itself, or the one that a name or a function stands for; `keys`: the truth, for planted judges."""
        return opened(judge, keys, base_url=self.base_url, key_env=self.key_env, price=self.price)

    @cached_property
    def spending(self) -> Budget:
        """The calls and money that all runs of this job share; for a shard, its part of them."""
        return self.budget or (self.limits or Limits()).budget(read_shard(getattr(self, "shard", "")))

    @property
    def of_asking(self) -> dict[str, Any]:
        """The options of this job that `Asking` takes as well, by name."""
        return {"repeats": self.repeats, "limits": self.limits, "name": self.name, "budget": self.spending}

    def asking_about(self, questions: Questions, judge: Judge, path: Path, **more: Any) -> Asking:
        """The run of this job that asks `judge` these questions, in the folder `path`.

        `more`: further arguments of `Asking`; they replace those that the job gives.
        """
        return Asking(questions, judge, path, **self.of_asking | more)

    def askings(self) -> Iterator[Asking]:
        """The runs that are left to ask, each to be asked before the next is taken."""
        raise NotImplementedError

    def conclude(self) -> Any:
        """Derive the result of complete runs and keep it in the folder; None for a job whose replies are its result."""
        return None

    def run(self, ask: Callable[[Asking], object] = Asking.run) -> Any:
        """Ask all that is left; returns the result (see `conclude`), or None if a run was not completed."""
        for asking in self.askings():
            ask(asking)
            if not asking.complete:
                return None
        return self.conclude()

    def until_concluded(self) -> Generator[Asking, None, bool]:
        """Yield each run as `askings` does, then conclude; returns True if all runs were completed."""
        for asking in self.askings():
            yield asking
            if not asking.complete:
                return False
        self.conclude()
        return True
