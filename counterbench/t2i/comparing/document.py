"""A comparison of models: the differences by each number, their verdicts, and the ranks. Data only."""

from __future__ import annotations

import msgspec

from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.document import Signature, SoftCounts, Standing
from counterbench.t2i.words import plain
from counterbench.text import brief, html_table


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """Two models by one headline number."""

    column: str  # the number
    first: str
    second: str
    units: int  # scored by both
    left_out: int  # other units
    difference: Estimate  # first less second, paired, with its 95 % interval
    p: float | None  # of the randomisation test; null where the difference is undefined
    p_holm: float | None  # adjusted over all models and headline numbers of the comparison
    better: str | None  # the model that is better at the 5 % level; null for a tie
    verdict: str  # the same in words
    # For a tie: the units that would decide it with 80 % power, if the observed difference is the true one, with as
    # many samples of each as now; null where no number would, or none can be named.
    units_needed: int | None = None


class Rank(msgspec.Struct, frozen=True):
    """One model's number as `t2i score` has it, and its possible ranks; models that are tied share ranks."""

    model: str
    value: Estimate
    rank: int  # 1 + the number of models that are better by this number
    rank_last: int  # the number of models - the number of models that are worse

    @property
    def span(self) -> str:
        """The ranks in words: "2", or "1-3"."""
        return str(self.rank) if self.rank == self.rank_last else f"{self.rank}-{self.rank_last}"

    def __str__(self) -> str:
        return f"{plain(self.value.value)} ({self.span})"


class ModelRun(Standing, frozen=True, kw_only=True):
    """A run that takes part, and the standing of its judge."""

    model: str  # the generator's name in this comparison
    run: str
    complete: bool
    signature: Signature
    soft: SoftCounts | None = None  # of a scoring by probability


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The models of one prompt set under one protocol, asked and counted alike."""

    prompts: str
    protocol: str
    level: float  # of the verdicts
    units: str  # the kind of thing that numbers are means over: a group of prompts, or a prompt
    clusters: str  # the kind of thing that is resampled and swapped as a whole: a law, or a unit
    fewest: int  # clusters that any two models have in common, at least
    headline: list[str]  # the numbers, in the protocol's order
    runs: list[ModelRun]
    ranks: dict[str, list[Rank]]  # by number, best first
    contrasts: list[Contrast]
    tests: int  # over which p is adjusted
    not_compared: list[str]

    def __repr__(self) -> str:
        first = self.headline[0]
        ranks = "; ".join(f"{one.rank}. {one.model}" for one in self.ranks[first])
        return brief(self, f"on {self.prompts} by {self.protocol}, {first}: {ranks}")

    def _repr_html_(self) -> str:
        """An HTML table for notebooks: each model's numbers, with its ranks by them."""
        by_model = {
            run.model: [rank for of in self.ranks.values() for rank in of if rank.model == run.model]
            for run in self.runs
        }
        rows = ((model, *map(str, ranks)) for model, ranks in by_model.items())
        return html_table(f"{self.protocol} on {self.prompts}, and (rank)", ("model", *self.headline), rows)


class Comparisons(msgspec.Struct, frozen=True):
    """`t2i compare --json`."""

    comparisons: list[Comparison]  # one for each prompt set and way to ask
    alone: list[str]  # runs that can be compared with no other
