"""R2I-Score (R2I-Bench, section 3): Σ wᵢ sᵢ / Σ wᵢ of a picture, over questions graded 0 … 1 by criteria of their own.

It is asked and counted as a checklist: means over prompts by category and subcategory, and by dimension (reasoning,
alignment, quality). In the release no question reaches the judge (its placeholder is misspelt), which no scoring can
repeat; `as-released` is the rest of it: a check without a grade is left out, and a picture's score is rounded to two
decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import Scoring
from counterbench.t2i.scores.scores import Slices


class R2IScore(Checklist):
    """The protocol of R2I-Bench, for any prompts with any weighted checks."""

    name = "r2i-score"
    summary = "R2I-Bench: the weighted mean of a picture's grades for reasoning, alignment and quality"
    asks = "each check alone, with the criteria of its grades; the prompt is not shown"
    calls = "one a check: 5.8 on R2I-Bench"
    needs = "weighted checks; the dimensions reasoning, alignment and quality for the table"
    template = "default"
    scorings: ClassVar[Mapping[str, Scoring]] = {
        **Checklist.scorings,
        "as-released": Scoring(missing_data="skip", clamp=False, decimals=2),
    }

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Slices:
        """The slices of a checklist; its disciplines are subcategories here."""
        slices = super().slices(rows, levels, how)
        return {"subcategory" if kind == "discipline" else kind: parts for kind, parts in slices.items()}
