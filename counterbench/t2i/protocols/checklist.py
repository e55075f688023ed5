"""Checklists (T2I-CoReBench, section 3): the weighted mean of a picture's checks, by dimension, category and tag.

T2I-CoReBench has yes/no checks of weight 1, so that a picture's score is its share of yes. Its release leaves out
replies that it cannot read and takes the mean of the others (`as-released`); `of-all` counts them as no. `soft` and
`soft-geometric` count the judge's probability of the expected answer, if the judge gives one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import DEFAULT, SOFT, Scoring
from counterbench.t2i.scores.scores import ByPrompt, Part, Scores, Slices

_OF_PROMPTS = ("category", "discipline", "law", "level")


class Checklist(Protocol):
    """The protocol of checklists, for any prompts with any weighted checks."""

    name = "checklist"
    summary = "T2I-CoReBench, and prompts of one's own: the weighted mean of a picture's checks"
    asks = "each check alone, or several as one call; the prompt is not shown"
    calls = "one a check or call: 12.5 on T2I-CoReBench"
    template = "strict"
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
    ) -> Scores:
        """`score`: the mean over prompts."""
        return Scores(whole=self._part(ByPrompt(rows, levels), how), headline=("score",), bounded=("score",))

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Slices:
        """`score` by fields of prompts (category, discipline, law, level) and by fields of checks (the rest)."""
        known = [row for row in rows if row.weight > 0]
        prompts = ByPrompt(known, levels)
        by_kind = prompts.slices(self._part(prompts, how), {name: name for name in _OF_PROMPTS})
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
            by_kind[what] = {name: self._part(ByPrompt(of, levels), how) for name, of in by_name.items()}
        return by_kind

    def _part(self, prompts: ByPrompt, how: Scoring) -> Part:
        return prompts.part(("score",), lambda picture: self.of_picture(picture, how))
