"""Checklists (T2I-CoReBench, section 3): the weighted mean of a picture's checks, by dimension, category and tag.

T2I-CoReBench's are yes/no checks of weight 1, so that a picture's score is its share of yes. Its release leaves out
replies that it cannot read and takes the mean of the others (`as-released`); `of-all` takes them for no. `soft` and
`soft-geometric` count how likely the expected answer was to the judge, where it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from counterbench.stats.bootstrap import Series
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.scores.pictures import mean
from counterbench.t2i.scores.results import CheckResult, GroupResult, group_results
from counterbench.t2i.scores.rules import DEFAULT, SOFT, Scoring, picture_score
from counterbench.t2i.scores.scores import Formula, Part, Scores, Slices, Unit, members


class Checklist(Protocol):
    """Any prompts with any weighted checks."""

    name = "checklist"
    summary = "T2I-CoReBench, and prompts of one's own: the weighted mean of a picture's checks"
    asks = "each check alone, or several as one call; the prompt is not shown"
    calls = "one a check or call: 12.5 on T2I-CoReBench"
    wording = "strict"
    scorings: ClassVar[Mapping[str, Scoring]] = {
        DEFAULT: Scoring(),
        "of-all": Scoring(missing_data="zero"),
        "as-released": Scoring(missing_data="skip"),
        **SOFT,
    }

    def score(
        self,
        rows: Iterable[CheckResult],
        levels: Sequence[str],
        how: Scoring,
        category_weights: Mapping[str, float] | None = None,
    ) -> Scores:
        """`score`: the mean over prompts; `weighted`: over categories with their weights, where there are any."""
        prompts = _prompts(group_results(rows, levels), levels)
        whole = _part(prompts, levels, how)
        weights = {name: weight for name, weight in (category_weights or {}).items() if weight > 0}
        for name in weights:
            scored = zip(whole.columns["score"], prompts, strict=True)
            whole.columns[f"_{name}"] = [value if prompt.of.category == name else None for value, prompt in scored]
        headline = ("weighted", "score") if weights else ("score",)
        return Scores(
            whole=whole,
            headline=headline,
            bounded=headline,
            formulas={"weighted": _weighted(weights)} if weights else {},
        )

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Slices:
        """`score` by what prompts are (category, discipline, law, level) and what checks ask (the rest).

        Names stand in the order of the prompts, which is the one that their authors chose.
        """
        known = [row for row in rows if row.weight > 0]
        prompts = _prompts(group_results(known, levels), levels)
        whole = _part(prompts, levels, how)
        of_prompts = {
            "category": [prompt.of.category for prompt in prompts],
            "discipline": [prompt.of.discipline for prompt in prompts],
            "law": [prompt.of.law for prompt in prompts],
            "level": [prompt.level if len(levels) > 1 else "" for prompt in prompts],
        }
        found = {}
        for what, parts in ((what, members(names)) for what, names in of_prompts.items()):
            order = dict.fromkeys(getattr(row, what) for row in known)
            found[what] = {name: whole.only(parts[name]) for name in order if name in parts}
        of_checks: dict[str, list[tuple[str, ...]]] = {
            "dimension": [(row.dimension,) for row in known],
            "tag": [row.tags for row in known],
            "criterion": [(row.criterion,) for row in known],
        }
        for what, named in of_checks.items():
            by_name: dict[str, list[CheckResult]] = {}
            for names, row in zip(named, known, strict=True):
                for name in dict.fromkeys(filter(None, names)):  # a tag may be given twice
                    by_name.setdefault(name, []).append(row)
            found[what] = {
                name: _part(_prompts(group_results(of, levels), levels), levels, how) for name, of in by_name.items()
            }
        return found


class _Prompt(NamedTuple):
    of: GroupResult
    level: str


def _prompts(groups: Sequence[GroupResult], levels: Sequence[str]) -> list[_Prompt]:
    return [_Prompt(group, level) for group in groups for level in levels if group.pictures[level]]


def _part(prompts: Sequence[_Prompt], levels: Sequence[str], how: Scoring) -> Part:
    column = [
        mean([picture_score(picture, how) for picture in prompt.of.pictures[prompt.level].values()])
        for prompt in prompts
    ]
    units = tuple(
        Unit(f"{prompt.of.name}/{prompt.level}" if len(levels) > 1 else prompt.of.name, prompt.of.cluster)
        for prompt in prompts
    )
    return Part(units, tuple(value is not None for value in column), {"score": column})


def _weighted(weights: Mapping[str, float]) -> Formula:
    def compute(*means: Series) -> Series:
        import numpy as np

        found: Series = np.average(np.stack(means), axis=0, weights=list(weights.values()))
        return found

    return Formula(tuple(f"_{name}" for name in weights), compute)
