"""A comparison of models: who is better by which number, by how much, and the ranks. Data only."""

from __future__ import annotations

import msgspec

from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.document import Signature, SoftCounts, Standing
from counterbench.t2i.words import plain
from counterbench.text import brief, html_table


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """Two models by one headline number (`column`), over the `units` that both have scored; `left_out` are the others.

    `difference`: how much larger the first's is, paired, with its 95 % interval. `p`: the randomisation test;
    `p_holm`: adjusted over all models and headline numbers of the comparison; null where the difference is undefined.
    `better`: the model that is better at the 5 % level, null when tied; `verdict` says it in words. Of a tie, what
    would part it with 80 % power, if the difference seen is the true one: `units_needed` with as many samples of each
    as now; null where no number would do, or none can be named.
    """

    column: str
    first: str
    second: str
    units: int
    left_out: int
    difference: Estimate
    p: float | None
    p_holm: float | None
    better: str | None
    verdict: str
    units_needed: int | None = None


class Rank(msgspec.Struct, frozen=True):
    """One model's number as `t2i score` has it, and the ranks that it may have.

    `rank` = 1 + the number of models that are better by this number; `rank_last` = the number of models - the number
    that are worse. Models that the data cannot tell apart share ranks.
    """

    model: str
    value: Estimate
    rank: int
    rank_last: int

    @property
    def span(self) -> str:
        """The ranks in words: "2", or "1-3"."""
        return str(self.rank) if self.rank == self.rank_last else f"{self.rank}-{self.rank_last}"

    def __str__(self) -> str:
        return f"{plain(self.value.value)} ({self.span})"


class ModelRun(Standing, frozen=True, kw_only=True):
    """A run that takes part, and what its judge was shown to see. `model`: what the generator is called here.

    `soft`: of a scoring by probability, what it rests on.
    """

    model: str
    run: str
    complete: bool
    signature: Signature
    soft: SoftCounts | None = None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The models of one prompt set under one protocol, asked and counted alike.

    `units`: what numbers are means over, a group of prompts or a prompt; `clusters`: what is drawn and swapped whole, a
    law or such a unit, of which any two models have `fewest` in common or more. `headline`: the numbers, in the
    protocol's order. `ranks`: by number, best first. `tests`: over how many p is adjusted; `level`: of the verdicts.
    """

    prompts: str
    protocol: str
    level: float
    units: str
    clusters: str
    fewest: int
    headline: list[str]
    runs: list[ModelRun]
    ranks: dict[str, list[Rank]]
    contrasts: list[Contrast]
    tests: int
    not_compared: list[str]

    def __repr__(self) -> str:
        first = self.headline[0]
        ranks = "; ".join(f"{one.rank}. {one.model}" for one in self.ranks[first])
        return brief(self, f"on {self.prompts} by {self.protocol}, {first}: {ranks}")

    def _repr_html_(self) -> str:
        """For a notebook: each model's numbers, with the ranks that they give it."""
        by_model = {
            run.model: [rank for of in self.ranks.values() for rank in of if rank.model == run.model]
            for run in self.runs
        }
        rows = ((model, *map(str, ranks)) for model, ranks in by_model.items())
        return html_table(f"{self.protocol} on {self.prompts}, and (rank)", ("model", *self.headline), rows)


class Comparisons(msgspec.Struct, frozen=True):
    """`t2i compare --json`: a comparison for each prompt set and way to ask; `alone`: runs that no other is like."""

    comparisons: list[Comparison]
    alone: list[str]
