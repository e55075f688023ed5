"""The plots about judges: CCS, gap and stability by category, and CCS by difficulty."""

from __future__ import annotations

import re
from collections.abc import Callable

from counterbench.reporting.dots import Plot, Row, Series, dot_plot, share_columns
from counterbench.reporting.gather import ReportData
from counterbench.scoring.scores import Score, Share

_OVERALL = "overall"
_INTERVALS = "with 95 % Wilson intervals."
_CAPTIONS = {
    "CCS": f"Pairs right on both pictures, {_INTERVALS} Further right is better.",
    "gap": f"Pairs right on the original and wrong on the intervened picture, {_INTERVALS} Further left is better; a "
    "large gap is a judge that answers from the prior and misses the change.",
    "stability": f"Pairs whose change must not matter: the same answer to both pictures, {_INTERVALS} A judge that is "
    "stable and not right repeats a mistake.",
}
# A family's name that can be an id; an imported family may have any name.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# Words for the parameters; other parameters are shown by their names.
_UNITS = {"offset": "offset (px)", "size": "size of shapes (px)", "covered": "covered (%)"}


def all_plots(data: ReportData) -> list[Plot]:
    """Every plot that these runs have data for, in the order of the page."""
    return [
        *_by_category(data, "CCS", lambda score: score.ccs),
        *_by_category(data, "gap", lambda score: score.gap),
        *_by_category(data, "stability", lambda score: score.stability),
        *_by_difficulty(data),
    ]


def _by_category(data: ReportData, name: str, measure: Callable[[Score], Share]) -> list[Plot]:
    def shares(scores: dict[str, Score]) -> dict[str, Share]:
        return {group: share for group, score in scores.items() if (share := measure(score)).of}

    by_run = [shares({_OVERALL: run.document.overall} | dict(run.document.categories)) for run in data.runs]
    groups = [group for group in (_OVERALL, *data.categories) if any(group in of for of in by_run)]
    return dot_plot(
        name.lower(),
        "scores",
        f"{name[:1].upper()}{name[1:]} by category",
        _CAPTIONS[name],
        [Row((group,), group) for group in groups],
        [
            Series(label=run.label, shares=[of.get(group) for group in groups])
            for run, of in zip(data.runs, by_run, strict=True)
        ],
        ("pairs", "judge", *share_columns(name)),
        to_one=name == "CCS",
        rule_after=1,
    )


def _by_difficulty(data: ReportData) -> list[Plot]:
    """One plot a family, a row for each bin of each parameter that varies in it."""
    families: dict[str, dict[tuple[str, str], dict[int, Share]]] = {}
    for n, run in enumerate(data.runs):
        for difficulty in run.diagnosis.measures.difficulty:
            for bin in difficulty.bins if len(difficulty.bins) > 1 else ():
                row = (difficulty.parameter, str(bin.low) if bin.low == bin.high else f"{bin.low} to {bin.high}")
                families.setdefault(difficulty.family, {}).setdefault(row, {})[n] = bin.ccs
    return [
        plot
        for number, (family, of) in enumerate(families.items(), 1)
        for plot in dot_plot(
            f"difficulty-{family if _PLAIN.fullmatch(family) else number}",
            "difficulty",
            f"Difficulty: {family}",
            "CCS of relevant pairs in bins of each parameter, with 95 % Wilson intervals.",
            [Row(row, f"{_UNITS.get(row[0], row[0])} {row[1]}") for row in of],
            [
                Series(label=run.label, shares=[shares.get(n) for shares in of.values()])
                for n, run in enumerate(data.runs)
            ],
            ("parameter", "bin", "judge", *share_columns("CCS")),
        )
    ]
